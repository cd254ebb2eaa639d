/* SPDX-License-Identifier: BSD-3-Clause */
/* delivery.h - the command line by which a launcher hands variables to all ranks of a job, beside
 * what the user hands on there. */
#ifndef RESEAT_DELIVERY_H
#define RESEAT_DELIVERY_H

#include "cmd/variables.h"

struct delivery {
    const struct job *job;
    const struct variables *v;
    char **words; /* the command; ends with NULL */
    int count;
    char **owned; /* the words that are not the caller's */
    int owned_count;
    int by_x;     /* whether the user has -x, so that we need it */
    int by_words; /* whether the words hand on the variables; else the environment has to */
    int failed;   /* no memory */
};

/* From argv, of which words are kept. 0, or -1 when memory is short. delivery_free in any case. */
int delivery_create(struct delivery *delivery, const struct job *job, const struct variables *v,
                    char **argv);
void delivery_free(struct delivery *delivery);

/* The first word of the program, or the end of the context, of one that begins at `from`. */
int delivery_program(const struct launcher *launcher, char **argv, int from);

/* A list for Open MPI, `NAME=VALUE;...`, with ours beside what is in `theirs`, which may be NULL.
 * To be freed; NULL when memory is short. */
char *delivery_list(const struct job *job, const struct variables *v, const char *theirs);

#endif
