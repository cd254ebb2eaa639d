/* SPDX-License-Identifier: BSD-3-Clause */
/* sends.c - every kind of send, on the world, on sub-communicators, between communicators, to
 * receivers with MPI_ANY_SOURCE; recorded by own-books.h, too. Usage: sends PREFIX */
#include <string.h>

#include "own-books.h"

enum { MOST = 4096 };
static char out[MOST], in[MOST];
static int rank, size;
static int tag = 1; /* another one for each exchange: receivers take any source */
#define TAG tag

static int next(int step)
{
    return (rank + step) % size;
}

static void receive(MPI_Comm comm)
{
    MPI_Recv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, TAG, comm, MPI_STATUS_IGNORE);
}

static void blocking(void)
{
    static char buffer[MOST + MPI_BSEND_OVERHEAD];
    MPI_Request request;
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(out, 100, MPI_BYTE, next(1), TAG, MPI_COMM_WORLD);
    expect(next(1), 100);
    receive(MPI_COMM_WORLD);
    tag++;
    int size_of_buffer;
    void *address;
    MPI_Buffer_detach(&address, &size_of_buffer);

    MPI_Irecv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
    MPI_Send(out, 11, MPI_INT, next(1), TAG, MPI_COMM_WORLD);
    expect(next(1), 44);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tag++;

    MPI_Irecv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
    MPI_Ssend(out, 3, MPI_DOUBLE, next(2), TAG, MPI_COMM_WORLD);
    expect(next(2), 24);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tag++;

    MPI_Irecv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(out, 0, MPI_DOUBLE, next(3), TAG, MPI_COMM_WORLD);
    expect(next(3), 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

typedef int starter(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void nonblocking(starter *start, int step, int count)
{
    MPI_Request requests[2];
    MPI_Irecv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    start(out, count, MPI_SHORT, next(step), TAG, MPI_COMM_WORLD, &requests[1]);
    expect(next(step), 2 * count);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    tag++;
}

/* Started `times` times one by one and once more with all. */
static void persistent(starter *init, int step, int count, int times)
{
    MPI_Request requests[2];
    MPI_Recv_init(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &requests[0]);
    init(out, count, MPI_CHAR, next(step), TAG, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < times; i++) {
        MPI_Start(&requests[0]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Start(&requests[1]);
        expect(next(step), count);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    if (init != MPI_Rsend_init) {
        MPI_Startall(2, requests);
        expect(next(step), count);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    tag++;
}

static void exchanges(void)
{
    MPI_Sendrecv(out, 5, MPI_INT, next(1), TAG, in, MOST, MPI_BYTE, MPI_ANY_SOURCE, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(next(1), 20);
    tag++;
    MPI_Sendrecv_replace(out, 6, MPI_INT, next(2), TAG, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    expect(next(2), 24);
    tag++;
    MPI_Sendrecv(out, 5, MPI_INT, MPI_PROC_NULL, TAG, in, 1, MPI_BYTE, MPI_PROC_NULL, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, 5, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD);
    MPI_Sendrecv(out, 9, MPI_BYTE, rank, TAG, in, MOST, MPI_BYTE, rank, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(rank, 9);
    tag++;
}

/* Types with holes: only what is in them travels. Their handles are used again by MPI. */
static void derived_types(void)
{
    for (int length = 1; length < 5; length++) {
        MPI_Datatype strided;
        MPI_Request request;
        MPI_Type_vector(4, length, 5, MPI_INT, &strided);
        MPI_Type_commit(&strided);
        for (int i = 0; i < 2; i++) {
            MPI_Irecv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
            MPI_Send(out, 3, strided, next(1), TAG, MPI_COMM_WORLD);
            expect(next(1), 3LL * 4 * length * (long long)sizeof(int));
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Type_free(&strided);
        tag++;
    }
}

/* Open MPI 4.1 and MPICH 4.0 never cancel a send: it stays what it was, traffic. */
static void cancelled(void)
{
    static char large[1 << 20], got[1 << 20];
    MPI_Request request;
    MPI_Status status;
    int is_cancelled;
    MPI_Isend(large, sizeof large, MPI_BYTE, next(1), TAG, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Recv(got, sizeof got, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    if (!is_cancelled)
        expect(next(1), sizeof large);
    tag++;
}

/* Ranks of a split in reverse order, of its duplicate, and of one that was freed before: handles
 * are used again by MPI. */
static void sub_communicators(void)
{
    for (int round = 0; round < 3; round++) {
        MPI_Comm half, twin;
        int half_rank, half_size;
        MPI_Comm_split(MPI_COMM_WORLD, (rank + round) % 2, -rank, &half);
        MPI_Comm_dup(half, &twin);
        MPI_Comm_rank(twin, &half_rank);
        MPI_Comm_size(twin, &half_size);
        int to = (half_rank + 1) % half_size, world;
        MPI_Group all, ours;
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Comm_group(twin, &ours);
        MPI_Group_translate_ranks(ours, 1, &to, all, &world);
        MPI_Group_free(&all);
        MPI_Group_free(&ours);
        MPI_Request request;
        MPI_Irecv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, twin, &request);
        MPI_Send(out, 50 + round, MPI_BYTE, to, TAG, twin);
        expect(world, 50 + round);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&half);
        MPI_Comm_free(&twin);
    }
}

/* Lower half and upper half; rank i of one talks to rank i of the other. */
static void between_communicators(void)
{
    MPI_Comm half, between;
    int upper = rank >= size / 2, half_rank, remote;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, TAG, &between);
    MPI_Comm_rank(half, &half_rank);
    MPI_Comm_remote_size(between, &remote);
    if (half_rank < remote && size % 2 == 0) {
        MPI_Request request;
        MPI_Irecv(in, MOST, MPI_BYTE, half_rank, TAG, between, &request);
        MPI_Send(out, 33, MPI_BYTE, half_rank, TAG, between);
        expect(upper ? rank - size / 2 : rank + size / 2, 33);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    static char buffer[8 * (MOST + MPI_BSEND_OVERHEAD)];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int for_oracle = argc > 2 && strcmp(argv[2], "for-oracle") == 0;
    blocking();
    MPI_Buffer_attach(buffer, sizeof buffer);
    nonblocking(MPI_Isend, 1, 10);
    nonblocking(MPI_Issend, 2, 20);
    nonblocking(MPI_Ibsend, 3, 30);
    nonblocking(MPI_Irsend, 1, 40);
    if (!for_oracle) {
        persistent(MPI_Send_init, 1, 7, 3);
        persistent(MPI_Ssend_init, 2, 8, 2);
        persistent(MPI_Bsend_init, 3, 9, 1);
        persistent(MPI_Rsend_init, 1, 10, 2);
    }
    exchanges();
    derived_types();
    cancelled();
    sub_communicators();
    if (!for_oracle) /* MPI_Intercomm_create itself sends, which monitoring counts as ours */
        between_communicators();
    int bytes;
    void *address;
    MPI_Buffer_detach(&address, &bytes);
    expect_write(argv[1], rank);
    MPI_Finalize();
    return 0;
}
