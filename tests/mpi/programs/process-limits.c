/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process-limits.c - HOW...: a ring in an unfriendly place. `size`: no file may grow beyond
 * 100 bytes; `pipe`: standard error is not read; `start COMMAND`: rank 0 starts a program.
 * Signals are afterwards as they were before.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void close_standard_error(void)
{
    int ends[2];
    if (pipe(ends) == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
    }
}

static int are_signals_as_before(const sigset_t *mask)
{
    sigset_t now, pending;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    sigpending(&pending);
    int same = 1;
    for (int signal = 1; signal < 32; signal++)
        same &= sigismember(mask, signal) == sigismember(&now, signal);
    return same && !sigismember(&pending, SIGXFSZ) && !sigismember(&pending, SIGPIPE);
}

int main(int argc, char **argv)
{
    const struct rlimit limit = {100, 100};
    int rank, size, in = 0, out = 1;
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    if (argc > 1 && strcmp(argv[1], "pipe") == 0)
        close_standard_error();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "size") == 0)
        setrlimit(RLIMIT_FSIZE, &limit);
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int rc = argc > 2 && strcmp(argv[1], "start") == 0 && rank == 0 ? system(argv[2]) : 0;
    MPI_Finalize();
    if (rank == 0)
        puts(rc == 0 && in == 1 && are_signals_as_before(&mask) ? "fine" : "not fine");
    return 0;
}
