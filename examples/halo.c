/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo.c - a program that asks for a better order: a grid of ranks, 4 in a row, that exchange much
 * within a row and little between rows, over a distributed graph made with reorder = 1. Launched by
 * node (cyclic), every row is spread over the nodes.
 *
 *   mpicc -O2 -o halo halo.c
 *   mpirun -n 16 ./halo [-i iterations] [-b bytes within a row]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROW = 4, LESS = 16 };

/* The up to four neighbors of a role and the bytes for each. */
static int neighbors(int role, int size, int bytes, int *targets, int *weights)
{
    const int column = role % ROW;
    const int near[4] = {column > 0 ? role - 1 : -1, column < ROW - 1 ? role + 1 : -1, role - ROW,
                         role + ROW};
    int n = 0;
    for (int i = 0; i < 4; i++)
        if (near[i] >= 0 && near[i] < size) {
            targets[n] = near[i];
            weights[n++] = i < 2 ? bytes : bytes / LESS;
        }
    return n;
}

/* One exchange; returns the number of blocks that are not what their sender sends. */
static int exchange(MPI_Comm grid, int n, const int *targets, const int *bytes, char *out, char *in)
{
    int starts[4], wrong = 0, role;
    MPI_Comm_rank(grid, &role);
    for (int i = 0, at = 0; i < n; at += bytes[i++]) {
        starts[i] = at;
        memset(out + at, role + targets[i] + 1, (size_t)bytes[i]);
    }
    MPI_Neighbor_alltoallv(out, bytes, starts, MPI_BYTE, in, bytes, starts, MPI_BYTE, grid);
    for (int i = 0; i < n; i++)
        wrong += in[starts[i]] != (char)(role + targets[i] + 1) ||
                 in[starts[i] + bytes[i] - 1] != (char)(role + targets[i] + 1);
    return wrong;
}

int main(int argc, char **argv)
{
    int iterations = 20, bytes = 1 << 18, option, rank, size, wrong = 0;
    int targets[4], weights[4];
    MPI_Init(&argc, &argv);
    while ((option = getopt(argc, argv, "i:b:")) > 0)
        *(option == 'i' ? &iterations : &bytes) = atoi(optarg);
    if (bytes < LESS)
        bytes = LESS;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm grid;
    int n = neighbors(rank, size, bytes, targets, weights);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, targets, weights, n, targets, weights,
                                   MPI_INFO_NULL, 1, &grid);

    /* From here on the rank in the new communicator is the role. */
    MPI_Comm_rank(grid, &rank);
    n = neighbors(rank, size, bytes, targets, weights);
    char *out = malloc((size_t)bytes * 4), *in = malloc((size_t)bytes * 4);
    if (!out || !in)
        MPI_Abort(MPI_COMM_WORLD, 1);
    wrong += exchange(grid, n, targets, weights, out, in);
    MPI_Barrier(grid);
    double start = MPI_Wtime(), mine, all;
    for (int i = 0; i < iterations; i++)
        wrong += exchange(grid, n, targets, weights, out, in);
    mine = MPI_Wtime() - start;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, grid);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, grid);
    if (rank == 0)
        printf("halo: %d ranks, %d iterations, %d wrong blocks, %.3f s\n", size, iterations, wrong,
               all);
    free(out);
    free(in);
    MPI_Finalize();
    return wrong != 0;
}
