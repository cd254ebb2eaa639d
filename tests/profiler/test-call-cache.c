/* SPDX-License-Identifier: BSD-3-Clause */
/* test-call-cache.c - with the cache the same is counted as without: a hit counts once more what
 * the call sends, and only the very same call is a hit. Neither MPI nor record.c is needed: what
 * they know of handles is defined here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/call-cache.h"
#include "profiler/record.h"
#include "profiler/unseen.h"

enum { TARGETS = 100, TARGETS_KEPT = 64, THREADS = 4, CALLS = 20000 };

int traffic_threads;
static struct peer peers[TARGETS];
static int chosen; /* how often a choice has been made */

/* ---- what record.c, traffic.c and unseen.c would answer ---- */

/* Sizes do not matter here. */
struct counter *traffic_make_size(struct counter *first, int size)
{
    (void)size;
    return first;
}

int record_knows(MPI_Datatype type)
{
    return type == MPI_INT || type == MPI_DOUBLE;
}

int record_commutes(MPI_Op op)
{
    return op == MPI_SUM || op == MPI_MAX;
}

void unseen_add(enum unseen what)
{
    (void)what;
    fail();
}

/* ---- calls: one message to each of `count` peers, of that many bytes ---- */

static void choose_one(const struct call *call)
{
    chosen++;
    for (uint64_t i = 0; i < call->count; i++)
        tally_add(&peers[i], RESEAT_COLL, 1, call->count);
}

static void choose_other(const struct call *call)
{
    choose_one(call);
}

static const struct call_key sum = {choose_one, 3, MPI_INT, MPI_SUM, 8};

/* As the hooks do. */
static void record(struct communicator *c, struct call_key key)
{
    struct call call = {.count = (uint64_t)key.count};
    if (!call_cache_hit(c, key))
        call_cache_fill(c, &key, &call);
}

static void start(struct communicator *c)
{
    memset(c, 0, sizeof *c);
    memset(peers, 0, sizeof peers);
    chosen = 0;
}

static void end(struct communicator *c)
{
    call_cache_free(c->call_cache);
    c->call_cache = NULL;
}

static uint64_t messages_to(int peer)
{
    return peers[peer].now[RESEAT_COLL].msgs;
}

/* ---- */

static void the_same_call_is_worked_out_once(void **state)
{
    struct communicator c;
    (void)state;
    start(&c);
    for (int i = 0; i < 10; i++)
        record(&c, sum);
    assert_int_equal(chosen, 1);
    assert_int_equal(messages_to(2), 1); /* nine are pending */
    call_cache_flush();
    assert_int_equal(messages_to(0), 10);
    assert_int_equal(peers[2].now[RESEAT_COLL].bytes, 30);
    assert_int_equal(messages_to(3), 0);
    call_cache_flush();
    assert_int_equal(messages_to(2), 10);
    record(&c, sum);
    end(&c);
    assert_int_equal(messages_to(2), 11);
    assert_int_equal(chosen, 1);
}

static void another_call_is_no_hit(void **state)
{
    struct call_key other[] = {sum, sum, sum, sum, sum};
    struct communicator c;
    (void)state;
    other[0].choose = choose_other;
    other[1].count = 4;
    other[2].type = MPI_DOUBLE;
    other[3].op = MPI_MAX;
    other[4].form++;
    start(&c);
    record(&c, sum);
    for (int i = 0; i < 5; i++)
        assert_int_equal(call_cache_hit(&c, other[i]), 0);
    assert_int_equal(call_cache_hit(&c, sum), 1);
    end(&c);
}

static void another_communicator_is_no_hit(void **state)
{
    struct communicator c, d;
    (void)state;
    start(&c);
    start(&d);
    record(&c, sum);
    assert_int_equal(call_cache_hit(&d, sum), 0);
    record(&d, sum);
    record(&d, sum);
    assert_int_equal(chosen, 2);
    call_cache_flush(); /* of both */
    assert_int_equal(messages_to(0), 3);
    end(&c);
    record(&d, sum);
    end(&d);
    assert_int_equal(messages_to(0), 4);
}

/* A handle that can be freed may come back as another type or operation. */
static void handles_that_may_be_reused_are_not_kept(void **state)
{
    struct call_key type = sum, op = sum, nothing = sum;
    struct communicator c;
    (void)state;
    type.type = MPI_FLOAT;
    op.op = MPI_PROD;
    nothing.type = MPI_FLOAT;
    nothing.count = 0; /* its type means nothing */
    start(&c);
    for (int i = 0; i < 2; i++) {
        record(&c, type);
        record(&c, op);
        record(&c, nothing);
    }
    assert_int_equal(chosen, 2 + 2 + 1);
    assert_int_equal(messages_to(0), 4);
    end(&c);
}

static void long_lists_are_counted_and_not_kept(void **state)
{
    struct call_key longest = sum, too_long = sum;
    struct communicator c;
    (void)state;
    longest.count = TARGETS_KEPT;
    too_long.count = TARGETS_KEPT + 1;
    start(&c);
    for (int i = 0; i < 3; i++) {
        record(&c, longest);
        record(&c, too_long);
    }
    end(&c);
    assert_int_equal(chosen, 1 + 3);
    assert_int_equal(messages_to(0), 6);
    assert_int_equal(messages_to(TARGETS_KEPT), 3);
}

/* More calls than there are entries: who is replaced has been counted. */
static void nothing_is_lost_when_calls_push_each_other_out(void **state)
{
    struct call_key key = sum;
    struct communicator c;
    uint64_t sent = 0;
    (void)state;
    start(&c);
    for (int round = 0; round < 5; round++)
        for (key.count = 1; key.count <= 3 * CALL_CACHE_ENTRIES; key.count++) {
            record(&c, key);
            record(&c, key);
            sent += 2;
        }
    assert_in_range(chosen, 3 * CALL_CACHE_ENTRIES, 5 * 3 * CALL_CACHE_ENTRIES);
    end(&c);
    assert_int_equal(messages_to(0), sent);
}

/* A persistent request will be started later: what it sends goes into the list that is open, and is not counted. */
static void an_open_list_is_filled_and_nothing_kept(void **state)
{
    struct communicator c;
    (void)state;
    start(&c);
    tally_begin();
    record(&c, sum);
    struct tally *later = tally_end();
    assert_int_equal(messages_to(0), 0);
    assert_int_equal(tally_length(later), 3);
    assert_int_equal(call_cache_hit(&c, sum), 0);
    tally_count(later, 2);
    assert_int_equal(messages_to(0), 2);
    tally_free(later);
    end(&c);
}

/* Each thread has a communicator of its own; somebody else flushes all the time. */
static void *call_often(void *unused)
{
    struct communicator c = {0};
    (void)unused;
    for (int i = 0; i < CALLS; i++)
        record(&c, sum);
    end(&c);
    return NULL;
}

static void flushing_meanwhile_loses_nothing(void **state)
{
    struct communicator c;
    pthread_t threads[THREADS];
    (void)state;
    start(&c);
    traffic_threads = 1;
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, call_often, NULL), 0);
    for (int i = 0; i < 1000; i++)
        call_cache_flush();
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    traffic_threads = 0;
    assert_int_equal(messages_to(1), THREADS * CALLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_call_is_worked_out_once),
        cmocka_unit_test(another_call_is_no_hit),
        cmocka_unit_test(another_communicator_is_no_hit),
        cmocka_unit_test(handles_that_may_be_reused_are_not_kept),
        cmocka_unit_test(long_lists_are_counted_and_not_kept),
        cmocka_unit_test(nothing_is_lost_when_calls_push_each_other_out),
        cmocka_unit_test(an_open_list_is_filled_and_nothing_kept),
        cmocka_unit_test(flushing_meanwhile_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
