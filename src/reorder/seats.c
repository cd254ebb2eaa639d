/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seats.c - see seats.h.
 *
 * Places are each process's own affair. Nodes are numbered by their leaders, who also know what is
 * above them (stations.c). Only rank 0 keeps that, because only rank 0 decides about more than one
 * node.
 */
#include "reorder/seats.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "format/switches.h"
#include "reorder/stations.h"
#include "treematch/tmap-hwloc.h"

/* ---- this process ---- */

/* The place level that a tree calls `name`; -1: none. */
static int place_level(const char *name)
{
    static const char *const also[][2] = {
        {"pack", "package"}, {"socket", "package"}, {"numanode", "numa"}};
    for (size_t i = 0; i < sizeof also / sizeof also[0]; i++)
        if (strcmp(name, also[i][0]) == 0)
            name = also[i][1];
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        if (strcmp(name, tmap_place_level_name((enum tmap_place_level)level)) == 0)
            return level;
    return -1;
}

/* The level of a tree whose objects are nodes; -1: none. */
static int node_level(const struct tmap_tree *tree)
{
    int level = tmap_tree_depth(tree) - 1;
    while (level >= 0 && strcmp(tmap_tree_level(tree, level)->name, "node") != 0)
        level--;
    return level;
}

/* What leaf `rank` of the tree is below: switches to the path, the place to this process. Returns
 * the number of its node. */
static int sit_down(struct seats *seats, const struct tmap_tree *tree, int rank,
                    struct network_path *path, struct trouble *trouble)
{
    int node = node_level(tree), color = 0;
    for (int l = 0; l < tmap_tree_depth(tree); l++) {
        const char *name = tmap_tree_level(tree, l)->name;
        int32_t object = tmap_tree_ancestor(tree, rank, l + 1);
        int level = place_level(name);
        if (l == node)
            color = object;
        else if (l < node && path->length < TMAP_SWITCH_LEVELS)
            path->at[path->length++] = object;
        else if (l > node && level >= 0)
            seats->self.place.at[level] = object;
        else if (l < node || strcmp(name, "process") != 0)
            trouble_note(trouble,
                         "RESEAT_TOPOLOGY: level '%s' can stand for nothing: below a node are "
                         "package, numa, l3, l2, core, pu, process, above it up to %d switches",
                         name, TMAP_SWITCH_LEVELS);
    }
    return color;
}

/* The seat from a tree as text. Returns the number of the node. */
static int take_place(struct seats *seats, const char *text, struct network_path *path,
                      struct trouble *trouble)
{
    struct tmap_tree *tree;
    struct tmap_error error;
    int rank, color = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (tmap_tree_parse(&tree, text, &error)) {
        trouble_note(trouble, "RESEAT_TOPOLOGY: %s", error.text);
        return 0;
    }
    if (rank < tmap_tree_slots(tree))
        color = sit_down(seats, tree, rank, path, trouble);
    else
        trouble_note(trouble, "RESEAT_TOPOLOGY: more ranks than its %d leaves",
                     (int)tmap_tree_slots(tree));
    tmap_tree_destroy(tree);
    return color;
}

static int is_bound(const struct tmap_place *place)
{
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        if (place->at[level] >= 0)
            return 1;
    return 0;
}

/* Where hwloc fails the process has no place, and sits on its node like one that is not bound; the
 * first one where that happens says so. `why` is empty where it did not. */
static void compare_places(struct seats *seats, const char *why, int verbose, MPI_Comm comm,
                           struct trouble *trouble)
{
    int size = 0, neighbours = -1;
    int mine[2] = {is_bound(&seats->self.place), why[0] ? INT_MAX - seats->self.rank : -1};
    int most[2] = {1, -1};
    trouble_mpi(trouble, PMPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    PMPI_Comm_size(comm, &size);
    if (seats->node != MPI_COMM_NULL)
        PMPI_Comm_size(seats->node, &neighbours);
    seats->blind = !most[0] && neighbours == size;
    if (why[0] && mine[1] == most[1] && verbose >= 1)
        fprintf(stderr, "reseat: rank %d: %s; ranks without hwloc are placed by host only\n",
                (int)seats->self.rank, why);
}

/* Number the nodes. Collective over comm. */
static void number_nodes(struct seats *seats, MPI_Comm comm, struct trouble *trouble)
{
    int node_rank = 0, node = 0;
    if (seats->node != MPI_COMM_NULL)
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

/* ---- all of it ---- */

/* Rank 0 says it for all. */
static enum topology_source choose_source(const char *topology, MPI_Comm comm,
                                          struct trouble *trouble)
{
    int source = !topology[0]                        ? TOPOLOGY_DISCOVERED
                 : reseat_switches_is_path(topology) ? TOPOLOGY_SWITCHES
                                                     : TOPOLOGY_TREE;
    trouble_mpi(trouble, PMPI_Bcast(&source, 1, MPI_INT, 0, comm), "MPI_Bcast");
    return (enum topology_source)source;
}

void seats_open(struct seats *seats, const struct reseat_settings *settings, MPI_Comm comm,
                struct trouble *trouble)
{
    struct network_path path = {0};
    struct tmap_error why = {""};
    int rc, bound;
    *seats = (struct seats){.node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        seats->self.place.at[level] = -1;
    trouble_mpi(trouble, PMPI_Comm_rank(comm, &seats->self.rank), "MPI_Comm_rank");
    enum topology_source source = choose_source(settings->topology, comm, trouble);
    if (source == TOPOLOGY_TREE) {
        int node = take_place(seats, settings->topology, &path, trouble);
        rc = PMPI_Comm_split(comm, node, seats->self.rank, &seats->node);
    } else {
        if (tmap_place_self(&seats->self.place, &bound, &why) == TMAP_OK)
            why.text[0] = '\0';
        rc = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, seats->self.rank, MPI_INFO_NULL,
                                  &seats->node);
    }
    trouble_mpi(trouble, rc, "splitting by node");
    number_nodes(seats, comm, trouble);
    compare_places(seats, why.text, settings->verbose, comm, trouble);
    if (seats->leaders != MPI_COMM_NULL)
        stations_tell(&seats->network, source, settings, &path, seats->leaders, trouble);
}

void seats_close(struct seats *seats)
{
    if (seats->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&seats->leaders);
    if (seats->node != MPI_COMM_NULL)
        PMPI_Comm_free(&seats->node);
    reseat_network_free(&seats->network);
}
