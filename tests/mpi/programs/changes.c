/* SPDX-License-Identifier: BSD-3-Clause */
/* changes.c - a pattern that changes without a word: `changes SECONDS [STRIDE...]`. Each rank sends to the one 1 further on
 * for so long, then for as long to the one STRIDE further on, and so on, 1,000 bytes each millisecond or so. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static char out[1000], in[1000];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const double seconds = atof(argv[1]), start = MPI_Wtime();
    for (int part = 1; part < argc; part++) {
        int stride = part > 1 ? atoi(argv[part]) : 1, go = 1;
        while (go) { /* rank 0 says how long */
            MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + stride) % size, 0, in, sizeof in,
                         MPI_CHAR, (rank + size - stride) % size, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            usleep(1000);
            go = MPI_Wtime() - start < part * seconds;
            MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
