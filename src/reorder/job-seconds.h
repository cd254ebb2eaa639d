/* SPDX-License-Identifier: BSD-3-Clause */
/* job-seconds.h - the seconds of a job's messages, where RESEAT_TIMINGS names a machine: rank 0 reads the
 * file and judges by it, all ranks get the costs of levels. */
#ifndef RESEAT_JOB_SECONDS_H
#define RESEAT_JOB_SECONDS_H

#include <mpi.h>

#include "predict/seconds-weights.h"
#include "reorder/pattern.h"
#include "reorder/seats.h"

struct job_seconds {
    struct reseat_timings *timings; /* at rank 0 */
    int known;                      /* at all ranks: there are timings, and the traffic is known */
    struct seconds_costs costs;     /* at all ranks, if known */
    double seconds[2]; /* at rank 0: estimates for the launch order and the one found */
    double bytes[2];   /* the same: what goes between nodes */
};

/*
 * Read the timings, and with metric time replace the weights of the pattern. Nothing is known without
 * RESEAT_TIMINGS at rank 0, or if the pattern is the graph of a call. A file that cannot be used is trouble.
 * Collective over `plain`.
 */
void job_seconds_open(struct job_seconds *job, const struct reseat_settings *settings,
                      struct pattern *pattern, const struct seats *seats, MPI_Comm plain,
                      struct trouble *trouble);
void job_seconds_close(struct job_seconds *job);

/* Fill `seconds`, if anything is known, for each process playing its `role`. Collective over `plain`. */
void job_seconds_compare(struct job_seconds *job, const struct pattern *pattern,
                         const struct seats *seats, int role, MPI_Comm plain,
                         struct trouble *trouble);

#endif
