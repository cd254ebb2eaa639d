/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h - what happens when the ranks of a job start and end MPI with the library: the user's
 * launcher is started once with all its options and `reseat trial' in the place of the program,
 * which calls MPI_Init and MPI_Finalize of the MPI that the library brings, and nothing else.
 */
#ifndef RESEAT_TRIAL_H
#define RESEAT_TRIAL_H

#include <stdio.h>

#include "cmd/job.h"

struct trial {
    char mpi[128];         /* "Open MPI 4.1.4"; empty: the library has not got so far */
    char collectives[128]; /* as the header of a profile has it (monitoring or model); or empty */
    const struct variables *variables; /* set before: handed on to the ranks */
    int limit;                         /* set before: seconds that the launcher may take */
    int is_late;                       /* it took more, and was ended */
    int status;                        /* exit status of the launcher */
};

/*
 * Watch such a job, with one variable more for the ranks (`variable', "NAME=VALUE"; NULL: none).
 * What was printed stays in *said (which the caller closes, if not NULL). 0, or -1 when the
 * launcher cannot be started, memory is short, or a signal asks us to end.
 */
int trial_job(struct trial *trial, const char *command, const struct job *job, char **argv,
              const char *variable, FILE **said);

#endif
