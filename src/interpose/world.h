/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world.h - a reordered communicator in the place of MPI_COMM_WORLD: every wrapper of a function
 * that takes a communicator puts world_of() before it, at every depth, so that neither the
 * application nor what MPI calls on its behalf sees the launch order.
 */
#ifndef RESEAT_WORLD_COMM_H
#define RESEAT_WORLD_COMM_H

#include <mpi.h>

#include "interpose/interpose.h"

/* What stands for MPI_COMM_WORLD, and then world_replaced is MPI_COMM_WORLD. Both are MPI_COMM_NULL
 * when it stands for itself. */
extern MPI_Comm world_replacement INTERPOSE_HIDDEN, world_replaced INTERPOSE_HIDDEN;

static inline MPI_Comm world_of(MPI_Comm comm)
{
    return comm == world_replaced ? world_replacement : comm;
}

/* The other way round: the handle that the application knows. */
static inline MPI_Comm world_seen(MPI_Comm comm)
{
    return comm == world_replacement && comm != MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
}

/* From now on `order`, which was made from MPI_COMM_WORLD and so has its error handler, stands for
 * it, with its name, until the attributes of MPI_COMM_SELF are deleted in MPI_Finalize; then it is
 * freed. 0, or -1 when MPI fails and nothing has changed. Local. */
int world_replace(MPI_Comm order);

/* MPI_COMM_WORLD stands for itself again; what stood for it stays the caller's. */
void world_restore(void);

/* Whether an attribute is one that MPI itself has put on MPI_COMM_WORLD, and nowhere else. */
int world_is_predefined(int keyval);

#endif
