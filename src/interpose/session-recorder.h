/* SPDX-License-Identifier: BSD-3-Clause */
/* session-recorder.h - recording between the first session of a process and its last one, as
 * sessions.c finds them. */
#ifndef RESEAT_SESSION_RECORDER_H
#define RESEAT_SESSION_RECORDER_H

#include <mpi.h>

#include "profile/settings.h"

/* Before the first session: tell the other processes that this one has the library. Returns for how
 * many seconds to wait for them. */
int session_recorder_announce(void);

/* Begin, with the processes of mpi://WORLD. Returns the mode that the user wants, and in *records
 * whether anything is recorded. */
enum reseat_mode session_recorder_record(MPI_Group world, int *records);

/* Print what was not done: `missing`, if not NULL, and that nothing was reordered. */
void session_recorder_end(const char *missing);

#endif
