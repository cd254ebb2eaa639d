/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own-calls.c - a program that would notice MPI calls that it has not made itself: own-calls WHAT
 *
 *   marks   nothing but a topology call, between two barriers
 *   notice  the number of its first communicator, attributes that are copied, the error handler of
 *           MPI_COMM_WORLD in a callback of MPI_Finalize, errors
 *   flags   topology calls in which half of the ranks set reorder
 *   all     takes all communicators that MPI has
 *   ring    a message from each rank to the next, between two barriers
 *
 * It has to print the same lines with and without the library.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static MPI_Errhandler mine;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    printf("an error handler of mine is called: %d\n", *code);
}

static int copied(MPI_Comm comm, int keyval, void *state, void *value, void *result, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)state;
    printf("an attribute is copied\n");
    *(void **)result = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int at_end(MPI_Comm comm, int keyval, void *value, void *state)
{
    MPI_Errhandler now;
    (void)comm;
    (void)keyval;
    (void)value;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &now);
    if (*(int *)state == 0)
        printf("in MPI_Finalize the error handler is %s\n", now == mine ? "mine" : "another one");
    MPI_Errhandler_free(&now);
    return MPI_SUCCESS;
}

static void notice(int *rank)
{
    static int nothing;
    int keyval, end;
    MPI_Comm first;
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    if (*rank == 0)
#ifdef MPI_ABI_VERSION
        printf("my first communicator is %d\n", MPI_Comm_toint(first));
#else
        printf("my first communicator is %d\n", (int)MPI_Comm_c2f(first));
#endif
    MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &nothing);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &end, rank);
    MPI_Comm_set_attr(MPI_COMM_SELF, end, &nothing);
    MPI_Comm_create_errhandler(on_error, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
}

static void make_topologies(int rank, int size, int reorder)
{
    int dims[1] = {size}, periods[1] = {1}, next = (rank + 1) % size, one = 1, index[64], edges[64];
    MPI_Comm made[4];
    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, reorder, &made[0]);
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &made[1]);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                          reorder, &made[2]);
    int previous = (rank + size - 1) % size;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, &made[3]);
    for (int i = 0; i < 4; i++) {
        int sum = 0;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made[i]);
        if (rank == 0)
            printf("topology %d has %d ranks\n", i, sum);
        MPI_Comm_free(&made[i]);
    }
}

static void take_all(int rank)
{
    enum { MOST = 100000 };
    int taken = 0;
    MPI_Comm comm;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (taken < MOST && MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS)
        taken++;
    if (rank == 0)
        printf("%d communicators\n", taken);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void pass_on(int rank, int size)
{
    MPI_Request request;
    int from = 0;
    MPI_Irecv(&from, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(what, "marks") == 0) {
        int dims[1] = {size}, periods[1] = {1};
        MPI_Comm grid;
        MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &grid);
    } else if (strcmp(what, "notice") == 0) {
        notice(&rank);
    } else if (strcmp(what, "flags") == 0) {
        make_topologies(rank, size, rank % 2);
        make_topologies(rank, size, (rank + 1) % 2);
    } else if (strcmp(what, "all") == 0) {
        take_all(rank);
    } else if (strcmp(what, "ring") == 0) {
        pass_on(rank, size);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
