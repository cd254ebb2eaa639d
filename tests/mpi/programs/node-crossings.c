/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node-crossings.c - what crosses between nodes in a graph communicator with reorder = 1.
 *
 * Usage: node-crossings [NODES [cyclic]]
 * NODES: world ranks are assumed to be on this many nodes, in blocks; 0: on those of
 * MPI_Comm_split_type. cyclic: the graph is created on a communicator whose ranks alternate between
 * the nodes. Rank 0 prints `crossing WEIGHT of WEIGHT, N roles moved, M of them to another node`.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEGREE = 3, MOST = 256 };

static int size, world_rank;

/* The number of this process's node: its lowest world rank. */
static int find_node(int nodes)
{
    MPI_Comm node;
    int first = world_rank;
    if (nodes)
        return world_rank / (size / nodes) * (size / nodes);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world_rank, MPI_INFO_NULL, &node);
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    return first;
}

/* Role r talks to three others, with weights that no launch order suits. */
static void edges_of(int role, int to[DEGREE], int weight[DEGREE])
{
    for (int i = 0; i < DEGREE; i++) {
        to[i] = (role + 1 + i) % size;
        weight[i] = 1 + (role * 37 + i * 11) % 97;
    }
}

/* A message over each edge, as heavy as it. */
static void talk(MPI_Comm graph, int role, const int *to, const int *weight)
{
    static char out[100 * 1000], in[100 * 1000];
    MPI_Request requests[DEGREE];
    for (int i = 0; i < DEGREE; i++)
        MPI_Isend(out, 1000 * weight[i], MPI_BYTE, to[i], 0, graph, &requests[i]);
    for (int i = 0; i < DEGREE; i++)
        MPI_Recv(in, sizeof in, MPI_BYTE, (role + size - 1 - i) % size, 0, graph,
                 MPI_STATUS_IGNORE);
    MPI_Waitall(DEGREE, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Comm old, graph;
    int rank, role, to[DEGREE], weight[DEGREE], degree = DEGREE, node_of[MOST], old_node_of[MOST];
    long mine[4] = {0, 0, 0, 0}, all[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nodes = argc > 1 ? atoi(argv[1]) : 0;
    int cyclic = argc > 2 && strcmp(argv[2], "cyclic") == 0;
    int key =
        cyclic ? world_rank % (size / nodes) * nodes + world_rank / (size / nodes) : world_rank;
    int node = find_node(nodes);
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &old);
    MPI_Comm_rank(old, &rank);
    edges_of(rank, to, weight);
    MPI_Dist_graph_create(old, 1, &rank, &degree, to, weight, MPI_INFO_NULL, 1, &graph);
    MPI_Comm_rank(graph, &role);
    MPI_Allgather(&node, 1, MPI_INT, node_of, 1, MPI_INT, graph);
    MPI_Allgather(&node, 1, MPI_INT, old_node_of, 1, MPI_INT, old);
    edges_of(role, to, weight);
    talk(graph, role, to, weight);
    for (int i = 0; i < DEGREE; i++) {
        mine[0] += node_of[to[i]] != node ? weight[i] : 0;
        mine[1] += weight[i];
    }
    mine[2] = role != rank;
    mine[3] = old_node_of[role] != node;
    MPI_Reduce(mine, all, 4, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("crossing %ld of %ld, %ld roles moved, %ld of them to another node\n", all[0],
               all[1], all[2], all[3]);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&old);
    MPI_Finalize();
    return 0;
}
