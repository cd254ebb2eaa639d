/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sessions.c - a program with sessions (MPI-4) and without MPI_Init; each rank sends 100 (r + 1)
 * bytes to the next. Usage: sessions HOW, the way in which it ends:
 *
 * - free: the communicator of all is freed, then the session ends;
 * - kept: the session ends with its communicator;
 * - disconnect: the communicator is disconnected, and the last rank's session ends much later;
 * - two: in two sessions, which the ranks end in different order;
 * - turns: in two sessions, the second used after the end of the first, in which each rank gets 40
 *   bytes from the next one;
 * - threads: in two sessions, which two threads end at the same time, at odd ranks the other first;
 *   half of what is sent belongs to 60 phases;
 * - makers: in three sessions, of which three threads make and disconnect communicators of all at
 *   the same time;
 * - empty: as free, but a communicator of no process is asked for, too;
 * - derived: by way of a group that was made from the session's;
 * - uneven: the same while rank 0 has one session more than the others;
 * - alone: communicators of one process, none of all;
 * - late: a pair meets once more after the communicator of all has been disconnected;
 * - init: MPI_Init comes later, with 7 bytes more, and after it the session ends.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "declared.h"

#if DECLARES_MPI_Session_init

static int rank, size;

static MPI_Session open_session(void)
{
    MPI_Session session;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session) != MPI_SUCCESS)
        exit(1);
    return session;
}

static MPI_Group group_of(MPI_Session session)
{
    MPI_Group group;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_rank(group, &rank);
    MPI_Group_size(group, &size);
    return group;
}

static MPI_Comm comm_of(MPI_Group group, const char *tag)
{
    MPI_Comm comm;
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    return comm;
}

static void send_around(MPI_Comm comm, int bytes)
{
    char out[4096] = "", in[4096];
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MPI_Sendrecv(out, bytes, MPI_CHAR, (me + 1) % n, 1, in, sizeof in, MPI_CHAR, (me + n - 1) % n,
                 1, comm, MPI_STATUS_IGNORE);
}

static void in_two_sessions(void)
{
    MPI_Session first = open_session(), second = open_session();
    MPI_Session mine[2] = {first, second};
    MPI_Comm one = comm_of(group_of(first), "b"), other = comm_of(group_of(second), "a");
    send_around(one, 60 * (rank + 1));
    send_around(other, 40 * (rank + 1));
    MPI_Comm_disconnect(&one);
    MPI_Comm_disconnect(&other);
    for (int i = 0; i < 2; i++)
        MPI_Session_finalize(&mine[(i + rank) % 2]);
}

static void get_from_next(MPI_Comm comm)
{
    double mine[5] = {0}, got[5];
    MPI_Win win;
    MPI_Win_create(mine, sizeof mine, 1, MPI_INFO_NULL, comm, &win);
    MPI_Win_fence(0, win);
    MPI_Get(got, 5, MPI_DOUBLE, (rank + 1) % size, 0, 5, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void in_turns(void)
{
    MPI_Session first = open_session(), second = open_session();
    MPI_Comm comm = comm_of(group_of(first), "turns");
    get_from_next(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&first);
    comm = comm_of(group_of(second), "turns");
    send_around(comm, 100 * (rank + 1));
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&second);
}

/* ---- threads ---- */

struct part {
    MPI_Session session;
    MPI_Comm comm;
    int bytes;
    int waits; /* before it ends */
};

static void begin_part(struct part *part)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    if (MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &part->session) != MPI_SUCCESS)
        exit(1);
    MPI_Info_free(&info);
    part->comm = comm_of(group_of(part->session), "part");
}

static void *end_part(void *argument)
{
    struct part *part = argument;
    send_around(part->comm, part->bytes * (rank + 1));
    if (part->waits)
        usleep(300000);
    MPI_Comm_disconnect(&part->comm);
    MPI_Session_finalize(&part->session);
    return NULL;
}

static void in_two_threads(void)
{
    struct part parts[2] = {{.bytes = 60}, {.bytes = 40}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        begin_part(&parts[i]);
    for (int phase = 1; phase <= 60; phase++) {
        MPI_Pcontrol(phase);
        send_around(parts[0].comm, phase);
    }
    MPI_Pcontrol(0);
    for (int i = 0; i < 2; i++) {
        parts[i].waits = (i + rank) % 2;
        pthread_create(&threads[i], NULL, end_part, &parts[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void *make_parts(void *argument)
{
    struct part *part = argument;
    char tag[16];
    snprintf(tag, sizeof tag, "part %d", part->bytes);
    for (int i = 0; i < 20; i++) {
        part->comm = comm_of(group_of(part->session), tag);
        MPI_Comm_disconnect(&part->comm);
    }
    return NULL;
}

static void in_three_makers(void)
{
    struct part parts[3] = {{.bytes = 1}, {.bytes = 2}, {.bytes = 3}};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        begin_part(&parts[i]);
        MPI_Comm_disconnect(&parts[i].comm);
    }
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, make_parts, &parts[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++)
        MPI_Session_finalize(&parts[i].session);
}

static void ask_for_none(void)
{
    MPI_Comm none = MPI_COMM_SELF;
    MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "none", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &none);
    if (none != MPI_COMM_NULL)
        exit(1);
}

static void alone(MPI_Session session)
{
    MPI_Group self;
    MPI_Group_from_session_pset(session, "mpi://SELF", &self);
    MPI_Comm comm = comm_of(self, "self");
    send_around(comm, 100);
    MPI_Comm_free(&comm);
}

static void late(MPI_Session session)
{
    MPI_Group world = group_of(session), two;
    int pair[3] = {rank & ~1, rank | 1, 1};
    MPI_Group_range_incl(world, 1, &pair, &two);
    MPI_Comm all = comm_of(world, "all"), both = comm_of(two, "both");
    MPI_Barrier(both);
    MPI_Barrier(both);
    MPI_Comm_disconnect(&all);
    MPI_Barrier(both);
}

static MPI_Comm derived(MPI_Session session)
{
    MPI_Group all = group_of(session), same;
    int whole[3] = {0, size - 1, 1};
    MPI_Group_range_incl(all, 1, &whole, &same);
    MPI_Group_free(&all);
    return comm_of(same, "derived");
}

/* The same with another session at rank 0, which does not need it. */
static MPI_Comm uneven(MPI_Session session)
{
    MPI_Group all = group_of(session);
    MPI_Group_free(&all);
    MPI_Session other = rank == 0 ? open_session() : MPI_SESSION_NULL;
    MPI_Comm comm = derived(session);
    if (rank == 0)
        MPI_Session_finalize(&other);
    return comm;
}

static MPI_Comm make_comm(MPI_Session session, const char *how)
{
    return strcmp(how, "derived") == 0  ? derived(session)
           : strcmp(how, "uneven") == 0 ? uneven(session)
                                        : comm_of(group_of(session), "all");
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "free";
    if (strcmp(how, "two") == 0) {
        in_two_sessions();
        return 0;
    }
    if (strcmp(how, "turns") == 0) {
        in_turns();
        return 0;
    }
    if (strcmp(how, "threads") == 0) {
        in_two_threads();
        return 0;
    }
    if (strcmp(how, "makers") == 0) {
        in_three_makers();
        return 0;
    }
    MPI_Session session = open_session();
    if (strcmp(how, "alone") == 0) {
        alone(session);
    } else if (strcmp(how, "late") == 0) {
        late(session);
    } else {
        MPI_Comm comm = make_comm(session, how);
        send_around(comm, 100 * (rank + 1));
        if (strcmp(how, "empty") == 0)
            ask_for_none();
        if (strcmp(how, "disconnect") == 0) {
            MPI_Comm_disconnect(&comm);
            sleep(rank == size - 1);
        } else if (strcmp(how, "kept") != 0) {
            MPI_Comm_free(&comm);
        }
    }
    if (strcmp(how, "init") == 0) {
        MPI_Init(&argc, &argv);
        send_around(MPI_COMM_WORLD, 7);
        MPI_Finalize();
    }
    MPI_Session_finalize(&session);
    if (rank == 0)
        printf("%s: done\n", how);
    return 0;
}

#else

int main(void)
{
    return 0;
}

#endif
