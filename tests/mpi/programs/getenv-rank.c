/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * getenv-rank.c - asks its environment for a rank, before MPI_Init, after it, or on the last rank
 * alone, or only for other things; sends a message around. Or asks for each of the names that it
 * is given.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *ask(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank ? rank : secure_getenv("PMI_RANK");
}

int main(int argc, char **argv)
{
    const char *when = argc > 1 ? argv[1] : "never";
    const char *asked = strcmp(when, "before") == 0 ? ask() : NULL;
    int rank, size, in;
    for (int i = 2; strcmp(when, "each") == 0 && i < argc; i++)
        getenv(argv[i]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(when, "last") == 0 && rank == size - 1)
        asked = ask();
    if (strcmp(when, "never") == 0 && (!getenv("PATH") || getenv("RESEAT_NO_SUCH_VARIABLE")))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (asked && atoi(asked) != rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
