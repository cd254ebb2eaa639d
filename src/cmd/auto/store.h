/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store.h - what auto keeps between jobs, in plain files that a person can read: a folder for each
 * program (program-key.h), with
 *
 *   about            what it is: program, arguments, ranks, MPI
 *   reseat.profile   the pattern from which its order is made
 *   jobs             a line for each job (history.h), the oldest first
 *   lock             held while `jobs` is written
 *
 * Nothing is torn: a line is one write to the end of a file, and what a full disk leaves of it is
 * taken away or, if that fails, skipped by who reads it; all else is replaced as a whole. Where
 * there are no locks, two jobs that end at the same moment may lose one of their lines.
 *
 * A store that has more than STORE_MOST_BYTES loses the programs that have not run for longest,
 * and it loses those that have not run for STORE_MOST_DAYS; `jobs` keeps the latest half of its
 * lines when it has more than STORE_MOST_LINES bytes.
 */
#ifndef RESEAT_STORE_H
#define RESEAT_STORE_H

#include <limits.h>
#include <stddef.h>
#include <time.h>

#include "cmd/auto/program-key.h"
#include "history/history.h"
#include "text/error.h"

enum { STORE_MOST_BYTES = 256 << 20, STORE_MOST_DAYS = 400, STORE_MOST_LINES = 1 << 20 };

/* A program in the store. */
struct stored_program {
    char folder[PATH_MAX];
    char path[PATH_MAX]; /* of its file when it last ran; "": not known */
    char *arguments;     /* allocated; NULL: they do not count */
    char build[ELF_BUILD_SIZE + 16], mpi[16];
    int ranks; /* 0: not known */
    struct past_job *job;
    size_t jobs;
    time_t latest; /* when something of it was last written */
    double bytes;  /* of its files */
};

/* The folder of the store: RESEAT_STORE, or `reseat` in the user's state folder. 0, or -1 with
 * *error. */
int store_find(char store[PATH_MAX], struct reseat_error *error);

/* Find or make the folder of a program, say what it is, and read its jobs. 0, or -1 with *error.
 * Free it in any case. */
int store_open_program(struct stored_program *program, const char *store,
                       const struct program_key *key, int keeps_arguments,
                       struct reseat_error *error);
void stored_program_free(struct stored_program *program);

/* The path of its profile. */
const char *store_profile(const struct stored_program *program, char path[PATH_MAX]);

/* Add a line. 0, or -1 with *error: the file is as it was. */
int store_add_job(const struct stored_program *program, const struct past_job *job,
                  struct reseat_error *error);

/* All programs, the one that ran last first. A store that is not there is empty. The caller frees
 * them and the list. 0, or -1 with *error. */
int store_list(struct stored_program **list, size_t *count, const char *store,
               struct reseat_error *error);

/* Remove what is too much, but not the folder `keep`, whose bytes do not count. */
void store_limit(const char *store, const char *keep);

/* Remove a program with all that auto has written there. 0, or -1 with *error. */
int store_forget(const struct stored_program *program, struct reseat_error *error);

#endif
