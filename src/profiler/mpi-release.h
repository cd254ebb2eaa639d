/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-release.h - the release of the MPI library that runs, which may be another one than we were built with. */
#ifndef RESEAT_MPI_RELEASE_H
#define RESEAT_MPI_RELEASE_H

/* As choices_release (collectives/choices.h) has it. MPI is asked once. */
int mpi_release(void);

#endif
