/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recall.h - a collective that was called before in the same way is not worked out again. Each
 * communicator keeps the messages of some calls that were made on it; each call has one place where
 * it can be, and the last one that came there has it. Of those that come again only their number is
 * kept, until somebody asks (recall_settle).
 *
 * recall, recall_learn and recall_free may not be called by two threads at once for the same
 * communicator, as the collectives themselves. recall_settle may, at any time.
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

enum { RECALL_PLACES = 16, RECALL_LINE = 64 };
struct recalled {
    struct {
        struct asked asked; /* choose NULL: nothing is here */
        struct tally *tally;
        uint64_t owed; /* how many calls have not been counted yet */
    } __attribute__((aligned(RECALL_LINE))) place[RECALL_PLACES];
    struct recalled *next, **link; /* to all others */
};

static inline size_t recall_place(const struct asked *asked)
{
    uint64_t handles = 3 * (uint64_t)(uintptr_t)asked->type + 5 * (uint64_t)(uintptr_t)asked->op;
    uint64_t key = ((uint64_t)(uintptr_t)asked->choose + handles) ^ (uint64_t)asked->count << 4 ^
                   asked->form << 38;
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECALL_PLACES;
}

/* Record what it sends on `c`, if that is known: 1. */
static inline int recall(const struct communicator *c, struct asked asked)
{
    if (!c->recalled)
        return 0;
    size_t at = recall_place(&asked);
    const struct asked *before = &c->recalled->place[at].asked;
    if (before->choose != asked.choose || before->count != asked.count ||
        before->type != asked.type || before->op != asked.op || before->form != asked.form)
        return 0;
    if (traffic_threads)
        __atomic_fetch_add(&c->recalled->place[at].owed, 1, __ATOMIC_RELAXED);
    else
        c->recalled->place[at].owed++;
    return 1;
}

/* asked->choose(call), and remember it; nothing is remembered while the calling thread has a tally
 * open. */
void recall_learn(const struct asked *asked, const struct call *call);

/* Count what is owed, of all communicators. */
void recall_settle(void);

/* Count what is owed and free what communicator->recalled has; NULL is nothing. */
void recall_free(struct recalled *recalled);

#endif
