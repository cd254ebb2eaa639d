/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node-place.h - the places of processes in their nodes, for which one process of each node reads
 * the machine.
 *
 * If all ranks of a large node read it at once, they wait for each other in the kernel. They differ
 * only in what they are bound to, and each of them knows that without hwloc.
 */
#ifndef RESEAT_NODE_PLACE_H
#define RESEAT_NODE_PLACE_H

#include <mpi.h>

#include "treematch/tmap.h"

/*
 * The place of this process, as tmap_place_find_self gives it. Collective over `comm`, which may
 * span nodes. On each node the lowest rank that may be bound reads the machine for all, with its
 * own variables HWLOC_...; if no rank may be bound, none reads. If the machine cannot be read, no
 * process of the node has a place, and *why tells the reason at the reader; elsewhere *why is
 * empty. Every process gets an answer, even if out of memory.
 */
void node_place(MPI_Comm comm, struct tmap_place *place, struct tmap_error *why);

#endif
