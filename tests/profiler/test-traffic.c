/* SPDX-License-Identifier: BSD-3-Clause */
/* test-traffic.c - counters while several threads use them: whoever walks over the peers of a
 * domain finds them in order while others meet new ones, and no message and no byte gets lost
 * between two phases. What MPI is asked for is answered by groups.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "groups.h"
#include "profiler/traffic.h"

enum { ROLES = 6007, SENDERS = 3, BYTES = 7 };

static const int strides[SENDERS] = {1, 7919, 13007};
static int sending; /* threads */

/* Meets all roles, in an order of its own, and sends each a message; BYTES in the mean. */
static void *send_to_all(void *stride)
{
    for (int64_t i = 0; i < ROLES; i++) {
        int32_t role = (int32_t)(i * *(const int *)stride % ROLES);
        struct peer *peer = traffic_peer(traffic_world(), role);
        traffic_count(peer, RESEAT_P2P, 1, role % 2 ? 0 : 2 * BYTES);
        traffic_count(peer, RESEAT_P2P, 1, role % 2 ? 2 * BYTES : 0);
    }
    __atomic_fetch_sub(&sending, 1, __ATOMIC_RELAXED);
    return NULL;
}

struct walk {
    int32_t last;
    int wrong;
    uint64_t msgs, bytes;
};

static void look(const struct domain *domain, struct peer *peer, void *context)
{
    struct walk *walk = context;
    walk->wrong += domain != traffic_world() || peer->role <= walk->last;
    walk->last = peer->role;
    for (const struct phase_counters *s = peer->past; s; s = s->next)
        for (const struct counter *c = &s->counters[RESEAT_P2P]; c; c = c->next) {
            walk->msgs += c->msgs;
            walk->bytes += c->bytes;
        }
}

static struct walk walk(void)
{
    struct walk walk = {.last = -1};
    traffic_visit(traffic_world(), look, &walk);
    return walk;
}

static void nothing_is_lost_while_others_send(void **state)
{
    pthread_t threads[SENDERS];
    int wrong = 0;
    (void)state;
    traffic_threads = 1;
    assert_int_equal(traffic_start(MPI_GROUP_EMPTY), 0);
    sending = SENDERS;
    for (int t = 0; t < SENDERS; t++)
        pthread_create(&threads[t], NULL, send_to_all, (void *)(uintptr_t)&strides[t]);
    for (int phase = 0; __atomic_load_n(&sending, __ATOMIC_RELAXED); phase = (phase + 1) % 4) {
        wrong += walk().wrong;
        traffic_set_phase(phase);
    }
    for (int t = 0; t < SENDERS; t++)
        pthread_join(threads[t], NULL);
    traffic_flush_phase();
    struct walk end = walk();
    assert_int_equal(wrong + end.wrong, 0);
    assert_int_equal(end.msgs, 2 * SENDERS * ROLES);
    assert_int_equal(end.bytes, 2 * SENDERS * ROLES * BYTES);
    assert_int_equal(traffic_messages(), 2 * SENDERS * ROLES);
    traffic_stop();
}

/* The ends of classes of sizes, and messages that are counted together. */
static void messages_are_counted_by_size(void **state)
{
    static const struct {
        uint64_t msgs, bytes;
        int size;
    } rows[] = {{1, 0, 0},  {1, 1, 1},      {1, 2, 2},     {1, 3, 2},
                {1, 4, 3},  {1, 1023, 10},  {1, 1024, 11}, {1, (UINT64_C(1) << 62) - 1, 62},
                {4, 40, 4}, {3, 3 * 15, 4}, {3, 3 * 16, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(traffic_start(MPI_GROUP_EMPTY), 0);
        struct peer *peer = traffic_peer(traffic_world(), 1);
        traffic_count(peer, RESEAT_COLL, 1, 600);
        traffic_count(peer, RESEAT_COLL, rows[i].msgs, rows[i].bytes);
        traffic_flush_phase();
        struct counter *counter =
            traffic_find_size(&peer->past->counters[RESEAT_COLL], rows[i].size);
        uint64_t more = rows[i].size == 10; /* as 600 is */
        assert_non_null(counter);
        assert_int_equal(counter->msgs, rows[i].msgs + more);
        assert_int_equal(counter->bytes, rows[i].bytes + more * 600);
        traffic_stop();
    }
}

static void *meet_another(void *role)
{
    return traffic_peer(traffic_world(), *(int32_t *)role);
}

/* Gives another thread the time to add a peer, should it not wait. */
static void linger(const struct domain *domain, struct peer *peer, void *thread)
{
    static int32_t other = 2;
    struct timespec until;
    (void)peer;
    assert_int_equal(pthread_create(thread, NULL, meet_another, &other), 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    assert_int_equal(pthread_timedjoin_np(*(pthread_t *)thread, NULL, &until), ETIMEDOUT);
    assert_int_equal(domain->peers_count, 1);
}

static void who_meets_another_waits_for_a_walk(void **state)
{
    pthread_t thread;
    (void)state;
    assert_int_equal(traffic_start(MPI_GROUP_EMPTY), 0);
    for (int all = 0; all < 2; all++) {
        traffic_peer(traffic_world(), 1);
        traffic_visit(all ? NULL : traffic_world(), linger, &thread);
        pthread_join(thread, NULL);
        assert_int_equal(traffic_world()->peers_count, 2);
        traffic_stop();
        assert_int_equal(traffic_start(MPI_GROUP_EMPTY), 0);
    }
    traffic_stop();
}

/* A thread may have counted the message and not yet the bytes. */
static void bytes_that_come_after_their_message_are_kept(void **state)
{
    (void)state;
    assert_int_equal(traffic_start(MPI_GROUP_EMPTY), 0);
    struct peer *peer = traffic_peer(traffic_world(), 1);
    peer->now[RESEAT_P2P].msgs++;
    traffic_flush_phase();
    peer->now[RESEAT_P2P].bytes += BYTES;
    traffic_flush_phase();
    struct walk end = walk();
    assert_int_equal(end.msgs, 1);
    assert_int_equal(end.bytes, BYTES);
    traffic_stop();
}

/* The present phase goes on after what has been counted was put away, and what was found out later
 * comes on top. */
static void a_shelf_holds_all_that_is_put_there(void **state)
{
    struct reseat_entry late = {.target = 5, .msgs = 2, .bytes = 100, .phase = 3};
    (void)state;
    assert_int_equal(traffic_start(MPI_GROUP_EMPTY), 0);
    traffic_set_phase(3);
    for (int i = 0; i < 2; i++) {
        traffic_count(traffic_peer(traffic_world(), 5), RESEAT_P2P, 1, 10);
        traffic_flush_phase();
        assert_int_equal(traffic_put(traffic_world(), &late, RESEAT_P2P), 0);
    }
    struct walk end = walk();
    assert_int_equal(end.msgs, 2 + 2 * 2);
    assert_int_equal(end.bytes, 2 * 10 + 2 * 100);
    assert_null(traffic_peer(traffic_world(), 5)->past->next);
    traffic_stop();
}

static const struct domain_identity grid = {.function = "MPI_Cart_create", .size = 4};
static struct domain *of_another;

/* Another thread makes the same domain while this one is at it. */
static int add_meanwhile(int rank)
{
    groups_translated = NULL;
    of_another = traffic_add_domain(&grid, traffic_world(), MPI_COMM_NULL);
    return rank;
}

static void two_threads_add_one_domain(void **state)
{
    (void)state;
    groups_size = 4;
    assert_int_equal(traffic_start(MPI_GROUP_EMPTY), 0);
    groups_translated = add_meanwhile;
    struct domain *added = traffic_add_domain(&grid, traffic_world(), MPI_COMM_NULL);
    assert_ptr_equal(added, of_another);
    assert_ptr_equal(traffic_next(traffic_world()), of_another);
    assert_null(traffic_next(of_another));
    traffic_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_while_others_send),
        cmocka_unit_test(messages_are_counted_by_size),
        cmocka_unit_test(who_meets_another_waits_for_a_walk),
        cmocka_unit_test(two_threads_add_one_domain),
        cmocka_unit_test(bytes_that_come_after_their_message_are_kept),
        cmocka_unit_test(a_shelf_holds_all_that_is_put_there),
    };
    groups_size = ROLES;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
