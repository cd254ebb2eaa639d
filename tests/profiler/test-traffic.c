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

/* Meets all roles, in an order of its own, and sends each a message. */
static void *send_to_all(void *stride)
{
    for (int64_t i = 0; i < ROLES; i++) {
        int32_t role = (int32_t)(i * *(const int *)stride % ROLES);
        traffic_count(traffic_peer(traffic_world(), role), RESEAT_P2P, 1, BYTES);
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
    for (const struct phase_counters *s = peer->past; s; s = s->next) {
        walk->msgs += s->counters[RESEAT_P2P].msgs;
        walk->bytes += s->counters[RESEAT_P2P].bytes;
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
    assert_int_equal(end.msgs, SENDERS * ROLES);
    assert_int_equal(end.bytes, SENDERS * ROLES * BYTES);
    assert_int_equal(traffic_messages(), SENDERS * ROLES);
    traffic_stop();
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_while_others_send),
        cmocka_unit_test(who_meets_another_waits_for_a_walk),
        cmocka_unit_test(bytes_that_come_after_their_message_are_kept),
        cmocka_unit_test(a_shelf_holds_all_that_is_put_there),
    };
    groups_size = ROLES;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
