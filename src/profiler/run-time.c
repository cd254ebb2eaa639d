/* SPDX-License-Identifier: BSD-3-Clause */
/* run-time.c - see run-time.h. In nanoseconds. */
#include "profiler/run-time.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"

static struct run_clock {
    uint64_t started, ended; /* 0: not yet */
    int measures, has_measured, threads;
    pthread_mutex_t lock; /* of what follows, if `threads` */
    int inside;           /* number of threads in MPI functions */
    uint64_t entered;     /* when the first of them got there */
    int32_t phase;
    uint64_t phase_started;
    uint64_t in_mpi[RESEAT_PHASES], all[RESEAT_PHASES];
} run = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread int run_depth __attribute__((tls_model("initial-exec")));

static void run_hold(void)
{
    if (run.threads)
        pthread_mutex_lock(&run.lock);
}

static void run_release(void)
{
    if (run.threads)
        pthread_mutex_unlock(&run.lock);
}

void run_time_start(int measures, int threads)
{
    run.threads = threads;
    run.started = run.phase_started = run.entered = clock_nanoseconds();
    run.ended = 0;
    memset(run.in_mpi, 0, sizeof run.in_mpi);
    memset(run.all, 0, sizeof run.all);
    run.measures = run.has_measured = measures;
}

/* The clock is read inside the lock, or it could go back. */
void run_time_enter(void)
{
    if (run_depth++)
        return;
    run_hold();
    if (run.inside++ == 0)
        run.entered = clock_nanoseconds();
    run_release();
}

void run_time_leave(void)
{
    if (--run_depth)
        return;
    run_hold();
    if (--run.inside == 0 && run.measures)
        run.in_mpi[run.phase] += clock_nanoseconds() - run.entered;
    run_release();
}

/* With the lock: what has passed since the last one belongs to the present phase. */
static void run_count(uint64_t now)
{
    if (run.inside)
        run.in_mpi[run.phase] += now - run.entered;
    run.entered = now;
    run.all[run.phase] += now - run.phase_started;
    run.phase_started = now;
}

void run_time_phase(int32_t phase)
{
    if (!run.measures)
        return;
    run_hold();
    run_count(clock_nanoseconds());
    run.phase = phase;
    run_release();
}

void run_time_stop(void)
{
    run_hold();
    run.ended = clock_nanoseconds();
    if (run.measures)
        run_count(run.ended);
    run.measures = 0;
    run_release();
}

/* The times of a program that calls MPI from more threads than it has announced are wrong, but
 * never longer than the phase: no reader would accept such a profile. */
static struct reseat_rank_time run_time_of(int32_t phase)
{
    uint64_t all = run.all[phase] / 1000, in_mpi = run.in_mpi[phase] / 1000;
    return (struct reseat_rank_time){
        .phase = phase, .in_mpi = in_mpi < all ? in_mpi : all, .all = all};
}

void run_time_get(struct run_time *result)
{
    *result = (struct run_time){.microseconds = 0};
    if (!run.started)
        return;
    run_hold();
    uint64_t now = run.ended ? run.ended : clock_nanoseconds();
    if (run.measures)
        run_count(now);
    result->microseconds = (now - run.started) / 1000;
    result->is_measured = run.has_measured;
    for (int32_t phase = 0; phase < RESEAT_PHASES; phase++)
        result->phase[phase] = run_time_of(phase);
    run_release();
}
