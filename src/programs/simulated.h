/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simulated.h - what a rank learns about its node that is simulated, included before all else where
 * programs are built for SimGrid. Clocks and naps are already the simulator's (by what smpicc
 * includes).
 */
#ifndef RESEAT_SIMULATED_H
#define RESEAT_SIMULATED_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* gethostname: of the host in the platform. */
static inline int simulated_host(char *name, size_t size)
{
    char whole[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    if (MPI_Get_processor_name(whole, &length) != MPI_SUCCESS)
        return -1;
    snprintf(name, size, "%s", whole);
    return 0;
}

#define gethostname(name, size) simulated_host(name, size)
#define sysconf(name) INT32_MAX       /* processors: nothing is computed */
#define MPI_Pcontrol(level) ((void)0) /* SimGrid has none, and nobody records */

#endif
