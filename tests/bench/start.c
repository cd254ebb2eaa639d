/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start - milliseconds of MPI_Init, and of MPI_Dist_graph_create_adjacent for a torus whose rows
 * are far apart, of the slowest rank; then one message along each edge, so that there is a profile.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank, size, got, out[4], in[4];
    double start = now(), took[2], most[2];
    MPI_Comm torus;
    MPI_Init(&argc, &argv);
    took[0] = now() - start;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int step[4] = {1, size - 1, size / 4, size - size / 4};
    for (int i = 0; i < 4; i++) {
        out[i] = (rank + step[i]) % size;
        in[i] = (rank + size - step[i]) % size;
    }
    const int weights[4] = {1, 1, 1000, 1000};
    MPI_Barrier(MPI_COMM_WORLD);
    start = now();
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, in, weights, 4, out, weights, MPI_INFO_NULL,
                                   1, &torus);
    took[1] = now() - start;
    MPI_Reduce(took, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
        MPI_Sendrecv(&rank, 1, MPI_INT, out[i], 0, &got, 1, MPI_INT, in[i], 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%.2f %.2f\n", most[0], most[1]);
    MPI_Comm_free(&torus);
    MPI_Finalize();
    return 0;
}
