/* SPDX-License-Identifier: BSD-3-Clause */
/* test-fetched.c - what was fetched becomes traffic of the process that it was fetched from, once,
 * and stays where it is when any process cannot take part. This process plays all roles of the
 * world, so that what it sends comes back to it. The functions of MPI are replaced here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "profiler/fetched.h"
#include "profiler/traffic.h"
#include "profiler/unseen.h"
#include "comm/waiting.h"

enum { ROLES = 9, OWN_ROLE = 4, ROW_BYTES = 64, ROWS = 32 };

static struct {
    char bytes[ROW_BYTES];
    int size;
} on_the_way[ROWS];
static int sent, received;
static int others_fail;   /* another process is out of memory */
static int others_fetch;  /* another process has something to return */
static int is_lost;       /* what is sent does not come */
static int unknown_ranks; /* MPI does not know whose role it is */

/* ---- MPI, of one process ---- */

static int rank_of_any(int role)
{
    (void)role;
    return unknown_ranks ? MPI_UNDEFINED : 0;
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    (void)comm;
    *size = 1;
    return MPI_SUCCESS;
}

/* Who fails gives its rank. */
int rank_tree_agree(struct rank_tree *rank_tree, int mine)
{
    int theirs = others_fail ? 5 : others_fetch ? RANK_TREE_NOBODY - 1 : RANK_TREE_NOBODY;
    (void)rank_tree;
    return theirs < mine ? theirs : mine;
}

int PMPI_Reduce_scatter_block(const void *mine, void *result, int count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm)
{
    (void)type;
    (void)op;
    (void)comm;
    memcpy(result, mine, (size_t)count * sizeof(int));
    return MPI_SUCCESS;
}

int PMPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    (void)tag;
    (void)comm;
    assert_int_equal(to, 0);
    assert_int_equal(type, MPI_BYTE);
    assert_in_range(count, 1, ROW_BYTES);
    assert_in_range(sent, 0, ROWS - 1);
    memcpy(on_the_way[sent].bytes, data, (size_t)count);
    on_the_way[sent++].size = count;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

double rank_tree_patience_up(const struct rank_tree *rank_tree)
{
    return rank_tree->patience;
}

enum waiting waiting_receive(void *data, size_t size, int from, int tag, MPI_Comm comm,
                             double seconds)
{
    (void)from;
    (void)tag;
    (void)comm;
    (void)seconds;
    if (is_lost)
        return WAITING_TOO_LONG;
    assert_in_range(received, 0, sent - 1);
    assert_int_equal(on_the_way[received].size, size);
    memcpy(data, on_the_way[received++].bytes, size);
    return WAITING_DONE;
}

enum waiting waiting_for(MPI_Request *requests, int count, double seconds)
{
    (void)requests;
    (void)count;
    (void)seconds;
    return WAITING_DONE;
}

/* ---- */

static int return_all(void)
{
    struct rank_tree rank_tree = {.comm = MPI_COMM_WORLD};
    return fetched_return(&rank_tree);
}

/* Three roles were fetched from, in two phases. */
static int fetch(void **state)
{
    (void)state;
    sent = received = others_fail = others_fetch = is_lost = unknown_ranks = 0;
    if (traffic_start(MPI_GROUP_EMPTY))
        return -1;
    traffic_set_phase(0);
    traffic_count(traffic_peer(traffic_world(), 1), TRAFFIC_FETCHED, 1, 100);
    traffic_count(traffic_peer(traffic_world(), 7), TRAFFIC_FETCHED, 2, 20);
    traffic_count(traffic_peer(traffic_world(), 7), RESEAT_P2P, 5, 5000);
    traffic_set_phase(2);
    traffic_count(traffic_peer(traffic_world(), 7), TRAFFIC_FETCHED, 4, 4);
    traffic_flush_phase();
    return 0;
}

static int fetch_end(void **state)
{
    (void)state;
    traffic_stop();
    return 0;
}

/* Of all sizes. */
static struct counter counted(int32_t role, int32_t phase, int counter)
{
    const struct phase_counters *past = traffic_peer(traffic_world(), role)->past;
    while (past && past->phase != phase)
        past = past->next;
    struct counter sum = {.msgs = 0};
    for (const struct counter *c = past ? &past->counters[counter] : NULL; c; c = c->next) {
        sum.msgs += c->msgs;
        sum.bytes += c->bytes;
    }
    return sum;
}

static void check(int32_t role, int32_t phase, int counter, uint64_t msgs, uint64_t bytes)
{
    assert_int_equal(counted(role, phase, counter).msgs, msgs);
    assert_int_equal(counted(role, phase, counter).bytes, bytes);
}

static void what_was_fetched_goes_to_whom_it_came_from(void **state)
{
    (void)state;
    assert_int_equal(return_all(), 0);
    assert_int_equal(sent, 3);
    assert_int_equal(received, 3);
    check(1, 0, TRAFFIC_FETCHED, 0, 0);
    check(7, 0, TRAFFIC_FETCHED, 0, 0);
    check(7, 2, TRAFFIC_FETCHED, 0, 0);
    check(OWN_ROLE, 0, RESEAT_OSC, 3, 120); /* to the role that has fetched */
    check(OWN_ROLE, 2, RESEAT_OSC, 4, 4);
    check(7, 0, RESEAT_P2P, 5, 5000);
    assert_int_equal(unseen_bits() & UNSEEN_MEMORY, 0);
}

static void a_second_time_there_is_nothing(void **state)
{
    (void)state;
    assert_int_equal(return_all(), 0);
    assert_int_equal(return_all(), 0);
    assert_int_equal(sent, 3);
    check(OWN_ROLE, 0, RESEAT_OSC, 3, 120);
}

static void who_has_fetched_nothing_takes_part(void **state)
{
    (void)state;
    assert_int_equal(return_all(), 0);
    others_fetch = 1;
    assert_int_equal(return_all(), 0);
    assert_int_equal(sent, 3);
}

static void check_kept(void)
{
    assert_int_equal(sent, 0);
    check(1, 0, TRAFFIC_FETCHED, 1, 100);
    check(7, 0, TRAFFIC_FETCHED, 2, 20);
    check(7, 2, TRAFFIC_FETCHED, 4, 4);
    check(OWN_ROLE, 0, RESEAT_OSC, 0, 0);
    assert_int_not_equal(unseen_bits() & UNSEEN_MEMORY, 0);
}

static void all_stays_when_another_process_cannot(void **state)
{
    (void)state;
    others_fail = 1;
    assert_int_equal(return_all(), 0);
    check_kept();
    others_fail = 0;
    assert_int_equal(return_all(), 0);
    check(OWN_ROLE, 0, RESEAT_OSC, 3, 120);
}

static void all_stays_when_nobody_knows_where_it_goes(void **state)
{
    (void)state;
    unknown_ranks = 1;
    assert_int_equal(return_all(), 0);
    check_kept();
}

static void what_does_not_come_is_told(void **state)
{
    (void)state;
    is_lost = 1;
    assert_int_equal(return_all(), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_does_not_come_is_told, fetch, fetch_end),
        cmocka_unit_test_setup_teardown(what_was_fetched_goes_to_whom_it_came_from, fetch,
                                        fetch_end),
        cmocka_unit_test_setup_teardown(a_second_time_there_is_nothing, fetch, fetch_end),
        cmocka_unit_test_setup_teardown(who_has_fetched_nothing_takes_part, fetch, fetch_end),
        cmocka_unit_test_setup_teardown(all_stays_when_another_process_cannot, fetch, fetch_end),
        cmocka_unit_test_setup_teardown(all_stays_when_nobody_knows_where_it_goes, fetch,
                                        fetch_end),
    };
    groups_size = ROLES;
    groups_rank = OWN_ROLE;
    groups_translated = rank_of_any;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
