/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distance.c - the codes of slots.
 */
#include "treematch/model/distance.h"

/* Bits for the child numbers of each level; returns their sum. */
static int count_bits(const struct tmap_tree *tree, int *bits)
{
    int sum = 0;
    for (int l = 0; l < tree->depth; l++) {
        int32_t widest = 1;
        for (int32_t o = 0; o < tree->count[l]; o++) {
            int32_t arity = tree->first_child[l][o + 1] - tree->first_child[l][o];
            widest = arity > widest ? arity : widest;
        }
        bits[l] = 64 - tmap_leading_zeros((uint64_t)(widest - 1));
        sum += bits[l];
    }
    return sum;
}

static uint64_t code_of(const struct tmap_tree *tree, const int *bits, int32_t slot)
{
    uint64_t code = 0;
    for (int l = 0; l < tree->depth; l++) {
        int32_t object = tmap_tree_ancestor(tree, slot, l);
        int32_t child = tmap_tree_ancestor(tree, slot, l + 1) - tree->first_child[l][object];
        code = code << bits[l] | (uint64_t)child;
    }
    return code;
}

enum tmap_status tmap_distance_init(struct tmap_distance *distance, const struct tmap_tree *tree)
{
    int bits[TMAP_MAX_LEVELS], sum = tree->capacity ? count_bits(tree, bits) : 65;
    distance->tree = tree;
    distance->code = NULL;
    distance->cost_of_bit[64] = 0;
    distance->level_of_bit[64] = tree->depth;
    if (sum > 64)
        return TMAP_OK;
    distance->code = tmap_new((size_t)tree->count[tree->depth], sizeof *distance->code);
    if (!distance->code)
        return TMAP_ENOMEM;
    for (int l = 0, at = 64 - sum; l < tree->depth; at += bits[l++]) {
        for (int bit = at; bit < at + bits[l]; bit++) {
            distance->cost_of_bit[bit] = tree->level[l].cost;
            distance->level_of_bit[bit] = l;
        }
    }
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++)
        distance->code[slot] = code_of(tree, bits, slot);
    return TMAP_OK;
}

void tmap_distance_fini(struct tmap_distance *distance)
{
    free(distance->code);
    distance->code = NULL;
}
