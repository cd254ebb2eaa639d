/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program-key.h - what a job runs, so that another job is known to be the same: the program by the
 * build ID of its file (so one that is built again is another one, and one that was moved is not),
 * the number of ranks, the MPI, and the arguments.
 *
 * A file without a build ID, such as a script, is known by a hash of what is in it; what an
 * interpreter runs, by its script.
 */
#ifndef RESEAT_PROGRAM_KEY_H
#define RESEAT_PROGRAM_KEY_H

#include <limits.h>
#include <stdint.h>

#include "cmd/job/elf.h"
#include "cmd/job/job.h"
#include "text/error.h"

struct program_key {
    char path[PATH_MAX];             /* of the program or script */
    char build[ELF_BUILD_SIZE + 16]; /* "build DIGITS", or "hash DIGITS" of what is in it */
    const char *mpi;
    int ranks;        /* 0: neither the command line nor the batch system tells */
    char *arguments;  /* as a shell reads them; allocated; NULL: they do not count */
    uint64_t hash;    /* of all of these but the path */
    uint64_t placing; /* hash of the launcher's words that say where ranks go */
};

/* Find the key of a job. Without `by_arguments` they do not count. 0, or -1 with *error. Free it
 * in any case. */
int program_key_find(struct program_key *key, const struct job *job, char **argv, int by_arguments,
                     struct reseat_error *error);
void program_key_free(struct program_key *key);

/* The ranks and hosts by the file that PBS and LSF make for a job, with the host of one rank a
 * line: all that OpenPBS tells, while Torque and LSF have variables too. 0: there is none. */
int program_key_host_file(int *hosts);

#endif
