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

enum { ROLES = 9, OWN_ROLE = 4, ROW_BYTES = 64, ROWS = 32 };

static struct {
    char bytes[ROW_BYTES];
    int size;
} on_the_way[ROWS];
static int sent, received;
static int others_fail;   /* another process is out of memory */
static int others_fetch;  /* another process has something to return */
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

/* Of {failed, has something}. */
int PMPI_Allreduce(const void *mine, void *result, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    (void)type;
    (void)comm;
    assert_int_equal(op, MPI_MAX);
    memcpy(result, mine, (size_t)count * sizeof(int));
    ((int *)result)[0] |= others_fail;
    ((int *)result)[1] |= others_fetch;
    return MPI_SUCCESS;
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

int PMPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    (void)type;
    (void)from;
    (void)tag;
    (void)comm;
    (void)status;
    assert_in_range(received, 0, sent - 1);
    assert_int_equal(on_the_way[received].size, count);
    memcpy(data, on_the_way[received++].bytes, (size_t)count);
    return MPI_SUCCESS;
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    (void)request;
    (void)status;
    return MPI_SUCCESS;
}

/* ---- */

/* Three roles were fetched from, in two phases. */
static int fetch(void **state)
{
    (void)state;
    sent = received = others_fail = others_fetch = unknown_ranks = 0;
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

static int stop(void **state)
{
    (void)state;
    traffic_stop();
    return 0;
}

static struct counter counted(int32_t role, int32_t phase, int counter)
{
    const struct phase_counters *past = traffic_peer(traffic_world(), role)->past;
    while (past && past->phase != phase)
        past = past->next;
    return past ? past->counters[counter] : (struct counter){0, 0};
}

static void check(int32_t role, int32_t phase, int counter, uint64_t msgs, uint64_t bytes)
{
    assert_int_equal(counted(role, phase, counter).msgs, msgs);
    assert_int_equal(counted(role, phase, counter).bytes, bytes);
}

static void what_was_fetched_goes_to_whom_it_came_from(void **state)
{
    (void)state;
    fetched_return(MPI_COMM_WORLD);
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
    fetched_return(MPI_COMM_WORLD);
    fetched_return(MPI_COMM_WORLD);
    assert_int_equal(sent, 3);
    check(OWN_ROLE, 0, RESEAT_OSC, 3, 120);
}

static void who_has_fetched_nothing_takes_part(void **state)
{
    (void)state;
    fetched_return(MPI_COMM_WORLD);
    others_fetch = 1;
    fetched_return(MPI_COMM_WORLD);
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
    fetched_return(MPI_COMM_WORLD);
    check_kept();
    others_fail = 0;
    fetched_return(MPI_COMM_WORLD);
    check(OWN_ROLE, 0, RESEAT_OSC, 3, 120);
}

static void all_stays_when_nobody_knows_where_it_goes(void **state)
{
    (void)state;
    unknown_ranks = 1;
    fetched_return(MPI_COMM_WORLD);
    check_kept();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_fetched_goes_to_whom_it_came_from, fetch, stop),
        cmocka_unit_test_setup_teardown(a_second_time_there_is_nothing, fetch, stop),
        cmocka_unit_test_setup_teardown(who_has_fetched_nothing_takes_part, fetch, stop),
        cmocka_unit_test_setup_teardown(all_stays_when_another_process_cannot, fetch, stop),
        cmocka_unit_test_setup_teardown(all_stays_when_nobody_knows_where_it_goes, fetch, stop),
    };
    groups_size = ROLES;
    groups_rank = OWN_ROLE;
    groups_translated = rank_of_any;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
