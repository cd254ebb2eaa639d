/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.h - what the programs of these tests print: a line for each rank. */
#ifndef LINES_H
#define LINES_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 256 };

/* Collective: rank 0 prints the lines of all in order of rank, then `that is all`. */
static void print_lines(const char line[LINE])
{
    char *all = NULL;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        all = malloc((size_t)size * LINE);
    MPI_Gather(line, LINE, MPI_CHAR, all, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; all && i < size; i++)
        puts(all + (size_t)i * LINE);
    if (rank == 0)
        puts("that is all");
    fflush(stdout);
    free(all);
}

#endif
