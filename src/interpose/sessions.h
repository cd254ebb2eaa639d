/* SPDX-License-Identifier: BSD-3-Clause */
/* sessions.h - recording a program that uses sessions (MPI-4) and not MPI_Init. The functions of
 * MPI themselves are in hand.h. With an MPI that has no sessions all do nothing. */
#ifndef RESEAT_SESSIONS_H
#define RESEAT_SESSIONS_H

#include <mpi.h>

#include "format/settings.h"

/* MPI_Init has come after all: the recorder is its own now. Collective over all processes. */
void sessions_give_way(void);

/* A communicator is about to be freed, or, which says that all its members are there,
 * disconnected. */
void sessions_communicator_ends(MPI_Comm comm, int disconnects);

/* What hand.c does for the recorder of sessions. Before the first of them: tell the other processes
 * that this one has the library; returns how long they may be waited for, in seconds. */
int hand_announce_sessions(void);
/* Begin, with the processes of mpi://WORLD: returns what the user wants,
 * and in *records whether anything is recorded. */
enum reseat_mode hand_record_sessions(MPI_Group world, int *records);
/* Write what has been recorded so far; collective over `own`, which has all of mpi://WORLD in its
 * order. */
void hand_write_sessions(MPI_Comm own);
/* Say what was not done: `missing`, if not NULL, and that nothing was reordered. */
void hand_end_sessions(const char *missing);
void hand_stop_sessions(void);

#endif
