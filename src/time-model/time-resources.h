/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time-resources.h - what messages take of the processors of a node, or of all nodes, by how long
 * exchanges take when many ranks do them at once (`exchange' of timings/timings.h).
 *
 * An exchange of n ranks takes `wait' once, and `message' for each message that a rank sends and
 * gets. So a message is 1/n of `message' of the time of all, half of it at either end, and a rank
 * that waits once is 1/n of `wait'. That holds whether ranks take turns on few processors, where an
 * exchange takes the longer the more ranks do it, or have one each, where a rank by itself takes
 * longer than this. A rank waits for messages of different partners at the same time: as often as
 * for the partner with most.
 *
 * Inside a node bytes are work of the processors. Between nodes they pass cards, which may be
 * slower: there they are the time of links (time-links.h).
 */
#ifndef RESEAT_TIME_RESOURCES_H
#define RESEAT_TIME_RESOURCES_H

#include "profile/profile.h"
#include "time-model/time-places.h"

/* Seconds. */
struct time_turns {
    double work, wait;
};

struct time_processors {
    const int32_t *node_of; /* by role; the caller's */
    int32_t roles, nodes;
    int32_t *ranks;               /* by node */
    struct time_turns *node, all; /* by node, of what is measured among node; of all roles */
    double *wait_node, *wait_all; /* by role */
};

/* Room for so many roles. 0, or -1: out of memory. Close in either case. */
int time_processors_open(struct time_processors *p, int32_t roles);
void time_processors_close(struct time_processors *p);

/* Nothing has been sent. */
void time_processors_clear(struct time_processors *p, const int32_t *node_of, int32_t nodes);
/* Add the messages of an entry, `count', whose paths part at a level; with those of its pair that
 * were added before they are `of_pair'. */
void time_processors_add(struct time_processors *p, const struct reseat_entry *entry,
                         const struct timings_effort effort[TIMINGS_SCOPES], double count,
                         double of_pair);
/* All has been added: count the waiting. */
void time_processors_end(struct time_processors *p);

#endif
