/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.h - rank 0 asks, any rank answers, over a tree: with any number of ranks, no process has
 * more than 33 partners (32 children and a parent), and none holds more than one answer at a time.
 */
#ifndef RESEAT_RELAY_H
#define RESEAT_RELAY_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct question {
    int32_t rank; /* who is asked */
    int32_t what; /* this and the rest are up to the callers; >= 0 */
    int32_t kind;
    int32_t phase;
    uint64_t key;
};

struct relay_answer {
    char *data; /* with room for one byte more, or NULL; the receiver frees it */
    size_t size;
    int is_cut; /* out of memory: the rest is missing */
};

typedef struct relay_answer answering(const struct question *question);

/* Every rank but 0: answer questions and pass them on, until relay_end. */
void relay_serve(MPI_Comm comm, answering *answer);

/* Rank 0: the answer of question->rank. Empty when MPI fails, or, and then it is cut, when memory
 * runs out on the way. */
struct relay_answer relay_ask(MPI_Comm comm, const struct question *question, answering *answer);

/* Rank 0: let the others return from relay_serve. */
void relay_end(MPI_Comm comm);

#endif
