/* SPDX-License-Identifier: BSD-3-Clause */
/* run-time.c - see run-time.h. In nanoseconds. */
#include "profiler/run-time.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static uint64_t run_started, run_ended; /* 0: not yet */
static int run_measures, run_has_measured, run_threads;

static pthread_mutex_t run_lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows, if run_threads */
static int run_inside;                                       /* threads in MPI functions */
static uint64_t run_entered;                                 /* when the first of them got there */
static int32_t run_phase;
static uint64_t run_phase_started;
static uint64_t run_in_mpi[RESEAT_PHASES], run_all[RESEAT_PHASES];

static __thread int run_depth __attribute__((tls_model("initial-exec")));

static uint64_t run_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void run_hold(void)
{
    if (run_threads)
        pthread_mutex_lock(&run_lock);
}

static void run_release(void)
{
    if (run_threads)
        pthread_mutex_unlock(&run_lock);
}

void run_time_start(int measures, int threads)
{
    run_threads = threads;
    run_started = run_phase_started = run_entered = run_now();
    run_ended = 0;
    memset(run_in_mpi, 0, sizeof run_in_mpi);
    memset(run_all, 0, sizeof run_all);
    run_measures = run_has_measured = measures;
}

/* The clock is read inside the lock, or it could go back. */
void run_time_enter(void)
{
    if (run_depth++)
        return;
    run_hold();
    if (run_inside++ == 0)
        run_entered = run_now();
    run_release();
}

void run_time_leave(void)
{
    if (--run_depth)
        return;
    run_hold();
    if (--run_inside == 0 && run_measures)
        run_in_mpi[run_phase] += run_now() - run_entered;
    run_release();
}

/* With the lock: what has passed since the last one belongs to the present phase. */
static void run_count(uint64_t now)
{
    if (run_inside)
        run_in_mpi[run_phase] += now - run_entered;
    run_entered = now;
    run_all[run_phase] += now - run_phase_started;
    run_phase_started = now;
}

void run_time_phase(int32_t phase)
{
    if (!run_measures)
        return;
    run_hold();
    run_count(run_now());
    run_phase = phase;
    run_release();
}

void run_time_stop(void)
{
    run_hold();
    run_ended = run_now();
    if (run_measures)
        run_count(run_ended);
    run_measures = 0;
    run_release();
}

/* What a program makes of it that calls MPI from more threads than it has said is not the truth, but
 * never more than the phase took: no reader would take such a profile. */
static struct reseat_rank_time run_time_of(int32_t phase)
{
    uint64_t all = run_all[phase] / 1000, in_mpi = run_in_mpi[phase] / 1000;
    return (struct reseat_rank_time){
        .phase = phase, .in_mpi = in_mpi < all ? in_mpi : all, .all = all};
}

void run_time_get(struct run_time *result)
{
    *result = (struct run_time){.microseconds = 0};
    if (!run_started)
        return;
    run_hold();
    uint64_t now = run_ended ? run_ended : run_now();
    if (run_measures)
        run_count(now);
    result->microseconds = (now - run_started) / 1000;
    result->is_measured = run_has_measured;
    for (int32_t phase = 0; phase < RESEAT_PHASES; phase++)
        result->phase[phase] = run_time_of(phase);
    run_release();
}
