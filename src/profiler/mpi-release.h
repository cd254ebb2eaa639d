/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-release.h - the release of the MPI library that is loaded, not of the one we were built
 * with. */
#ifndef RESEAT_MPI_RELEASE_H
#define RESEAT_MPI_RELEASE_H

/* In the form of choices_release (collectives/choices.h). MPI is asked once. */
int mpi_release(void);

#endif
