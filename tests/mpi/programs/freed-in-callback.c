/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * freed-in-callback.c - a communicator and a window that the delete callback of an attribute frees,
 * as libraries do that attach one of their own to that of the application. MPI then reuses their
 * handles: for all ranks, where there were two before. What is sent then: 4 times 25 bytes of each
 * rank to the one before by MPI_Send, 30 to the next by MPI_Put. Usage: freed-in-callback
 * communicator|window
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { NEXT = 4 }; /* of those one has the handle */
static MPI_Comm inner;
static MPI_Win inner_window;
static char memory[200];
static int rank, size;

static int free_communicator(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    return MPI_Comm_free(&inner);
}

static int free_window(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    return MPI_Win_free(&inner_window);
}

/* Free `outer`, with what its attribute has. */
static void end(MPI_Comm_delete_attr_function *delete, MPI_Comm outer)
{
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keyval, NULL);
    MPI_Comm_set_attr(outer, keyval, NULL);
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_free(&outer);
}

static int communicator(MPI_Comm outer, MPI_Comm half)
{
    MPI_Comm before = inner = half, all[NEXT];
    MPI_Request request;
    int me, again = 0;
    MPI_Comm_rank(half, &me);
    MPI_Sendrecv(memory, 0, MPI_BYTE, me ^ 1, 0, memory, 0, MPI_BYTE, me ^ 1, 0, half,
                 MPI_STATUS_IGNORE);
    MPI_Send(memory, 0, MPI_BYTE, MPI_PROC_NULL, 0, half);
    end(free_communicator, outer);
    for (int i = 0; i < NEXT; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &all[i]);
        MPI_Comm_rank(all[i], &me);
        MPI_Irecv(memory, 25, MPI_BYTE, MPI_ANY_SOURCE, 1, all[i], &request);
        MPI_Send(memory + 100, 25, MPI_BYTE, (me + 1) % size, 1, all[i]);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        again |= all[i] == before;
    }
    for (int i = 0; i < NEXT; i++)
        MPI_Comm_free(&all[i]);
    return again;
}

static int window(MPI_Comm outer, MPI_Comm half)
{
    MPI_Win all;
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, half, &inner_window);
    MPI_Win before = inner_window;
    end(free_window, outer);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &all);
    MPI_Win_fence(0, all);
    MPI_Put(memory + 100, 30, MPI_BYTE, (rank + 1) % size, 0, 30, MPI_BYTE, all);
    MPI_Win_fence(0, all);
    int again = all == before;
    MPI_Win_free(&all);
    return again;
}

int main(int argc, char **argv)
{
    MPI_Comm outer, half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &outer);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    int is_window = argc > 1 && strcmp(argv[1], "window") == 0;
    int again = is_window ? window(outer, half) : communicator(outer, half);
    if (rank == 0)
        puts(again ? "the same handle" : "another handle");
    MPI_Finalize();
    return 0;
}
