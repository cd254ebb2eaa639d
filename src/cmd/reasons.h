/* SPDX-License-Identifier: BSD-3-Clause */
/* reasons.h - why the library does not come into a program, as far as its file and the command line
 * tell. `why` is a clause or two without a full stop. */
#ifndef RESEAT_REASONS_H
#define RESEAT_REASONS_H

#include <limits.h>

#include "cmd/job.h"

enum { REASON_SIZE = PATH_MAX + 256 };

/* What the file of the program, or of what starts it, makes certain: nothing can be preloaded into
 * it. 0, or -1: nothing is known. */
int reasons_of_program(const struct job *job, char **argv, char why[REASON_SIZE]);

/* What an env(1) before the program takes from it. 0, or -1: nothing. */
int reasons_of_words(const struct job *job, char **argv, char why[REASON_SIZE]);

/* After a job that has ended well and in which no rank that sees `folder` has left a mark: say
 * that, and the reason or who looks for it. */
void reasons_find(const struct job *job, char **argv, const char *folder, char why[REASON_SIZE]);

#endif
