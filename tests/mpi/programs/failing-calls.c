/* SPDX-License-Identifier: BSD-3-Clause */
/* failing-calls.c - HOW WHAT: messages and collectives, and then the same that return with an
 * error, which sends nothing: the tag is negative, the receive buffer MPI_IN_PLACE. HOW errors were
 * made to return: `world`, on MPI_COMM_WORLD; `old`, the same by the function of MPI-1; `group`, on
 * a communicator created from a group, `groups` from two, `early` from one before MPI_Init. WHAT:
 * `all`, or `good` for the ones that succeed. `failing-calls gone all`: ends with an error, because
 * the communicator was freed. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "declared.h"

static int failed, expected;
static MPI_Comm c;

static void messages(int tag)
{
    int next, previous, size, out = 1, in;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_rank(c, &next);
    MPI_Comm_size(c, &size);
    previous = (next + size - 1) % size;
    next = (next + 1) % size;
    failed += MPI_Isend(&out, 1, MPI_INT, next, tag, c, &request) != MPI_SUCCESS;
    failed += MPI_Send(&out, 1, MPI_INT, next, tag, c) != MPI_SUCCESS;
    expected += 2 * (tag < 0);
    for (int i = 0; i < 2 && tag >= 0; i++)
        MPI_Recv(&in, 1, MPI_INT, previous, tag, c, MPI_STATUS_IGNORE);
    if (tag >= 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collectives(void *place)
{
    int out[8] = {0}, rc[5];
    MPI_Request request = MPI_REQUEST_NULL;
    int in[8];
    void *to = place ? place : in;
    rc[0] = MPI_Allreduce(out, to, 1, MPI_INT, MPI_SUM, c);
    rc[1] = MPI_Alltoall(out, 1, MPI_INT, to, 1, MPI_INT, c);
    rc[2] = MPI_Scan(out, to, 1, MPI_INT, MPI_SUM, c);
    rc[3] = MPI_Reduce_scatter_block(out, to, 1, MPI_INT, MPI_SUM, c);
    rc[4] = MPI_Iallreduce(out, to, 1, MPI_INT, MPI_SUM, c, &request);
    if (rc[4] == MPI_SUCCESS)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 5; i++) {
        failed += rc[i] != MPI_SUCCESS;
        expected += place != NULL;
        if (place && rc[i] == MPI_SUCCESS)
            fprintf(stderr, "%d succeeds\n", i);
    }
}

#if DECLARES_MPI_Session_init
static MPI_Session session = MPI_SESSION_NULL;

static void of_early_group(void)
{
    MPI_Group world;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "fails", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c);
    MPI_Group_free(&world);
}

static void of_group(void)
{
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_create_from_group(world, "fails", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c);
    MPI_Group_free(&world);
}

static void of_groups(void)
{
    MPI_Group world, half[2];
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < 2; i++) {
        int every_second[3] = {i, size - 2 + i, 2};
        MPI_Group_range_incl(world, 1, &every_second, &half[i]);
    }
    MPI_Intercomm_create_from_groups(half[rank % 2], 0, half[1 - rank % 2], 0, "fails",
                                     MPI_INFO_NULL, MPI_ERRORS_RETURN, &c);
    MPI_Group_free(&half[0]);
    MPI_Group_free(&half[1]);
    MPI_Group_free(&world);
}
#endif

static void both(int tag, void *place)
{
    int is_inter;
    messages(tag);
    MPI_Comm_test_inter(c, &is_inter);
    if (!is_inter)
        collectives(place);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const char *how = argv[1], *what = argv[2];
    c = MPI_COMM_WORLD;
#if DECLARES_MPI_Session_init
    if (strcmp(how, "early") == 0)
        of_early_group();
#endif
    MPI_Init(&argc, &argv);
#if DECLARES_MPI_Session_init
    if (strcmp(how, "group") == 0)
        of_group();
    if (strcmp(how, "groups") == 0)
        of_groups();
#endif
    if (strcmp(how, "gone") == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
    for (int i = 0; i < 3; i++)
        both(1, NULL);
#if !defined OPEN_MPI && !defined MPI_ABI_VERSION /* it is gone */
    if (strcmp(how, "old") == 0)
        MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
    if (strcmp(how, "world") == 0)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (strcmp(how, "gone") == 0) {
        MPI_Request request;
        MPI_Comm_free(&c);
        MPI_Isend(&expected, 1, MPI_INT, 0, 1, c, &request);
    }
    if (strcmp(what, "all") == 0)
        both(-7, MPI_IN_PLACE);
    both(1, NULL);
    if (c != MPI_COMM_WORLD)
        MPI_Comm_free(&c);
    MPI_Finalize();
#if DECLARES_MPI_Session_init
    if (session != MPI_SESSION_NULL)
        MPI_Session_finalize(&session);
#endif
    return failed != expected;
}
