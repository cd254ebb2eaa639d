/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.c - rank 0 computes while rank 1 certainly is in MPI: it naps 200 ms before it answers an
 * MPI_Sendrecv, and after it has seen a message of an MPI_Ssend that it has not received yet. All that in
 * phase 2. With an argument, a second thread of each rank does the same meanwhile. Rank 1 prints the most
 * that it can have been in MPI in that phase.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

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

int main(int argc, char **argv)
{
    int provided, tags[2] = {1, 2};
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int is_double = argc > 1 && provided == MPI_THREAD_MULTIPLE;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    MPI_Pcontrol(2);
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
