/* SPDX-License-Identifier: BSD-3-Clause */
/* time-places.h - what the levels of a tree are to a model of time: their timings, which of them
 * are nodes and packages. */
#ifndef RESEAT_TIME_PLACES_H
#define RESEAT_TIME_PLACES_H

#include "timings/timings.h"

struct time_places {
    int depth, node, package; /* levels: the objects of which are nodes, or whose memory counts */
    int card; /* the level whose objects have a network card; `node` where nodes have one */
    struct {
        const struct timings_level *timings;
        double seconds_per_byte; /* of one pair of ranks */
        double hop_seconds;      /* 0: the level has no network */
        double overlap; /* the part of the time of its bytes, sent and received one after the other,
                           that a rank takes for both at once; 1: not measured */
        double together; /* the part of the time of its bytes that a rank takes if it sends them to
                            several nodes at once; 1: not measured, or no network */
        struct timings_effort effort[TIMINGS_SCOPES];
    } level[TMAP_MAX_LEVELS + 1]; /* where the paths of two ranks part */
};

void time_places_find(struct time_places *places, const struct tmap_tree *tree,
                      const struct reseat_timings *timings);

/* One message between two slots, of so many bytes on average. */
struct time_message {
    double latency, transfer; /* seconds */
    int level;
};
struct time_message time_message_of(const struct time_places *places, const struct tmap_tree *tree,
                                    int32_t a, int32_t b, double bytes);

/* object[role]: the number of the role's object at `level`, from 0 in the order of objects; `room`
 * is room for as many numbers. Returns how many there are. */
int32_t time_places_number(const struct tmap_tree *tree, int level, const int32_t *slot_of,
                           int32_t roles, int32_t *object, int32_t *room);

#endif
