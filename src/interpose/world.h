/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world.h - a reordered communicator in the place of MPI_COMM_WORLD. Every wrapper of a function
 * that takes a communicator passes it through world_of(), at every depth, so that neither the
 * application nor what MPI calls on its behalf sees the launch order.
 *
 * Four processes on two nodes; ranks 0 and 2 of the program talk most, so process 1 plays role 2:
 *
 *   process, as launched            p0   p1   p2   p3
 *   node                            A    A    B    B
 *   rank in MPI_COMM_WORLD          0    1    2    3      what the launcher and MPI know
 *   rank in world_replacement       0    2    1    3      what the program sees
 *
 *   p0 calls   MPI_Send (..., dest 2, tag, MPI_COMM_WORLD)
 *   world_of   MPI_COMM_WORLD == world_replaced  ->  world_replacement
 *   MPI gets   PMPI_Send (..., dest 2, tag, world_replacement), which goes to p1, on the same node
 *
 * In a callback MPI hands a communicator to the program: world_seen() is the way back.
 * calls.tbl lists the few functions that take the true world (`world FUNCTION RULE`).
 */
#ifndef RESEAT_WORLD_COMM_H
#define RESEAT_WORLD_COMM_H

#include <mpi.h>

#include "interpose/interpose.h"

/* The communicator that stands for MPI_COMM_WORLD; world_replaced is then MPI_COMM_WORLD. Both are
 * MPI_COMM_NULL while it stands for itself. */
extern MPI_Comm world_replacement INTERPOSE_HIDDEN, world_replaced INTERPOSE_HIDDEN;

static inline MPI_Comm world_of(MPI_Comm comm)
{
    return comm == world_replaced ? world_replacement : comm;
}

/* The inverse: the handle that the application knows. */
static inline MPI_Comm world_seen(MPI_Comm comm)
{
    return comm == world_replacement && comm != MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
}

/* Let `order`, which was made from MPI_COMM_WORLD and so has its error handler, stand for it from
 * now on, under its name. It is freed when the attributes of MPI_COMM_SELF are deleted in
 * MPI_Finalize. 0, or -1 if MPI fails; then nothing has changed. Local. */
int world_replace(MPI_Comm order);

/* Let MPI_COMM_WORLD stand for itself again; the replacement stays the caller's. */
void world_restore(void);

/* The communicator to query for attribute `keyval` of `comm`: for what MPI itself has set the true
 * world, also for duplicates of the replacement that would have inherited it. */
MPI_Comm world_with(MPI_Comm comm, int keyval);

#endif
