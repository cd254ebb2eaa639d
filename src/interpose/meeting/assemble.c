/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assemble.c - see assemble.h. No message may go to a rank without this library, because a receive
 * of the application could match it. If the launcher cannot tell which ranks have the library
 * (presence.h), the ranks meet in collective calls, which are nonblocking so that waiting can be
 * explained, and ended. Otherwise nothing collective is called (doc/design/0011-what-we-call.md).
 */
#include "interpose/meeting/assemble.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "text/printable.h"
#include "interpose/meeting/key-space.h"
#include "interpose/meeting/presence.h"
#include "interpose/meeting/rights.h"
#include "comm/waiting.h"
#include "reorder/error-handler.h"

enum { ASSEMBLE_EXPLAIN = 5 }; /* seconds until the waiting is explained */

/* Launchers drop output that they have not read when they end a job. */
static const struct timespec assemble_until_read = {0, 500000000};

/* The first and the last rank print it: if only a block of ranks lacks the library, one of them
 * usually has it. */
static void assemble_explain(MPI_Comm all, const char *where)
{
    int rank, size;
    PMPI_Comm_rank(all, &rank);
    PMPI_Comm_size(all, &size);
    if (rank == 0 || rank == size - 1)
        printable_say("rank %d still waits in %s for ranks that have not loaded the library "
                      "or have RESEAT unset: all need both",
                      rank, where);
}

static void assemble_end(MPI_Comm all, const struct meeting *meeting, const char *for_whom)
{
    int rank;
    PMPI_Comm_rank(all, &rank);
    printable_say("rank %d has waited in %s for %s, longer than RESEAT_WAIT (%d s) allows: the "
                  "job is ended",
                  rank, meeting->where, for_whom, meeting->patience);
    nanosleep(&assemble_until_read, NULL);
    PMPI_Abort(all, 1);
}

/* Complete a collective call. If it takes too long, the first rank prints a line, or the last one
 * if the first does not, or else any. */
static int assemble_wait(MPI_Comm all, const struct meeting *meeting, MPI_Request *request)
{
    int rank, size, explained = meeting->patience > ASSEMBLE_EXPLAIN ? ASSEMBLE_EXPLAIN : 0;
    PMPI_Comm_rank(all, &rank);
    PMPI_Comm_size(all, &size);
    int turn = rank == 0 ? 0 : rank == size - 1 ? 1 : 2;
    enum waiting how = WAITING_TOO_LONG;
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

/* Print that the ranks have different modes, only once: programs with sessions come here for each
 * of their communicators. */
static void assemble_say_differs(MPI_Comm all)
{
    static int said;
    int rank;
    PMPI_Comm_rank(all, &rank);
    if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) && rank == 0)
        printable_say("RESEAT is not the same on all ranks: nothing is recorded or "
                      "reordered");
}

/* Returns 1 if all ranks have the library and the same mode, by the key-value space. */
static int assemble_ask(MPI_Comm all, struct meeting *meeting)
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
    memcpy(meeting->least, presence.words, sizeof meeting->least);
    return !presence.missing && presence.least == presence.most;
}

/* The first meeting may have been completed by collective calls of a rank without the library; this
 * one cannot, because such a rank does not have `own`. */
static int assemble_compare(struct meeting *meeting, MPI_Comm own)
{
    enum { COUNT = 2 + ASSEMBLE_WORDS };
    int mine[COUNT] = {meeting->mode, -meeting->mode}, least[COUNT] = {0};
    MPI_Request request;
    memcpy(mine + 2, meeting->least, sizeof meeting->least);
    if (PMPI_Iallreduce(mine, least, COUNT, MPI_INT, MPI_MIN, own, &request) != MPI_SUCCESS ||
        assemble_wait(own, meeting, &request))
        return 0;
    if (least[0] != -least[1])
        assemble_say_differs(own);
    memcpy(meeting->least, least + 2, sizeof meeting->least);
    return least[0] == -least[1];
}

/* By collective calls. */
static int assemble_by_collectives(MPI_Comm all, struct meeting *meeting, MPI_Comm *own)
{
    MPI_Request request;
    if (PMPI_Comm_idup(all, own, &request) != MPI_SUCCESS ||
        assemble_wait(all, meeting, &request)) {
        *own = MPI_COMM_NULL;
        return -1;
    }
    PMPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
    if (assemble_compare(meeting, *own))
        return 0;
    PMPI_Comm_free(own);
    return -1;
}

/* A single process need not wait. (MPICH 4.0.2 crashes in MPI_Test for one with sessions.) */
int assemble(MPI_Comm all, struct meeting *meeting, MPI_Comm *own)
{
    int size;
    *own = MPI_COMM_NULL;
    PMPI_Comm_size(all, &size);
    if (size == 1)
        return 0;
    if (key_space_check() == 0)
        return assemble_ask(all, meeting) ? 0 : -1;
    return assemble_by_collectives(all, meeting, own);
}

struct agreement {
    int mine, least; /* of all ranks' */
    double patience;
};

/* WAITING_TOO_LONG: all ranks have waited in this call for longer than `patience`, so one of them
 * has begun a collective call that others have not, and no further one would end. Then it may still
 * read and write what is in `agreement`. */
static enum waiting assemble_least(MPI_Comm comm, struct agreement *agreement)
{
    MPI_Request request;
    enum waiting how;
    int size;
    PMPI_Comm_size(comm, &size);
    agreement->least = agreement->mine;
    if (size == 1)
        return WAITING_DONE;
    if (PMPI_Iallreduce(&agreement->mine, &agreement->least, 1, MPI_INT, MPI_MIN, comm, &request))
        return WAITING_FAILED;
    double patience = agreement->patience;
    while ((how = waiting_for(&request, 1, patience)) == WAITING_TOO_LONG) {
        if (key_space_all_wait(size)) /* once more, if it was just about to end */
            return waiting_for(&request, 1, agreement->patience);
        patience = fmin(patience, 1);
    }
    return how;
}

int assemble_agree(MPI_Comm comm, int mine)
{
    struct agreement agreement = {mine != 0, 0, WAITING_FOREVER};
    return assemble_least(comm, &agreement) == WAITING_DONE && agreement.least;
}

/* ---- the communicator ---- */

/* Not a duplicate, which would call the copy callbacks of the application's attributes and inherit
 * its hints. Errors must not reach the application's error handler, which is changed meanwhile if
 * possible. A rank that is out of memory may have no group, or no communicator where the others
 * have one; theirs is not freed, because that is collective. The first message, of one integer,
 * goes through without rights; making the communicator takes longer ones. */
const char *assemble_communicator(MPI_Comm *own, int patience)
{
    enum { ABANDONED, LOST_RIGHTS, NO_GROUP, READY };
    static struct agreement first;
    MPI_Comm all = MPI_COMM_NULL;
    MPI_Errhandler theirs;
    MPI_Group group;
    error_handler_return(MPI_COMM_WORLD, &theirs);
    int has_group = PMPI_Comm_group(MPI_COMM_WORLD, &group) == MPI_SUCCESS;
    first.mine = !rights_are_kept() ? LOST_RIGHTS : has_group ? READY : NO_GROUP;
    first.patience = patience;
    enum waiting how = assemble_least(MPI_COMM_WORLD, &first);
    int least = how == WAITING_DONE ? first.least : how == WAITING_FAILED ? NO_GROUP : ABANDONED;
    int is_made = least == READY && PMPI_Comm_create(MPI_COMM_WORLD, group, &all) == MPI_SUCCESS;
    *own = least != ABANDONED && assemble_agree(MPI_COMM_WORLD, is_made) ? all : MPI_COMM_NULL;
    if (has_group)
        PMPI_Group_free(&group);
    error_handler_restore(MPI_COMM_WORLD, &theirs);
    if (*own != MPI_COMM_NULL)
        PMPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
    return *own != MPI_COMM_NULL  ? NULL
           : least == ABANDONED   ? "some ranks have begun collective calls that others have not"
           : least == LOST_RIGHTS ? rights_lost
                                  : "MPI gives no communicator";
}
