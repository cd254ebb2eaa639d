/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cart-and-graph.c - grids and graphs with reorder = 1: they have to be as the standard requires by
 * the ranks of the new communicator, whichever processes have these. Prints "N failures, K moved":
 * failed checks, and processes whose rank has changed. Usage: cart-and-graph cart|graph|few
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int good)
{
    failures += !good;
}

/* Every rank sends its own number to where it should arrive; who gets it knows who should send. */
static void passes(MPI_Comm comm, int to, int from)
{
    int rank, got = -1;
    MPI_Comm_rank(comm, &rank);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, comm, MPI_STATUS_IGNORE);
    check(from == MPI_PROC_NULL ? got == -1 : got == from);
}

/* rows x columns; a column is a ring. */
static void check_grid(MPI_Comm grid, int rows, int columns)
{
    int rank, at[2], back, from, to, keep[2] = {0, 1}, me, n, in[4] = {-1, -1, -1, -1};
    MPI_Comm row;
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, at);
    check(at[0] == rank / columns && at[1] == rank % columns);
    MPI_Cart_rank(grid, at, &back);
    check(back == rank);
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    check(to == (at[0] + 1) % rows * columns + at[1]);
    int above = from;
    passes(grid, to, from);
    MPI_Cart_shift(grid, 1, 1, &from, &to);
    check(to == (at[1] + 1 < columns ? rank + 1 : MPI_PROC_NULL));
    passes(grid, to, from);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, grid);
    check(in[0] == above && in[3] == (to == MPI_PROC_NULL ? -1 : to));
    MPI_Cart_sub(grid, keep, &row);
    MPI_Comm_rank(row, &me);
    MPI_Comm_size(row, &n);
    check(me == at[1] && n == columns);
    MPI_Comm_free(&row);
}

static MPI_Comm make_grid(int rows, int columns, int reorder)
{
    int dims[2] = {rows, columns}, periodic[2] = {1, 0};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, reorder, &grid);
    return grid;
}

/* A ring of far apart ranks: r and r + n/2 are neighbors, and every second one the next. */
static MPI_Comm make_graph(int size)
{
    int index[64], edges[256], n = 0;
    MPI_Comm graph;
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < 3; i++)
            edges[n++] = (r + size / 2) % size;
        if (r % 2 == 0)
            edges[n++] = (r + 1) % size;
        index[r] = n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, &graph);
    return graph;
}

static void check_graph(MPI_Comm graph, int size)
{
    int rank, count, to[8];
    MPI_Comm_rank(graph, &rank);
    MPI_Graph_neighbors_count(graph, rank, &count);
    check(count == (rank % 2 == 0 ? 4 : 3));
    MPI_Graph_neighbors(graph, rank, count, to);
    check(to[0] == (rank + size / 2) % size && (rank % 2 || to[3] == (rank + 1) % size));
    passes(graph, to[0], to[0]);
}

int main(int argc, char **argv)
{
    int before, size, after = -1, sums[2], mine[2] = {0, 0};
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &before);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *what = argc > 1 ? argv[1] : "cart";
    if (strcmp(what, "graph") == 0) {
        comm = make_graph(size);
        check_graph(comm, size);
    } else {
        int few = strcmp(what, "few") == 0; /* two processes are left out */
        comm = make_grid(2, (size - 2 * few) / 2, 1);
        if (comm != MPI_COMM_NULL)
            check_grid(comm, 2, (size - 2 * few) / 2);
        else
            check(few && before >= size - 2);
    }
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &after);
        for (int i = 0; i < 10 && strcmp(what, "graph") != 0; i++)
            check_grid(comm, 2, (size - 2 * (strcmp(what, "few") == 0)) / 2);
        MPI_Comm_free(&comm);
        mine[1] = before != after;
    }
    mine[0] = failures;
    MPI_Reduce(mine, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (before == 0)
        printf("%d failures, %d moved\n", sums[0], sums[1]);
    MPI_Finalize();
    return 0;
}
