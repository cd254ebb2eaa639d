/* SPDX-License-Identifier: BSD-3-Clause */
/* sessions.h - recording a program that uses sessions (MPI-4) instead of MPI_Init. The functions of
 * MPI are in override.h. With an MPI without sessions all of these do nothing. */
#ifndef RESEAT_SESSIONS_H
#define RESEAT_SESSIONS_H

#include <mpi.h>

#include "profile/settings.h"

/* MPI_Init has been called after all, and takes over the recorder. Collective over all
 * processes. */
void sessions_give_way(void);

/* A communicator is about to be freed or disconnected; when it is disconnected, all its members are
 * there. */
void sessions_communicator_ends(MPI_Comm comm, int disconnects);

#endif
