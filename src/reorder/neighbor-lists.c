/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbor-lists.c - see neighbor-lists.h. */
#include "reorder/neighbor-lists.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- edges given by any process ---- */

/* Each end of an edge goes to its process as three integers: which end it is, the other process,
 * the weight. */
enum { END_INTS = 3 };

struct ends {
    int size; /* of the communicator */
    int *block;
    int *next; /* by process: how much there is for it; then where the next end goes to */
    int *sent_counts, *sent_starts, *got_counts, *got_starts;
    int *sent, *got;
};

static void ends_put(struct ends *ends, int process, int is_source, int other, int weight)
{
    if (ends->sent) {
        int *end = ends->sent + ends->next[process];
        end[0] = is_source;
        end[1] = other;
        end[2] = weight;
    }
    ends->next[process] += END_INTS;
}

/* 0, or -1: MPI will refuse them. */
static int ends_put_all(struct ends *ends, const struct given_edges *given)
{
    int is_weighted = given->weights != MPI_UNWEIGHTED, edge = 0;
    for (int i = 0; i < given->count; i++)
        for (int j = 0; j < given->degrees[i]; j++, edge++) {
            int from = given->sources[i], to = given->destinations[edge];
            int weight = is_weighted ? given->weights[edge] : 1;
            if (from < 0 || from >= ends->size || to < 0 || to >= ends->size || weight < 0)
                return -1;
            ends_put(ends, from, 0, to, weight);
            ends_put(ends, to, 1, from, weight);
        }
    return 0;
}

static int ends_are_given(const struct given_edges *given)
{
    int is_right = given->count >= 0 &&
                   (given->count == 0 ||
                    (given->sources && given->degrees && given->destinations && given->weights));
    for (int i = 0; is_right && i < given->count; i++)
        is_right = given->degrees[i] >= 0;
    return is_right;
}

/* Find the offsets of parts of these lengths. Returns the sum of the lengths. */
static int ends_add_up(const int *counts, int *starts, int size)
{
    int sum = 0;
    for (int i = 0; i < size; i++) {
        starts[i] = sum;
        sum += counts[i];
    }
    return sum;
}

/* Collective: whether all have come so far. */
static int ends_agree(MPI_Comm comm, int mine)
{
    int all = 0;
    return PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && all;
}

/* Local: count what goes to each process. */
static int ends_count(struct ends *ends, const struct given_edges *given, MPI_Comm comm)
{
    PMPI_Comm_size(comm, &ends->size);
    size_t size = (size_t)ends->size;
    ends->block = ends->next = calloc(5 * size, sizeof(int));
    if (!ends->block || !ends_are_given(given))
        return -1;
    ends->sent_counts = ends->next + size;
    ends->sent_starts = ends->sent_counts + size;
    ends->got_counts = ends->sent_starts + size;
    ends->got_starts = ends->got_counts + size;
    return ends_put_all(ends, given);
}

/* Send them, and take those of this process. */
static void ends_exchange(struct ends *ends, const struct given_edges *given,
                          struct neighbor_lists *lists, MPI_Comm comm, struct trouble *trouble)
{
    memcpy(ends->sent_counts, ends->next, sizeof(int) * (size_t)ends->size);
    trouble_mpi(trouble,
                PMPI_Alltoall(ends->sent_counts, 1, MPI_INT, ends->got_counts, 1, MPI_INT, comm),
                "MPI_Alltoall");
    int sent = ends_add_up(ends->sent_counts, ends->sent_starts, ends->size);
    int got = ends_add_up(ends->got_counts, ends->got_starts, ends->size);
    memcpy(ends->next, ends->sent_starts, sizeof(int) * (size_t)ends->size);
    ends->sent = malloc(sizeof(int) * ((size_t)sent + 1));
    ends->got = malloc(sizeof(int) * ((size_t)got + 1));
    if (!ends->sent || !ends->got)
        trouble_note(trouble, "out of memory for the edges");
    if (!ends_agree(comm, !trouble->failed)) {
        trouble->failed = 1;
        return;
    }
    ends_put_all(ends, given);
    trouble_mpi(trouble,
                PMPI_Alltoallv(ends->sent, ends->sent_counts, ends->sent_starts, MPI_INT, ends->got,
                               ends->got_counts, ends->got_starts, MPI_INT, comm),
                "MPI_Alltoallv");
    for (int i = 0; i < got; i += END_INTS)
        *(ends->got[i] ? &lists->in : &lists->out) += 1;
    if (trouble->failed || neighbor_lists_make_room(lists, trouble))
        return;
    for (int i = 0, in = 0, out = 0; i < got; i += END_INTS) {
        int is_source = ends->got[i], *at = is_source ? &in : &out;
        (is_source ? lists->sources : lists->destinations)[*at] = ends->got[i + 1];
        (is_source ? lists->source_weights : lists->destination_weights)[*at] = ends->got[i + 2];
        *at += 1;
    }
}

int neighbor_lists_collect(struct neighbor_lists *lists, const struct given_edges *given,
                           MPI_Comm comm)
{
    struct ends ends = {0};
    struct trouble trouble = {0};
    *lists = (struct neighbor_lists){.weighted = given->weights != MPI_UNWEIGHTED};
    int status = -1;
    if (ends_agree(comm, ends_count(&ends, given, comm) == 0)) {
        ends_exchange(&ends, given, lists, comm, &trouble);
        status = ends_agree(comm, !trouble.failed) ? 0 : -1;
    }
    free(ends.block);
    free(ends.sent);
    free(ends.got);
    if (status)
        neighbor_lists_free(lists);
    return status;
}

/* ---- lists that move ---- */

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
