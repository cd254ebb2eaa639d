/* SPDX-License-Identifier: BSD-3-Clause */
/* profiler.h - the life of the profiler, as src/interpose sees it. All run with the guard up. */
#ifndef RESEAT_PROFILER_H
#define RESEAT_PROFILER_H

#include "text/error.h"
#include "network/location.h"
#include "profile/settings.h"
#include "profiler/traffic.h"
#include "comm/rank-tree.h"

/* Facts about the run that the profiler does not find out itself, and how they are gathered. */
struct profiler_run {
    MPI_Comm own;     /* of all ranks in the order of MPI_COMM_WORLD, for the gathering */
    const char *path; /* where the profile goes */
    const char *mpi;  /* "Open MPI 4.1.4" */
    double patience;  /* seconds that a rank may take to answer: RESEAT_WAIT */
    const char *const *time_kinds; /* names of the kinds of run-time.h, up to NULL */
    int arguments;                 /* write those of the program (people put passwords there) */
    const char *job;               /* of the command, for the header `job`; NULL: none */
    char *left; /* PATH_MAX bytes, which get rank 0's `path` if that has a `job`, on all ranks */
    const char *reordered; /* for the header `reordered`; NULL: none */
    int sessions;          /* the program uses them, and not MPI_Init: a header says so */
    int *has_leftovers;    /* gets 1 if messages in `own` may still come, which nobody receives */
    /* Finds the place of this process in its node, and at one process of each node its
     * accelerators; collective over all ranks. When it fails, the place is -1 at each level and
     * *why has the error. NULL: each process finds its own place without the others, as it must
     * when several threads may write, and nobody the accelerators. */
    void (*find_place)(struct rank_tree *all, struct reseat_location *location,
                       struct tmap_error *why);
};

/* Start recording; roles are the ranks of `world`. `threads`: several threads may call MPI at once.
 * Local. 0, or -1 when MPI fails or memory runs out; then nothing is left allocated. */
int profiler_start(MPI_Group world, int threads);

/* Second step: find out where the messages of collectives can be taken from; the result is in
 * monitoring_source. Collective over `launched`, all ranks in launch order, unless `collectives` is
 * the model or off: then it may be MPI_COMM_NULL. */
void profiler_listen(enum reseat_collectives collectives, MPI_Comm launched);

/*
 * Gather all rows and write the profile once. Collective over run->own. Rank 0 asks all processes
 * and streams the answers into the file: it never holds more than one row of the matrix, some
 * pieces of others (relay.h), and one identity per domain. Returns, on rank 0, 0 or -1 with *error
 * filled, and in *entries the number of rows written; elsewhere 0. An existing profile is replaced
 * only by a complete one. The records are kept, and other threads may go on recording: what they
 * add may be in the profile or not. Several threads may write at once, each with a communicator of
 * its own, but at rank 0 only one after the other: the last profile there has everything that was
 * recorded before any of them began.
 */
int profiler_write(const struct profiler_run *run, size_t *entries, struct reseat_error *error);

/* Of this job no profile is written any more, whatever process writes it: its program has called
 * MPI_Abort, after which some MPIs let the processes go on until the launcher ends them (MPICH
 * 4.2). */
void profiler_give_up(void);

/* The way in which collectives are counted, in the words of the profile's header. */
const char *profiler_collectives(void);

/* Number of messages recorded, of all kinds. */
uint64_t profiler_messages(void);

/* Returns 1 if the last profile has everything that was recorded. */
int profiler_has_written_all(void);

/* Forget everything; call it before MPI_Finalize. */
void profiler_stop(void);

#endif
