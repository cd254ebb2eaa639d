/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-release.h - the release of the MPI library that is loaded, not of the one we were built
 * with. */
#ifndef RESEAT_MPI_RELEASE_H
#define RESEAT_MPI_RELEASE_H

#include <mpi.h>

#include "collectives/choices.h"

/* In the form of choices_release (collectives/choices.h). MPI is asked once. */
int mpi_release(void);

/* Returns 1 if the MPI is Open MPI: known when we are built, but not with the standard ABI. */
static inline int mpi_is_openmpi(void)
{
#if defined OPEN_MPI
    return 1;
#elif defined MPICH_VERSION
    return 0;
#else
    return mpi_release() >= CHOICES_OPENMPI;
#endif
}

#endif
