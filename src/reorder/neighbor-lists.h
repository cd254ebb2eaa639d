/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor-lists.h - the neighbor lists of one role, and how they get to the process that will play
 * it.
 *
 * The MPI standard: the process with rank r in the new communicator has the neighbors that rank r
 * of comm_old specified, in the order in which it specified them (MPI-4.0, 8.5.4,
 * MPI_Dist_graph_neighbors).
 */
#ifndef RESEAT_NEIGHBOR_LISTS_H
#define RESEAT_NEIGHBOR_LISTS_H

#include <mpi.h>

#include "reorder/trouble.h"

struct neighbor_lists {
    int in;
    int out;
    int weighted;
    int *sources; /* one block: sources, source weights, destinations, destination weights */
    int *source_weights;
    int *destinations;
    int *destination_weights;
};

/* The edges that a process gives to MPI_Dist_graph_create. */
struct given_edges {
    int count;
    const int *sources, *degrees, *destinations, *weights;
};

/* The lists of this process, of edges that any process has given. Collective over comm. 0, or -1 on
 * all processes: one is out of memory, or has given what MPI will refuse. */
int neighbor_lists_collect(struct neighbor_lists *lists, const struct given_edges *given,
                           MPI_Comm comm);

/* Lists with `out` destinations, all 0, for the caller to fill. 0, or -1 noted. */
int neighbor_lists_allocate(struct neighbor_lists *lists, int out, struct trouble *trouble);

/* The lists of this process in the distributed graph communicator `comm`. Local. */
void neighbor_lists_get(struct neighbor_lists *lists, MPI_Comm comm, struct trouble *trouble);

/*
 * Exchange lists: this process sends `mine`, the lists of the role with its own rank in `plain`, to
 * the process `to` that will play that role, and gets those of the role `from` that it will play
 * itself. Collective over plain.
 */
void neighbor_lists_move(struct neighbor_lists *theirs, const struct neighbor_lists *mine, int to,
                         int from, MPI_Comm plain, struct trouble *trouble);

/* MPI_Dist_graph_create_adjacent on `comm` with these lists and reorder = 0.
 * Returns MPI's status. */
int neighbor_lists_create(const struct neighbor_lists *lists, MPI_Comm comm, MPI_Info info,
                          MPI_Comm *newcomm);

void neighbor_lists_free(struct neighbor_lists *lists);

#endif
