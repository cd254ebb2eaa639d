/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seats.c - see seats.h.
 *
 * One process of each node reads the machine for all (node-place.c). Nodes are numbered by their
 * leaders, which also know the switches above them (network-gather.c). Only rank 0 keeps these,
 * because only rank 0 decides about more than one node.
 *
 * MPI may make a communicator on some of its ranks only, where others are out of memory. So all
 * ranks agree that they have theirs before the first message goes over it.
 */
#include "reorder/seats.h"

#include <limits.h>
#include <stdio.h>

#include "reorder/node-place.h"
#include "reorder/network-gather.h"

/* ---- this process ---- */

/* Take the seat from a tree as text. Returns the number of the node. */
static int seats_take_place(struct seats *seats, const char *text, struct network_path *path,
                            struct trouble *trouble)
{
    struct reseat_error why;
    struct reseat_leaf leaf;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (network_source_leaf(&leaf, text, rank, &why))
        trouble_note(trouble, "%s", why.text);
    seats->self.location.place = leaf.location.place;
    *path = leaf.above;
    return leaf.location.node;
}

/* If hwloc fails, the processes of the node have no place and count as not bound; the first reader
 * to which that happens prints a line. `why` is empty elsewhere. */
static void seats_compare_places(struct seats *seats, const char *why, int verbose, MPI_Comm comm,
                                 struct trouble *trouble)
{
    int size = 0, neighbors = -1;
    int mine[2] = {reseat_place_is_known(&seats->self.location.place),
                   why[0] ? INT_MAX - seats->self.rank : -1};
    int most[2] = {1, -1};
    trouble_mpi(trouble, PMPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_size(seats->node, &neighbors);
    seats->blind = !most[0] && neighbors == size;
    if (why[0] && mine[1] == most[1] && verbose >= 1)
        fprintf(stderr, "reseat: rank %d: %s; ranks without hwloc are placed by host only\n",
                (int)seats->self.rank, why);
}

/* ---- the communicators ---- */

/* Agree that no rank is in trouble. Else no rank has the communicators any more; they are not freed,
 * because that is collective, and not all ranks may have them. Collective over comm. */
static int seats_agree(struct seats *seats, MPI_Comm comm, struct trouble *trouble)
{
    if (trouble_agree(trouble, comm) == 0)
        return 0;
    seats->node = seats->leaders = MPI_COMM_NULL;
    return -1;
}

/* Find the processes of this node. Collective over comm. */
static int seats_find_node(struct seats *seats, const struct reseat_settings *settings,
                           enum network_source source, struct network_path *path, MPI_Comm comm,
                           struct trouble *trouble)
{
    int rc;
    if (source == NETWORK_FROM_TREE) {
        int node = seats_take_place(seats, settings->topology, path, trouble);
        rc = PMPI_Comm_split(comm, node, seats->self.rank, &seats->node);
    } else {
        rc = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, seats->self.rank, MPI_INFO_NULL,
                                  &seats->node);
    }
    trouble_mpi(trouble, rc, "splitting by node");
    return seats_agree(seats, comm, trouble);
}

/* Number the nodes. Collective over comm. */
static int seats_number_nodes(struct seats *seats, MPI_Comm comm, struct trouble *trouble)
{
    int node_rank = 0, node = 0;
    PMPI_Comm_rank(seats->node, &node_rank);
    trouble_mpi(trouble,
                PMPI_Comm_split(comm, node_rank == 0 ? 0 : MPI_UNDEFINED, seats->self.rank,
                                &seats->leaders),
                "MPI_Comm_split");
    if (seats_agree(seats, comm, trouble))
        return -1;
    if (seats->leaders != MPI_COMM_NULL)
        PMPI_Comm_rank(seats->leaders, &node);
    trouble_mpi(trouble, PMPI_Bcast(&node, 1, MPI_INT, 0, seats->node), "MPI_Bcast");
    seats->self.location.node = node;
    return 0;
}

/* ---- all of it ---- */

/* Rank 0 decides for all. */
static enum network_source seats_choose_source(const char *topology, MPI_Comm comm,
                                               struct trouble *trouble)
{
    int source = (int)network_source_of(topology);
    trouble_mpi(trouble, PMPI_Bcast(&source, 1, MPI_INT, 0, comm), "MPI_Bcast");
    return (enum network_source)source;
}

void seats_open(struct seats *seats, const struct reseat_settings *settings, MPI_Comm comm,
                struct trouble *trouble)
{
    struct network_path path = {0};
    struct tmap_error why = {""};
    *seats = (struct seats){.node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};
    reseat_place_clear(&seats->self.location.place);
    trouble_mpi(trouble, PMPI_Comm_rank(comm, &seats->self.rank), "MPI_Comm_rank");
    enum network_source source = seats_choose_source(settings->topology, comm, trouble);
    if (seats_find_node(seats, settings, source, &path, comm, trouble) ||
        seats_number_nodes(seats, comm, trouble))
        return;
    if (source != NETWORK_FROM_TREE)
        node_place(seats->node, &seats->self.location.place, &why);
    seats_compare_places(seats, why.text, settings->verbose, comm, trouble);
    if (seats->leaders != MPI_COMM_NULL)
        network_gather(&seats->network, source, settings, &path, seats->leaders, trouble);
}

void seats_close(struct seats *seats)
{
    if (seats->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&seats->leaders);
    if (seats->node != MPI_COMM_NULL)
        PMPI_Comm_free(&seats->node);
    reseat_network_free(&seats->network);
}
