/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.h - rank 0 asks, any rank answers, over a tree: nobody talks to more than 33 others, and
 * nobody holds more than one answer at a time, however many ranks there are.
 */
#ifndef RESEAT_RELAY_H
#define RESEAT_RELAY_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct question {
    int32_t rank; /* who is asked */
    int32_t what; /* and the rest: the business of those who ask and answer; >= 0 */
    int32_t kind;
    int32_t phase;
    uint64_t key;
};

struct relay_answer {
    char *data; /* the receiver frees it */
    size_t size;
    int is_cut; /* out of memory: of what follows nothing is there; not passed on */
};

typedef struct relay_answer answering(const struct question *question);

/* Every rank but 0: answer and pass on until relay_end. */
void relay_serve(MPI_Comm comm, answering *answer);

/* Rank 0: the answer of question->rank. Empty when MPI or memory fails. */
struct relay_answer relay_ask(MPI_Comm comm, const struct question *question, answering *answer);

/* Rank 0: it is over. */
void relay_end(MPI_Comm comm);

#endif
