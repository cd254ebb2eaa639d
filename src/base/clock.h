/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - how long something takes. */
#ifndef RESEAT_CLOCK_H
#define RESEAT_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Seconds since some fixed time, by a clock that cannot be set. */
static inline double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The same in nanoseconds. */
static inline uint64_t clock_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Processor time that this process has used, in seconds. */
static inline double clock_processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
