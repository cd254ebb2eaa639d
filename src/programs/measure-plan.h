/* SPDX-License-Identifier: BSD-3-Clause */
/* measure-plan.h - which ranks of a job send to each other to measure its machine. No MPI. */
#ifndef RESEAT_MEASURE_PLAN_H
#define RESEAT_MEASURE_PLAN_H

#include <stdint.h>

#include "network/location.h"
#include "treematch/tmap.h"

enum {
    MEASURE_NEAREST = 8, /* nodes among which a rank's messages are divided, at most */
    MEASURE_PAIRS = 4,   /* of a level at most: they take turns */
    MEASURE_USERS = 64,  /* of a card or a memory at most, and pairs that exchange at once */
    MEASURE_LEVELS = 32
};

struct measure_pair {
    int32_t first, second;
};

/* Pairs that are so many hops apart; 1 where the level is no network. */
struct measure_pairs {
    struct measure_pair pair[MEASURE_PAIRS];
    int count, hops;
};

/* Pairs without a rank in common that exchange at once. */
struct measure_partners {
    struct measure_pair pair[MEASURE_USERS];
    int count;
};

struct measure_level {
    char kind[TMAP_NAME_SIZE];
    struct measure_pairs near, far; /* far.count 0: none is further apart */
    /* As many as there are: with a rank on the fullest node, and anywhere. all.count 0: these are
     * no others. */
    struct measure_partners node, all;
};

struct measure_plan {
    struct measure_level level[MEASURE_LEVELS];
    int levels;
    /* From one node to others, the nearest first: `cards` ranks of the node, and as many partners,
     * or `nearest` if that is more, so that one rank can use all that its node has. */
    struct measure_pair card[MEASURE_USERS];
    int cards, nearest;
    struct measure_pair memory[MEASURE_USERS]; /* in one package, or node; no rank twice */
    int memories;
};

/* Choose for ranks 0 .. ranks-1, whose places are known; the tree is theirs
 * (reseat_location_tree). 0, or -1: out of memory. */
int measure_plan_make(struct measure_plan *plan, const struct tmap_tree *tree,
                      const int32_t *slot_of, const struct reseat_location *locations,
                      int32_t ranks);

/* The number of users after `users`: 1, 2, 4, ..., most; 0: no more. */
int measure_next_users(int users, int most);

#endif
