/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.h - rank 0 asks, any rank answers, over a tree (rank-tree.h): no process holds more than
 * one answer at a time.
 */
#ifndef RESEAT_RELAY_H
#define RESEAT_RELAY_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "comm/rank-tree.h"

struct question {
    int32_t rank; /* who is asked */
    int32_t what; /* this and the rest are up to the callers; >= 0 */
    int32_t kind;
    int32_t phase;
    uint64_t key;
};

/* MPI could not carry an answer, or it has not come in time. */
enum relay_failure { RELAY_HAS_COME, RELAY_BROKEN, RELAY_LATE };

struct relay_answer {
    char *data; /* with room for one byte more, or NULL; the receiver frees it */
    size_t size;
    int is_cut;                    /* out of memory: the rest is missing */
    enum relay_failure has_failed; /* there is nothing in it */
};

typedef struct relay_answer answering(const void *context, const struct question *question);

/* A process in the tree. */
struct relay {
    struct rank_tree rank_tree;
    answering *answer; /* of this process */
    const void *context;
    double spoken; /* when rank 0 last told all that it still asks */
    uint32_t lost; /* children that are asked no more, as bits */
    uint32_t left; /* those of them that have returned */
};

/* `answer` will be called with `context`. How long to wait, relay->rank_tree.patience says. */
void relay_open(struct relay *relay, MPI_Comm comm, answering *answer, const void *context);

/* Every rank but 0: answer questions and pass them on, until relay_end, or until MPI cannot receive
 * one or nothing comes for ten times as long as rank 0 would wait; then whoever asks for this rank,
 * or for one below it, is told that it has failed. */
void relay_serve(struct relay *relay);

/* Rank 0: the answer of question->rank; cut if memory runs out on the way. */
struct relay_answer relay_ask(struct relay *relay, const struct question *question);

/* Rank 0: let the others return from relay_serve. */
void relay_end(struct relay *relay);

#endif
