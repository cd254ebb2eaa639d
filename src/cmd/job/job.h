/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - a command line that starts an MPI job: its launcher, its program, its MPI. */
#ifndef RESEAT_JOB_H
#define RESEAT_JOB_H

#include <stdio.h>

#include "profile/origin.h"
#include "launcher/launcher.h"
#include "cmd/shell/library.h"
#include "text/error.h"

struct job {
    const char *mpi;                 /* "openmpi", "mpich", "abi"; NULL: not known */
    const struct launcher *launcher; /* launcher_unknown: none */
    int launcher_at;                 /* index in argv of the launcher, -1: none */
    int options_at;                  /* of the first word after it and its subcommand; or 0 */
    int is_asked;                    /* it was recognized by its version */
    char library[LIBRARY_PATH_SIZE]; /* the preloaded library; empty before find_library */
    int wrapper;                     /* index of the first word that is not the launcher's own */
    int program;                     /* index in argv of what the launcher starts, if known; -1 */
    int linked;                      /* it is linked with an MPI */
    int names_mpi;                   /* so says its own file, not only one of its libraries */
    int standard_abi; /* it is linked with MPI's standard ABI, whose library of ours is not there */
    int holds_library;               /* our library is linked into it, and none is preloaded */
    int has_asan;                    /* it is linked with AddressSanitizer's library */
    char own_mpi[LIBRARY_PATH_SIZE]; /* its libmpi.so.12, which several MPIs have, or, if it is not
                                        linked with any, that of the launcher; empty: another */
    int rank;                        /* this process is started by a launcher as this rank, and the
                                        command line names none; -1: it is not */
    char path[4096];                 /* its file */
};

/* Find out which MPI the command line uses; `mpi` (may be NULL) is the user's --mpi. 0, or -1 with
 * *error. */
int find_job(struct job *job, const char *mpi, char **argv, struct reseat_error *error);

/* The launcher if its version matters as well: it may have to be run to tell. */
const struct launcher *job_ask_launcher(const struct job *job, char **argv);

/* Number of parts (`:') of a command, of which each starts ranks of its own; 1 without a launcher
 * that is known, to which nobody knows what a `:' is. */
int job_parts(const struct job *job, char **argv);

/* The part that begins at argv[at], as if the launcher started it alone, into `words`, which has
 * room for all of argv. Returns where the next one begins; 0: it was the last. */
int job_take_part(const struct job *job, char **argv, int at, char **words);

/* The identity of the ranks' program, to be compared with a profile; a shell script may start
 * anything, and is not known. */
struct job_origin {
    struct origin now;
    char program[4096], arguments[ORIGIN_SIZE];
};
void job_find_origin(struct job_origin *origin, const struct job *job, char **argv);

/* The last part of a path. */
const char *job_base_name(const char *path);

/* The file of a command as execvp would find it. 0, or -1. */
int find_in_path(const char *name, char path[4096]);

/* A pipe from a command: `words` (NULL-terminated), with any characters, and `rest` in shell
 * syntax. NULL with errno. */
FILE *job_pipe(const char *const *words, const char *rest);

/* Returns 1 if a library of ours is preloaded into its ranks. */
int job_preloads(const struct job *job);
/* Returns `before` and a value of LD_PRELOAD, to be freed: our library, the MPI where the program
 * does not name it, then `theirs`; NULL: out of memory. */
char *job_preload(const struct job *job, const char *before, const char *theirs);

/* Find that library. Returns as find_job; also fails if the MPI is not known. */
int find_library(struct job *job, char **argv, struct reseat_error *error);

/* Say in *error that our module `name` for `mpi` is not there, as `where` says (library.h), and
 * what to do. Returns -1. */
int fail_without_module(const char *name, const char *where, const char *mpi,
                        struct reseat_error *error);

/* For a command that starts the job itself: 0, or CLI_REFUSED with *error if this is a rank of a
 * job already, and no launcher is in the words; only rank 0 prints errors then. */
int refuse_rank(const struct job *job, struct reseat_error *error);

/* As fail_without_module where the MPI is not known of a command line that begins with `word`. */
int fail_without_mpi(const char *word, struct reseat_error *error);

#endif
