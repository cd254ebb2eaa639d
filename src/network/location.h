/* SPDX-License-Identifier: BSD-3-Clause */
/* location.h - where a process runs, as all code that predicts and places sees it. Other structs
 * add what they need: a rank (reorder/seats.h), switches (leaf.h), what binds it
 * (cmd/place/probe.h). */
#ifndef RESEAT_LOCATION_H
#define RESEAT_LOCATION_H

#include <stdint.h>

#include "text/error.h"
#include "network/network.h"
#include "treematch/tmap.h"

struct reseat_location {
    int32_t node; /* equal for the processes of a node; with switches, its row of the network */
    struct tmap_place place; /* inside the node */
    int32_t accelerators;    /* of the node; 0: none, or another process there knows them */
};

/* Make it the place of a process that may run anywhere on its node. */
static inline void reseat_place_clear(struct tmap_place *place)
{
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        place->at[level] = -1;
}

/* Returns 1 if a process is bound to a part of its node. */
static inline int reseat_place_is_known(const struct tmap_place *place)
{
    int level = 0;
    while (level < TMAP_PLACE_LEVELS && place->at[level] < 0)
        level++;
    return level < TMAP_PLACE_LEVELS;
}

/*
 * The tree of `processes` processes below the switches of `network` (NULL: none known), with a slot
 * for each: slot_of[process]. 0, or -1 with *error.
 */
int reseat_location_tree(struct tmap_tree **tree, const struct reseat_location *locations,
                         int32_t processes, const struct reseat_network *network, int32_t *slot_of,
                         struct reseat_error *error);

#endif
