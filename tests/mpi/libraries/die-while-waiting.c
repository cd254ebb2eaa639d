/* SPDX-License-Identifier: BSD-3-Clause */
/* die-while-waiting.c - preloaded: rank 2 is killed in one of its calls of MPI_Test, by which ranks of
 * `reseat measure` wait for a task: after MPI_Init, in which some launchers would wait for it. */
#include <mpi.h>
#include <signal.h>

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    static int calls;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2 && ++calls == 100)
        raise(SIGKILL);
    return PMPI_Test(request, flag, status);
}
