/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cart-graph.h - topologies that every process knows completely, those of MPI_Cart_create and
 * MPI_Graph_create: no lists have to move with the roles, the topology is just created again on the
 * new order.
 */
#ifndef RESEAT_CART_GRAPH_H
#define RESEAT_CART_GRAPH_H

#include "reorder/neighbor-lists.h"

/* The edges from this rank, without weights; on a grid one for each direction. `kind` is MPI_CART
 * or MPI_GRAPH. Local. */
void cart_graph_get(struct neighbor_lists *lists, int kind, MPI_Comm comm, struct trouble *trouble);

/* Create the topology of `plain` on `order`, which has the same size, with reorder = 0. Collective
 * over order. */
void cart_graph_create(int kind, MPI_Comm plain, MPI_Comm order, MPI_Comm *newcomm,
                       struct trouble *trouble);

#endif
