/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pingpong [KIND] - nanoseconds for each call, the quickest of many batches: `send` (8 bytes there
 * and back between two ranks), `isend` (MPI_Isend, MPI_Irecv, MPI_Waitall), `allreduce` (8 bytes,
 * all ranks).
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { BATCHES = 400, CALLS = 500 };

static int rank, size;
static double out = 1, in;

static void send_and_back(void)
{
    int partner = rank ^ 1;
    if (rank % 2 == 0) {
        MPI_Send(&out, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&in, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
    }
}

static void isend(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&in, 1, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
}

static void allreduce(void)
{
    MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *kind = argc > 1 ? argv[1] : "send";
    void (*call)(void) = strcmp(kind, "isend") == 0       ? isend
                         : strcmp(kind, "allreduce") == 0 ? allreduce
                                                          : send_and_back;
    double least = 1;
    for (int batch = 0; batch < BATCHES; batch++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        for (int i = 0; i < CALLS; i++)
            call();
        double seconds = (MPI_Wtime() - start) / CALLS;
        least = seconds < least ? seconds : least;
    }
    if (rank == 0)
        printf("%.1f\n", 1e9 * least);
    MPI_Finalize();
    return 0;
}
