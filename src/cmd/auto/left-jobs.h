/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * left-jobs.h - jobs whose ranks the launcher has started by `auto` (in-rank.h). Nobody of ours
 * sees how such a job ends. So rank 0 names a file in the folder of the program, to which the
 * library writes the profile in MPI_Finalize, with what was decided at the start (LEFT_JOB) and
 * whether the ranks took the better order. A job that dies before leaves nothing. When the process
 * that has written it ends, or another one with an error, its status becomes a part of the name
 * (interpose/runtime.c). Whoever looks at the program next, of any number at the same time,
 * takes that profile, counts the job, and removes it; also one that has had no status for a day,
 * whose job is counted as failed.
 */
#ifndef RESEAT_LEFT_JOBS_H
#define RESEAT_LEFT_JOBS_H

#include "cmd/auto/store.h"

/* The variable with the line of a job as it was decided, for the profile's header `job`. */
#define LEFT_JOB "RESEAT_JOB"

/* A name for the profile of a job that begins now, which no other has. 0, or -1: it is too long. */
int left_jobs_name(char path[PATH_MAX], const struct stored_program *program);

/* Add the jobs that have left their profiles to those of the program, in the store, too. Those that
 * cannot be written there are left for the next time. */
void left_jobs_take_in(struct stored_program *program, const char *store);

#endif
