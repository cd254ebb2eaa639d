/* SPDX-License-Identifier: BSD-3-Clause */
/* session-recorder.h - recording between the first session of a process and its last one. When
 * that is, sessions.c finds out. */
#ifndef RESEAT_SESSION_RECORDER_H
#define RESEAT_SESSION_RECORDER_H

#include <mpi.h>

#include "format/settings.h"

/* Before the first of them: tell the other processes that this one has the library; returns how
 * long they may be waited for, in seconds. */
int session_recorder_announce(void);

/* Begin, with the processes of mpi://WORLD: returns what the user wants, and in *records whether
 * anything is recorded. */
enum reseat_mode session_recorder_record(MPI_Group world, int *records);

/* Say what was not done: `missing`, if not NULL, and that nothing was reordered. */
void session_recorder_end(const char *missing);

#endif
