/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assumes-its-rank.c - a program that takes for granted that its rank stays the same: each of 8
 * ranks gets a value by its rank in MPI_COMM_WORLD, then topologies are created with reorder = 1,
 * and blocks of that value are sent along each, many to rank + 4, few to rank + 1. Prints how many
 * blocks did not come from the rank that should have sent them. Usage: assumes-its-rank
 * cart|graph|create|adjacent...
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { RANKS = 8, MUCH = 20000, LITTLE = 20, ROUNDS = 10 };

static MPI_Comm make_cart(void)
{
    int dims[2] = {2, RANKS / 2}, periodic[2] = {1, 1};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 1, &comm);
    return comm;
}

static MPI_Comm make_graph(void)
{
    int index[RANKS], edges[2 * RANKS];
    MPI_Comm comm;
    for (int r = 0; r < RANKS; r++) {
        index[r] = 2 * r + 2;
        edges[2 * r] = (r + RANKS / 2) % RANKS;
        edges[2 * r + 1] = (r + 1) % RANKS;
    }
    MPI_Graph_create(MPI_COMM_WORLD, RANKS, index, edges, 1, &comm);
    return comm;
}

static MPI_Comm make_distributed(int rank, int adjacent)
{
    int targets[2] = {(rank + RANKS / 2) % RANKS, (rank + 1) % RANKS};
    int sources[2] = {(rank + RANKS / 2) % RANKS, (rank + RANKS - 1) % RANKS};
    int weights[2] = {MUCH, LITTLE}, degree = 2;
    MPI_Comm comm;
    if (adjacent)
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, targets, weights,
                                       MPI_INFO_NULL, 1, &comm);
    else
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, targets, weights, MPI_INFO_NULL, 1,
                              &comm);
    return comm;
}

/* A block of `value` goes `step` ranks on; whether another came than the one expected. */
static int pass(MPI_Comm comm, int value, int step, int count)
{
    static int out[MUCH], in[MUCH];
    int rank;
    MPI_Comm_rank(comm, &rank);
    int from = (rank + RANKS - step) % RANKS;
    for (int i = 0; i < count; i++)
        out[i] = value;
    MPI_Sendrecv(out, count, MPI_INT, (rank + step) % RANKS, 0, in, count, MPI_INT, from, 0, comm,
                 MPI_STATUS_IGNORE);
    return in[0] != 100 + from || in[count - 1] != 100 + from;
}

/* How many blocks were wrong along a topology, at all ranks together; at rank 0. */
static int pass_along(MPI_Comm comm, int value)
{
    int wrong = 0, all = 0;
    for (int i = 0; i < ROUNDS; i++)
        wrong += pass(comm, value, RANKS / 2, MUCH) + pass(comm, value, 1, LITTLE);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, size, value, dealt[RANKS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != RANKS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int r = 0; r < RANKS; r++)
        dealt[r] = 100 + r;
    MPI_Scatter(dealt, 1, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 1; i < argc; i++) {
        const char *what = argv[i];
        MPI_Comm comm = strcmp(what, "cart") == 0    ? make_cart()
                        : strcmp(what, "graph") == 0 ? make_graph()
                                                     : make_distributed(rank, what[0] == 'a');
        int wrong = pass_along(comm, value);
        if (rank == 0)
            printf("%s: %d wrong blocks\n", what, wrong);
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
