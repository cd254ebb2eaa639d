/* SPDX-License-Identifier: BSD-3-Clause */
/* file-io.c - NAME: a collective write and a collective read of interleaved pieces that are
 * completed by each function that can, while each rank sends one message to the next. Messages that
 * MPI sends for the file are not counted as the program's, even if the program has sent the very
 * same before. `file-io`, without a name: all but the file. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { PIECES = 64, PIECE = 100, FUNCTIONS = 8 };

static int rank, size;

static int complete(int function, MPI_Request request[1])
{
    MPI_Status status[1];
    int done = 0, index[1];
    switch (function) {
    case 0:
        return MPI_Wait(request, status);
    case 1:
        return MPI_Waitall(1, request, status);
    case 2:
        return MPI_Waitany(1, request, index, status);
    case 3:
        return MPI_Waitsome(1, request, &done, index, status);
    case 4:
        while (!done)
            MPI_Test(request, &done, status);
        return 0;
    case 5:
        while (!done)
            MPI_Testall(1, request, &done, status);
        return 0;
    case 6:
        while (!done)
            MPI_Testany(1, request, index, &done, status);
        return 0;
    default:
        while (done <= 0)
            MPI_Testsome(1, request, &done, index, status);
        return 0;
    }
}

/* As files are opened. */
static void agree(void)
{
    int mine = 1, all;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void pass_on(int tag)
{
    int out = rank, in;
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, tag, &in, 1, MPI_INT,
                 (rank + size - 1) % size, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int use(const char *name)
{
    static char out[PIECES * PIECE], in[PIECES * PIECE];
    MPI_Datatype view;
    MPI_File file;
    int wrong = 0;
    MPI_Type_vector(PIECES, PIECE, PIECE * size, MPI_CHAR, &view);
    MPI_Type_commit(&view);
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file))
        return 1;
    MPI_File_set_view(file, (MPI_Offset)PIECE * rank, MPI_CHAR, view, "native", MPI_INFO_NULL);
    for (int function = 0; function < FUNCTIONS; function++) {
        MPI_Request request;
        memset(out, 1 + rank + function, sizeof out);
        MPI_File_iwrite_at_all(file, 0, out, sizeof out, MPI_CHAR, &request);
        pass_on(function);
        wrong += complete(function, &request);
        MPI_File_iread_at_all(file, 0, in, sizeof in, MPI_CHAR, &request);
        wrong += complete(function, &request);
        wrong += memcmp(in, out, sizeof out) != 0;
    }
    MPI_File_close(&file);
    MPI_Type_free(&view);
    return wrong;
}

int main(int argc, char **argv)
{
    int wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    agree();
    if (argc > 1)
        wrong = use(argv[1]);
    else
        for (int function = 0; function < FUNCTIONS; function++)
            pass_on(function);
    MPI_Finalize();
    return wrong != 0;
}
