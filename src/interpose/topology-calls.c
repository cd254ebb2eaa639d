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
#include "interpose/signals.h"
#include "profiler/communicators.h"
#include "interpose/hooks.h"
#include "profiler/monitoring.h"
#include "reorder/reorder.h"

static int topology_calls, topologies_reordered;

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
    runtime_outcome(topologies_reordered > 0);
    if (!topology_calls)
        runtime_say(1, "nothing was reordered: the program made no communicator with a topology "
                       "and reorder = 1");
}

/* Whether a domain is opened, from the result of communicator_identity. */
static int topology_has_identity(int found, const char *function)
{
    if (found < 0 && topology_is_reordered() && !topology_calls++)
        runtime_say(0, "launch order kept: %s: MPI gives no group of the communicator", function);
    return found == 0;
}

/* Whether a topology call on `comm_old` opens a domain of its own, `*identity`. All members find
 * the same, even with a different `reorder` than rank 0, which MPIs tolerate. Not if `comm_old` is
 * not an intracommunicator; MPI will report that itself. */
static int topology_opens_domain(MPI_Comm comm_old, int reorder, const char *function,
                                 struct domain_identity *identity)
{
    int inter = 1;
    return topology_calls_matter() && comm_old != MPI_COMM_NULL &&
           PMPI_Comm_test_inter(comm_old, &inter) == MPI_SUCCESS && !inter &&
           topology_has_identity(communicator_identity(comm_old, function, reorder, identity),
                                 function);
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
    topology_calls++;
    monitoring_pause();
    signals_hold(&held);
    if (topology_is_reordered() && topology_lineage(identity, &lineage) == 0 &&
        reorder_topology(*newcomm, info, &lineage, &runtime.settings, newcomm) &&
        !topologies_reordered++)
        runtime_say(
            1, "scope graph presupposes a program that asks the new communicator for its rank; if "
               "results change, take scope world");
    communicator_opens_domain(*newcomm, identity);
    signals_release(&held);
    monitoring_resume();
}

/* The application's reorder flag is not passed to MPI: only one of us may reorder, and if MPI did
 * so while recording, the traffic would be that of other roles than in the second pass. */
static int topology_reorder_flag(int reorder)
{
    return interpose_active ? 0 : reorder;
}

/* After MPI_Cart_create and MPI_Graph_create, which may leave processes out. */
static void topology_finish_cart(MPI_Comm comm_old, int reorder, const char *function,
                                 MPI_Comm *newcomm)
{
    struct domain_identity identity;
    if (*newcomm == MPI_COMM_NULL)
        return;
    if (topology_calls_matter() &&
        topology_has_identity(
            communicator_identity_of(*newcomm, comm_old, function, reorder, &identity), function))
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
    int rc =
        PMPI_Cart_create(comm_old, ndims, dims, periods, topology_reorder_flag(reorder), comm_cart);
    if (rc == MPI_SUCCESS)
        topology_finish_cart(comm_old, reorder, "MPI_Cart_create", comm_cart);
    return rc;
}

int override_MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                              int reorder, MPI_Comm *comm_graph)
{
    int rc = PMPI_Graph_create(comm_old, nnodes, index, edges, topology_reorder_flag(reorder),
                               comm_graph);
    if (rc == MPI_SUCCESS)
        topology_finish_cart(comm_old, reorder, "MPI_Graph_create", comm_graph);
    return rc;
}

int override_MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[],
                                   const int degrees[], const int destinations[],
                                   const int weights[], MPI_Info info, int reorder,
                                   MPI_Comm *newcomm)
{
    struct domain_identity identity;
    int opens = topology_opens_domain(comm_old, reorder, "MPI_Dist_graph_create", &identity);
    int rc = PMPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info,
                                    topology_reorder_flag(reorder), newcomm);
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
    int opens =
        topology_opens_domain(comm_old, reorder, "MPI_Dist_graph_create_adjacent", &identity);
    int rc = PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree,
                                             destinations, destweights, info,
                                             topology_reorder_flag(reorder), newcomm);
    if (rc == MPI_SUCCESS)
        topology_finish_dist_graph(opens ? &identity : NULL, comm_old, info, newcomm);
    return rc;
}
