/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.h - rank 0 asks a range of ranks, and they answer, over a tree (rank-tree.h). All of them
 * hear the question at once, and their answers come in the order of the ranks. However many there
 * are, a process holds its own answer, rank 0 one answer at a time, and in both MPI holds a piece
 * of RELAY_PIECE bytes for each child.
 */
#ifndef RESEAT_RELAY_H
#define RESEAT_RELAY_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "comm/rank-tree.h"

enum { RELAY_PIECE = 4000 };

struct question {
    int32_t first, last; /* the ranks first .. last-1 are asked */
    int32_t what;        /* this and the rest are up to the callers; >= 0 */
    int32_t kind;
    int32_t phase;
    uint64_t key;
};

struct relay_answer {
    char *data; /* or NULL; the receiver frees it */
    size_t size;
    int is_cut; /* out of memory: the rest is missing */
};

typedef struct relay_answer answering(const void *context, const struct question *question);

/* At rank 0: an answer has come. What is in it is gone afterwards. */
typedef void taking(void *context, int32_t rank, const struct relay_answer *answer);

/* A process in the tree. */
struct relay {
    struct rank_tree rank_tree;
    answering *answer; /* of this process */
    const void *context;
    double spoken; /* when rank 0 last told all that it still asks */
    int is_ended;  /* another rank: it has heard that rank 0 asks no more, or will hear nothing */
    uint32_t lost; /* children that are asked no more, as bits */
    uint32_t left; /* those of them that have returned */
    int failed;    /* the first rank whose answer is missing; RANK_TREE_NOBODY: none */
    int is_late;   /* because it has not come in time, and not because MPI has failed */
    int gave_up;   /* this process has waited for a message no longer, to or from its parent */
};

/* `answer` will be called with `context`. How long to wait, relay->rank_tree.patience says. */
void relay_open(struct relay *relay, MPI_Comm comm, answering *answer, const void *context);

/* Every rank but 0: answer questions and pass them on, until relay_end, or until MPI cannot receive
 * one or nothing comes for ten times as long as rank 0 would wait; then whoever asks for this rank,
 * or for one below it, is told that it has failed. */
void relay_serve(struct relay *relay);

/* Rank 0: `take` each answer that is not empty, in the order of the ranks; cut if there is no
 * memory for it here. 0, or -1: one is missing, as relay->failed says. Then nothing is asked any
 * more: further calls return -1 as well. */
int relay_ask(struct relay *relay, const struct question *question, taking *take, void *to);

/* Rank 0: let the others return from relay_serve. */
void relay_end(struct relay *relay);

/* Returns 1 if a message may still come, to this process or from it, for which nobody waits. */
int relay_has_leftovers(const struct relay *relay);

#endif
