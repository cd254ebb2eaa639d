/* SPDX-License-Identifier: BSD-3-Clause */
/* profiler.h - the life of the profiler, as src/interpose sees it. All run with the guard up. */
#ifndef RESEAT_PROFILER_H
#define RESEAT_PROFILER_H

#include "format/error.h"
#include "format/settings.h"
#include "profiler/traffic.h"

/* What the profile says about the run, besides what is found out here, and how it is gathered. */
struct profiler_run {
    MPI_Comm own;     /* of all ranks in the order of MPI_COMM_WORLD, for the gathering */
    const char *path; /* where the profile goes */
    const char *mpi;  /* "Open MPI 4.1.4" */
    int arguments;    /* of the program are written: people have passwords there */
    /* The place of this process in its node, -1 at each level where *why says what is wrong;
     * collective over all ranks. NULL: each process looks for its own, as it must where several
     * threads may write. */
    void (*find_place)(MPI_Comm all, struct tmap_place *place, struct tmap_error *why);
};

/* Begin: domains of this process; roles are the ranks of `world`. `threads`: several threads may
 * call MPI at once. Local. 0, or -1 when MPI or memory fails; then nothing is left. */
int profiler_start(MPI_Group world, int threads);

/* Then: where the messages of collectives come from; monitoring_source has what it came to.
 * Collective over `launched`, all ranks in launch order, unless `collectives` is the model or off:
 * then it may be MPI_COMM_NULL. */
void profiler_listen(enum reseat_collectives collectives, MPI_Comm launched);

/*
 * Gather all rows and write the profile once. Collective over run->own. Rank 0 asks each process in turn and streams what it
 * gets: it never holds more than one row of the matrix and one identity per domain. Returns, on
 * rank 0, 0 or -1 with *error filled, and in *entries the number of rows written; elsewhere 0. A
 * profile that was there before is replaced only by a complete one. What has been recorded stays,
 * and other threads may go on recording: what they add may be in the profile or not. They may also
 * write, each on another communicator, at rank 0 one after the other: the last one there has what
 * was recorded before any of them began.
 */
int profiler_write(const struct profiler_run *run, size_t *entries, struct reseat_error *error);

/* How collectives are counted, as the header of the profile has it. */
const char *profiler_collectives(void);

/* How many messages have been recorded, of all kinds. */
uint64_t profiler_messages(void);

/* Whether nothing has been recorded since the last writing that could be missing. */
int profiler_has_written_all(void);

/* Forget all; before MPI_Finalize. */
void profiler_stop(void);

#endif
