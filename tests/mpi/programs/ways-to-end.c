/* SPDX-License-Identifier: BSD-3-Clause */
/* ways-to-end.c - HOW: a message from each rank to the next, then: `finalize`; `abort`: rank 1
 * calls MPI_Abort with 5; `exit`: all exit with 6 without MPI_Finalize; `child`: rank 0 shows
 * what its children see. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "finalize";
    int rank, size, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("got %d\n", got);
    fflush(stdout);
    if (strcmp(how, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(how, "abort") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "exit") == 0)
        exit(6);
    if (strcmp(how, "child") == 0 && rank == 0 && system("echo \"preload: ${LD_PRELOAD:-none}\""))
        return 1;
    MPI_Finalize();
    return 0;
}
