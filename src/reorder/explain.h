/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.h - rank 0's lines on standard error about what was decided, and why. */
#ifndef RESEAT_EXPLAIN_H
#define RESEAT_EXPLAIN_H

#include <stdint.h>

#include "profile/gain.h"
#include "profile/settings.h"
#include "reorder/decide.h"

/* The cost of one step at rank 0: its time, and the bytes received or sent. */
struct step {
    const char *name;
    double seconds;
    double bytes;
};

struct timing {
    double last; /* when the last step ended */
    int count;
    struct step step[10];
};

/* The first step has begun at `since` (base/clock.h). */
void timing_open(struct timing *timing, double since);
/* A step ends now, and the next one begins. */
void timing_add(struct timing *timing, const char *name, double bytes);

struct decision_report {
    const char *function; /* the MPI function, or "MPI_COMM_WORLD" */
    int ranks;
    int done;          /* reordered, or not */
    double cost[2];    /* predicted, of all ranks: of the launch order, of the order found */
    double busiest[2]; /* load of the busiest link, as cost; zeros if that is no objective */
    double between[2]; /* what goes between nodes, by the metric, as cost; 0: not known */
    enum reseat_metric metric;
    double bytes[2]; /* between nodes, with the seconds; 0: not known */
    struct reseat_worth worth;
    uint64_t messages[2]; /* between nodes, as cost; 0: not known */
    int blind;            /* there is one node, and no process is bound to a part of it */
    enum reseat_strategy strategy;
    enum reseat_pattern source;
    const struct decision *decision; /* of rank 0's group */
    const struct timing *timing;
};

/* RESEAT_VERBOSE 0: nothing; 1: one line; 2 and more: the predicted cost and the method, the
 * candidates, the cost by level and the steps below it. If `reseat verify` asks
 * (src/cmd/verify/run-outputs.c), also a line with what is predicted, in integers: no locale can
 * change them. */
void explain_decision(const struct decision_report *report, int verbose);

#endif
