/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pingpong [KIND] - nanoseconds for each call as programs make it, the quickest of many batches:
 * `send` (8 bytes there and back between two ranks), `isend` (MPI_Isend, MPI_Irecv, MPI_Waitall),
 * `allreduce` (8 bytes, all ranks), `self` (MPI_Irecv, MPI_Send, MPI_Wait of a process with
 * itself). Batches alternate with others that call the functions of the MPI library directly,
 * bypassing whatever is preloaded. The second number is the median of the ratios of consecutive
 * batches, which cancels the state of memory and processors; the third is the median of their
 * differences.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 400, CALLS = 500 };

struct mpi {
    __typeof__(MPI_Send) *send;
    __typeof__(MPI_Recv) *recv;
    __typeof__(MPI_Isend) *isend;
    __typeof__(MPI_Irecv) *irecv;
    __typeof__(MPI_Wait) *wait;
    __typeof__(MPI_Waitall) *waitall;
    __typeof__(MPI_Allreduce) *allreduce;
};

static int rank;
static double out = 1, in;

static void send_and_back(const struct mpi *mpi)
{
    int partner = rank ^ 1;
    if (rank % 2 == 0) {
        mpi->send(&out, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
        mpi->recv(&in, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        mpi->recv(&in, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mpi->send(&out, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
    }
}

static void isend(const struct mpi *mpi)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    mpi->irecv(&in, 1, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, &requests[0]);
    mpi->isend(&out, 1, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, &requests[1]);
    mpi->waitall(2, requests, statuses);
}

static void self(const struct mpi *mpi)
{
    MPI_Request request;
    mpi->irecv(&in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request);
    mpi->send(&out, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
    mpi->wait(&request, MPI_STATUS_IGNORE);
}

static void allreduce(const struct mpi *mpi)
{
    mpi->allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* The MPI library's own: MPI_Wtime is not preloaded. */
static void *own(const char *name)
{
    Dl_info info;
    static void *library;
    if (!library && dladdr((void *)MPI_Wtime, &info))
        library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function)
        exit(3);
    return function;
}

static double measure(void (*call)(const struct mpi *), const struct mpi *mpi)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < CALLS; i++)
        call(mpi);
    return (MPI_Wtime() - start) / CALLS;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[BATCHES])
{
    qsort(values, BATCHES, sizeof values[0], compare);
    return values[BATCHES / 2];
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*call)(const struct mpi *mpi);
    } kinds[] = {
        {"send", send_and_back}, {"isend", isend}, {"allreduce", allreduce}, {"self", self}};
    static double ratio[BATCHES], more[BATCHES];
    int kind = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const struct mpi usual = {MPI_Send, MPI_Recv,    MPI_Isend,    MPI_Irecv,
                              MPI_Wait, MPI_Waitall, MPI_Allreduce};
    const struct mpi bare = {own("MPI_Send"),     own("MPI_Recv"), own("MPI_Isend"),
                             own("MPI_Irecv"),    own("MPI_Wait"), own("MPI_Waitall"),
                             own("MPI_Allreduce")};
    while (kind > 0 && (argc < 2 || strcmp(argv[1], kinds[kind].name) != 0))
        kind--;
    double least = 1;
    for (int batch = 0; batch < BATCHES; batch++) {
        double without = measure(kinds[kind].call, &bare);
        double with = measure(kinds[kind].call, &usual);
        ratio[batch] = with / without;
        more[batch] = with - without;
        least = with < least ? with : least;
    }
    if (rank == 0)
        printf("%.1f %.4f %.1f\n", 1e9 * least, median(ratio), 1e9 * median(more));
    MPI_Finalize();
    return 0;
}
