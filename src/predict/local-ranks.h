/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * local-ranks.h - nodes whose processes keep their local ranks, whichever roles they play.
 *
 * Many programs take their GPU by their local rank: that of a process in the communicator of its
 * node. Others take it by the number that the launcher gave to the process there. Both take the
 * one that they have in launch order if the processes of a node, in the order of the roles that
 * they play, are in the order in which they were launched:
 *
 *   processes of a node, as launched     4 5 6 7      local ranks 0 1 2 3
 *   roles that a search put there        9 2 7 3
 *   roles of these processes             2 3 7 9      local ranks 0 1 2 3
 *
 * So a node may hold any roles, and what that saves between nodes stays; which of its processes
 * plays which of them is given.
 */
#ifndef RESEAT_LOCAL_RANKS_H
#define RESEAT_LOCAL_RANKS_H

#include "network/location.h"
#include "profile/settings.h"

struct local_ranks_summary {
    int32_t nodes;        /* how many nodes the job has */
    int32_t kept;         /* and on how many of them local ranks stay; the others are free */
    int32_t accelerators; /* the most on a node, if they are why; 0: the setting is */
};

struct local_ranks {
    int32_t *first; /* by slot: the first slot of its node; -1: the node is free; NULL: all are */
    int32_t *slot;  /* from there on: the slots of its processes, by local rank */
    int32_t *next;  /* from there on: for counting */
    struct local_ranks_summary of_all;
};

/* Words about them, for the end of a line; "": all nodes are free. */
const char *local_ranks_words(const struct local_ranks_summary *of_all);

/*
 * Find the nodes that are not free: all, none, or those with accelerators, of which it suffices
 * that one process of the node knows. launch[process] is a slot of its own. 0, or -1 with *error:
 * out of memory, and nothing to free.
 */
int local_ranks_find(struct local_ranks *local, enum reseat_keep_local keep,
                     const struct reseat_location *locations, const int32_t *launch,
                     int32_t processes, struct reseat_error *error);
void local_ranks_free(struct local_ranks *local);

/* Give the roles on each node that is not free to its processes in order. */
void local_ranks_keep(const struct local_ranks *local, int32_t *slot_of, int32_t roles);

#endif
