/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * abi.c - the choices of the MPI that a program of the standard ABI runs on, which is known by its
 * release only: those of tuned.c and mpich.c, compiled under other names (choices.h).
 */
#include <string.h>

#include "collectives/choices.h"

#define ABI_DECLARE(mpi)                            \
    int mpi##_choices_release(const char *version); \
    const char *mpi##_choices_name(int release);    \
    int mpi##_empty_blocks_travel(const struct call *call, enum vector collective, int release);
ABI_DECLARE(openmpi)
ABI_DECLARE(mpich)

#define ABI_CHOOSE(name)                          \
    void openmpi_##name(const struct call *call); \
    void mpich_##name(const struct call *call);   \
    void name(const struct call *call)            \
    {                                             \
        if (call->release >= CHOICES_OPENMPI)     \
            openmpi_##name(call);                 \
        else                                      \
            mpich_##name(call);                   \
    }
ABI_CHOOSE(choose_barrier)
ABI_CHOOSE(choose_bcast)
ABI_CHOOSE(choose_reduce)
ABI_CHOOSE(choose_allreduce)
ABI_CHOOSE(choose_gather)
ABI_CHOOSE(choose_scatter)
ABI_CHOOSE(choose_allgather)
ABI_CHOOSE(choose_allgatherv)
ABI_CHOOSE(choose_alltoall)
ABI_CHOOSE(choose_reduce_scatter)
ABI_CHOOSE(choose_reduce_scatter_block)
ABI_CHOOSE(choose_scan)

int choices_release(const char *library_version)
{
    return strncmp(library_version, "Open MPI", 8) == 0 ? openmpi_choices_release(library_version)
                                                        : mpich_choices_release(library_version);
}

const char *choices_name(int release)
{
    return release >= CHOICES_OPENMPI ? openmpi_choices_name(release) : mpich_choices_name(release);
}

int empty_blocks_travel(const struct call *call, enum vector collective, int release)
{
    return release >= CHOICES_OPENMPI ? openmpi_empty_blocks_travel(call, collective, release)
                                      : mpich_empty_blocks_travel(call, collective, release);
}
