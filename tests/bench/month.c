/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * month.c - the programs of month.sh. In each step a rank works, one of them a third longer than
 * the others, and exchanges data with the rank whose number differs in the bits of MASK. The file
 * INPUT has these numbers: MILLISECONDS BYTES MASK STEPS.
 *
 *   mpicc -rdynamic -DBUILD=1 -o month month.c
 *   mpirun -n 8 ./month INPUT
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void rest(long nanoseconds)
{
    const struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&time, NULL);
}

/* Open MPI calls this while it waits: ranks that wait leave the few processors to others. */
int sched_yield(void)
{
    rest(200000);
    return 0;
}

int main(int argc, char **argv)
{
    int rank, ranks, milliseconds, bytes, mask, steps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    FILE *input = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!input || fscanf(input, "%d %d %d %d", &milliseconds, &bytes, &mask, &steps) != 4 ||
        bytes < 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
    fclose(input);
    const long work = milliseconds * 1000000L;
    const int partner = rank ^ mask;
    char *out = calloc((size_t)bytes, 1), *in = calloc((size_t)bytes, 1);
    if (!out || !in || partner < 0 || partner >= ranks)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int step = 0; step < steps; step++) {
        rest(rank == step % ranks ? work : work / 4 * 3);
        MPI_Sendrecv(out, bytes, MPI_CHAR, partner, 0, in, bytes, MPI_CHAR, partner, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("build %d: %d steps\n", BUILD, steps);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
