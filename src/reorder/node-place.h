/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node-place.h - the places of processes in their nodes, for which one process of a node reads the
 * machine.
 *
 * All ranks of a large node that read it at once wait for each other in the kernel. What differs is
 * only what they are bound to, and that each knows without hwloc.
 */
#ifndef RESEAT_NODE_PLACE_H
#define RESEAT_NODE_PLACE_H

#include <mpi.h>

#include "treematch/tmap.h"

/*
 * The place of this process, as tmap_place_find_self gives it. Collective over `comm`, processes of
 * any nodes. The lowest rank of a node that may be bound reads the machine for all of them, by its
 * variables HWLOC_...; where none may be, none does. Where the machine cannot be read none of them
 * has a place, and *why, empty elsewhere, says so at that one. Every process gets an answer, also
 * where memory is short.
 */
void node_place(MPI_Comm comm, struct tmap_place *place, struct tmap_error *why);

#endif
