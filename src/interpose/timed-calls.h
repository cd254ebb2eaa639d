/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timed-calls.h - measuring how long the process is in MPI functions (RESEAT_TIME).
 *
 * Each wrapper has a pointer to the function of the MPI. To measure, all these pointers are directed
 * to functions that read the clock before and after (timed_X, generate.awk), once, when recording
 * starts. So whoever does not measure executes no instruction for it.
 */
#ifndef RESEAT_TIMED_CALLS_H
#define RESEAT_TIMED_CALLS_H

/* From now on run_time_enter and run_time_leave are called around all functions of the MPI that have a
 * wrapper, but for those that start and end it (`untimed' in calls.tbl). Functions without a wrapper wait for
 * nobody. */
void timed_calls_start(void);

#endif
