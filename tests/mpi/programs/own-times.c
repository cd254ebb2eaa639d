/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own-times.c - all ranks exchange messages in a ring and add up a number now and then, and measure
 * each call themselves, with the functions of the MPI library only as the clock. Rank 0 prints the
 * calls of all ranks and the mean seconds of a rank by kind, as the profile does. `own-times N': so
 * many rounds.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { P2P, WAIT, ALLREDUCE, KINDS, WORDS = 2000 };

static double seconds[KINDS];
static double calls[KINDS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double count(int kind, double since)
{
    double after = now();
    calls[kind]++;
    seconds[kind] += after - since;
    return after;
}

int main(int argc, char **argv)
{
    static double out[WORDS], in[WORDS];
    static const char *const names[KINDS] = {"p2p", "wait", "allreduce"};
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < rounds; i++) {
        MPI_Request request[2];
        double one = 1, sum, t = now();
        MPI_Irecv(in, WORDS, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request[0]);
        t = count(P2P, t);
        MPI_Isend(out, WORDS, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request[1]);
        t = count(P2P, t);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        t = count(WAIT, t);
        if (i % 8 == 0) {
            MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            count(ALLREDUCE, t);
        }
    }
    double all_calls[KINDS], all_seconds[KINDS];
    PMPI_Reduce(calls, all_calls, KINDS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(seconds, all_seconds, KINDS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int kind = 0; kind < KINDS && rank == 0; kind++)
        printf("%s %.0f %.6f\n", names[kind], all_calls[kind], all_seconds[kind] / size);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
