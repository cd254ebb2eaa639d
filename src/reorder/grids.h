/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grids.h - topologies that all processes know as a whole, MPI_Cart_create's and
 * MPI_Graph_create's: nothing has to move when roles do, they are made once more on the new order.
 */
#ifndef RESEAT_GRIDS_H
#define RESEAT_GRIDS_H

#include "reorder/lists.h"

/* The edges from this rank, each once for each direction of a grid, without weights. `kind` is
 * MPI_CART or MPI_GRAPH. Local. */
void grids_get(struct lists *lists, int kind, MPI_Comm comm, struct trouble *trouble);

/* The topology of `plain` on `order`, which has the same size; reorder = 0.
 * Collective over order. */
void grids_create(int kind, MPI_Comm plain, MPI_Comm order, MPI_Comm *newcomm,
                  struct trouble *trouble);

#endif
