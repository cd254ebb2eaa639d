/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - a command line that starts an MPI job: its launcher, its program, its MPI. */
#ifndef RESEAT_JOB_H
#define RESEAT_JOB_H

#include "cmd/cmd.h"
#include "launcher/launcher.h"

struct job {
    const char *mpi;                 /* "openmpi", "mpich"; NULL: nothing tells */
    const struct launcher *launcher; /* launcher_unknown where there is none */
    int launcher_at;                 /* index in argv of the launcher, -1: none */
    int options_at;                  /* of the first word behind it and its subcommand; or 0 */
    int is_asked;                    /* it was asked for its version to find it out */
    char library[LIBRARY_PATH_SIZE]; /* the preloaded library; empty before find_library */
    int wrapper;                     /* index of the first word that is not the launcher's own */
    int program;     /* index in argv of what the launcher starts, as far as can be told; -1 */
    int linked;      /* and it is linked with an MPI */
    int has_asan;    /* and with AddressSanitizer's library */
    char path[4096]; /* its file */
};

/* Find out which MPI the command line uses; `mpi` (may be NULL) is what the user said. 0, or an
 * exit status after having complained. */
int find_job(struct job *job, const char *command, const char *mpi, char **argv);

/* The launcher where the version counts too: it may have to be asked for it. */
const struct launcher *job_ask_launcher(const struct job *job, char **argv);

/* The file of a command as execvp would find it. 0, or -1. */
int find_in_path(const char *name, char path[4096]);

/* Where our library for it is. As find_job; complains too when nothing told the MPI. */
int find_library(struct job *job, const char *command, char **argv);

#endif
