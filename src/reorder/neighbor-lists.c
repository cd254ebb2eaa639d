/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbor-lists.c - see neighbor-lists.h. */
#include "reorder/neighbor-lists.h"

#include <stdlib.h>

enum { TAG_SHAPE = 1, TAG_LISTS = 2 };

/* Number of ints in the block. */
static int neighbor_lists_block_size(const struct neighbor_lists *lists)
{
    return 2 * (lists->in + lists->out);
}

/* Allocate the block for the degrees, which are set. */
static int neighbor_lists_make_room(struct neighbor_lists *lists, struct trouble *trouble)
{
    lists->sources = calloc((size_t)neighbor_lists_block_size(lists) + 1, sizeof(int));
    if (!lists->sources) {
        trouble_note(trouble, "out of memory for the neighbor lists");
        lists->in = lists->out = 0;
        return -1;
    }
    lists->source_weights = lists->sources + lists->in;
    lists->destinations = lists->source_weights + lists->in;
    lists->destination_weights = lists->destinations + lists->out;
    return 0;
}

int neighbor_lists_allocate(struct neighbor_lists *lists, int out, struct trouble *trouble)
{
    *lists = (struct neighbor_lists){.out = out};
    return neighbor_lists_make_room(lists, trouble);
}

void neighbor_lists_get(struct neighbor_lists *lists, MPI_Comm comm, struct trouble *trouble)
{
    *lists = (struct neighbor_lists){0};
    if (!trouble_mpi(
            trouble,
            PMPI_Dist_graph_neighbors_count(comm, &lists->in, &lists->out, &lists->weighted),
            "MPI_Dist_graph_neighbors_count") ||
        neighbor_lists_make_room(lists, trouble))
        return;
    trouble_mpi(trouble,
                PMPI_Dist_graph_neighbors(comm, lists->in, lists->sources, lists->source_weights,
                                          lists->out, lists->destinations,
                                          lists->destination_weights),
                "MPI_Dist_graph_neighbors");
}

void neighbor_lists_move(struct neighbor_lists *theirs, const struct neighbor_lists *mine, int to,
                         int from, MPI_Comm plain, struct trouble *trouble)
{
    int shape[3] = {mine->in, mine->out, mine->weighted}, their_shape[3] = {0, 0, 0};
    *theirs = (struct neighbor_lists){0};
    trouble_mpi(trouble,
                PMPI_Sendrecv(shape, 3, MPI_INT, to, TAG_SHAPE, their_shape, 3, MPI_INT, from,
                              TAG_SHAPE, plain, MPI_STATUS_IGNORE),
                "MPI_Sendrecv");
    theirs->in = their_shape[0];
    theirs->out = their_shape[1];
    theirs->weighted = their_shape[2];
    neighbor_lists_make_room(theirs, trouble);
    if (trouble_agree(trouble, plain)) /* else a receive might be too short for the message */
        return;
    trouble_mpi(trouble,
                PMPI_Sendrecv(mine->sources, neighbor_lists_block_size(mine), MPI_INT, to,
                              TAG_LISTS, theirs->sources, neighbor_lists_block_size(theirs),
                              MPI_INT, from, TAG_LISTS, plain, MPI_STATUS_IGNORE),
                "MPI_Sendrecv");
}

int neighbor_lists_create(const struct neighbor_lists *lists, MPI_Comm comm, MPI_Info info,
                          MPI_Comm *newcomm)
{
    int *in_weights = lists->weighted ? lists->source_weights : MPI_UNWEIGHTED;
    int *out_weights = lists->weighted ? lists->destination_weights : MPI_UNWEIGHTED;
    if (lists->weighted && lists->in == 0)
        in_weights = MPI_WEIGHTS_EMPTY;
    if (lists->weighted && lists->out == 0)
        out_weights = MPI_WEIGHTS_EMPTY;
    return PMPI_Dist_graph_create_adjacent(comm, lists->in, lists->sources, in_weights, lists->out,
                                           lists->destinations, out_weights, info, 0, newcomm);
}

void neighbor_lists_free(struct neighbor_lists *lists)
{
    free(lists->sources);
    *lists = (struct neighbor_lists){0};
}
