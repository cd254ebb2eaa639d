/* SPDX-License-Identifier: BSD-3-Clause */
/* finish.c - see finish.h. */
#include "programs/finish.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FINISH_SECONDS = 10 };

static void finish_anyway(int number)
{
    (void)number;
    _exit(0);
}

void finish_mpi(void)
{
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    signal(SIGALRM, finish_anyway);
    alarm(FINISH_SECONDS);
    MPI_Finalize();
}

void finish_without_memory(void)
{
    fputs("reseat: a rank is out of memory\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}
