/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call-cache.h - what recent collectives have sent, so that the same call on the same communicator
 * need not be worked out again. Each communicator has a direct-mapped cache of CALL_CACHE_ENTRIES
 * entries: a key is hashed to one entry, and a miss replaces what is there. A hit only increments
 * the entry's `pending`, which call_cache_flush adds to the counters.
 *
 * Rank 0 of 4 has called MPI_Allreduce with 8 doubles and MPI_SUM 42 times. The algorithm here is
 * recursive doubling: a call sends 64 bytes to rank 1, and 64 bytes to rank 2. The first call was
 * counted when it was worked out (call_cache_fill), the others have only been hits:
 *
 *   communicator->call_cache
 *     entry[0]    key.choose NULL: empty
 *     ...
 *     entry[k]    key      {choose_allreduce, 8, MPI_DOUBLE, MPI_SUM, form 0}
 *                          k = call_cache_index (key)
 *                 tally -> {peer 1, RESEAT_COLL, 1 message, 64 bytes}
 *                          {peer 2, RESEAT_COLL, 1 message, 64 bytes}
 *                 pending  41         a flush adds 41 messages, 2,624 bytes to both; then 0
 *     ...
 *     entry[15]
 *
 * call_cache_hit, call_cache_fill and call_cache_free may not be called by two threads at once for
 * the same communicator, which holds for the collectives themselves. call_cache_flush may be called
 * at any time.
 */
#ifndef RESEAT_CALL_CACHE_H
#define RESEAT_CALL_CACHE_H

#include "base/hash.h"
#include "collectives/choices.h"
#include "profiler/communicators.h"
#include "profiler/tally.h"

/* A call on a communicator of one group, whose blocks are all of one size. */
struct call_key {
    void (*choose)(const struct call *call);
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;     /* MPI_OP_NULL: none */
    uint64_t form; /* call_key_form */
};

/* The root and the flags of a call, as one number. */
enum { CALL_KEY_NONBLOCKING = 1, CALL_KEY_IN_PLACE = 2, CALL_KEY_ROOT = 4 };
static inline uint64_t call_key_form(int root, int in_place, int nonblocking)
{
    return (uint64_t)root * CALL_KEY_ROOT + (in_place ? CALL_KEY_IN_PLACE : 0) +
           (nonblocking ? CALL_KEY_NONBLOCKING : 0);
}

enum { CALL_CACHE_ENTRIES = 16, CALL_CACHE_LINE = 64 };
struct call_cache {
    struct {
        struct call_key key; /* choose NULL: the entry is empty */
        struct tally *tally;
        uint64_t pending; /* calls that have not been counted yet */
    } __attribute__((aligned(CALL_CACHE_LINE))) entry[CALL_CACHE_ENTRIES];
    struct call_cache *next, **link; /* the list of all caches */
};

static inline size_t call_cache_index(const struct call_key *key)
{
    uint64_t handles = 3 * (uint64_t)(uintptr_t)key->type + 5 * (uint64_t)(uintptr_t)key->op;
    uint64_t hash =
        ((uint64_t)(uintptr_t)key->choose + handles) ^ (uint64_t)key->count << 4 ^ key->form << 38;
    return (size_t)(reseat_hash_word(hash) >> 32) % CALL_CACHE_ENTRIES;
}

/* If the call is cached for `c`, count it: 1; else 0. */
static inline int call_cache_hit(const struct communicator *c, struct call_key key)
{
    if (!c->call_cache)
        return 0;
    size_t at = call_cache_index(&key);
    const struct call_key *before = &c->call_cache->entry[at].key;
    if (before->choose != key.choose || before->count != key.count || before->type != key.type ||
        before->op != key.op || before->form != key.form)
        return 0;
    if (traffic_threads)
        __atomic_fetch_add(&c->call_cache->entry[at].pending, 1, __ATOMIC_RELAXED);
    else
        c->call_cache->entry[at].pending++;
    return 1;
}

/* A miss: run key->choose(call), count what it sends, and cache that for `c`, unless the calling
 * thread has a tally open. */
void call_cache_fill(struct communicator *c, const struct call_key *key, const struct call *call);

/* Count what is pending, of all communicators. */
void call_cache_flush(void);

/* Count what is pending and free a communicator's cache; NULL is nothing. */
void call_cache_free(struct call_cache *cache);

#endif
