/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run-time.c - see run-time.h. In nanoseconds.
 *
 * Sampling, for each slot of each thread (doc/design/0017-time-in-mpi.md has the reasons): its
 * calls are divided into blocks of b, and of each block one is timed, the u-th, where u is drawn
 * evenly from 0 .. b-1. So each call is timed with probability 1/b, whatever the rhythm of the
 * program, and b times the measured durations add up, in the mean, to the durations of all calls. b
 * of the next block follows from what is known when the call of this one is timed:
 *
 *   b = calls x cost x RUN_TIME_SHARE / time         for the calls and time of late
 *
 * so that no more than one part in RUN_TIME_SHARE of the program's time goes into reading the
 * clock; but 1 for the first RUN_TIME_FIRST calls. A slot with calls 100 us apart is timed
 * completely.
 *
 *   calls      0 1 2 3 4 5 6 7 8 9 ...     b = 4
 *   blocks    |       |       |
 *   timed          *   *                   u = 2, then 0: left = (4-1-2) + 0 = 1 call between them
 *
 * Each block adds b (b-1) (t - t')^2 / 2 to the estimated variance, where t' is what the timed call
 * before took: calls that all take as long have none.
 */
#include "profiler/run-time.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

/* One thousandth of the time for reading the clock; of late: in the last one or two seconds. A
 * return that the processor has not predicted takes some nanoseconds besides
 * (doc/design/0005-straight-to-mpi.md). */
enum {
    RUN_TIME_RETURN = 30,
    RUN_TIME_SHARE = 1000,
    RUN_TIME_FIRST = 1000,
    RUN_TIME_MOST = 1 << 13,
    RUN_TIME_LATE = 1000000000
};

static struct run_clock {
    uint64_t started, ended; /* 0: not yet */
    enum reseat_time measures, has_measured;
    int threads;
    uint64_t reading;     /* how long the clock takes between two readings */
    uint64_t cost;        /* of timing a call, in the sample */
    pthread_mutex_t lock; /* of what follows, if `threads` */
    int inside;           /* number of threads in MPI functions; of the full times */
    uint64_t entered;     /* when the first of them got there */
    int32_t phase;
    uint64_t phase_started;
    uint64_t in_mpi[RUN_PHASES], all[RUN_PHASES];
    struct run_calls kind[RUN_TIME_KINDS];
    double variance;
    uint64_t alarm; /* when `over` is due; UINT64_MAX: never */
    void (*over)(double seconds);
} run = {.lock = PTHREAD_MUTEX_INITIALIZER, .alarm = UINT64_MAX};

__thread int16_t run_time_left[RUN_TIME_SLOTS];

/* The state of a slot in a thread: the block of its next call that is timed. All 0 is the
 * beginning, when that is the first one. */
struct run_slot {
    uint32_t timed; /* so far, up to RUN_TIME_FIRST */
    uint32_t block; /* its size; 0: 1 */
    uint32_t gap;   /* from the last timed call to this one; 0: 1 */
    uint32_t rest;  /* calls of the block after this one */
    int32_t kind;
    double calls;   /* since then: */
    uint64_t since; /* 0: since the start */
    double last;    /* how long the timed call before took */
};

/* The call that a thread is timing. */
struct run_call {
    int depth; /* MPI functions within each other */
    int slot, kind, counts;
    uint32_t block, gap; /* of run_slot */
    uint64_t entered;
};

static __thread struct run_slot *run_slots __attribute__((tls_model("initial-exec"))); /* or NULL */
static __thread struct run_call run_call __attribute__((tls_model("initial-exec")));
static __thread uint64_t run_random __attribute__((tls_model("initial-exec")));

static pthread_key_t run_slots_key;
static pthread_once_t run_slots_once = PTHREAD_ONCE_INIT;
static int run_slots_are_freed; /* by that key, unless the program has used up all */

static void run_free_slots(void *slots)
{
    free(slots);
    run_slots = NULL;
}

static void run_make_key(void)
{
    run_slots_are_freed = pthread_key_create(&run_slots_key, run_free_slots) == 0;
}

/* The slots of this thread, made at its first timed call. Returns 0 if out of memory. */
static int run_has_slots(void)
{
    if (__builtin_expect(run_slots != NULL, 1))
        return 1;
    pthread_once(&run_slots_once, run_make_key);
    run_slots = calloc(RUN_TIME_SLOTS, sizeof *run_slots);
    if (run_slots && run_slots_are_freed)
        pthread_setspecific(run_slots_key, run_slots);
    return run_slots != NULL;
}

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

/* Nanoseconds between two readings of the clock: the least of some, as the process may be stopped
 * meanwhile. */
static uint64_t run_find_reading(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 8; i++) {
        uint64_t start = clock_nanoseconds(), took = 0;
        for (int j = 0; j < 8; j++)
            took = clock_nanoseconds() - start;
        least = took < least ? took : least;
    }
    return least / 8;
}

/* Without the time for reading the clock. */
static uint64_t run_took(uint64_t entered, uint64_t left)
{
    uint64_t took = left - entered;
    return took > run.reading ? took - run.reading : 0;
}

void run_time_start(enum reseat_time measures, int threads)
{
    run.threads = threads;
    run.reading = measures ? run_find_reading() : 0;
    run.cost = 3 * run.reading + RUN_TIME_RETURN;
    run.started = run.phase_started = run.entered = clock_nanoseconds();
    run.ended = 0;
    memset(run.in_mpi, 0, sizeof run.in_mpi);
    memset(run.all, 0, sizeof run.all);
    memset(run.kind, 0, sizeof run.kind);
    if (run_slots)
        memset(run_slots, 0, RUN_TIME_SLOTS * sizeof *run_slots);
    memset(run_time_left, 0, sizeof run_time_left);
    run.variance = 0;
    run.alarm = UINT64_MAX;
    run.measures = run.has_measured = measures;
}

/* One of the threads that find the alarm due takes it. */
static __attribute__((noinline)) void run_take_alarm(uint64_t now)
{
    uint64_t alarm = __atomic_exchange_n(&run.alarm, UINT64_MAX, __ATOMIC_ACQ_REL);
    if (alarm != UINT64_MAX && run.measures)
        run.over((double)(now - run.started) * 1e-9);
}

static inline void run_check_alarm(uint64_t now)
{
    if (__builtin_expect(now >= __atomic_load_n(&run.alarm, __ATOMIC_RELAXED), 0))
        run_take_alarm(now);
}

int run_time_alarm(double seconds, void (*over)(double seconds))
{
    if (!run.measures)
        return -1;
    run.over = over;
    __atomic_store_n(&run.alarm, run.started + (uint64_t)(1e9 * seconds), __ATOMIC_RELEASE);
    return 0;
}

/* ---- sampled ---- */

/* A number from 0 to `below` - 1, each as likely (splitmix64). */
static uint32_t run_draw(uint32_t below)
{
    if (!run_random)
        run_random =
            clock_nanoseconds() ^ (uint64_t)(uintptr_t)&run_random ^ (uint64_t)getpid() << 40;
    uint64_t x = run_random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((x ^ x >> 31) >> 32) * below >> 32);
}

/* The size of the next block. */
static uint32_t run_next_block(struct run_slot *slot, uint64_t now)
{
    uint64_t since = slot->since ? slot->since : run.started;
    double passed = now > since ? (double)(now - since) : 1;
    if (passed > 2 * RUN_TIME_LATE) {
        passed /= 2;
        slot->calls /= 2;
        slot->since = now - (uint64_t)passed;
    }
    double block = slot->calls * (double)run.cost * RUN_TIME_SHARE / passed;
    return slot->timed < RUN_TIME_FIRST || block < 1 ? 1
           : block > RUN_TIME_MOST                   ? RUN_TIME_MOST
                                                     : (uint32_t)block;
}

/* A call is timed from now on: choose the next one of the slot. */
static void run_choose(int index, uint64_t now)
{
    struct run_slot *slot = &run_slots[index];
    run_call.block = slot->block ? slot->block : 1;
    run_call.gap = slot->gap ? slot->gap : 1;
    slot->timed += slot->timed < RUN_TIME_FIRST;
    slot->calls += run_call.gap;
    uint32_t block = run_next_block(slot, now), at = run_draw(block);
    run_time_left[index] = (int16_t)(slot->rest + at);
    slot->gap = slot->rest + at + 1;
    slot->rest = block - 1 - at;
    slot->block = block;
}

static void run_enter_sampled(int slot, int kind, int counts)
{
    uint64_t now = clock_nanoseconds();
    run_check_alarm(now);
    if (!run_has_slots()) {
        run_time_left[slot] = RUN_TIME_MOST;
        run_call.counts &= run_call.depth++ > 0;
        return;
    }
    run_slots[slot].kind = kind;
    if (run_call.depth++) { /* its time is that of the call around it */
        uint32_t block = run_call.block, gap = run_call.gap;
        run_choose(slot, now);
        run_call.block = block;
        run_call.gap = gap;
        return;
    }
    run_choose(slot, now);
    run_call.slot = slot;
    run_call.kind = kind;
    run_call.counts = counts;
    run_call.entered = clock_nanoseconds();
}

static void run_leave_sampled(void)
{
    if (!run_call.depth || --run_call.depth || !run_call.counts)
        return;
    uint64_t now = clock_nanoseconds();
    uint64_t took = run_took(run_call.entered, now);
    struct run_slot *slot = &run_slots[run_call.slot];
    double block = run_call.block, differs = (double)took - slot->last;
    slot->last = (double)took;
    run_hold();
    if (run.measures) {
        run.in_mpi[run.phase] += took * run_call.block;
        run.kind[run_call.kind].nanoseconds += took * run_call.block;
        run.kind[run_call.kind].calls += run_call.gap;
        run.variance += block * (block - 1) * differs * differs / 2;
    }
    run_release();
}

/* ---- full ---- */

/* The clock is read inside the lock, or it could go back. */
static void run_enter_full(int slot, int kind)
{
    run_time_left[slot] = 0;
    if (run_call.depth++)
        return;
    run_check_alarm(clock_nanoseconds());
    run_hold();
    run_call.kind = kind;
    run_call.entered = clock_nanoseconds();
    if (run.inside++ == 0)
        run.entered = run_call.entered;
    run_release();
}

static void run_leave_full(void)
{
    if (!run_call.depth || --run_call.depth)
        return;
    run_hold();
    run.inside--;
    if (run.measures) {
        uint64_t now = clock_nanoseconds();
        if (run.inside == 0)
            run.in_mpi[run.phase] += run_took(run.entered, now);
        run.kind[run_call.kind].nanoseconds += run_took(run_call.entered, now);
        run.kind[run_call.kind].calls++;
    }
    run_release();
}

/* The program calls while a call of it is timed: that has been left by longjmp or an exception, or
 * called the program back, which is rare; then its time is that of what is called there. */
static void run_abandon(void)
{
    run_call.depth = 0;
    if (run.has_measured == RESEAT_TIME_SAMPLED)
        return;
    run_hold();
    run.inside--;
    run_release();
}

void run_time_enter(int slot, int kind, int counts)
{
    if (run_call.depth && counts)
        run_abandon();
    if (run.has_measured == RESEAT_TIME_SAMPLED)
        run_enter_sampled(slot, kind, counts);
    else
        run_enter_full(slot, kind);
}

void run_time_leave(void)
{
    if (run.has_measured == RESEAT_TIME_SAMPLED)
        run_leave_sampled();
    else
        run_leave_full();
}

/* ---- phases, and the end ---- */

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

static void run_renumber(uint64_t of[RUN_PHASES], const int32_t phase_of[RUN_PHASES])
{
    uint64_t sums[RUN_PHASES] = {0};
    for (int32_t phase = 0; phase < RUN_PHASES; phase++)
        sums[phase_of[phase]] += of[phase];
    memcpy(of, sums, sizeof sums);
}

void run_time_renumber_phases(const int32_t phase_of[RUN_PHASES])
{
    run_hold();
    run_renumber(run.in_mpi, phase_of);
    run_renumber(run.all, phase_of);
    run.phase = phase_of[run.phase];
    run_release();
}

void run_time_stop(void)
{
    run_hold();
    run.ended = clock_nanoseconds();
    if (run.measures)
        run_count(run.ended);
    run.measures = RESEAT_TIME_NO;
    run_release();
}

/* The times of a program that calls MPI from more threads than it has announced are wrong, and
 * sampled ones may be too long, but never longer than the phase: no reader would accept such a
 * profile. */
static struct reseat_rank_time run_time_of(int32_t phase)
{
    uint64_t all = run.all[phase] / 1000, in_mpi = run.in_mpi[phase] / 1000;
    return (struct reseat_rank_time){
        .phase = phase, .in_mpi = in_mpi < all ? in_mpi : all, .all = all};
}

/* The calls of this thread since the last timed one of each slot. */
static void run_count_rest(struct run_calls kind[RUN_TIME_KINDS])
{
    for (int i = 0; run_slots && i < RUN_TIME_SLOTS; i++)
        if (run_slots[i].gap)
            kind[run_slots[i].kind].calls += run_slots[i].gap - 1 - (uint32_t)run_time_left[i];
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
    result->measured = run.has_measured;
    for (int32_t phase = 0; phase < RUN_PHASES; phase++)
        result->phase[phase] = run_time_of(phase);
    memcpy(result->kind, run.kind, sizeof run.kind);
    run_count_rest(result->kind);
    result->error = (uint64_t)(sqrt(run.variance) / 1000);
    run_release();
}
