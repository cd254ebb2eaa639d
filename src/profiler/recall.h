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
    MPI_Op op;     /* MPI_OP_NULL: none */
    uint64_t form; /* recall_form */
};

/* The root and what else there is of a call, as one number. */
enum { RECALL_NONBLOCKING = 1, RECALL_IN_PLACE = 2, RECALL_ROOT = 4 };
static inline uint64_t recall_form(int root, int in_place, int nonblocking)
{
    return (uint64_t)root * RECALL_ROOT + (in_place ? RECALL_IN_PLACE : 0) +
           (nonblocking ? RECALL_NONBLOCKING : 0);
}

enum { RECALL_PLACES = 16 };
struct recalled {
    struct {
        struct asked asked; /* choose NULL: nothing is here */
        struct tally *tally;
    } place[RECALL_PLACES];
};

static inline size_t recall_place(void (*choose)(const struct call *call), MPI_Count count,
                                  uint64_t form)
{
    uint64_t key = (uint64_t)(uintptr_t)choose ^ (uint64_t)count << 4 ^ form << 38;
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECALL_PLACES;
}

/* Record what it sends on `c`, if that is known: 1. The parameters are the members of asked, which
 * stay in registers so. */
static inline int recall(const struct communicator *c, void (*choose)(const struct call *call),
                         MPI_Count count, MPI_Datatype type, MPI_Op op, uint64_t form)
{
    if (!c->recalled)
        return 0;
    size_t at = recall_place(choose, count, form);
    const struct asked *before = &c->recalled->place[at].asked;
    if (before->choose != choose || before->count != count || before->type != type ||
        before->op != op || before->form != form)
        return 0;
    tally_count(c->recalled->place[at].tally);
    return 1;
}

/* asked->choose(call), and remember it. */
void recall_learn(const struct asked *asked, const struct call *call);

/* Free what communicator->recalled has; NULL is nothing. */
void recall_free(struct recalled *recalled);

#endif
