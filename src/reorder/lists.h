/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lists.h - the neighbour lists of one role, and their way to the process that is to play it.
 *
 * MPI says: the process with rank r in the new communicator has the neighbours that rank r of
 * comm_old gave, in the order in which it gave them (MPI-4.0, 8.5.4, MPI_Dist_graph_neighbors).
 */
#ifndef RESEAT_LISTS_H
#define RESEAT_LISTS_H

#include <mpi.h>

#include "reorder/trouble.h"

struct lists {
    int in;
    int out;
    int weighted;
    int *sources; /* one block: sources, source weights, destinations, destination weights */
    int *source_weights;
    int *destinations;
    int *destination_weights;
};

/* Lists with `out` destinations, all 0, for the caller to fill. 0, or -1 noted. */
int lists_allocate(struct lists *lists, int out, struct trouble *trouble);

/* The lists of this process in the distributed graph communicator `comm`. Local. */
void lists_get(struct lists *lists, MPI_Comm comm, struct trouble *trouble);

/*
 * Exchange: this process gives `mine`, the lists of role = its rank in `plain`, to the process `to`
 * that will play it, and gets those of the role `from` that it will play itself. Collective over
 * plain.
 */
void lists_move(struct lists *theirs, const struct lists *mine, int to, int from, MPI_Comm plain,
                struct trouble *trouble);

/* MPI_Dist_graph_create_adjacent on `comm` with these lists and reorder = 0.
 * Returns MPI's status. */
int lists_create(const struct lists *lists, MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm);

void lists_free(struct lists *lists);

#endif
