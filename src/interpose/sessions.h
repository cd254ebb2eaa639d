/* SPDX-License-Identifier: BSD-3-Clause */
/* sessions.h - recording a program that uses sessions (MPI-4) and not MPI_Init. The functions of
 * MPI themselves are in override.h. With an MPI that has no sessions all do nothing. */
#ifndef RESEAT_SESSIONS_H
#define RESEAT_SESSIONS_H

#include <mpi.h>

#include "format/settings.h"

/* MPI_Init has come after all: the recorder is its own now. Collective over all processes. */
void sessions_give_way(void);

/* A communicator is about to be freed, or, which says that all its members are there,
 * disconnected. */
void sessions_communicator_ends(MPI_Comm comm, int disconnects);

#endif
