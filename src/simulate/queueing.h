/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queueing.h - a discrete-event simulation of messages that pass through servers. A server serves
 * one message at a time, in the order in which they arrive, and any number may wait. A flow sends
 * messages whether earlier ones have arrived or not (an open network). No I/O, no globals; the same
 * input gives the same result.
 *
 * Times are integers, picoseconds, so that sums have no rounding that depends on their order.
 */
#ifndef RESEAT_QUEUEING_H
#define RESEAT_QUEUEING_H

#include <stddef.h>
#include <stdint.h>

#include "text/error.h"

#define QUEUEING_SECOND 1e12 /* picoseconds */

enum { QUEUEING_STAGES = 2 };

/* The time from one message of a flow to the next, and the lengths of messages: always the mean, or
 * exponentially distributed. */
enum queueing_spread { QUEUEING_FIXED, QUEUEING_EXPONENTIAL };

struct queueing_stage {
    int32_t server;   /* -1: none; the message takes the time, and waits for nobody */
    uint64_t service; /* picoseconds, of a message of the mean length */
};

/* Messages that take the same way: one stage or two, of which the first of two has a server. */
struct queueing_flow {
    uint64_t start;    /* of the first message (with exponential gaps: the gap before it follows) */
    uint64_t interval; /* mean, picoseconds */
    uint64_t messages;
    int32_t stages;
    uint64_t delay; /* from the end of the first stage to the second */
    struct queueing_stage stage[QUEUEING_STAGES];
};

struct queueing_server {
    uint64_t free_at; /* when what has arrived so far will have been served */
    uint64_t served;  /* messages */
    double busy;      /* picoseconds */
    double waited;    /* sum over messages of the time before their service begins, picoseconds */
    uint64_t longest; /* the longest of these */
};

struct queueing_options {
    uint64_t seed;
    enum queueing_spread gaps, lengths;
};

struct queueing_result {
    uint64_t sent, delivered; /* messages: equal at the end */
    uint64_t events;          /* arrivals at a stage */
    uint64_t last;            /* when the last message has been delivered, picoseconds */
};

/*
 * Send all messages of all flows and serve them. `servers` need not be initialized. Messages that
 * arrive at the same time are served flow by flow, those at their first stage first. Time:
 * O(events x log(flows + servers x delays)); memory: flows, and messages on their way to a second
 * stage. 0, or -1 with *error: out of memory, or it would take longer than QUEUEING_LONGEST.
 */
int queueing_run(const struct queueing_flow *flows, size_t count, struct queueing_server *servers,
                 size_t servers_count, const struct queueing_options *options,
                 struct queueing_result *result, struct reseat_error *error);

/* The end of simulated time: 26 days. */
#define QUEUEING_LONGEST (UINT64_C(1) << 61)

#endif
