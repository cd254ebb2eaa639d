/* SPDX-License-Identifier: BSD-3-Clause */
/* reasons.h - why a program does not load the library, as far as its file and the command line
 * tell. `why` is a clause or two without a period. */
#ifndef RESEAT_REASONS_H
#define RESEAT_REASONS_H

#include <limits.h>

#include "cmd/job/job.h"

enum { REASON_SIZE = PATH_MAX + 256 };

/* A certain reason in the file of the program, or of what starts it: nothing can be preloaded into
 * it. 0, or -1: none known. */
int reasons_of_program(const struct job *job, char **argv, char why[REASON_SIZE]);

/* Returns 1 if the program is linked with no MPI, and no word is a shell, an interpreter, a script,
 * or another program, which may start one that is. It may still load one. */
int reasons_has_no_mpi(const struct job *job, char **argv);

/* What an env(1) before the program removes. 0, or -1: nothing. */
int reasons_of_words(const struct job *job, char **argv, char why[REASON_SIZE]);

/* After a job that has succeeded without a mark from any rank that sees `folder`: report that, with
 * the reason or the command that looks for it. */
void reasons_find(const struct job *job, char **argv, const char *folder, char why[REASON_SIZE]);

#endif
