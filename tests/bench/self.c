/* SPDX-License-Identifier: BSD-3-Clause */
/* self N - one process that sends N messages to itself: nanoseconds for each (MPI_Irecv, MPI_Send,
 * MPI_Wait), the quickest of ten. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double out = 1, in, least = 1;
    int calls = argc > 1 ? atoi(argv[1]) : 100000;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    for (int batch = 0; batch < 10; batch++) {
        double start = MPI_Wtime();
        for (int i = 0; i < calls / 10; i++) {
            MPI_Irecv(&in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request);
            MPI_Send(&out, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        double seconds = (MPI_Wtime() - start) / (calls / 10);
        least = seconds < least ? seconds : least;
    }
    printf("%.1f\n", 1e9 * least);
    MPI_Finalize();
    return 0;
}
