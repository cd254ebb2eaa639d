/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dist-graphs.c - ROUNDS graphs of different edges from MPI_COMM_WORLD, every other one with
 * reorder = 1, and the lists of neighbors compared with the requested ones. Under Open MPI 4.1.4
 * this hangs nine times of ten, alone as well, unless its component topo/treematch is left out.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static int rank, size, failures;

static int weight_of(int round, int from, int to)
{
    return (round + to) % 3 ? 1 + (round * 7 + from + to) % 11 : 0;
}

static void check(MPI_Comm graph, int round)
{
    int in, out, weighted, sources[MOST], targets[MOST], weights[2][MOST], found = 0;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    MPI_Comm_rank(graph, &found);
    MPI_Dist_graph_neighbors(graph, in, sources, weights[0], out, targets, weights[1]);
    for (int i = 0; i < out; i++)
        failures += weights[1][i] != weight_of(round, found, targets[i]);
    for (int i = 0; i < in; i++)
        failures += weights[0][i] != weight_of(round, sources[i], found);
}

static void make(int round)
{
    int targets[MOST], weights[MOST], degree = 0;
    MPI_Comm graph;
    for (int to = 0; to < size; to++)
        if (weight_of(round, rank, to)) {
            targets[degree] = to;
            weights[degree++] = weight_of(round, rank, to);
        }
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, targets, weights, MPI_INFO_NULL,
                          round & 1, &graph);
    MPI_Barrier(graph);
    check(graph, round);
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 40, all = 0;
    for (int round = 0; round < rounds; round++)
        make(round);
    MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d failures\n", all);
    MPI_Finalize();
    return 0;
}
