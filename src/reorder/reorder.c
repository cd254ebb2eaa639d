/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reorder.c - the way from a communicator in launch order to one in a better order.
 *
 *   1. Every process finds out its node and place (seats), its neighbor lists, and the pattern.
 *   2. Groups are formed: with strategy `global` one of all processes, with `node` one for each
 *      node (the partially distributed TreeMatch of Jeannot, Mercier, Tessier 2014, 4.2: no role
 *      ever moves to another node). In each group the lowest rank gathers seats and pattern,
 *      decides, and tells every member its new role; all groups do so in parallel. With `twolevel`
 *      rank 0 first divides the roles among the nodes, which is a small problem, and then each node
 *      is a group.
 *   3. All ranks together compare the predicted cost before and after, and accept or reject the
 *      order.
 *   4. MPI_Comm_split makes the new order, the neighbor lists go to the processes that will play
 *      the roles, and the topology is created again on the new order.
 *
 * The second step is in group-order.c, the fourth in new-order.c. All messages go over `plain`, which
 * the application has not seen yet, so none of its receives can match them. After every step that can
 * fail at some rank, all ranks agree (trouble.h).
 */
#include "reorder/reorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/gain.h"
#include "format/lines.h"
#include "format/order.h"
#include "format/printable.h"
#include "predict/strategy.h"
#include "reorder/cart-graph.h"
#include "reorder/error-handler.h"
#include "reorder/group-order.h"
#include "reorder/messages.h"
#include "reorder/new-order.h"
#include "reorder/programs.h"

/* ---- all ranks together ---- */

static void reorder_begin(struct attempt *a)
{
    PMPI_Comm_rank(a->plain, &a->rank);
    PMPI_Comm_size(a->plain, &a->size);
    a->strategy = (int)strategy_choose(a->settings->strategy, a->size);
    a->min_gain = a->settings->min_gain;
    int chosen[2] = {a->strategy, (int)a->settings->objective};
    PMPI_Bcast(chosen, 2, MPI_INT, 0, a->plain);
    a->strategy = chosen[0];
    a->objective = chosen[1];
    a->role = a->rank;
    timing_open(&a->timing);
    seats_open(&a->seats, a->settings, a->plain, &a->trouble);
    timing_add(&a->timing, "places", sizeof a->seats.self);
}

/* Seconds, if they can be predicted. Without them the objective time is that of the cost; `is_told`:
 * that is worth a line. */
static void reorder_open_seconds(struct attempt *a, int is_told)
{
    job_seconds_open(&a->job_seconds, a->settings, &a->pattern, &a->seats, a->plain, &a->trouble);
    if (a->objective != RESEAT_OBJECTIVE_TIME || a->job_seconds.known)
        return;
    a->objective = RESEAT_OBJECTIVE_COST;
    if (a->rank == 0 && is_told && !a->trouble.failed && a->settings->verbose >= 1)
        fprintf(stderr,
                "reseat: the objective time needs the traffic of a profile; cost is used\n");
}

static int reorder_prepare(struct attempt *a, const struct lineage *lineage)
{
    reorder_begin(a);
    PMPI_Topo_test(a->plain, &a->kind);
    if (a->kind == MPI_DIST_GRAPH)
        neighbor_lists_get(&a->lists, a->plain, &a->trouble);
    else
        cart_graph_get(&a->lists, a->kind, a->plain, &a->trouble);
    pattern_open(&a->pattern, a->settings, lineage, &a->lists, a->plain, &a->trouble);
    reorder_open_seconds(a, lineage_is_told(lineage));
    return trouble_agree(&a->trouble, a->plain);
}

static int reorder_find_order(struct attempt *a)
{
    double mine[2], links[2];
    group_order_find(a);
    memcpy(mine, a->cost, sizeof mine);
    trouble_mpi(&a->trouble, PMPI_Allreduce(mine, a->cost, 2, MPI_DOUBLE, MPI_SUM, a->plain),
                "MPI_Allreduce");
    memcpy(links, a->busiest, sizeof links);
    if (a->objective == RESEAT_OBJECTIVE_CONGESTION)
        trouble_mpi(&a->trouble,
                    PMPI_Allreduce(links, a->busiest, 2, MPI_DOUBLE, MPI_MAX, a->plain),
                    "MPI_Allreduce");
    job_seconds_compare(&a->job_seconds, &a->pattern, &a->seats, a->role, a->plain, &a->trouble);
    return trouble_agree(&a->trouble, a->plain);
}

/* Rank 0 decides for all, so that rounding cannot make them disagree. */
static int reorder_is_worth_it(struct attempt *a)
{
    const double *seconds = a->job_seconds.seconds;
    double gain = a->job_seconds.known ? reseat_gain(seconds[0], seconds[1])
                                       : reseat_gain_with_links(a->cost, a->busiest);
    int worth_it = reseat_gain_suffices(gain, a->min_gain);
    PMPI_Bcast(&worth_it, 1, MPI_INT, 0, a->plain);
    if (worth_it)
        messages_count(&a->pattern, &a->seats.self, a->role, a->plain, a->messages);
    return worth_it;
}

static void reorder_explain(const struct attempt *a, const char *function, int done)
{
    struct decision_report report = {
        .function = function,
        .ranks = a->size,
        .done = done,
        .cost = {a->cost[0], a->cost[1]},
        .busiest = {a->busiest[0], a->busiest[1]},
        .seconds = {a->job_seconds.seconds[0], a->job_seconds.seconds[1]},
        .bytes = {a->job_seconds.bytes[0], a->job_seconds.bytes[1]},
        .most_gain = a->pattern.most_gain,
        .messages = {a->messages[0], a->messages[1]},
        .blind = a->seats.blind,
        .min_gain = a->min_gain,
        .strategy = (enum reseat_strategy)a->strategy,
        .source = a->pattern.source,
        .decision = &a->decision,
        .timing = &a->timing};
    if (a->rank == 0 && !a->trouble.failed)
        explain_decision(&report, a->settings->verbose);
}

int reorder_topology(MPI_Comm plain, MPI_Info info, const struct lineage *lineage,
                     const struct reseat_settings *settings, MPI_Comm *newcomm)
{
    struct attempt a = {.settings = settings,
                        .plain = plain,
                        .seats = {.node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL}};
    MPI_Comm result = MPI_COMM_NULL;
    MPI_Errhandler theirs;
    error_handler_return(plain, &theirs);
    if (reorder_prepare(&a, lineage) == 0 && reorder_find_order(&a) == 0) {
        int worth_it = reorder_is_worth_it(&a);
        result = worth_it ? new_order_rebuild(&a, info) : MPI_COMM_NULL;
        timing_add(&a.timing, "new communicator", 0);
        if (lineage_is_told(lineage))
            reorder_explain(&a, lineage->step[lineage->count - 1].function,
                            result != MPI_COMM_NULL);
    }
    seats_close(&a.seats);
    job_seconds_close(&a.job_seconds);
    neighbor_lists_free(&a.lists);
    pattern_close(&a.pattern);
    *newcomm = result != MPI_COMM_NULL ? result : plain;
    error_handler_restore(*newcomm, &theirs);
    if (result != MPI_COMM_NULL)
        PMPI_Comm_free(&plain);
    return result != MPI_COMM_NULL;
}

/* ---- the world ---- */

/* At rank 0: read the role of each rank. */
static void reorder_read_order(struct attempt *a, int *role_of)
{
    struct reseat_error error = {"out of memory for the mapping"};
    int32_t *rank_of = malloc(sizeof *rank_of * (size_t)a->size);
    if (!rank_of || lines_check_file(a->settings->mapping, &error) ||
        reseat_order_read(rank_of, a->size, a->settings->mapping, &error))
        trouble_note(&a->trouble, "%s", error.text);
    for (int role = 0; !a->trouble.failed && role < a->size; role++)
        role_of[rank_of[role]] = role;
    free(rank_of);
}

/* Take the order that RESEAT_MAPPING names. new_order_make checks that it is a permutation. */
static int reorder_take_order(struct attempt *a)
{
    PMPI_Comm_rank(a->plain, &a->rank);
    PMPI_Comm_size(a->plain, &a->size);
    a->role = a->rank;
    int *role_of = a->rank == 0 ? malloc(sizeof *role_of * (size_t)a->size) : NULL;
    if (a->rank == 0 && !role_of)
        trouble_note(&a->trouble, "out of memory for the mapping");
    else if (a->rank == 0)
        reorder_read_order(a, role_of);
    if (trouble_agree(&a->trouble, a->plain) == 0)
        trouble_mpi(&a->trouble,
                    PMPI_Scatter(role_of, 1, MPI_INT, &a->role, 1, MPI_INT, 0, a->plain),
                    "MPI_Scatter");
    free(role_of);
    return trouble_agree(&a->trouble, a->plain);
}

/* Warn if the program may take its rank from the launcher, by the profile. */
static void reorder_warn_of_variables(const struct attempt *a)
{
    if (a->rank == 0 && a->pattern.rank_variable[0] && a->settings->verbose >= 1)
        fprintf(stderr,
                "reseat: the program asked for %s, which keeps the launch order: if its output is "
                "wrong now use `reseat run --placement launch' or `reseat map --emit'\n",
                a->pattern.rank_variable);
}

/* Reorder as RESEAT_MAPPING says, whatever the cost. */
static MPI_Comm reorder_by_mapping(struct attempt *a)
{
    MPI_Comm order = reorder_take_order(a) == 0 ? new_order_agree(a) : MPI_COMM_NULL;
    char path[1024];
    printable_copy(path, sizeof path, a->settings->mapping);
    if (a->rank == 0 && order != MPI_COMM_NULL && a->settings->verbose >= 1)
        fprintf(stderr, "reseat: MPI_COMM_WORLD, %d ranks: reordered as %s says%s\n", a->size, path,
                a->role ? "; rank 0 is another process, standard input stays with the first one"
                        : "");
    return order;
}

static MPI_Comm reorder_find_world_order(struct attempt *a)
{
    MPI_Comm order = MPI_COMM_NULL;
    pattern_open_world(&a->pattern, a->settings, a->plain, &a->trouble);
    if (a->settings->scope == RESEAT_SCOPE_AUTO)
        programs_compare(a->plain, &a->trouble);
    if (trouble_agree(&a->trouble, a->plain) == 0) {
        reorder_begin(a);
        reorder_open_seconds(a, 1);
        if (trouble_agree(&a->trouble, a->plain) == 0 && reorder_find_order(a) == 0) {
            order = reorder_is_worth_it(a) ? new_order_agree(a) : MPI_COMM_NULL;
            timing_add(&a->timing, "new communicator", 0);
            reorder_explain(a, "MPI_COMM_WORLD", order != MPI_COMM_NULL);
            if (order != MPI_COMM_NULL)
                reorder_warn_of_variables(a);
        }
        seats_close(&a->seats);
        job_seconds_close(&a->job_seconds);
    }
    pattern_close(&a->pattern);
    return order;
}

MPI_Comm reorder_world(MPI_Comm launched, const struct reseat_settings *settings)
{
    struct attempt a = {.settings = settings,
                        .plain = launched,
                        .world = 1,
                        .seats = {.node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL}};
    int forced = settings->mapping[0] != '\0';
    PMPI_Bcast(&forced, 1, MPI_INT, 0, launched);
    return forced ? reorder_by_mapping(&a) : reorder_find_world_order(&a);
}
