/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recall.c - see recall.h. What a collective sends depends on nothing but what was asked for.
 * Datatypes and operations are known by their handles, so only those count that cannot be freed.
 * Long lists are not kept: they are cheap to make beside the messages that they stand for.
 */
#include "profiler/recall.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/record.h"

enum { LONGEST = 64 };

static struct recalled *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list, and of all tallies in it */

static int lasts(const struct asked *asked)
{
    return (asked->count == 0 || record_knows(asked->type)) &&
           (asked->op == MPI_OP_NULL || record_commutes(asked->op));
}

static struct recalled *create(void)
{
    struct recalled *recalled = aligned_alloc(RECALL_LINE, sizeof *recalled);
    if (!recalled)
        return NULL;
    memset(recalled, 0, sizeof *recalled);
    pthread_mutex_lock(&lock);
    recalled->next = all;
    recalled->link = &all;
    if (all)
        all->link = &recalled->next;
    all = recalled;
    pthread_mutex_unlock(&lock);
    return recalled;
}

/* For the holder of the lock. */
static void settle(struct recalled *recalled, size_t at)
{
    if (__atomic_load_n(&recalled->place[at].owed, __ATOMIC_RELAXED))
        tally_count(recalled->place[at].tally,
                    __atomic_exchange_n(&recalled->place[at].owed, 0, __ATOMIC_RELAXED));
}

/* Takes `tally`. */
static void put(struct recalled *recalled, const struct asked *asked, struct tally *tally)
{
    size_t at = recall_place(asked);
    pthread_mutex_lock(&lock);
    settle(recalled, at);
    tally_free(recalled->place[at].tally);
    recalled->place[at].asked = *asked;
    recalled->place[at].tally = tally;
    pthread_mutex_unlock(&lock);
}

void recall_learn(const struct asked *asked, const struct call *call)
{
    struct communicator *c = call->c;
    if (!c->recalled)
        c->recalled = create();
    if (!c->recalled || !lasts(asked) || tally_is_open()) {
        asked->choose(call);
        return;
    }
    tally_begin();
    asked->choose(call);
    struct tally *tally = tally_end();
    tally_count(tally, 1);
    if (tally && tally_length(tally) <= LONGEST)
        put(c->recalled, asked, tally);
    else
        tally_free(tally);
}

void recall_settle(void)
{
    pthread_mutex_lock(&lock);
    for (struct recalled *recalled = all; recalled; recalled = recalled->next)
        for (size_t at = 0; at < RECALL_PLACES; at++)
            settle(recalled, at);
    pthread_mutex_unlock(&lock);
}

void recall_free(struct recalled *recalled)
{
    if (!recalled)
        return;
    pthread_mutex_lock(&lock);
    *recalled->link = recalled->next;
    if (recalled->next)
        recalled->next->link = recalled->link;
    for (size_t at = 0; at < RECALL_PLACES; at++) {
        settle(recalled, at);
        tally_free(recalled->place[at].tally);
    }
    pthread_mutex_unlock(&lock);
    free(recalled);
}
