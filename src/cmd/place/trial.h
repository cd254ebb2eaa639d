/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.h - does MPI work in a job when it is watched? The user's launcher is started once with all
 * its options and `reseat trial` in place of the program, which only starts and ends MPI. */
#ifndef RESEAT_TRIAL_H
#define RESEAT_TRIAL_H

#include <stdio.h>

#include "cmd/job/job.h"
#include "cmd/job/variables.h"

struct trial {
    char mpi[128];         /* "Open MPI 4.1.4"; empty: the library did not get that far */
    char collectives[128]; /* as in the header of a profile (monitoring or model); or empty */
    const struct variables *variables; /* set by the caller: passed to the ranks */
    int limit;   /* set by the caller: time limit of the launcher in seconds */
    int is_late; /* it took longer, and was ended */
    int status;  /* exit status of the launcher */
};

/* Watch such a job, with one more variable for the ranks (`variable`, "NAME=VALUE"; NULL: none).
 * The profile at the end would not go to a regular file, so none is written. The output stays in
 * *said, which the caller closes if it is not NULL. 0, or -1 if the launcher cannot be started, out
 * of memory, or if a signal asks us to end. */
int trial_job(struct trial *trial, const struct job *job, char **argv, const char *variable,
              FILE **said);

#endif
