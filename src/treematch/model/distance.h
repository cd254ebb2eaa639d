/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distance.h - distances between slots, many and fast.
 *
 * Each slot has a code: the child numbers on its path from the root, a bit field for each level.
 * The highest bit in which two codes differ lies in the field of the level where the paths part, so
 * a distance is an exclusive or, a count of leading zeros and a table. The field of a level with a
 * network has the position instead: the coordinates in a torus or mesh, each a field of its own, or
 * the vertex in a graph; the distance follows from the two fields. Trees whose fields do not fit
 * into 64 bits, and those without arrays, are climbed ancestor by ancestor.
 */
#ifndef TMAP_DISTANCE_H
#define TMAP_DISTANCE_H

#include "treematch/model/interconnect.h"

struct tmap_distance {
    const struct tmap_tree *tree;
    uint64_t *code;                       /* by slot; NULL: does not fit */
    int level_of_bit[65];                 /* [leading zeros]; [64]: equal slots */
    double cost_of_bit[65];               /* -1: the level has a network */
    unsigned char shift[TMAP_MAX_LEVELS]; /* of the field of a level with a network */
    unsigned char width[TMAP_MAX_LEVELS][TMAP_MAX_DIMENSIONS]; /* of its coordinates; [0]: vertex */
};

/* TMAP_ENOMEM or TMAP_OK. */
enum tmap_status tmap_distance_init(struct tmap_distance *distance, const struct tmap_tree *tree);
void tmap_distance_fini(struct tmap_distance *distance);

static inline int tmap_leading_zeros(uint64_t number)
{
    return number ? __builtin_clzll(number) : 64;
}

/* The level of the lowest common ancestor; the tree's depth for equal slots. */
static inline int tmap_level_of(const struct tmap_distance *distance, int32_t a, int32_t b)
{
    if (distance->code)
        return distance->level_of_bit[tmap_leading_zeros(distance->code[a] ^ distance->code[b])];
    return tmap_common_level(distance->tree, a, b);
}

/* The length of the path between two slots that part at `level`, which has a network, and its
 * hops. */
double tmap_distance_in_interconnect(const struct tmap_distance *distance, int level, int32_t a,
                                     int32_t b, int32_t *hops);

static inline double tmap_distance_of(const struct tmap_distance *distance, int32_t a, int32_t b)
{
    if (!distance->code)
        return tmap_tree_distance(distance->tree, a, b);
    int bit = tmap_leading_zeros(distance->code[a] ^ distance->code[b]);
    double cost = distance->cost_of_bit[bit];
    if (cost >= 0)
        return cost;
    int level = distance->level_of_bit[bit];
    int32_t hops;
    return distance->tree->level[level].cost *
           tmap_distance_in_interconnect(distance, level, a, b, &hops);
}

#endif
