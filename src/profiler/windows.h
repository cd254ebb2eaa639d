/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows.h - phases that the program does not announce. The time of the job is divided into up to
 * WINDOWS equal windows, each recorded like a phase, in the phases from RESEAT_PHASES on. When the
 * profile is gathered, rank 0 compares what all processes have sent in them, and windows with the
 * same pattern become one phase (doc/design/0017-time-in-mpi.md).
 */
#ifndef RESEAT_WINDOWS_H
#define RESEAT_WINDOWS_H

#include <stdint.h>

#include "profiler/traffic.h"

enum { WINDOWS = RUN_WINDOWS };

/* Sums over the peers of all processes: bytes in window i times bytes in window j, for j <= i. */
struct window_products {
    double of[WINDOWS][WINDOWS];
};

/* The first window begins. Call it after run_time_start; without a clock there are none. */
void windows_start(void);

/* The program announces its phases: all windows so far become phase 0, and no other begins. */
void windows_stop(void);

/* The number of windows, the present one included; 0: there are none. */
int windows_count(void);

/* How often windows were merged in pairs; and merge them until they were `merged` times, as those
 * of other processes. */
int windows_merged(void);
void windows_merge(uint64_t merged);

/* Add what this process has sent to each other one, after traffic_flush_phase; nothing when out of
 * memory. */
void windows_add_products(struct window_products *products);

/* The phase of each window, 4 bits each, the first in the lowest; 0 if the pattern does not
 * change. */
uint64_t windows_find_phases(const struct window_products *products, int count);

/* The phase of one of traffic.h. */
static inline int32_t windows_phase(uint64_t phases, int32_t phase)
{
    return phase < RESEAT_PHASES ? phase : (int32_t)(phases >> 4 * (phase - RESEAT_PHASES) & 0xf);
}

/* The windows become these phases, for good; those of this process, and what has come from the
 * windows of others (fetched.h). */
void windows_become(uint64_t phases);

#endif
