/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime.h - the state of the preloaded library in this process: the user's settings and this
 * process's rank; and what both ways of recording share, from MPI_Init to MPI_Finalize
 * (lifecycle.h) or from the first session to the last (session-recorder.h).
 */
#ifndef RESEAT_RUNTIME_H
#define RESEAT_RUNTIME_H

#include <mpi.h>

#include "profile/settings.h"

struct runtime {
    struct reseat_settings settings;
    int rank;         /* in MPI_COMM_WORLD, or in mpi://WORLD */
    int all;          /* all ranks of MPI_COMM_WORLD are known to take part */
    int is_reordered; /* they have a better order */
};
extern struct runtime runtime __attribute__((visibility("hidden")));

/* Read settings from the environment; warnings go to standard error if `is_heard`. */
void runtime_read_settings(struct reseat_settings *settings, int is_heard);

/* One line on standard error from rank 0, if RESEAT_VERBOSE is at least `verbose`. */
void runtime_say(int verbose, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns RESEAT_MODE_*, or-ed: of the mode, what may be done by the decision of this rank's
 * command (src/cmd/auto), which the others do not know yet. */
int runtime_decision(void);

/* Tell `reseat verify` whether this job was reordered, if it asks (src/cmd/verify/run-outputs.c).
 * Returns is_reordered. */
int runtime_outcome(int is_reordered);

/* From now on the job runs, and the time in MPI is measured unless the user wants none. */
void runtime_start_clock(void);

/* Write the profile; collective over *own, which has all ranks. `sessions`: the program uses them,
 * and not MPI_Init; then several threads may write at the same time, in another order on another
 * rank, so only rank 0 may make one wait for another, and each process finds its own place. Frees
 * *own, but not if a message of it may still come: MPICH 5 then ends the job. */
void runtime_write_profile(MPI_Comm *own, int sessions);

/* Stop recording, and forget what was recorded. */
void runtime_stop_recording(void);

#endif
