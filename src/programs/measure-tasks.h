/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure-tasks.h - what ranks do to measure: rank 0 gives each rank that takes part a task, and
 * the first of each pair answers with when it did it. All others sleep, so that they do not take
 * processors from those that are measured.
 */
#ifndef RESEAT_MEASURE_TASKS_H
#define RESEAT_MEASURE_TASKS_H

#include <stdint.h>

#include "programs/measure-plan.h"

enum measure_kind {
    MEASURE_END,     /* no more tasks */
    MEASURE_PING,    /* there and back, again and again */
    MEASURE_SEND,    /* many messages under way, from the first to the second */
    MEASURE_RECEIVE, /* from the second to the first */
    MEASURE_BOTH,    /* both ways */
    MEASURE_EXCHANGE /* some messages each way at once, again and again */
};

enum { MEASURE_MOST_BYTES = 4 << 20, MEASURE_STREAM_BYTES = 256 << 10, MEASURE_WINDOW = 8 };

struct measure_task {
    enum measure_kind kind;
    struct measure_pair pair;
    int32_t bytes, times;      /* of a message; how many, or how many exchanges */
    int32_t messages;          /* of an exchange, each way; at most a window */
    int32_t pairs;             /* at once */
    int32_t starter, starters; /* the first rank of the first pair, and how many begin together */
    int32_t partners;          /* of this rank, in a stream; more than one only of a first rank */
    int32_t partner[MEASURE_WINDOW];
};

/* Room for the messages of any task. NULL: out of memory. */
char *measure_room(void);

/* Of all ranks but 0: do tasks until there are no more. */
void measure_follow(char *room);

/* Of rank 0: let all pairs do this at once, whose first ranks are on one node (in an exchange, on
 * any). In a stream of up to MEASURE_WINDOW pairs several can have the same first rank. Returns the
 * seconds from when the first of them began to when the last was done; of a ping, those of one way;
 * of an exchange, those of one, of the slowest pair. */
double measure_lead(const struct measure_task *task, const struct measure_pair *pairs, int count,
                    char *room);

/* Of rank 0: no more tasks. */
void measure_end(int ranks);

#endif
