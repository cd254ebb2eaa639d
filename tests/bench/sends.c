/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sends MESSAGES BYTES REPETITIONS - each rank of a ring sends that many messages to the next one, each
 * by MPI_Isend, MPI_Irecv and MPI_Waitall: a line of seconds for each repetition, of the slowest rank.
 * What reseat replay would send of such a profile, without anything around it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks, messages = argc > 1 ? atoi(argv[1]) : 1, bytes = argc > 2 ? atoi(argv[2]) : 8;
    int repetitions = argc > 3 ? atoi(argv[3]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *out = calloc(1, (size_t)bytes + 1), *in = calloc(1, (size_t)bytes + 1);
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    if (!out || !in)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int r = 0; r < repetitions; r++) {
        double took, most;
        MPI_Barrier(MPI_COMM_WORLD);
        took = -MPI_Wtime();
        for (int m = 0; m < messages; m++) {
            MPI_Request request[2];
            MPI_Irecv(in, bytes, MPI_BYTE, last, 0, MPI_COMM_WORLD, &request[0]);
            MPI_Isend(out, bytes, MPI_BYTE, next, 0, MPI_COMM_WORLD, &request[1]);
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        }
        took += MPI_Wtime();
        MPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%.9f\n", most);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
