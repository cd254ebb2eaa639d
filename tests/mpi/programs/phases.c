/* SPDX-License-Identifier: BSD-3-Clause */
/* phases.c - each phase sends to other ranks: 1 to the next one, 2 to the one after that, and
 * before, between and after them to rank 0. A persistent request lives through all phases. */
#include <mpi.h>

static int rank, size, value;

static void send(int step, int count)
{
    static int out[64], in[64];
    MPI_Sendrecv(out, count, MPI_INT, (rank + step) % size, 0, in, count, MPI_INT,
                 (rank + size - step) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void report(int tag)
{
    if (rank > 0)
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Recv(&value, 1, MPI_INT, i, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Request request[2];
    double d = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Send_init(&value, 1, MPI_INT, (rank + 3) % size, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&d, 1, MPI_INT, (rank + size - 3) % size, 7, MPI_COMM_WORLD, &request[1]);
    report(1);
    for (int phase = 1; phase <= 2; phase++) {
        MPI_Pcontrol(phase, "a tool may want more", 3);
        for (int i = 0; i < phase; i++)
            send(phase, 10 * phase);
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Pcontrol(0);
        report(2);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Finalize();
    return 0;
}
