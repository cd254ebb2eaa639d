/* SPDX-License-Identifier: BSD-3-Clause */
/* calls-for-tools.c - what counting-tool.c wraps and what it does not, with messages of known
 * size. Each rank says on standard output what it got, rank 0 also what the tool has to report. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static int partner(int step)
{
    return (rank + step + size) % size;
}

/* A number of each rank, from the one to the left;
 * returns the sum over all ranks of what they got. */
static long ring(MPI_Comm comm)
{
    int mine[25], theirs[25], here, n;
    long got, sum = 0;
    MPI_Request request;
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &n);
    for (int i = 0; i < 25; i++)
        mine[i] = here * here + 1;
    MPI_Irecv(theirs, 25, MPI_INT, (here + n - 1) % n, 5, comm, &request);
    MPI_Send(mine, 25, MPI_INT, (here + 1) % n, 5, comm); /* 100 bytes */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    got = theirs[0] == (here + n - 1) % n * ((here + n - 1) % n) + 1 ? theirs[24] * (here + 1L)
                                                                     : -1000000;
    MPI_Allreduce(&got, &sum, 1, MPI_LONG, MPI_SUM, comm);
    return sum;
}

static void exchange(void)
{
    char out[30] = "", in[64];
    MPI_Request requests[2];
    MPI_Irecv(in, 64, MPI_CHAR, partner(-2), 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 30, MPI_CHAR, partner(2), 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 20, MPI_CHAR, partner(3), 7, in, 64, MPI_CHAR, partner(-3), 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Irecv(in, 64, MPI_CHAR, partner(-1), 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend(out, 10, MPI_CHAR, partner(1), 8, MPI_COMM_WORLD); /* which the tool does not know */
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    enum { TIMES = 3 };
    char word[16] = "";
    const int dims[1] = {0}, periods[1] = {1};
    int d[1] = {dims[0]};
    long sums[3] = {0, 0, 0};
    MPI_Comm copy, grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    d[0] = size;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Cart_create(MPI_COMM_WORLD, 1, d, periods, 1, &grid);
    for (int i = 0; i < TIMES; i++) {
        sums[0] += ring(MPI_COMM_WORLD);
        sums[1] += ring(copy);
        sums[2] += ring(grid);
        exchange();
    }
    MPI_Pcontrol(1, "seven77");
    strcpy(word, rank == 0 ? "hello" : "");
    MPI_Bcast(word, 16, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) {
        if (r == rank) {
            printf("%d: %s %ld %ld %ld\n", rank, word, sums[0], sums[1], sums[2]);
            fflush(stdout);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&grid);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
