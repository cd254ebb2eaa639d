/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recall.c - see recall.h. What a collective sends depends on nothing but what was asked for.
 * Datatypes and operations are known by their handles, so only those count that cannot be freed.
 * Long lists are not kept: they are cheap to make beside the messages that they stand for.
 */
#include "profiler/recall.h"

#include <stdlib.h>

#include "profiler/record.h"

enum { LONGEST = 64 };

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
    size_t at = recall_place(asked->choose, asked->count, asked->form);
    tally_free(c->recalled->place[at].tally);
    c->recalled->place[at].asked = *asked;
    c->recalled->place[at].tally = tally;
}

void recall_free(struct recalled *recalled)
{
    for (int i = 0; recalled && i < RECALL_PLACES; i++)
        tally_free(recalled->place[i].tally);
    free(recalled);
}
