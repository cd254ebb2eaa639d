/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - start the user's launcher with an MPI program of ours (src/programs) in the place of
 * the user's, and read what its rank 0 prints. */
#ifndef RESEAT_PROGRAM_H
#define RESEAT_PROGRAM_H

#include <stdio.h>

#include "cmd/job/variables.h"
#include "cmd/shell/library.h"

struct program {
    const char *line; /* how the lines of the program begin (programs/report-lines.h) */
    const struct variables *variables; /* of the ranks; NULL: none */
    struct job job;                    /* of `words` */
    char path[LIBRARY_PATH_SIZE];
    char preload[2 * LIBRARY_PATH_SIZE]; /* of the ranks, as a word of env(1); empty: none */
    char **words;                        /* the whole command line; ends with NULL */
};

/*
 * Find the program `name` ("replay", "measure") for the MPI of the command line `argv`, and make
 * the command line that starts it with `arguments`, which end with NULL; a program that the user
 * names is left out. `mpi` is the user's --mpi, or NULL. 0, or -1 with *error; then there is
 * nothing to free.
 */
int program_prepare(struct program *program, const char *name, const char *mpi, char **argv,
                    char *const *arguments, struct reseat_error *error);
void program_free(struct program *program);

/*
 * Run the job, without input; its standard output is in *said, which the caller closes if it is not
 * NULL. The status from waitpid, or -1 with errno: it could not be started.
 */
int program_run(const struct program *program, FILE **said);

/* The next line of the program: KEY and what follows it, in `line`. NULL: no more. */
char *program_next_line(const struct program *program, FILE *said, char *line, int size);

/* Say that a job has failed, and show what else it has printed. Dies of the signal that asked us to
 * end, if there was one. */
void program_show_failure(const struct program *program, FILE *said, int status);

#endif
