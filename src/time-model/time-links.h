/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time-links.h - how long the links between the nodes of a machine are busy, and those of networks
 * inside nodes.
 *
 *   of a network   torus, graph ...: the load of the busier direction by static routes
 *                  (tmap_loads), at the rate of a pair of ranks there
 *   up             from a switch to what it hangs on: all that leaves what is below the switch, or
 *                  comes to it
 *   of a level     all links up of all objects of a level together, with what is above them
 *
 * The last two have the rate that was seen when all ranks exchanged at once across the level above
 * (`exchange ... among all' of timings/timings.h): each node gets its part of it, so a link carries
 * that part as often as there are nodes below it. Then either these links were full, or the cards
 * were, and the links are wide enough. Where that was not measured they are taken as wide enough,
 * and so are those that lead to a network, whose own links are priced, and the single ones of a
 * machine of more than a million slots, on which a job of any size would wait for their count.
 */
#ifndef RESEAT_TIME_LINKS_H
#define RESEAT_TIME_LINKS_H

#include "profile/profile.h"
#include "time-model/time-places.h"

struct time_links {
    const struct time_places *places; /* the caller's */
    const struct tmap_tree *tree;
    int32_t roles;
    int has_networks;
    double ranks_of_node; /* that share the measured rate */
    /* By object of a level; NULL: one without priced links up. */
    int32_t *nodes_below[TMAP_MAX_LEVELS + 1];
    double *out, *in; /* room: bytes, by object of a level */
    /* Of the messages that were added last, seconds: of the busiest link, 0 if there is none. */
    double between, inside; /* nodes */
    double network;         /* the busiest level */
    double squares;         /* the sum of those of all links up */
    /* The link up that is busiest; 0 seconds: there is none. */
    double busiest_up;
    int busiest_level;
    int32_t busiest_object;
};

/* For so many roles on a tree. 0, or -1: out of memory. Close in either case. */
int time_links_open(struct time_links *links, const struct time_places *places,
                    const struct tmap_tree *tree, const struct reseat_timings *timings,
                    int32_t roles);
void time_links_close(struct time_links *links);

/* Find the seconds of so many entries, whose roles are on these slots. 0, or -1 with *error. */
int time_links_find(struct time_links *links, const struct reseat_entry *entries, size_t count,
                    const int32_t *slot_of, struct reseat_error *error);

#endif
