/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology-calls.c - MPI_Cart_create and the other topology calls: MPI makes the communicator in
 * the order of the old one, then it may be reordered (src/reorder), and it becomes a domain of the
 * profile.
 */
#include "interpose/topology-calls.h"

#include <string.h>

#include "interpose/interpose.h"
#include "interpose/override.h"
#include "interpose/runtime.h"
#include "interpose/meeting/signals.h"
#include "profiler/communicators.h"
#include "interpose/hooks.h"
#include "profiler/monitoring.h"
#include "profiler/mpi-release.h"
#include "profiler/unseen.h"
#include "reorder/neighbor-lists.h"
#include "reorder/reorder.h"

static struct {
    int calls, reordered; /* how many, so far */
} topologies;

/* Reordering a topology call changes ranks in the middle of the program, so it is done only on
 * request (doc/design/0006-the-world-by-default.md). */
static int topology_is_reordered(void)
{
    return runtime.settings.mode & RESEAT_MODE_REORDER &&
           runtime.settings.scope == RESEAT_SCOPE_GRAPH;
}

int topology_calls_matter(void)
{
    return runtime.settings.mode & RESEAT_MODE_PROFILE || topology_is_reordered();
}

void topology_calls_explain(void)
{
    if (!topology_is_reordered())
        return;
    runtime_outcome(topologies.reordered > 0);
    if (!topologies.calls)
        runtime_say(1, "nothing was reordered: the program made no communicator with a topology "
                       "and reorder = 1");
}

/* Returns 1 for an intracommunicator with all members in the world in which all ranks have the
 * library. On any other one nothing of ours is sent, since processes that are spawned or of another
 * job do not expect it, and its `reorder` is not ours to change. Local, and the same on all
 * members: those that are in this world find the same, and others have no library at work or
 * another world. A process to which MPI gives no group takes part if it has met no other job. With
 * sessions the processes have agreed on nothing when they make their communicators. */
static int topology_is_ours(MPI_Comm comm)
{
    int inter = 1, like = MPI_UNEQUAL;
    MPI_Group group, world;
    if (!runtime.all || comm == MPI_COMM_NULL ||
        PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
        return 0;
    if (PMPI_Comm_compare(comm, MPI_COMM_WORLD, &like) == MPI_SUCCESS && like != MPI_UNEQUAL)
        return 1; /* without comparing each with each */
    int ours = !(unseen_bits() & UNSEEN_OTHER_JOBS);
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return ours;
    if (PMPI_Comm_group(comm, &group) == MPI_SUCCESS) {
        ours = traffic_contains(world, group);
        PMPI_Group_free(&group);
    }
    PMPI_Group_free(&world);
    if (!ours)
        unseen_add(UNSEEN_OTHER_JOBS);
    return ours;
}

static int topology_keep_order(int verbose, const char *function, const char *why)
{
    if (topology_is_reordered() && !topologies.calls++)
        runtime_say(verbose, "launch order kept: %s: %s", function, why);
    return 0;
}

/* Returns 1 if a topology call on `comm_old` opens a domain of its own, `*identity`, of the members
 * of `comm`. All find the same, even with a different `reorder` than rank 0, which MPIs tolerate.
 * The only place where anything of ours begins to communicate on a communicator that a program has
 * made. */
static int topology_opens_domain(MPI_Comm comm, MPI_Comm comm_old, int reorder,
                                 const char *function, struct domain_identity *identity)
{
    if (!topology_calls_matter())
        return 0;
    if (!topology_is_ours(comm))
        return reorder &&
               topology_keep_order(1, function, "not all of its processes are of this job's world");
    int found = communicator_identity(comm, comm_old, function, reorder, identity);
    return found == 0 || (found < 0 && topology_keep_order(
                                           0, function, "MPI gives no group of the communicator"));
}

/* The path from the world to the domain that `identity` will be. -1: too deep. */
static int topology_lineage(const struct domain_identity *identity, struct lineage *lineage)
{
    enum { MOST = sizeof lineage->step / sizeof lineage->step[0] };
    const struct domain_identity *way[MOST];
    int depth = 0;
    while (identity->parent) {
        if (depth == MOST)
            return -1;
        way[depth++] = identity;
        identity = &traffic_find(identity->parent)->identity;
    }
    lineage->world_size = identity->size;
    for (lineage->count = 0; lineage->count < depth; lineage->count++) {
        const struct domain_identity *from = way[depth - 1 - lineage->count];
        memcpy(lineage->step[lineage->count].function, from->function, sizeof from->function);
        lineage->step[lineage->count].size = from->size;
        lineage->step[lineage->count].first = from->first;
        lineage->step[lineage->count].ordinal = from->ordinal;
    }
    return 0;
}

/* The common end of these calls, after MPI has made `*newcomm`: reorder it if requested, and open
 * its domain. */
static void topology_finish(const struct domain_identity *identity, MPI_Info info,
                            MPI_Comm *newcomm)
{
    struct lineage lineage;
    struct signals_held held;
    topologies.calls++;
    monitoring_pause();
    signals_hold(&held);
    if (topology_is_reordered() && topology_lineage(identity, &lineage) == 0 &&
        reorder_topology(*newcomm, info, &lineage, &runtime.settings, newcomm) &&
        !topologies.reordered++)
        runtime_say(
            1, "scope graph presupposes a program that asks the new communicator for its rank; if "
               "results change, take scope world");
    communicator_opens_domain(*newcomm, identity);
    signals_release(&held);
    monitoring_resume();
}

/* The application's reorder flag is not passed to MPI: only one of us may reorder, and if MPI did
 * so while recording, the traffic would be that of other roles than in the second pass. All members
 * must pass the same. */
static int topology_reorder_flag(MPI_Comm comm_old, int reorder)
{
    return reorder && interpose_active && topology_is_ours(comm_old) ? 0 : reorder;
}

/* After MPI_Cart_create and MPI_Graph_create, which may leave processes out. */
static void topology_finish_cart(MPI_Comm comm_old, int reorder, const char *function,
                                 MPI_Comm *newcomm)
{
    struct domain_identity identity;
    if (*newcomm == MPI_COMM_NULL)
        return;
    if (topology_opens_domain(*newcomm, comm_old, reorder, function, &identity))
        topology_finish(&identity, MPI_INFO_NULL, newcomm);
    else
        communicator_derived(comm_old, newcomm);
}

/* After MPI_Dist_graph_create and its kin; identity NULL: it opens no domain. */
static void topology_finish_dist_graph(const struct domain_identity *identity, MPI_Comm comm_old,
                                       MPI_Info info, MPI_Comm *newcomm)
{
    if (identity)
        topology_finish(identity, info, newcomm);
    else
        communicator_derived(comm_old, newcomm);
}

int override_MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                             int reorder, MPI_Comm *comm_cart)
{
    int rc = PMPI_Cart_create(comm_old, ndims, dims, periods,
                              topology_reorder_flag(comm_old, reorder), comm_cart);
    if (rc == MPI_SUCCESS)
        topology_finish_cart(comm_old, reorder, "MPI_Cart_create", comm_cart);
    return rc;
}

int override_MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                              int reorder, MPI_Comm *comm_graph)
{
    int rc = PMPI_Graph_create(comm_old, nnodes, index, edges,
                               topology_reorder_flag(comm_old, reorder), comm_graph);
    if (rc == MPI_SUCCESS)
        topology_finish_cart(comm_old, reorder, "MPI_Graph_create", comm_graph);
    return rc;
}

/* Open MPI's component topo/treematch hangs in MPI_Dist_graph_create where communicators have been
 * made before, as they are for a reordered world (its issue 13918; 4.1.4, 5.0).
 * MPI_Dist_graph_create_adjacent it leaves alone. Returns whether the call has been made, in `*rc`.
 * The component itself stays, because processes of other worlds have it, and must take the same
 * one. */
static int topology_make_adjacent(MPI_Comm comm_old, const struct given_edges *given, MPI_Info info,
                                  MPI_Comm *newcomm, int *rc)
{
    struct neighbor_lists lists;
    if (!mpi_is_openmpi() || !(runtime.settings.mode & RESEAT_MODE_REORDER) ||
        !topology_is_ours(comm_old))
        return 0;
    monitoring_pause();
    int failed = neighbor_lists_collect(&lists, given, comm_old);
    monitoring_resume();
    if (failed)
        return 0;
    *rc = neighbor_lists_create(&lists, comm_old, info, newcomm);
    neighbor_lists_free(&lists);
    return 1;
}

int override_MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[],
                                   const int degrees[], const int destinations[],
                                   const int weights[], MPI_Info info, int reorder,
                                   MPI_Comm *newcomm)
{
    struct domain_identity identity;
    int opens =
        topology_opens_domain(comm_old, comm_old, reorder, "MPI_Dist_graph_create", &identity);
    const struct given_edges given = {n, sources, degrees, destinations, weights};
    int rc;
    if (!topology_make_adjacent(comm_old, &given, info, newcomm, &rc))
        rc = PMPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info,
                                    topology_reorder_flag(comm_old, reorder), newcomm);
    if (rc == MPI_SUCCESS)
        topology_finish_dist_graph(opens ? &identity : NULL, comm_old, info, newcomm);
    return rc;
}

int override_MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                            const int sourceweights[], int outdegree,
                                            const int destinations[], const int destweights[],
                                            MPI_Info info, int reorder, MPI_Comm *newcomm)
{
    struct domain_identity identity;
    int opens = topology_opens_domain(comm_old, comm_old, reorder, "MPI_Dist_graph_create_adjacent",
                                      &identity);
    int rc = PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree,
                                             destinations, destweights, info,
                                             topology_reorder_flag(comm_old, reorder), newcomm);
    if (rc == MPI_SUCCESS)
        topology_finish_dist_graph(opens ? &identity : NULL, comm_old, info, newcomm);
    return rc;
}
