/* SPDX-License-Identifier: BSD-3-Clause */
/* reorder.h - give the processes of a new topology communicator better roles. */
#ifndef RESEAT_REORDER_H
#define RESEAT_REORDER_H

#include <mpi.h>

#include "profile/settings.h"
#include "reorder/pattern.h"

/*
 * `plain` is a communicator with a topology (distributed graph, grid, graph) in launch order that
 * was just created and is not used otherwise. On return *newcomm is either plain itself, or a
 * communicator in which the process with rank r plays role r for a better order, and plain has been
 * freed. Collective over plain. Returns whether it was reordered; after any failure the launch
 * order stays.
 *
 * With RESEAT_VERBOSE >= 1 rank 0 prints one line on standard error: what was decided, and why.
 */
int reorder_topology(MPI_Comm plain, MPI_Info info, const struct lineage *lineage,
                     const struct reseat_settings *settings, MPI_Comm *newcomm);

/*
 * A communicator with the processes of MPI_COMM_WORLD in a better order by the profile, or in the
 * order that the settings name. MPI_COMM_NULL: the launch order stays, and the reason has been
 * printed. Rank 0 stays rank 0, unless the settings name an order. Collective, where all ranks are
 * in MPI_Init: no receive of the program can match what is sent. `since`: when the time began that
 * the line tells (base/clock.h).
 */
MPI_Comm reorder_world(const struct reseat_settings *settings, double since);

#endif
