/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run-time.h - how long this process has run since MPI_Init, and how much of that it was in MPI
 * functions: by phase, and by kind of function.
 *
 * Sampled (the default), a call in k is timed, and stands for k; doc/design/0017-time-in-mpi.md.
 * Full, every call is timed. Functions within functions count once. Where several threads call MPI,
 * a moment counts in the full times if at least one of them is in MPI; sampled times are the sum of
 * those of the threads, but never longer than the phase.
 */
#ifndef RESEAT_RUN_TIME_H
#define RESEAT_RUN_TIME_H

#include <stdint.h>

#include "profile/profile.h"
#include "profile/settings.h"

/* Phases while the job runs: above those of the program are windows.h's. */
enum { RUN_WINDOWS = 16, RUN_PHASES = RESEAT_PHASES + RUN_WINDOWS };

/* The functions that are sampled together: mostly one a slot, since a mean over functions some of
 * which wait and some of which do not is not to be had from a sample. */
enum { RUN_TIME_SLOTS = 192, RUN_TIME_KINDS = 48 };

/* A kind of MPI function, as in struct reseat_call_time; of this process, in nanoseconds. */
struct run_calls {
    uint64_t calls;
    uint64_t nanoseconds;
};

struct run_time {
    uint64_t microseconds; /* since the start */
    enum reseat_time measured;
    /* The times of phases, unless nothing is measured; they add up to no more than that. Without
     * the rank. */
    struct reseat_rank_time phase[RUN_PHASES];
    struct run_calls kind[RUN_TIME_KINDS];
    uint64_t error; /* standard error of all phases together, in microseconds, if sampled */
};

/* The clock starts now, also if it has run before: a program may have recorded with sessions when
 * it calls MPI_Init. Unless `measures` is RESEAT_TIME_NO, the functions below will be called around
 * MPI functions; `threads`: by several threads at once. */
void run_time_start(enum reseat_time measures, int threads);

/* From now on time belongs to another phase, 0 .. RUN_PHASES-1. */
void run_time_phase(int32_t phase);

/* From now on the time of phase p is that of phase_of[p]. */
void run_time_renumber_phases(const int32_t phase_of[RUN_PHASES]);

/* Once `seconds` since the start are over, call `over` with the seconds since then, once, in the
 * next call that is timed, outside of its time. Returns -1 if no time is measured. */
int run_time_alarm(double seconds, void (*over)(double seconds));

/* By slot: how many calls of this thread are still not timed. What is thread-local is taken from
 * the stack of each thread, and of PTHREAD_STACK_MIN the C library leaves some 2 kB for that. */
extern __thread int16_t run_time_left[RUN_TIME_SLOTS]
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Before each MPI function: returns 1 if this call is timed, that is, if run_time_enter and
 * run_time_leave have to be called around it. */
static inline int run_time_is_due(int slot)
{
    return __builtin_expect(--run_time_left[slot] < 0, 0);
}

/* `counts`: the program has called the function, and not MPI inside of another one. */
void run_time_enter(int slot, int kind, int counts);
void run_time_leave(void);

/* The clock stops for good; without that, run_time_get tells what has passed. */
void run_time_stop(void);
void run_time_get(struct run_time *result);

#endif
