/* SPDX-License-Identifier: BSD-3-Clause */
/* job-seconds.h - the seconds of a job's messages, where RESEAT_TIMINGS names a machine: rank 0
 * reads the file and judges by it. */
#ifndef RESEAT_JOB_SECONDS_H
#define RESEAT_JOB_SECONDS_H

#include "time-model/time-weights.h"
#include "reorder/pattern.h"
#include "reorder/seats.h"

struct job_seconds {
    struct reseat_timings *timings; /* this and the rest at rank 0 */
    const char *lack;               /* what they lack here (reseat_timings_lack); NULL: nothing */
    int known;      /* there are timings that lack nothing, and the traffic is known */
    int asks;       /* where the processes are counts: then, or because of the job's time in MPI */
    int is_watched; /* if it counts: they are where the job was watched */
    struct time_costs costs; /* if known; these two also at leaders of nodes that decide */
    double seconds[2];       /* estimates for the launch order and the one found */
    double bytes[2];         /* the same: what goes between nodes */
};

/*
 * Read the timings, and with metric time replace the weights of the pattern. Nothing is known
 * without RESEAT_TIMINGS at rank 0, or if the pattern is the graph of a call, or if the file lacks
 * something; then the metric time is size. A file that cannot be used is trouble. At rank 0.
 */
void job_seconds_open(struct job_seconds *job, const struct reseat_settings *settings,
                      struct pattern *pattern, const struct seats *seats, struct trouble *trouble);
void job_seconds_close(struct job_seconds *job);

/* At rank 0: fill `seconds` and is_watched, if they are known and count, for process p playing
 * roles[p]. */
void job_seconds_compare(struct job_seconds *job, const struct pattern *pattern,
                         const struct seats *seats, const int *roles, struct trouble *trouble);

#endif
