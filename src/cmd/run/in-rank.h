/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in-rank.h - the command as what a launcher starts, `mpirun -n 4 reseat run ./program`: in each
 * rank it sets the variables for the library and becomes the program. Nothing of ours is left, so
 * nothing is said after the job, and the launcher, whichever it is, has nothing to hand on. Ranks
 * do not talk: what they decide on, all of them see; but for `auto`, where rank 0 decides and the
 * library tells the others.
 */
#ifndef RESEAT_IN_RANK_H
#define RESEAT_IN_RANK_H

#include "cmd/job/variables.h"

/* At the start of a command that may be in a rank: if it is, and its words name no launcher, only
 * rank 0 prints errors from now on. */
void in_rank_begin(char **argv);

/* As find_library, but in a rank 127 for a program that is not there. */
int in_rank_find_library(struct job *job, char **argv);

/* Become the program, with these variables (NULL: as it is). Returns an exit status, after an error
 * message. */
int in_rank_become(const struct job *job, const struct variables *v, char **argv);

#endif
