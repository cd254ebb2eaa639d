/* SPDX-License-Identifier: BSD-3-Clause */
/* sequential-mpi.c - an MPI for one process, as sequential builds of libraries contain it (MUMPS'
 * libmpiseq): functions with MPI's names that do nothing. -DPROGRAM: a program that uses it. */
#ifndef PROGRAM
int MPI_Init(int *argc, char ***argv);
int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
int MPI_Comm_rank(int comm, int *rank);
int MPI_Comm_rank(int comm, int *rank)
{
    *rank = comm - comm;
    return 0;
}
int MPI_Finalize(void);
int MPI_Finalize(void)
{
    return 0;
}
#else
#include <stdio.h>
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(int comm, int *rank);
int MPI_Finalize(void);
int main(int argc, char **argv)
{
    int rank = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(0, &rank);
    printf("rank %d\n", rank);
    return MPI_Finalize();
}
#endif
