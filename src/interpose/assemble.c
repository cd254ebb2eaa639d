/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assemble.c - see assemble.h. No message may reach a rank without this library, which a receive of
 * the application could take. Where the launcher cannot tell who has it (presence.h), the ranks
 * meet in collective calls, nonblocking ones in order that the waiting can be explained, and ended.
 */
#include "interpose/assemble.h"

#include <float.h>
#include <stdio.h>

#include "interpose/key-space.h"
#include "interpose/presence.h"
#include "interpose/waiting.h"

enum { ASSEMBLE_EXPLAIN = 5 }; /* seconds until the waiting is explained */

/* The first and the last rank speak: one of them has the library if any block of ranks has. */
static void assemble_explain(MPI_Comm all, const char *where)
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

static void assemble_end(MPI_Comm all, const struct meeting *meeting, const char *for_whom)
{
    int rank;
    PMPI_Comm_rank(all, &rank);
    fprintf(stderr,
            "reseat: rank %d has waited in %s for %s, longer than RESEAT_WAIT (%d s) allows: the "
            "job is ended\n",
            rank, meeting->where, for_whom, meeting->patience);
    PMPI_Abort(all, 1);
}

/* Complete a collective call; `known`: all ranks are there. Else the first rank speaks when it is
 * over, the last one if that does not, then any. */
static int assemble_wait(MPI_Comm all, const struct meeting *meeting, int known,
                         MPI_Request *request)
{
    int rank, size, explained = meeting->patience > ASSEMBLE_EXPLAIN ? ASSEMBLE_EXPLAIN : 0;
    PMPI_Comm_rank(all, &rank);
    PMPI_Comm_size(all, &size);
    int turn = rank == 0 ? 0 : rank == size - 1 ? 1 : 2;
    enum waiting how = WAITING_TOO_LONG;
    if (known)
        return waiting_for(request, 1, DBL_MAX) == WAITING_DONE ? 0 : -1;
    if (explained && (how = waiting_for(request, 1, explained)) == WAITING_TOO_LONG)
        assemble_explain(all, meeting->where);
    if (how == WAITING_TOO_LONG)
        how = waiting_for(request, 1, meeting->patience - explained + turn);
    if (how == WAITING_TOO_LONG) {
        char whom[256];
        snprintf(whom, sizeof whom,
                 "ranks that have not loaded the library or have RESEAT unset (which, this "
                 "launcher cannot tell: %s was tried)",
                 key_space_name());
        assemble_end(all, meeting, whom);
    }
    return how == WAITING_DONE ? 0 : -1;
}

/* Say once that the ranks do not want the same: programs with sessions come here for each of their
 * communicators. */
static void assemble_say_differs(MPI_Comm all)
{
    static int said;
    int rank;
    PMPI_Comm_rank(all, &rank);
    if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) && rank == 0)
        fprintf(stderr, "reseat: RESEAT is not the same on all ranks: nothing is recorded or "
                        "reordered\n");
}

/* Whether all ranks are there and want the same, by the key-value space. */
static int assemble_ask(MPI_Comm all, const struct meeting *meeting)
{
    struct presence presence;
    char whom[64];
    enum waiting how = presence_exchange(all, meeting, &presence);
    if (how == WAITING_TOO_LONG) {
        snprintf(whom, sizeof whom, "rank %d, which has loaded the library", presence.lowest);
        assemble_end(all, meeting, whom);
    }
    if (how != WAITING_DONE)
        return 0;
    if (presence.missing)
        presence_explain(all, meeting, &presence);
    else if (presence.least != presence.most)
        assemble_say_differs(all);
    return !presence.missing && presence.least == presence.most;
}

/* A stranger's own calls may complete the first meeting, never this one: it has no such
 * communicator. */
static int assemble_compare(const struct meeting *meeting, MPI_Comm own)
{
    int mine[2] = {meeting->mode, -meeting->mode}, most[2] = {0, 0};
    MPI_Request request;
    if (PMPI_Iallreduce(mine, most, 2, MPI_INT, MPI_MAX, own, &request) != MPI_SUCCESS ||
        assemble_wait(own, meeting, 0, &request))
        return 0;
    if (most[0] != -most[1])
        assemble_say_differs(own);
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

int assemble(MPI_Comm all, const struct meeting *meeting, MPI_Comm *own)
{
    MPI_Request request;
    int size, known;
    *own = MPI_COMM_NULL;
    PMPI_Comm_size(all, &size);
    if (size == 1)
        return assemble_alone(all, own);
    known = key_space_check() == 0;
    if (known && !assemble_ask(all, meeting))
        return -1;
    if (PMPI_Comm_idup(all, own, &request) != MPI_SUCCESS ||
        assemble_wait(all, meeting, known, &request))
        return -1;
    PMPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
    if (known || assemble_compare(meeting, *own))
        return 0;
    PMPI_Comm_free(own);
    return -1;
}
