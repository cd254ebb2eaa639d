/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.c - MPI_THREAD_MULTIPLE: every thread sends to all ranks, on the world and on a
 * communicator of its own, at the same time as the others. Usage: threads PREFIX */
#include <pthread.h>

#include "own-books.h"

enum { THREADS = 4, ROUNDS = 500 };

static int rank, size;
static MPI_Comm own[THREADS];

static void *work(void *number)
{
    int me = *(int *)number, out = me, in;
    for (int round = 0; round < ROUNDS; round++)
        for (int step = 0; step < size; step++) {
            int to = (rank + step) % size, from = (rank + size - step) % size;
            MPI_Sendrecv(&out, 1, MPI_INT, to, me, &in, 1, MPI_INT, from, me,
                         round % 2 ? own[me] : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, numbers[THREADS];
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
        numbers[i] = i;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&own[i]);
    for (int to = 0; to < size; to++)
        for (int i = 0; i < THREADS * ROUNDS; i++)
            expect(to, 4);
    expect_write(argv[1], rank);
    MPI_Finalize();
    return 0;
}
