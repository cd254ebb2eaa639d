/* SPDX-License-Identifier: BSD-3-Clause */
/* far-partners.c - rank r exchanges much with r + n/2, so launch by slot is the worst case. Prints
 * how many of the pairs share a node of RANKS_PER_NODE processes in launch order, and what rank 0
 * read. Usage: far-partners RANKS_PER_NODE [ROUNDS] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char data[10000], got[10000];
    int rank, size, mine, theirs, near = 0, all = 0, input = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int partner = (rank + size / 2) % size;
    int rounds = argc > 2 ? atoi(argv[2]) : 20;
    for (int i = 0; i < rounds; i++)
        MPI_Sendrecv(data, sizeof data, MPI_CHAR, partner, 0, got, sizeof got, MPI_CHAR, partner, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const char *launched = getenv("OMPI_COMM_WORLD_RANK");
    launched = launched ? launched : getenv("PMI_RANK");
    mine = launched ? atoi(launched) / atoi(argv[1]) : -1;
    MPI_Sendrecv(&mine, 1, MPI_INT, partner, 1, &theirs, 1, MPI_INT, partner, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    near = mine == theirs;
    MPI_Reduce(&near, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && scanf("%d", &input) != 1)
        input = -1;
    if (rank == 0)
        printf("%d of %d near, input %d\n", all, size, input);
    MPI_Finalize();
    return 0;
}
