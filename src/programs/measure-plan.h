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
    MEASURE_USERS = 64,  /* of a card or a memory at most */
    MEASURE_LEVELS = 32,
    MEASURE_EXCHANGING = 1024 /* pairs at once at most: the last begins some milliseconds late */
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
    struct measure_pair pair[MEASURE_EXCHANGING];
    int count;
};

struct measure_level {
    char kind[TMAP_NAME_SIZE];
    struct measure_pairs near, far; /* far.count 0: none is further apart */
    /* Up to MEASURE_EXCHANGING: with a rank on the fullest node, and anywhere. all.count 0: these
     * are no others. */
    struct measure_partners node, all;
};

struct measure_plan {
    struct measure_level level[MEASURE_LEVELS];
    int levels;
    /* From one node to others, the nearest first: `cards` ranks of the node, and as many partners,
     * or `nearest` if that is more, so that one rank can use all that its node has. */
    struct measure_pair card[MEASURE_USERS];
    int cards, nearest;
    /* The same from the ranks of one part of that node, where each part has a card of its own;
     * near_cards 0: nodes have one card, or ranks in one of these parts only. */
    struct measure_pair near_card[MEASURE_USERS];
    int near_cards;
    const char *near;                          /* the kind of these parts, tmap_place_level_name */
    struct measure_pair memory[MEASURE_USERS]; /* in one package, or node; no rank twice */
    int memories;
};

/* The ranks of a job and where they are; all is the caller's. */
struct measure_machine {
    const struct tmap_tree *tree; /* of the ranks (reseat_location_tree) */
    const int32_t *slot_of;
    const struct reseat_location *locations;
    int32_t ranks;
    int card_level; /* which parts of a node have cards, as tmap_card_level says */
};

/* Choose for ranks 0 .. ranks-1. If it is not known what cards are near to, they are taken to be
 * near packages, or NUMA nodes: what is measured tells. 0, or -1: out of memory. */
int measure_plan_make(struct measure_plan *plan, const struct measure_machine *machine);

/* The number of users after `users`: 1, 2, 4, ..., most; 0: no more. */
int measure_next_users(int users, int most);

#endif
