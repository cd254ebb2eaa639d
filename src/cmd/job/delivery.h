/* SPDX-License-Identifier: BSD-3-Clause */
/* delivery.h - the command line by which a launcher passes variables to all ranks of a job, in
 * addition to those that the user passes. */
#ifndef RESEAT_DELIVERY_H
#define RESEAT_DELIVERY_H

#include "cmd/job/variables.h"

struct delivery {
    const struct job *job;
    const struct variables *v;
    char **words; /* the command; ends with NULL */
    int count;
    char **owned; /* the words that we have allocated */
    int owned_count;
    int by_x;     /* the user has -x, so we must use it as well */
    int by_words; /* the words pass the variables on; else the environment must */
    int failed;   /* out of memory */
};

/* Create from argv, whose words are used. 0, or -1 if out of memory. Call delivery_free in either
 * case. */
int delivery_create(struct delivery *delivery, const struct job *job, const struct variables *v,
                    char **argv);
void delivery_free(struct delivery *delivery);

/* Index of the first word of the program in the context that begins at `from`, or of the context's
 * end. */
int delivery_program(const struct launcher *launcher, char **argv, int from);

/* Returns 1 if the first three words, or what there is of them, are a launcher's option that sets
 * LD_PRELOAD to the third: -genv LD_PRELOAD VALUE. */
int delivery_sets_preload(char *const *words);

/* A list for Open MPI, `NAME=VALUE;...`, with our variables and those in `theirs`, which may be
 * NULL. The caller frees it; NULL: out of memory. */
char *delivery_list(const struct job *job, const struct variables *v, const char *theirs);

#endif
