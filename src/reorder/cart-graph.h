/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cart-graph.h - topologies that all processes know as a whole, MPI_Cart_create's and
 * MPI_Graph_create's: nothing has to move when roles do, they are made once more on the new order.
 */
#ifndef RESEAT_CART_GRAPH_H
#define RESEAT_CART_GRAPH_H

#include "reorder/neighbor-lists.h"

/* The edges from this rank, each once for each direction of a grid, without weights. `kind` is
 * MPI_CART or MPI_GRAPH. Local. */
void cart_graph_get(struct neighbor_lists *lists, int kind, MPI_Comm comm, struct trouble *trouble);

/* The topology of `plain` on `order`, which has the same size; reorder = 0.
 * Collective over order. */
void cart_graph_create(int kind, MPI_Comm plain, MPI_Comm order, MPI_Comm *newcomm,
                       struct trouble *trouble);

#endif
