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
 * All messages go over `plain`, which the application has not seen yet, so none of its receives can
 * match them. After every step that can fail at some rank, all ranks agree (trouble.h).
 */
#include "reorder/reorder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/gain.h"
#include "format/lines.h"
#include "format/order.h"
#include "format/printable.h"
#include "predict/strategy.h"
#include "reorder/decide.h"
#include "reorder/cart-graph.h"
#include "reorder/messages.h"
#include "reorder/programs.h"
#include "reorder/seats.h"
#include "reorder/error-handler.h"
#include "reorder/explain.h"
#include "reorder/job-seconds.h"

struct attempt {
    const struct reseat_settings *settings;
    int strategy;    /* RESEAT_STRATEGY_NODE, _GLOBAL or _TWOLEVEL; as rank 0 has it set */
    int objective;   /* enum reseat_objective; as rank 0 has it set */
    double min_gain; /* only rank 0's counts */
    MPI_Comm plain;
    int rank;
    int size;
    struct seats seats;
    struct neighbor_lists lists; /* of the role that is this process's rank in plain */
    struct pattern pattern;
    struct job_seconds job_seconds;
    struct trouble trouble;
    int kind;                 /* of the topology: MPI_DIST_GRAPH, MPI_CART, MPI_GRAPH */
    int world;                /* MPI_COMM_WORLD: no lists, and rank 0 stays where it is */
    int role;                 /* that this process will play */
    double cost[2];           /* before, after; of this group, then of all */
    double busiest[2];        /* links, as cost; zeros if that is no objective */
    uint64_t messages[2];     /* between nodes, as cost; of all, at rank 0 */
    struct decision decision; /* of a leader */
    struct timing timing;
};

/* ---- a leader decides for its group ---- */

/* Index of the seat of role `rank` in a group in order of rank; -1: not in the group. */
static int32_t reorder_member(const struct seat *seats, int32_t count, int32_t rank)
{
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (seats[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && seats[low].rank == rank ? low : -1;
}

/* Keep the entries inside the group, with indices in the group. Traffic that leaves the group costs
 * the same in every order inside it, and compared with the network's cost no gain inside a node
 * would ever count: so it is left out. */
static void reorder_narrow(struct pattern *pattern, const struct seat *seats, int32_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < pattern->count; i++) {
        struct tmap_entry entry = pattern->entries[i];
        int32_t source = reorder_member(seats, count, entry.source);
        int32_t target = reorder_member(seats, count, entry.target);
        if (source >= 0 && target >= 0)
            pattern->entries[kept++] = (struct tmap_entry){source, target, entry.weight};
    }
    pattern->count = kept;
}

/* Allocated; NULL: out of memory. */
static struct reseat_location *reorder_locations(const struct seat *seats, int32_t count)
{
    struct reseat_location *locations = malloc(sizeof *locations * (size_t)count);
    for (int32_t p = 0; locations && p < count; p++)
        locations[p] = seats[p].location;
    return locations;
}

/* Of levels, by the timings of the machine; NULL: they are not known. */
static const struct seconds_costs *reorder_costs(const struct attempt *a)
{
    return a->job_seconds.known ? &a->job_seconds.costs : NULL;
}

/* Find roles, as ranks in plain, for the group with these seats. */
static void reorder_decide_for(struct attempt *a, const struct seat *seats, int32_t count,
                               int *roles)
{
    struct reseat_location *locations = reorder_locations(seats, count);
    struct reseat_error error;
    for (int32_t p = 0; p < count; p++)
        roles[p] = seats[p].rank;
    if (!locations) {
        trouble_note(&a->trouble, "out of memory for the mapping");
        return;
    }
    reorder_narrow(&a->pattern, seats, count);
    struct decide_input input = {.processes = count,
                                 .locations = locations,
                                 .network = &a->seats.network,
                                 .costs = reorder_costs(a),
                                 .entries = a->pattern.entries,
                                 .entries_count = a->pattern.count,
                                 .objective = (enum reseat_objective)a->objective,
                                 .keep_first = a->world && seats[0].rank == 0,
                                 .with_loads = a->rank == 0 && a->settings->verbose >= 2};
    if (decide(&input, roles, &a->decision, &error)) {
        trouble_note(&a->trouble, "mapping: %s", error.text);
    } else {
        for (int32_t p = 0; p < count; p++)
            roles[p] = seats[roles[p]].rank;
        a->cost[0] = a->decision.before;
        a->cost[1] = a->decision.after;
        memcpy(a->busiest, a->decision.busiest, sizeof a->busiest);
    }
    free(locations);
}

static int reorder_by_rank(const void *a, const void *b)
{
    const struct seat *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Like reorder_decide_for, for seats in the order of the processes, which need not be in order of
 * rank. */
static void reorder_decide_sorted(struct attempt *a, const struct seat *seats, int32_t count,
                                  int *roles)
{
    struct seat *sorted = malloc(sizeof *sorted * (size_t)count);
    int *of_sorted = malloc(sizeof *of_sorted * (size_t)count);
    for (int32_t p = 0; p < count; p++)
        roles[p] = seats[p].rank;
    if (sorted && of_sorted) {
        memcpy(sorted, seats, sizeof *sorted * (size_t)count);
        qsort(sorted, (size_t)count, sizeof *sorted, reorder_by_rank);
        reorder_decide_for(a, sorted, count, of_sorted);
        for (int32_t p = 0; p < count; p++)
            roles[p] = of_sorted[reorder_member(sorted, count, seats[p].rank)];
    } else {
        trouble_note(&a->trouble, "out of memory for the mapping");
    }
    free(sorted);
    free(of_sorted);
}

/* Gather the seats of `group`, decide at its rank 0, and scatter the roles. Collective over
 * group. */
static void reorder_decide_in(struct attempt *a, MPI_Comm group)
{
    int rank, count, go;
    struct seat *seats = NULL;
    int *roles = NULL;
    PMPI_Comm_rank(group, &rank);
    PMPI_Comm_size(group, &count);
    if (rank == 0) {
        seats = malloc(sizeof *seats * (size_t)count);
        roles = malloc(sizeof *roles * (size_t)count);
    }
    go = rank != 0 || (seats && roles);
    trouble_mpi(&a->trouble, PMPI_Bcast(&go, 1, MPI_INT, 0, group), "MPI_Bcast");
    if (go) {
        PMPI_Gather(&a->seats.self, sizeof a->seats.self, MPI_BYTE, seats, sizeof a->seats.self,
                    MPI_BYTE, 0, group);
        if (rank == 0)
            reorder_decide_sorted(a, seats, count, roles);
        PMPI_Scatter(roles, 1, MPI_INT, &a->role, 1, MPI_INT, 0, group);
    } else {
        trouble_note(&a->trouble, "out of memory for the seats");
    }
    free(seats);
    free(roles);
}

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

static int reorder_prepare(struct attempt *a, const struct lineage *lineage)
{
    reorder_begin(a);
    PMPI_Topo_test(a->plain, &a->kind);
    if (a->kind == MPI_DIST_GRAPH)
        neighbor_lists_get(&a->lists, a->plain, &a->trouble);
    else
        cart_graph_get(&a->lists, a->kind, a->plain, &a->trouble);
    pattern_open(&a->pattern, a->settings, lineage, &a->lists, a->plain, &a->trouble);
    job_seconds_open(&a->job_seconds, a->settings, &a->pattern, &a->seats, a->plain, &a->trouble);
    return trouble_agree(&a->trouble, a->plain);
}

/* At rank 0: if the method named is the launch order, name that of the first node which has got
 * another order; `own` is this node's at its leader, else NULL. As in predict/strategy.c. Collective
 * over plain. */
static void reorder_name_method(struct attempt *a, const char *own)
{
    int number = own ? prediction_method_number(own) : 0, first = INT_MAX;
    int mine = number ? a->seats.self.location.node * PREDICTION_METHODS + number : INT_MAX;
    trouble_mpi(&a->trouble, PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, a->plain),
                "MPI_Allreduce");
    if (a->rank == 0 && a->decision.method && first != INT_MAX &&
        prediction_method_number(a->decision.method) == 0)
        a->decision.method = prediction_method_name(first % PREDICTION_METHODS);
}

static double reorder_pattern_bytes(const struct attempt *a)
{
    return (double)(a->pattern.count * sizeof *a->pattern.entries);
}

/* The size of the seats that a leader of the group gets and the roles that it sends. */
static double reorder_seats_bytes(MPI_Comm group)
{
    int size = 0;
    PMPI_Comm_size(group, &size);
    return (double)size * (double)(sizeof(struct seat) + sizeof(int));
}

/* One group of all, or one of each node. */
static void reorder_order_in_groups(struct attempt *a)
{
    int by_node = a->strategy == RESEAT_STRATEGY_NODE;
    MPI_Comm group = by_node ? a->seats.node : a->plain;
    pattern_gather(&a->pattern, group, by_node ? a->seats.leaders : MPI_COMM_NULL, &a->trouble);
    timing_add(&a->timing, "pattern", reorder_pattern_bytes(a));
    reorder_decide_in(a, group);
    if (by_node)
        reorder_name_method(a, a->decision.method);
    timing_add(&a->timing, "roles", reorder_seats_bytes(group));
}

/* At rank 0: the cost of the launch order and of the roles found, on the whole tree. */
static void reorder_count_costs(struct attempt *a, const struct seat *seats, const int *roles)
{
    struct reseat_location *locations = reorder_locations(seats, a->size);
    struct decide_input input = {.processes = a->size,
                                 .locations = locations,
                                 .network = &a->seats.network,
                                 .costs = reorder_costs(a),
                                 .entries = a->pattern.entries,
                                 .entries_count = a->pattern.count,
                                 .objective = (enum reseat_objective)a->objective,
                                 .with_loads = a->settings->verbose >= 2};
    struct reseat_error error = {"out of memory"};
    struct decision whole = {0};
    if (!locations || decide_compare(&input, roles, &whole, &error))
        trouble_note(&a->trouble, "mapping: %s", error.text);
    a->cost[0] = whole.before;
    a->cost[1] = whole.after;
    memcpy(a->busiest, whole.busiest, sizeof a->busiest);
    a->decision.levels = whole.levels;
    memcpy(a->decision.level, whole.level, sizeof whole.level);
    free(locations);
}

/* Each node orders the roles that it was given. Entries outside the node are dropped in that, so
 * rank 0, which evaluates the total cost, keeps a copy. */
static void reorder_order_nodes(struct attempt *a, const struct seat *self)
{
    size_t count = a->pattern.count;
    struct tmap_entry *copy = a->rank == 0 ? malloc(sizeof *copy * (count + 1)) : NULL;
    a->seats.self = *self;
    a->seats.self.rank = a->role; /* its rank for the time being */
    if (copy)
        memcpy(copy, a->pattern.entries, sizeof *copy * count);
    else if (a->rank == 0)
        trouble_note(&a->trouble, "out of memory for the pattern");
    pattern_share(&a->pattern, a->seats.leaders, &a->trouble);
    timing_add(&a->timing, "pattern to the nodes", reorder_pattern_bytes(a));
    int objective = a->objective;
    a->objective = RESEAT_OBJECTIVE_COST; /* what goes between nodes is decided */
    if (trouble_agree(&a->trouble, a->plain) == 0)
        reorder_decide_in(a, a->seats.node);
    a->objective = objective;
    timing_add(&a->timing, "each node its own", reorder_seats_bytes(a->seats.node));
    if (copy) {
        free(a->pattern.entries);
        a->pattern.entries = copy;
        a->pattern.count = count;
    }
}

/* Assign roles to nodes at rank 0, then let each node order its own. */
static void reorder_order_in_two_levels(struct attempt *a)
{
    struct seat self = a->seats.self;
    size_t size = a->rank == 0 ? (size_t)a->size : 1;
    struct seat *seats = malloc(sizeof *seats * size);
    int *roles = malloc(sizeof *roles * size);
    if (!seats || !roles)
        trouble_note(&a->trouble, "out of memory for the seats");
    pattern_gather(&a->pattern, a->plain, MPI_COMM_NULL, &a->trouble);
    timing_add(&a->timing, "pattern", reorder_pattern_bytes(a));
    reseat_place_clear(&a->seats.self.location.place); /* nodes only */
    reorder_decide_in(a, a->plain);
    timing_add(&a->timing, "roles to nodes", reorder_seats_bytes(a->plain));
    struct decision division = a->decision;
    if (trouble_agree(&a->trouble, a->plain) == 0)
        reorder_order_nodes(a, &self);
    const char *own = a->decision.method;
    a->decision = division;
    reorder_name_method(a, own);
    if (trouble_agree(&a->trouble, a->plain) == 0) {
        PMPI_Gather(&self, sizeof self, MPI_BYTE, seats, sizeof self, MPI_BYTE, 0, a->plain);
        PMPI_Gather(&a->role, 1, MPI_INT, roles, 1, MPI_INT, 0, a->plain);
        a->cost[0] = a->cost[1] = a->busiest[0] = a->busiest[1] = 0;
        if (a->rank == 0)
            reorder_count_costs(a, seats, roles);
        timing_add(&a->timing, "cost of it all", reorder_seats_bytes(a->plain));
    }
    a->seats.self = self;
    free(seats);
    free(roles);
}

static int reorder_find_order(struct attempt *a)
{
    double mine[2], links[2];
    if (a->strategy == RESEAT_STRATEGY_TWOLEVEL)
        reorder_order_in_two_levels(a);
    else
        reorder_order_in_groups(a);
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

/* The processes in the new order: rank = role. */
static MPI_Comm reorder_make_order(struct attempt *a)
{
    MPI_Comm order = MPI_COMM_NULL;
    int rank = -1;
    /* The world's replacement must have its error handler, or none, as MPICH's world has none. */
    MPI_Comm parent = a->world ? MPI_COMM_WORLD : a->plain;
    if (trouble_mpi(&a->trouble, PMPI_Comm_split(parent, 0, a->role, &order), "MPI_Comm_split"))
        PMPI_Comm_rank(order, &rank);
    if (rank != a->role)
        trouble_note(&a->trouble, "the new order is not a permutation");
    return order;
}

/* The new order, if all ranks have it; MPI_COMM_NULL on all if something went wrong. Then it is not
 * freed, because that is collective, and not all ranks may have it. */
static MPI_Comm reorder_agree_on_order(struct attempt *a)
{
    MPI_Comm order = reorder_make_order(a);
    return trouble_agree(&a->trouble, a->plain) ? MPI_COMM_NULL : order;
}

/* The rank in plain of the process that plays this process's present role in the new order. */
static int reorder_successor(struct attempt *a, MPI_Comm order)
{
    MPI_Group from = MPI_GROUP_NULL, to = MPI_GROUP_NULL;
    int rank = MPI_PROC_NULL;
    if (PMPI_Comm_group(order, &from) != MPI_SUCCESS ||
        PMPI_Comm_group(a->plain, &to) != MPI_SUCCESS ||
        PMPI_Group_translate_ranks(from, 1, &a->rank, to, &rank) != MPI_SUCCESS)
        trouble_note(&a->trouble, "MPI gives no groups of the new communicator");
    if (from != MPI_GROUP_NULL)
        PMPI_Group_free(&from);
    if (to != MPI_GROUP_NULL)
        PMPI_Group_free(&to);
    return rank;
}

/* Send the lists to the processes that will play the roles, and create the graph from them. */
static void reorder_rebuild_dist_graph(struct attempt *a, MPI_Comm order, MPI_Info info,
                                       MPI_Comm *result)
{
    struct neighbor_lists lists = {0};
    int successor = reorder_successor(a, order);
    if (trouble_agree(&a->trouble, a->plain) == 0)
        neighbor_lists_move(&lists, &a->lists, successor, a->role, a->plain, &a->trouble);
    if (trouble_agree(&a->trouble, a->plain) == 0)
        trouble_mpi(&a->trouble, neighbor_lists_create(&lists, order, info, result),
                    "MPI_Dist_graph_create_adjacent");
    neighbor_lists_free(&lists);
}

static MPI_Comm reorder_rebuild(struct attempt *a, MPI_Info info)
{
    MPI_Comm result = MPI_COMM_NULL, order = reorder_agree_on_order(a);
    if (order == MPI_COMM_NULL)
        return MPI_COMM_NULL;
    if (a->kind == MPI_DIST_GRAPH)
        reorder_rebuild_dist_graph(a, order, info, &result);
    else
        cart_graph_create(a->kind, a->plain, order, &result, &a->trouble);
    if (trouble_agree(&a->trouble, a->plain))
        result = MPI_COMM_NULL; /* not freed either */
    PMPI_Comm_free(&order);
    return result;
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
        result = worth_it ? reorder_rebuild(&a, info) : MPI_COMM_NULL;
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

/* Take the order that RESEAT_MAPPING names. reorder_make_order checks that it is a permutation. */
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
    MPI_Comm order = reorder_take_order(a) == 0 ? reorder_agree_on_order(a) : MPI_COMM_NULL;
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
        job_seconds_open(&a->job_seconds, a->settings, &a->pattern, &a->seats, a->plain,
                         &a->trouble);
        if (trouble_agree(&a->trouble, a->plain) == 0 && reorder_find_order(a) == 0) {
            order = reorder_is_worth_it(a) ? reorder_agree_on_order(a) : MPI_COMM_NULL;
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
