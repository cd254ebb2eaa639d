/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call-cache.c - see call-cache.h. What a collective sends depends on its key alone. Datatypes and
 * operations are keyed by their handles, so only those are cached that cannot be freed and reused.
 * Long lists of messages are not kept: working them out again is cheap compared with sending those
 * messages.
 */
#include "profiler/call-cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/record.h"

enum { LONGEST = 64 };

static struct {
    struct call_cache *first;
    pthread_mutex_t lock; /* guards the list and all tallies in it */
} caches = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int call_key_is_stable(const struct call_key *key)
{
    return (key->count == 0 || record_knows(key->type)) &&
           (key->op == MPI_OP_NULL || record_commutes(key->op));
}

static struct call_cache *call_cache_create(void)
{
    struct call_cache *cache = aligned_alloc(CALL_CACHE_LINE, sizeof *cache);
    if (!cache)
        return NULL;
    memset(cache, 0, sizeof *cache);
    pthread_mutex_lock(&caches.lock);
    cache->next = caches.first;
    cache->link = &caches.first;
    if (caches.first)
        caches.first->link = &cache->next;
    caches.first = cache;
    pthread_mutex_unlock(&caches.lock);
    return cache;
}

/* The caller holds the lock. */
static void call_cache_flush_entry(struct call_cache *cache, size_t at)
{
    if (__atomic_load_n(&cache->entry[at].pending, __ATOMIC_RELAXED))
        tally_count(cache->entry[at].tally,
                    __atomic_exchange_n(&cache->entry[at].pending, 0, __ATOMIC_RELAXED));
}

/* Takes ownership of `tally`. */
static void call_cache_replace(struct call_cache *cache, const struct call_key *key,
                               struct tally *tally)
{
    size_t at = call_cache_index(key);
    pthread_mutex_lock(&caches.lock);
    call_cache_flush_entry(cache, at);
    tally_free(cache->entry[at].tally);
    cache->entry[at].key = *key;
    cache->entry[at].tally = tally;
    pthread_mutex_unlock(&caches.lock);
}

void call_cache_fill(struct communicator *c, const struct call_key *key, const struct call *call)
{
    if (!c->call_cache)
        c->call_cache = call_cache_create();
    if (!c->call_cache || !call_key_is_stable(key) || tally_is_open()) {
        key->choose(call);
        return;
    }
    tally_begin();
    key->choose(call);
    struct tally *tally = tally_end();
    tally_count(tally, 1);
    if (tally && tally_length(tally) <= LONGEST)
        call_cache_replace(c->call_cache, key, tally);
    else
        tally_free(tally);
}

void call_cache_flush(void)
{
    pthread_mutex_lock(&caches.lock);
    for (struct call_cache *cache = caches.first; cache; cache = cache->next)
        for (size_t at = 0; at < CALL_CACHE_ENTRIES; at++)
            call_cache_flush_entry(cache, at);
    pthread_mutex_unlock(&caches.lock);
}

void call_cache_free(struct call_cache *cache)
{
    if (!cache)
        return;
    pthread_mutex_lock(&caches.lock);
    *cache->link = cache->next;
    if (cache->next)
        cache->next->link = cache->link;
    for (size_t at = 0; at < CALL_CACHE_ENTRIES; at++) {
        call_cache_flush_entry(cache, at);
        tally_free(cache->entry[at].tally);
    }
    pthread_mutex_unlock(&caches.lock);
    free(cache);
}
