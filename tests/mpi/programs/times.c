/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.c - rank 0 computes while rank 1 certainly is in MPI: it naps 200 ms before it answers an
 * MPI_Sendrecv, and after it has seen a message of an MPI_Ssend that it has not received yet. All that in
 * phase 2. `times threads': a second thread of each rank does the same meanwhile. Rank 1 prints the most
 * that it can have been in MPI in that phase. `times session': without MPI_Init, rank 0 naps before it makes a
 * communicator for which rank 1 waits, and rank 1 prints how long.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "declared.h"

static int rank;

static void nap(void)
{
    struct timespec left = {.tv_nsec = 200000000};
    while (nanosleep(&left, &left))
        ;
}

static void *talk(void *context)
{
    int tag = *(int *)context, out = 1, in = 0;
    if (rank == 0) {
        MPI_Recv(&in, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        nap();
        MPI_Send(&out, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
        MPI_Probe(1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        nap();
        MPI_Recv(&in, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Sendrecv(&out, 1, MPI_INT, 0, tag, &in, 1, MPI_INT, 0, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Ssend(&out, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    return context;
}

#if DECLARES_MPI_Session_init

/* A communicator of all; in phase 2 if rank 0 naps first. */
static MPI_Comm make_comm(MPI_Session session, int naps)
{
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_rank(group, &rank);
    MPI_Pcontrol(naps ? 2 : 0, "make");
    for (int i = 0; i < naps && rank == 0; i++)
        nap();
    double start = MPI_Wtime();
    MPI_Comm_create_from_group(group, naps ? "second" : "first", MPI_INFO_NULL,
                               MPI_ERRORS_ARE_FATAL, &comm);
    if (naps && rank == 1)
        printf("waited %.6f\n", MPI_Wtime() - start);
    MPI_Pcontrol(0);
    MPI_Group_free(&group);
    return comm;
}

static int in_a_session(void)
{
    MPI_Session session;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session) != MPI_SUCCESS)
        return 1;
    MPI_Comm first = make_comm(session, 0);
    MPI_Barrier(first);
    MPI_Comm second = make_comm(session, 2);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Session_finalize(&session);
    return 0;
}

#else

static int in_a_session(void)
{
    return 1;
}

#endif

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "session") == 0)
        return in_a_session();
    int provided, tags[2] = {1, 2};
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int is_double = argc > 1 && provided == MPI_THREAD_MULTIPLE;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    MPI_Pcontrol(2, "talk"); /* counting-tool.c takes the name */
    if (is_double && pthread_create(&thread, NULL, talk, &tags[1]))
        MPI_Abort(MPI_COMM_WORLD, 1);
    talk(&tags[0]);
    if (is_double)
        pthread_join(thread, NULL);
    MPI_Pcontrol(0);
    if (rank == 1)
        printf("at most %.6f\n", MPI_Wtime() - start);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
