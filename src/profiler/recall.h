/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recall.h - a collective that was called before in the same way is not worked out again. Each
 * communicator keeps the messages of some calls that were made on it; each call has one place where
 * it can be, and the last one that came there has it.
 *
 * Nothing here may be called by two threads at once for one communicator, as the collectives
 * themselves.
 */
#ifndef RESEAT_RECALL_H
#define RESEAT_RECALL_H

#include "profiler/choices.h"
#include "profiler/tally.h"

/* What the application asked for, on a communicator of one group, without blocks of its own. */
struct asked {
    void (*choose)(const struct call *call);
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op; /* MPI_OP_NULL: none */
    int root;
    int in_place;
    int nonblocking;
};

enum { RECALL_PLACES = 16 };
struct recalled {
    struct {
        struct asked asked; /* choose NULL: nothing is here */
        struct tally *tally;
    } place[RECALL_PLACES];
};

static inline size_t recall_place(struct asked asked)
{
    uint64_t key =
        (uint64_t)(uintptr_t)asked.choose ^ (uint64_t)asked.count << 4 ^ (uint64_t)asked.root << 40;
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECALL_PLACES;
}

/* Record what it sends on `c`, if that is known: 1. */
static inline int recall(const struct communicator *c, struct asked asked)
{
    size_t at = recall_place(asked);
    const struct asked *before = c->recalled ? &c->recalled->place[at].asked : NULL;
    if (!before || before->choose != asked.choose || before->count != asked.count ||
        before->type != asked.type || before->op != asked.op || before->root != asked.root ||
        before->in_place != asked.in_place || before->nonblocking != asked.nonblocking)
        return 0;
    tally_count(c->recalled->place[at].tally);
    return 1;
}

/* asked->choose(call), and remember it. */
void recall_learn(const struct asked *asked, const struct call *call);

/* Free what communicator->recalled has; NULL is nothing. */
void recall_free(struct recalled *recalled);

#endif
