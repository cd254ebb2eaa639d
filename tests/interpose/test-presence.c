/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-presence.c - whichever ranks lack the library, the others agree on it, hear from each other
 * only, and no one gives a partner up that is merely late because it had to ask for others. The
 * ranks are threads (ranks.h), each with a clock of its own: a question about a rank without the
 * library takes as long as it may, everything else no time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "interpose/meeting/key-space.h"
#include "interpose/meeting/leave-mark.h"
#include "interpose/meeting/presence.h"
#include "ranks.h"

enum { PATIENCE = 30, CLOCK_TAG = 1, MOST_RANKS = 4100 };

static char has_library[MOST_RANKS];
static struct presence found[MOST_RANKS];
static int given_up; /* how often a rank would not have waited any longer */
static __thread double clock_of_rank;

int key_space_get(int rank, int seconds)
{
    clock_of_rank += has_library[rank] ? 0 : seconds;
    return has_library[rank] ? 0 : -1;
}

void mark_leave(void)
{
}

/* ---- messages, with the time at which they were sent ---- */

static __thread struct {
    void *data;
    int items, from, tag;
} expected;

int PMPI_Irecv(void *data, int items, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    (void)type;
    (void)comm;
    expected.data = data;
    expected.items = items;
    expected.from = from;
    expected.tag = tag;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int PMPI_Isend(const void *data, int items, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    return PMPI_Send(data, items, type, to, tag, comm) ||
           PMPI_Send(&clock_of_rank, sizeof clock_of_rank, MPI_BYTE, to, CLOCK_TAG, comm);
}

/* Goes on when time is up, or the other ranks would wait here forever. */
enum waiting waiting_for(MPI_Request *requests, int count, double seconds)
{
    double sent = 0;
    (void)requests;
    assert_int_equal(count, 2);
    PMPI_Recv(expected.data, expected.items, MPI_INT, expected.from, expected.tag, RANKS_COMM,
              MPI_STATUS_IGNORE);
    PMPI_Recv(&sent, sizeof sent, MPI_BYTE, expected.from, CLOCK_TAG, RANKS_COMM,
              MPI_STATUS_IGNORE);
    if (sent - clock_of_rank >= seconds)
        __atomic_fetch_add(&given_up, 1, __ATOMIC_RELAXED);
    if (sent > clock_of_rank)
        clock_of_rank = sent;
    return WAITING_DONE;
}

/* ---- */

static void exchange(int rank, void *unused)
{
    struct meeting meeting = {.mode = 1, .patience = PATIENCE, .where = "MPI_Init"};
    (void)unused;
    if (has_library[rank] && presence_exchange(RANKS_COMM, &meeting, &found[rank]) != WAITING_DONE)
        found[rank].missing = -1;
}

static void check(int size)
{
    int missing = memchr(has_library, 0, (size_t)size) != NULL, first = 0;
    while (first < size && !has_library[first])
        first++;
    given_up = 0;
    ranks_run(size, exchange, NULL);
    for (int rank = 0; rank < size; rank++) {
        if (!has_library[rank])
            continue;
        assert_int_equal(found[rank].missing, missing);
        if (!missing)
            assert_int_equal(found[rank].lowest, first);
    }
    assert_int_equal(given_up, 0);
}

static void few_ranks_in_all_ways(void **state)
{
    (void)state;
    for (int size = 2; size <= 6; size++)
        for (int set = 1; set < 1 << size; set++) {
            for (int rank = 0; rank < size; rank++)
                has_library[rank] = (char)(set >> rank & 1);
            check(size);
        }
}

/* The last rank waits for rank 0, which asks for one rank after the other. */
static void two_ranks_of_many(void **state)
{
    static const int sizes[] = {257, 1025, 4097};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        memset(has_library, 0, sizeof has_library);
        has_library[0] = has_library[sizes[i] - 1] = 1;
        check(sizes[i]);
    }
}

static void any_ranks_of_many(void **state)
{
    unsigned random = 1;
    (void)state;
    for (int few = 2; few <= 32; few *= 4) {
        for (int rank = 0; rank < 300; rank++) {
            random = random * 1103515245 + 12345;
            has_library[rank] = (random >> 16) % (unsigned)few == 0;
        }
        check(300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_ranks_in_all_ways),
                                       cmocka_unit_test(two_ranks_of_many),
                                       cmocka_unit_test(any_ranks_of_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
