/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assemble.c - see assemble.h. A rank that has not loaded this library cannot be found out without
 * its help: no message may reach it that a receive of the application could take. So the ranks
 * meet in collective calls, nonblocking ones in order that the waiting can be explained.
 */
#include "interpose/assemble.h"

#include <stdio.h>
#include <time.h>

enum { PATIENCE = 5, SPINS = 10000 }; /* seconds; tests before sleeping in between */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The first and the last rank speak: one of them has the library if any block of ranks has. */
static void explain(MPI_Comm all, const char *where)
{
    int rank, size;
    PMPI_Comm_rank(all, &rank);
    PMPI_Comm_size(all, &size);
    if (rank == 0 || rank == size - 1)
        fprintf(stderr,
                "reseat: rank %d still waits in %s for ranks that have not loaded the library "
                "or have RESEAT unset: all need both\n",
                rank, where);
}

static int wait_for_all(MPI_Comm all, const char *where, MPI_Request *request)
{
    const struct timespec pause = {0, 100000};
    double start = now();
    int done = 0, explained = 0;
    for (long tries = 0; !done; tries++) {
        if (PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return -1;
        if (done || tries < SPINS)
            continue;
        nanosleep(&pause, NULL);
        if (!explained && now() - start > PATIENCE) {
            explain(all, where);
            explained = 1;
        }
    }
    return 0;
}

/* A stranger's own calls may complete the first meeting, never the second: it has no such
 * communicator. */
static int all_want(int mode, const char *where, MPI_Comm own)
{
    static int told; /* programs with sessions come here for each of their communicators */
    int mine[2] = {mode, -mode}, most[2] = {0, 0}, rank = 0;
    MPI_Request request;
    PMPI_Comm_rank(own, &rank);
    if (PMPI_Iallreduce(mine, most, 2, MPI_INT, MPI_MAX, own, &request) != MPI_SUCCESS ||
        wait_for_all(own, where, &request))
        return 0;
    if (most[0] != -most[1] && !__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED) && rank == 0)
        fprintf(stderr, "reseat: RESEAT is not the same on all ranks: nothing is recorded or "
                        "reordered\n");
    return most[0] == -most[1];
}

/* Nobody is waited for. (MPICH 4.0.2 crashes in MPI_Test for one process with sessions.) */
static int assemble_alone(MPI_Comm all, MPI_Comm *own)
{
    if (PMPI_Comm_dup(all, own) != MPI_SUCCESS)
        return -1;
    PMPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
    return 0;
}

int assemble(MPI_Comm all, const char *where, int mode, MPI_Comm *own)
{
    MPI_Request request;
    int size = 0;
    *own = MPI_COMM_NULL;
    if (PMPI_Comm_size(all, &size) == MPI_SUCCESS && size == 1)
        return assemble_alone(all, own);
    if (PMPI_Comm_idup(all, own, &request) != MPI_SUCCESS || wait_for_all(all, where, &request))
        return -1;
    PMPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
    if (all_want(mode, where, *own))
        return 0;
    PMPI_Comm_free(own);
    return -1;
}
