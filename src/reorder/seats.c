/* SPDX-License-Identifier: BSD-3-Clause */
/* seats.c - see seats.h. */
#include "reorder/seats.h"

#include <string.h>

#include "treematch/tmap-hwloc.h"

static void find_place(struct seats *seats, struct trouble *trouble)
{
    struct tmap_error error;
    int bound;
    if (tmap_place_self(&seats->self.place, &bound, &error) != TMAP_OK)
        trouble_note(trouble, "hwloc: %s", error.text);
}

/* Place and node number (the color) from a tree given as text. */
static int take_place(struct seats *seats, const char *topology, struct trouble *trouble)
{
    struct tmap_tree *tree;
    struct tmap_error error;
    int rank, color = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (tmap_tree_parse(&tree, topology, &error)) {
        trouble_note(trouble, "RESEAT_TOPOLOGY: %s", error.text);
        return 0;
    }
    if (rank >= tmap_tree_slots(tree))
        trouble_note(trouble, "RESEAT_TOPOLOGY: more ranks than its %d leaves",
                     (int)tmap_tree_slots(tree));
    for (int level = 0; !trouble->failed && level < tmap_tree_depth(tree); level++) {
        const char *name = tmap_tree_level(tree, level)->name;
        int32_t object = tmap_tree_ancestor(tree, rank, level + 1);
        if (strcmp(name, "node") == 0)
            color = object;
        for (int l = 0; l < TMAP_PLACE_LEVELS; l++)
            if (strcmp(name, tmap_place_level_name((enum tmap_place_level)l)) == 0)
                seats->self.place.at[l] = object;
    }
    tmap_tree_destroy(tree);
    return color;
}

/* The processes on this node. */
static int split_nodes(struct seats *seats, const char *topology, MPI_Comm comm,
                       struct trouble *trouble)
{
    if (topology[0])
        return PMPI_Comm_split(comm, take_place(seats, topology, trouble), seats->self.rank,
                               &seats->node);
    find_place(seats, trouble);
    return PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, seats->self.rank, MPI_INFO_NULL,
                                &seats->node);
}

void seats_open(struct seats *seats, const char *topology, MPI_Comm comm, struct trouble *trouble)
{
    int node_rank = 0, node = 0;
    *seats = (struct seats){.node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        seats->self.place.at[level] = -1;
    trouble_mpi(trouble, PMPI_Comm_rank(comm, &seats->self.rank), "MPI_Comm_rank");
    if (trouble_mpi(trouble, split_nodes(seats, topology, comm, trouble), "splitting by node"))
        PMPI_Comm_rank(seats->node, &node_rank);
    trouble_mpi(trouble,
                PMPI_Comm_split(comm, node_rank == 0 ? 0 : MPI_UNDEFINED, seats->self.rank,
                                &seats->leaders),
                "MPI_Comm_split");
    if (seats->leaders != MPI_COMM_NULL)
        PMPI_Comm_rank(seats->leaders, &node);
    if (seats->node != MPI_COMM_NULL)
        trouble_mpi(trouble, PMPI_Bcast(&node, 1, MPI_INT, 0, seats->node), "MPI_Bcast");
    seats->self.node = node;
}

void seats_close(struct seats *seats)
{
    if (seats->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&seats->leaders);
    if (seats->node != MPI_COMM_NULL)
        PMPI_Comm_free(&seats->node);
}
