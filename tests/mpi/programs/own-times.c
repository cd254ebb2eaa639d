/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own-times.c - a program that measures each of its MPI calls itself, with the functions of the MPI
 * library only as the clock. Rank 0 prints the calls of all ranks and the mean seconds of a rank by
 * kind, as the profile does. `own-times N [KERNEL]': so many rounds of a ring with a sum now and
 * then, or of what a program of the NAS benchmarks does in each step: cg, lu, mg, ft, is.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { P2P, WAIT, ALLREDUCE, ALLTOALL, ALLTOALLV, KINDS, WORDS = 2000, MOST_RANKS = 16 };

static double seconds[KINDS];
static double calls[KINDS];
static double out[WORDS], in[WORDS];
static int rank, size;

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

static void compute(int steps)
{
    volatile double x = 1;
    for (int i = 0; i < steps; i++)
        x = x * 0.999 + 0.001;
}

/* Receive from one rank and send to another. */
static void exchange(int words, int from, int to)
{
    MPI_Request request[2];
    double t = now();
    MPI_Irecv(in, words, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &request[0]);
    t = count(P2P, t);
    MPI_Isend(out, words, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &request[1]);
    t = count(P2P, t);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    count(WAIT, t);
}

static void add_up(int words)
{
    double t = now();
    MPI_Allreduce(out, in, words, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    count(ALLREDUCE, t);
}

static void ring(int round)
{
    exchange(WORDS, (rank + 1) % size, (rank + size - 1) % size);
    if (round % 8 == 0)
        add_up(1);
}

/* A product of a matrix and a vector, and two dot products. */
static void cg(int round)
{
    compute(2000 + round % 7 * 100);
    exchange(750, rank ^ 1, rank ^ 1);
    add_up(1);
    add_up(1);
}

/* A wave through all ranks, in blocking messages of five numbers. */
static void lu(int round)
{
    double t = now();
    if (rank > 0) {
        MPI_Recv(in, 5, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        t = count(P2P, t);
    }
    compute(500);
    t = now();
    if (rank + 1 < size) {
        MPI_Send(out, 5, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
        count(P2P, t);
    }
    if (round % 64 == 63)
        add_up(5);
}

/* Halos that are smaller from grid to grid. */
static void mg(int round)
{
    for (int words = WORDS; words > 1; words /= 4) {
        compute(words);
        exchange(words, (rank + 1) % size, (rank + size - 1) % size);
        exchange(words, (rank + size - 1) % size, (rank + 1) % size);
    }
    if (round % 4 == 0)
        add_up(1);
}

/* A transposition. */
static void ft(int round)
{
    compute(20000);
    double t = now();
    MPI_Alltoall(out, WORDS / size, MPI_DOUBLE, in, WORDS / size, MPI_DOUBLE, MPI_COMM_WORLD);
    count(ALLTOALL, t);
    if (round % 8 == 0)
        add_up(2);
}

/* Keys into buckets. */
static void is(int round)
{
    int number[MOST_RANKS], place[MOST_RANKS];
    for (int i = 0; i < size; i++) {
        number[i] = WORDS / size / 2 + (rank + i + round) % 2;
        place[i] = i * (WORDS / size);
    }
    compute(5000);
    add_up(1024);
    double t = now();
    MPI_Alltoall(place, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    t = count(ALLTOALL, t);
    MPI_Alltoallv(out, number, place, MPI_DOUBLE, in, number, place, MPI_DOUBLE, MPI_COMM_WORLD);
    count(ALLTOALLV, t);
}

int main(int argc, char **argv)
{
    static const char *const names[KINDS] = {"p2p", "wait", "allreduce", "alltoall", "alltoallv"};
    static const struct {
        const char *name;
        void (*step)(int round);
    } kernels[] = {{"ring", ring}, {"cg", cg}, {"lu", lu}, {"mg", mg}, {"ft", ft}, {"is", is}};
    int rounds = argc > 1 ? atoi(argv[1]) : 1000, kernel = 0;
    while (argc > 2 && kernel < 5 && strcmp(kernels[kernel].name, argv[2]) != 0)
        kernel++;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < rounds; i++)
        kernels[kernel].step(i);
    double all_calls[KINDS], all_seconds[KINDS];
    PMPI_Reduce(calls, all_calls, KINDS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(seconds, all_seconds, KINDS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int kind = 0; kind < KINDS && rank == 0; kind++)
        if (all_calls[kind] > 0)
            printf("%s %.0f %.6f\n", names[kind], all_calls[kind], all_seconds[kind] / size);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
