/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distance.c - the codes of slots.
 */
#include "treematch/model/distance.h"

static int bits_for(int64_t values)
{
    return values > 1 ? 64 - __builtin_clzll((uint64_t)(values - 1)) : 0;
}

/* Bits for the children's numbers. */
static int count_child_bits(const struct tmap_tree *tree, int level)
{
    int32_t widest = 1;
    for (int32_t o = 0; o < tree->count[level]; o++) {
        int32_t arity = tree->first_child[level][o + 1] - tree->first_child[level][o];
        widest = arity > widest ? arity : widest;
    }
    return bits_for(widest);
}

/* Bits for positions, coordinate by coordinate. */
static int count_network_bits(const struct tmap_interconnect *interconnect, unsigned char *width)
{
    int sum = 0;
    if (interconnect->vertex)
        return width[0] = (unsigned char)bits_for(interconnect->vertices);
    for (int d = 0; d < interconnect->shape.dimensions; d++)
        sum += width[d] = (unsigned char)bits_for(interconnect->shape.extent[d]);
    return sum;
}

/* Bits of the fields of each level; returns their sum. */
static int count_bits(struct tmap_distance *distance, int *bits)
{
    const struct tmap_tree *tree = distance->tree;
    int sum = 0;
    for (int l = 0; l < tree->depth; l++) {
        bits[l] = tree->interconnect[l]
                      ? count_network_bits(tree->interconnect[l], distance->width[l])
                      : count_child_bits(tree, l);
        sum += bits[l];
    }
    return sum;
}

static uint64_t field_of(const struct tmap_distance *distance, int level, int32_t child)
{
    const struct tmap_interconnect *interconnect = distance->tree->interconnect[level];
    int32_t coordinate[TMAP_MAX_DIMENSIONS], position = distance->tree->position[level][child];
    uint64_t field = 0;
    if (interconnect->vertex)
        return (uint64_t)interconnect->vertex[position];
    tmap_interconnect_coordinates(interconnect, position, coordinate);
    for (int d = 0; d < interconnect->shape.dimensions; d++)
        field = field << distance->width[level][d] | (uint64_t)coordinate[d];
    return field;
}

/* The codes of the objects of `level` become those of their children. No object comes after its
 * children, so that is done in place, from the last one on. */
static void hand_down_codes(const struct tmap_distance *distance, int level, int bits)
{
    const struct tmap_tree *tree = distance->tree;
    const int32_t *first = tree->first_child[level];
    for (int32_t object = tree->count[level] - 1; object >= 0; object--) {
        const uint64_t above = distance->code[object] << bits;
        for (int32_t child = first[object + 1] - 1; child >= first[object]; child--)
            distance->code[child] =
                above | (tree->interconnect[level] ? field_of(distance, level, child)
                                                   : (uint64_t)(child - first[object]));
    }
}

enum tmap_status tmap_distance_init(struct tmap_distance *distance, const struct tmap_tree *tree)
{
    int bits[TMAP_MAX_LEVELS];
    distance->tree = tree;
    distance->code = NULL;
    distance->cost_of_bit[63] = 0;
    distance->level_of_bit[63] = tree->depth;
    int sum = tree->capacity ? count_bits(distance, bits) : 64;
    if (sum > 63)
        return TMAP_OK;
    distance->code = tmap_new((size_t)tree->count[tree->depth], sizeof *distance->code);
    if (!distance->code)
        return TMAP_ENOMEM;
    for (int l = 0, at = 63 - sum; l < tree->depth; at += bits[l++]) {
        distance->shift[l] = (unsigned char)(64 - at - bits[l]);
        for (int bit = at; bit < at + bits[l]; bit++) {
            distance->cost_of_bit[bit] = tree->interconnect[l] ? -1 : tree->level[l].cost;
            distance->level_of_bit[bit] = l;
        }
    }
    distance->code[0] = 0;
    for (int l = 0; l < tree->depth; l++)
        hand_down_codes(distance, l, bits[l]);
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++)
        distance->code[slot] <<= 1;
    return TMAP_OK;
}

void tmap_distance_fini(struct tmap_distance *distance)
{
    free(distance->code);
    distance->code = NULL;
}

static double length_in_grid(const struct tmap_interconnect *interconnect,
                             const unsigned char *width, const uint64_t field[2], int32_t *hops)
{
    const struct tmap_shape *shape = &interconnect->shape;
    uint64_t a = field[0], b = field[1];
    double length = 0;
    *hops = 0;
    for (int d = shape->dimensions - 1; d >= 0; d--) {
        uint64_t mask = (UINT64_C(1) << width[d]) - 1;
        int32_t apart = (int32_t)(a & mask) - (int32_t)(b & mask);
        apart = shape->kind == TMAP_SHAPE_TORUS ? tmap_interconnect_wrap(apart, shape->extent[d])
                                                : abs(apart);
        length += apart * shape->length[d];
        *hops += apart;
        a >>= width[d];
        b >>= width[d];
    }
    return length;
}

double tmap_distance_in_interconnect(const struct tmap_distance *distance, int level, int32_t a,
                                     int32_t b, int32_t *hops)
{
    const struct tmap_interconnect *interconnect = distance->tree->interconnect[level];
    const unsigned char *width = distance->width[level];
    const uint64_t field[2] = {distance->code[a] >> distance->shift[level],
                               distance->code[b] >> distance->shift[level]};
    if (!interconnect->vertex)
        return length_in_grid(interconnect, width, field, hops);
    size_t mask = ((size_t)1 << width[0]) - 1;
    size_t at = (field[0] & mask) * (size_t)interconnect->vertices + (field[1] & mask);
    *hops = interconnect->hops[at];
    return interconnect->distance ? (double)interconnect->distance[at]
                                  : interconnect->hops[at] * interconnect->shortest;
}
