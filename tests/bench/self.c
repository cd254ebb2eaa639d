/* SPDX-License-Identifier: BSD-3-Clause */
/* self N - one process that sends N messages to itself (MPI_Irecv, MPI_Send, MPI_Wait), for
 * callgrind to count. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double out = 1, in;
    int messages = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < messages; i++) {
        MPI_Irecv(&in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request);
        MPI_Send(&out, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
