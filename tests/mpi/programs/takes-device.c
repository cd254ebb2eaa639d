/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * takes-device.c - a program that takes one of the devices of its node, as programs with GPUs do,
 * and sends much to the rank that is half of all ranks away.
 *
 * Usage: takes-device rank|launcher DEVICES NODE [graph]
 * rank: by its rank in the communicator of its node; launcher: by the variable of the launcher.
 * NODE: as many ranks, in launch order, are taken for a node; 0: those of MPI_COMM_TYPE_SHARED.
 * graph: the ranks are those of a graph communicator that was created with reorder = 1. Each
 * process prints its rank in launch order, its rank now, and its device.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { MUCH = 200000, LITTLE = 20 };

/* For the output only, so not by getenv: a program that asks for it may take it for its rank. */
static int launch_rank(void)
{
    for (char **entry = environ; *entry; entry++) {
        if (strncmp(*entry, "OMPI_COMM_WORLD_RANK=", 21) == 0)
            return atoi(*entry + 21);
        if (strncmp(*entry, "PMI_RANK=", 9) == 0)
            return atoi(*entry + 9);
    }
    fprintf(stderr, "the launcher tells no rank\n");
    exit(2);
}

static int launcher_local_rank(void)
{
    const char *openmpi = getenv("OMPI_COMM_WORLD_LOCAL_RANK"), *mpich = getenv("MPI_LOCALRANKID");
    if (openmpi || mpich)
        return atoi(openmpi ? openmpi : mpich);
    fprintf(stderr, "the launcher tells no local rank\n");
    exit(2);
}

static MPI_Comm node_of(MPI_Comm comm, int rank, int ranks_on_node)
{
    MPI_Comm node;
    if (ranks_on_node)
        MPI_Comm_split(comm, launch_rank() / ranks_on_node, rank, &node);
    else
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    return node;
}

static void talk(MPI_Comm comm, int rank, int size, int step, int bytes)
{
    static char out[MUCH], in[MUCH];
    MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + step) % size, 0, in, bytes, MPI_BYTE,
                 (rank + size - step) % size, 0, comm, MPI_STATUS_IGNORE);
}

static MPI_Comm make_graph(int rank, int size)
{
    int partner[2] = {(rank + size / 2) % size, (rank + 1) % size};
    int from[2] = {(rank + size / 2) % size, (rank + size - 1) % size};
    int weight[2] = {MUCH, LITTLE};
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weight, 2, partner, weight,
                                   MPI_INFO_NULL, 1, &graph);
    return graph;
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank, size, local, on_node;
    MPI_Init(&argc, &argv);
    if (argc < 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int devices = atoi(argv[2]), ranks_on_node = atoi(argv[3]);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (argc > 4)
        comm = make_graph(rank, size);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm node = node_of(comm, rank, ranks_on_node);
    MPI_Comm_rank(node, &local);
    MPI_Comm_size(node, &on_node);
    if (strcmp(argv[1], "launcher") == 0)
        local = ranks_on_node ? launcher_local_rank() % ranks_on_node : launcher_local_rank();
    talk(comm, rank, size, size / 2, MUCH);
    talk(comm, rank, size, 1, LITTLE);
    printf("%d %d %d\n", launch_rank(), rank, local * devices / on_node);
    MPI_Comm_free(&node);
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
