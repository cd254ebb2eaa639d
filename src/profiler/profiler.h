/* SPDX-License-Identifier: BSD-3-Clause */
/* profiler.h - the life of the profiler, as src/interpose sees it. All are collective over
 * MPI_COMM_WORLD and run with the guard up. */
#ifndef RESEAT_PROFILER_H
#define RESEAT_PROFILER_H

#include "format/error.h"
#include "format/settings.h"
#include "profiler/traffic.h"

/* What the profile says about the run, besides what is found out here, and how it is gathered. */
struct profiler_run {
    MPI_Comm own;     /* of all ranks, for the gathering; MPI_COMM_NULL: profiler_start has it */
    const char *path; /* where the profile goes */
    const char *mpi;  /* "Open MPI 4.1.4" */
    int arguments;    /* of the program are written: people have passwords there */
    /* The place of this process in its node, -1 at each level where *why says what is wrong;
     * collective over all ranks. NULL: each process looks for its own, as it must where several
     * threads may write. */
    void (*find_place)(MPI_Comm all, struct tmap_place *place, struct tmap_error *why);
};

/* Begin: domains of this process. `own`, a communicator of all ranks for the gathering, in the
 * order of MPI_COMM_WORLD, now belongs to the profiler; `launched` has them in launch order.
 * `collectives`: where their messages come from; monitoring_source has what it came to. `threads`:
 * several threads may call MPI at once. 0, or -1 on all ranks when MPI or memory fails on one; then
 * nothing is left and `own` is freed. */
int profiler_start(MPI_Comm own, MPI_Comm launched, enum reseat_collectives collectives,
                   int threads);

/* The same for a process by itself, before it is known when all can be met: roles are the ranks of
 * `world`. Local. For profiler_write all have to give a communicator. */
int profiler_start_alone(MPI_Group world, enum reseat_collectives collectives);

/*
 * Gather all rows and write the profile once. Rank 0 asks each process in turn and streams what it
 * gets: it never holds more than one row of the matrix and one identity per domain. Returns, on
 * rank 0, 0 or -1 with *error filled, and in *entries the number of rows written; elsewhere 0. A
 * profile that was there before is replaced only by a complete one. What has been recorded stays,
 * and other threads may go on recording: what they add may be in the profile or not. They may also
 * write, each on another communicator, at rank 0 one after the other: the last one there has what
 * was recorded before any of them began.
 */
int profiler_write(const struct profiler_run *run, size_t *entries, struct reseat_error *error);

/* How many messages have been recorded, of all kinds. */
uint64_t profiler_messages(void);

/* Whether nothing has been recorded since the last writing that could be missing. */
int profiler_has_written_all(void);

/* Forget all; before MPI_Finalize. */
void profiler_stop(void);

#endif
