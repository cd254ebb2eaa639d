/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recall.c - programs call the same collectives again and again, and what one sends depends on
 * nothing but what was asked for. So each communicator keeps the messages of some calls that were
 * made on it; each call has one place where it can be, and the last one that came there has it.
 * Datatypes and operations are known by their handles, so only those count that cannot be freed.
 * Long lists are not kept: they are cheap to make beside the messages that they stand for.
 */
#include "profiler/recall.h"

#include <stdlib.h>

#include "profiler/record.h"
#include "profiler/tally.h"

enum { PLACES = 16, LONGEST = 64 };

struct place {
    struct asked asked; /* choose NULL: nothing is here */
    struct tally *tally;
};

struct recalled {
    struct place place[PLACES];
};

static struct place *find_place(struct recalled *recalled, const struct asked *asked)
{
    uint64_t key = (uint64_t)(uintptr_t)asked->choose ^ (uint64_t)asked->count << 4 ^
                   (uint64_t)asked->root << 40;
    return &recalled->place[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % PLACES];
}

static int is_same(const struct asked *a, const struct asked *b)
{
    return a->choose == b->choose && a->count == b->count && a->type == b->type && a->op == b->op &&
           a->root == b->root && a->in_place == b->in_place && a->nonblocking == b->nonblocking;
}

int recall(const struct communicator *c, const struct asked *asked)
{
    const struct place *place = c->recalled ? find_place(c->recalled, asked) : NULL;
    if (!place || !is_same(&place->asked, asked))
        return 0;
    tally_count(place->tally);
    return 1;
}

static int lasts(const struct asked *asked)
{
    return (asked->count == 0 || record_knows(asked->type)) &&
           (asked->op == MPI_OP_NULL || record_commutes(asked->op));
}

void recall_learn(const struct asked *asked, const struct call *call)
{
    struct communicator *c = call->c;
    if (!c->recalled)
        c->recalled = calloc(1, sizeof *c->recalled);
    if (!c->recalled || !lasts(asked) || tally_is_open()) {
        asked->choose(call);
        return;
    }
    tally_begin();
    asked->choose(call);
    struct tally *tally = tally_end();
    tally_count(tally);
    if (!tally || tally_length(tally) > LONGEST) {
        tally_free(tally);
        return;
    }
    struct place *place = find_place(c->recalled, asked);
    tally_free(place->tally);
    *place = (struct place){*asked, tally};
}

void recall_free(struct recalled *recalled)
{
    for (int i = 0; recalled && i < PLACES; i++)
        tally_free(recalled->place[i].tally);
    free(recalled);
}
