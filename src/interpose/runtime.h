/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime.h - the state of the preloaded library in this process: what the user wants of it and
 * who it is; and what all ways of recording do with that, be it from MPI_Init to MPI_Finalize
 * (lifecycle.h) or from the first session to the last (session-recorder.h).
 */
#ifndef RESEAT_RUNTIME_H
#define RESEAT_RUNTIME_H

#include <mpi.h>

#include "format/settings.h"

struct runtime {
    struct reseat_settings settings;
    int rank; /* in MPI_COMM_WORLD, or in mpi://WORLD */
};
extern struct runtime runtime __attribute__((visibility("hidden")));

/* Read settings from the environment; warnings go to standard error if they are heard. */
void runtime_read_settings(struct reseat_settings *settings, int is_heard);

/* One line on standard error from rank 0, if RESEAT_VERBOSE is at least `verbose`. */
void runtime_say(int verbose, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tell `reseat verify` whether this job was reordered (src/cmd/verify-output.c), where it asks.
 * Returns is_reordered. */
int runtime_outcome(int is_reordered);

/* Write the profile; collective over `own`, which has all ranks. `threads`: others may come at the
 * same time, and in another order at another rank: none but rank 0 may let one wait for another, and
 * each process looks for its place by itself. */
void runtime_write_profile(MPI_Comm own, int threads);

/* Nothing is recorded any more, and what was is forgotten. */
void runtime_stop_recording(void);

#endif
