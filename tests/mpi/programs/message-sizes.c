/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message-sizes.c - rank 0 sends each other rank messages of known sizes: 5 of 8 bytes, 3 of 1,000
 * and an empty one, twice 100,000 bytes by a persistent request, in another phase one of 9 bytes;
 * and puts 64 and 3 bytes into its window. Then all gather one by one: each sends rank 0 40 bytes twice
 * and 4,000 once. With the argument `threads', two threads of rank 0 send the first eight.
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { LONGEST = 100000 };

static char data[LONGEST];
static int size, threads;

static void send(int to, int bytes, int times)
{
    for (int i = 0; i < times; i++)
        MPI_Send(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void *send_long(void *unused)
{
    for (int to = 1; to < size; to++)
        send(to, 1000, 3);
    return unused;
}

static void send_all(void)
{
    pthread_t other;
    if (threads)
        pthread_create(&other, NULL, send_long, NULL);
    else
        send_long(NULL);
    for (int to = 1; to < size; to++) {
        MPI_Request request;
        send(to, 8, 5);
        send(to, 0, 1);
        MPI_Send_init(data, LONGEST, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
    }
    if (threads)
        pthread_join(other, NULL);
    MPI_Pcontrol(2);
    for (int to = 1; to < size; to++)
        send(to, 9, 1);
    MPI_Pcontrol(0);
}

/* Not by threads: Open MPI has then no windows over TCP. */
static void put_all(int rank)
{
    static char window[128];
    MPI_Win win;
    MPI_Win_create(window, sizeof window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int to = 1; rank == 0 && to < size; to++) {
        MPI_Put(data, 64, MPI_BYTE, to, 0, 64, MPI_BYTE, win);
        MPI_Put(data, 3, MPI_BYTE, to, 64, 3, MPI_BYTE, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void gather_all(void)
{
    static char gathered[16 * 4000];
    for (int i = 0; i < 3; i++) {
        int bytes = i < 2 ? 40 : 4000, counts[16], starts[16];
        for (int r = 0; r < size; r++) {
            counts[r] = bytes;
            starts[r] = r * bytes;
        }
        MPI_Gatherv(data, bytes, MPI_BYTE, gathered, counts, starts, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, provided;
    threads = argc > 1 && strcmp(argv[1], "threads") == 0;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    threads = threads && provided == MPI_THREAD_MULTIPLE;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        send_all();
    for (int i = 0; rank > 0 && i < 5 + 3 + 1 + 2 + 1; i++)
        MPI_Recv(data, LONGEST, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!threads)
        put_all(rank);
    gather_all();
    MPI_Finalize();
    return 0;
}
