/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node-place.h - the places of the processes of a node, for which one of them reads the machine.
 *
 * All ranks of a large node that read it at once wait for each other in the kernel. What differs is
 * only what they are bound to, and that each knows without hwloc.
 */
#ifndef RESEAT_NODE_PLACE_H
#define RESEAT_NODE_PLACE_H

#include <mpi.h>

#include "treematch/tmap.h"

/*
 * The place of this process, as tmap_place_find_self gives it. Collective over `node`, processes
 * that share a node, of which the first one reads the machine, by its variables HWLOC_...; none does
 * where all may run everywhere. When it cannot be read none of them has a place, and *why says so
 * at the first one; else it is empty. Every process gets an answer, also where memory is short.
 */
void node_place(MPI_Comm node, struct tmap_place *place, struct tmap_error *why);

/* The same, collective over processes of any nodes; trouble is passed over. */
void node_place_among(MPI_Comm all, struct tmap_place *place);

#endif
