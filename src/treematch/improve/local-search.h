/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * local-search.h - the state of a local search for better mappings, which swaps.c (exchanges that
 * gain) and disturb.c (some that do not) share.
 */
#ifndef TMAP_SEARCH_H
#define TMAP_SEARCH_H

#include "treematch/improve/nearby.h"
#include "treematch/improve/swaps.h"
#include "treematch/model/distance.h"

/* A role as it was before a disturbance. */
struct tmap_search_before {
    int32_t role;
    double cost, want;
};

struct tmap_search_move {
    int32_t role, from;
};

/* All that was done since a disturbance, to undo it. All zero: nothing is written down. */
struct tmap_search_journal {
    struct tmap_search_move *move;
    int32_t moves, room;
    struct tmap_search_before *before; /* of the roles whose cost has changed */
    int32_t befores;
    int32_t *touched; /* by role: the last disturbance that changed its cost */
    int32_t number;   /* of this disturbance */
    double gained;    /* by it and all exchanges since */
};

struct tmap_search {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    const struct tmap_swaps *swaps;
    struct tmap_distance distance;
    int32_t *slot_of;
    int32_t *load;            /* by slot */
    int32_t *head;            /* by slot: a role on it, -1: none */
    int32_t *next, *previous; /* by role: others on the same slot */
    int32_t *queue;           /* roles to be tried, circular */
    char *queued;
    int32_t queue_first, queue_count;
    double *cost;      /* by role: of its pairs */
    double *least;     /* by role: lower bound on the cost of its pairs */
    double *want;      /* by role: no more than that can it gain by leaving its group */
    double *most;      /* by group: no role on it, nor a free slot (0), wants more than that */
    uint64_t *towards; /* by role: the weight of its pair with the role that is being tried */
    double nearest;    /* the smallest distance of two roles */
    double innermost;  /* the distance within a group, if it has no network */
    double outside;    /* how much farther the nearest slot of another group is */
    int simple;        /* no slot holds more than one role */
    int has_networks;
    struct tmap_nearby nearby; /* if it has */
    double left;               /* of the budget */
    struct tmap_search_journal journal;
};

/* `role` goes to `slot`, and `partner` to where it was; -1: it takes a free unit. */
struct tmap_exchange {
    double gain;
    int32_t slot;
    int32_t partner;
};

/* Matrix, tree, swaps and slot_of are given, all else is zero. TMAP_ENOMEM or TMAP_OK. */
enum tmap_status tmap_search_init(struct tmap_search *search);
/* Also after a failed tmap_search_init. */
void tmap_search_fini(struct tmap_search *search);

/* Queue a role to be tried, unless it is queued; take the first one out. */
void tmap_search_enqueue(struct tmap_search *search, int32_t role);
int32_t tmap_search_dequeue(struct tmap_search *search);

/* Gain if `role` moves to `slot`, not counting its pair with `except` (-1: with all). cost[role] is
 * up to date. */
double tmap_search_gain(const struct tmap_search *search, int32_t role, int32_t slot,
                        int32_t except);

/* Make an exchange, and queue all whose cost it has changed. */
void tmap_search_exchange(struct tmap_search *search, int32_t role,
                          const struct tmap_exchange *exchange);

/* Undo what the journal has. */
void tmap_search_undo(struct tmap_search *search);

/* Try what is queued, until nothing is, the budget is used up or the journal has no room. swaps.c
 */
void tmap_search_run(struct tmap_search *search);

/* Disturb the mapping and repair it, again and again. TMAP_ENOMEM or TMAP_OK. disturb.c */
enum tmap_status tmap_search_disturb(struct tmap_search *search);

/* The group of slots that a slot belongs to: an object of the level above. */
static inline int32_t tmap_search_group(const struct tmap_search *search, int32_t slot)
{
    return search->tree->ancestor[search->tree->depth - 1][slot];
}

static inline int tmap_search_is_fixed(const struct tmap_search *search, int32_t role)
{
    return search->swaps->fixed && search->swaps->fixed[role];
}

#endif
