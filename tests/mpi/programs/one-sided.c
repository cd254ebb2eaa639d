/* SPDX-License-Identifier: BSD-3-Clause */
/* one-sided.c - every kind of one-sided operation, in windows of the world and of halves of it;
 * each is recorded by own-books.h at the rank whose bytes travel. Usage: one-sided PREFIX */
#include <string.h>

#include "own-books.h"

static int rank, size;
static int table[64], mine[16];

/* A get moves bytes from the target to here: all ranks make the same calls, so each knows in
 * advance what the gets of others will make it send. */
static void fetched_by(int role, long long bytes)
{
    expect(role, bytes);
}

static int to(int step)
{
    return (rank + step) % size;
}

static int from(int step)
{
    return (rank + size - step) % size;
}

static void moves(MPI_Win win)
{
    MPI_Request request;
    MPI_Datatype pairs;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pairs); /* true size 8, extent 12 */
    MPI_Type_commit(&pairs);
    MPI_Win_lock_all(0, win);
    MPI_Put(mine, 3, MPI_INT, to(1), 0, 3, MPI_INT, win);
    expect(to(1), 12);
    MPI_Put(mine, 1, pairs, to(1), 4, 2, MPI_INT, win);
    expect(to(1), 8);
    MPI_Put(mine, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, win);
    MPI_Rput(mine, 5, MPI_INT, to(2), 0, 5, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(to(2), 20);
    MPI_Get(mine, 4, MPI_INT, to(1), 0, 4, MPI_INT, win);
    fetched_by(from(1), 16);
    MPI_Win_flush_all(win);
    MPI_Rget(mine, 6, MPI_INT, to(3), 0, 6, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    fetched_by(from(3), 24);
    MPI_Win_unlock_all(win);
    MPI_Type_free(&pairs);
}

static void accumulates(MPI_Win win)
{
    MPI_Request request;
    int result[16], operand = 1, compare = 2, old;
    MPI_Win_lock_all(0, win);
    MPI_Accumulate(mine, 2, MPI_INT, to(1), 8, 2, MPI_INT, MPI_SUM, win);
    expect(to(1), 8);
    MPI_Raccumulate(mine, 3, MPI_INT, to(1), 8, 3, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(to(1), 12);
    MPI_Get_accumulate(mine, 2, MPI_INT, result, 2, MPI_INT, to(1), 8, 2, MPI_INT, MPI_SUM, win);
    expect(to(1), 8);
    fetched_by(from(1), 8);
    MPI_Win_flush_all(win);
    MPI_Rget_accumulate(NULL, 0, MPI_INT, result, 5, MPI_INT, to(1), 8, 5, MPI_INT, MPI_NO_OP, win,
                        &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    fetched_by(from(1), 20);
    MPI_Fetch_and_op(&operand, &old, MPI_INT, to(1), 16, MPI_SUM, win);
    expect(to(1), 4);
    fetched_by(from(1), 4);
    MPI_Win_flush_all(win);
    MPI_Compare_and_swap(&operand, &compare, &old, MPI_INT, to(1), 16, win);
    expect(to(1), 8);
    fetched_by(from(1), 4);
    MPI_Win_unlock_all(win);
}

/* In a window of half the processes, ranks are others. */
static void halves(void)
{
    MPI_Comm half;
    MPI_Win win;
    int *memory, half_rank, half_size;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &half_rank);
    MPI_Comm_size(half, &half_size);
    MPI_Win_allocate(64 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, half, &memory, &win);
    MPI_Comm_free(&half); /* the window lives on */
    int target = (half_rank + 1) % half_size;
    int role = rank - 2 < 0 ? rank - 2 + size : rank - 2; /* ranks fall in the half */
    MPI_Win_fence(0, win);
    MPI_Put(mine, 7, MPI_INT, target, 0, 7, MPI_INT, win);
    expect(role, 28);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void dynamic(void)
{
    MPI_Win win;
    MPI_Aint address, theirs;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, table, sizeof table);
    MPI_Get_address(table, &address);
    MPI_Sendrecv(&address, 1, MPI_AINT, from(1), 0, &theirs, 1, MPI_AINT, to(1), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Put(mine, 9, MPI_INT, to(1), theirs, 9, MPI_INT, win);
    expect(to(1), 36);
    MPI_Win_fence(0, win);
    MPI_Win_detach(win, table);
    MPI_Win_free(&win);
}

/* MPICH 5.0.2 as Debian builds it shares no memory. */
static void shared(void)
{
    MPI_Win win;
    int *memory, unit = sizeof *memory;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rc = MPI_Win_allocate_shared(64 * unit, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (rc == MPI_SUCCESS && rank == 0)
        puts("shares memory");
    if (rc != MPI_SUCCESS)
        MPI_Win_allocate(64 * unit, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(mine, 11, MPI_INT, to(1), 0, 11, MPI_INT, win);
    expect(to(1), 44);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(table, sizeof table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    moves(win);
    MPI_Barrier(MPI_COMM_WORLD);
    accumulates(win);
    MPI_Win_free(&win);
    halves();
    dynamic();
    shared();
    expect_write(argv[1], rank);
    MPI_Finalize();
    return 0;
}
