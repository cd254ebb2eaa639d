/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run-time.h - how long this process has run since MPI_Init, and if that is wanted, how much of
 * that it was in MPI functions, by phase. Functions within functions count once. Where several
 * threads call MPI, a moment counts if at least one of them is in MPI.
 */
#ifndef RESEAT_RUN_TIME_H
#define RESEAT_RUN_TIME_H

#include <stdint.h>

#include "profile/profile.h"

struct run_time {
    uint64_t microseconds; /* since the start */
    int is_measured;       /* the times of phases are known; they add up to no more than that */
    struct reseat_rank_time phase[RESEAT_PHASES]; /* without the rank */
};

/* The clock starts now, also if it has run before: a program may have recorded with sessions when
 * it calls MPI_Init. `measures`: run_time_enter and run_time_leave will be called; `threads`: by
 * several threads at once. */
void run_time_start(int measures, int threads);

/* From now on time belongs to another phase. */
void run_time_phase(int32_t phase);

/* Before and after an MPI function. */
void run_time_enter(void);
void run_time_leave(void);

/* The clock stops for good; without that, run_time_get tells what has passed. */
void run_time_stop(void);
void run_time_get(struct run_time *result);

#endif
