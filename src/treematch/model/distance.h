/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distance.h - distances between slots, many and fast.
 *
 * Each slot has a code: the child numbers on its path from the root, a bit field for each level.
 * The highest bit in which two codes differ lies in the field of the level where the paths part, so
 * a distance is an exclusive or, a count of leading zeros and a table. The field of a level with a
 * network has the position instead: the coordinates in a torus or mesh, each a field of its own, or
 * the vertex in a graph; the distance follows from the two fields. Trees whose fields do not fit
 * into 63 bits, and those without arrays, are climbed ancestor by ancestor.
 */
#ifndef TMAP_DISTANCE_H
#define TMAP_DISTANCE_H

#include "treematch/model/interconnect.h"

struct tmap_distance {
    const struct tmap_tree *tree;
    uint64_t *code;                       /* by slot, the last bit is 0; NULL: does not fit */
    int level_of_bit[64];                 /* [leading zeros]; [63]: equal slots */
    double cost_of_bit[64];               /* -1: the level has a network */
    unsigned char shift[TMAP_MAX_LEVELS]; /* of the field of a level with a network */
    unsigned char width[TMAP_MAX_LEVELS][TMAP_MAX_DIMENSIONS]; /* of its coordinates; [0]: vertex */
};

/* TMAP_ENOMEM or TMAP_OK. */
enum tmap_status tmap_distance_init(struct tmap_distance *distance, const struct tmap_tree *tree);
void tmap_distance_fini(struct tmap_distance *distance);

/* The number of leading bits that two codes have in common; 63: all. */
static inline int tmap_common_bits(uint64_t a, uint64_t b)
{
    return __builtin_clzll((a ^ b) | 1);
}

/* The level of the lowest common ancestor; the tree's depth for equal slots. */
static inline int tmap_level_of(const struct tmap_distance *distance, int32_t a, int32_t b)
{
    if (distance->code)
        return distance->level_of_bit[tmap_common_bits(distance->code[a], distance->code[b])];
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
    int bit = tmap_common_bits(distance->code[a], distance->code[b]);
    double cost = distance->cost_of_bit[bit];
    if (cost >= 0)
        return cost;
    int level = distance->level_of_bit[bit];
    int32_t hops;
    return distance->tree->level[level].cost *
           tmap_distance_in_interconnect(distance, level, a, b, &hops);
}

#endif
