/* SPDX-License-Identifier: BSD-3-Clause */
/* print-error.c - a line on standard error, after MPI_Init. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    fputs("to standard error\n", stderr);
    MPI_Finalize();
    return 0;
}
