/* SPDX-License-Identifier: BSD-3-Clause */
/* where [STATUS] - a line for each rank: host, and the lowest rank and number of those with which
 * it shares memory, as MPI says and as a shared window shows; then `that is all`. Exits with
 * STATUS, or waits if it is `wait`. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"

/* The lowest rank that can be read in the memory shared with it. */
static int lowest_in_memory(MPI_Comm node, int rank)
{
    int *mine, *first, unit, lowest;
    MPI_Aint bytes;
    MPI_Win window;
    MPI_Win_allocate_shared(sizeof *mine, sizeof *mine, MPI_INFO_NULL, node, &mine, &window);
    *mine = rank;
    MPI_Win_fence(0, window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &first);
    lowest = *first;
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return lowest;
}

int main(int argc, char **argv)
{
    char host[64], line[LINE] = "";
    int rank, members;
    MPI_Comm node;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &members);
    gethostname(host, sizeof host);
    snprintf(line, sizeof line, "%d %s with %d, %d ranks", rank, host, lowest_in_memory(node, rank),
             members);
    print_lines(line);
    if (argc > 1 && strcmp(argv[1], "wait") == 0)
        sleep(60);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
