/* SPDX-License-Identifier: BSD-3-Clause */
/* group-order.c - see attempt.h, and reorder.c for the groups. */
#include "base/ascending.h"
#include "reorder/attempt.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- a leader decides for its group ---- */

/* Index of the seat of role `rank` in a group in order of rank; -1: not in the group. */
static int32_t group_order_member(const struct seat *seats, int32_t count, int32_t rank)
{
    const struct seat key = {.rank = rank};
    const struct seat *found = bsearch(&key, seats, (size_t)count, sizeof *seats, ascending_int32);
    return found ? (int32_t)(found - seats) : -1;
}

/* Keep the entries inside the group, with indices in the group. Traffic that leaves the group costs
 * the same in every order inside it: it is no part of this search, only of what is said of the
 * gain. */
static void group_order_narrow(struct pattern *pattern, const struct seat *seats, int32_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < pattern->count; i++) {
        struct tmap_entry entry = pattern->entries[i];
        int32_t source = group_order_member(seats, count, entry.source);
        int32_t target = group_order_member(seats, count, entry.target);
        if (source >= 0 && target >= 0)
            pattern->entries[kept++] = (struct tmap_entry){source, target, entry.weight};
    }
    pattern->count = kept;
}

/* Allocated; NULL: out of memory. */
static struct reseat_location *group_order_locations(const struct seat *seats, int32_t count)
{
    struct reseat_location *locations = malloc(sizeof *locations * (size_t)count);
    for (int32_t p = 0; locations && p < count; p++)
        locations[p] = seats[p].location;
    return locations;
}

/* Of levels, by the timings of the machine; NULL: they are not known. */
static const struct time_costs *group_order_costs(const struct attempt *a)
{
    return a->job_seconds.known ? &a->job_seconds.costs : NULL;
}

/* Of the traffic: means of what two ranks exchange have no direction. */
static int group_order_is_by_pair(const struct attempt *a)
{
    return a->pattern.source == RESEAT_PATTERN_PROFILE && a->settings->metric == RESEAT_METRIC_AVG;
}

/* The timings if one process, which is rank 0, decides what goes between nodes, and the group has
 * all ranks, as the traffic has; otherwise NULL. */
static const struct reseat_timings *group_order_timings(const struct attempt *a, int32_t count)
{
    return a->job_seconds.known && a->strategy != RESEAT_STRATEGY_NODE && count == a->size
               ? a->job_seconds.timings
               : NULL;
}

/* Find roles, as ranks in plain, for the group with these seats. */
static void group_order_decide_for(struct attempt *a, const struct seat *seats, int32_t count,
                                   int *roles)
{
    struct reseat_location *locations = group_order_locations(seats, count);
    struct reseat_error error;
    for (int32_t p = 0; p < count; p++)
        roles[p] = seats[p].rank;
    if (!locations) {
        trouble_note(&a->trouble, "out of memory for the mapping");
        return;
    }
    group_order_narrow(&a->pattern, seats, count);
    struct decide_input input = {.processes = count,
                                 .locations = locations,
                                 .network = &a->seats.network,
                                 .costs = group_order_costs(a),
                                 .entries = a->pattern.entries,
                                 .entries_count = a->pattern.count,
                                 .by_pair = group_order_is_by_pair(a),
                                 .timings = group_order_timings(a, count),
                                 .traffic = a->pattern.traffic,
                                 .traffic_count = a->pattern.traffic_count,
                                 .metric = a->settings->metric,
                                 .objective = (enum reseat_objective)a->objective,
                                 .keep_local = (enum reseat_keep_local)a->keep_local,
                                 .method = prediction_method_of(a->settings),
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

/* Like group_order_decide_for, for seats in the order of the processes, which need not be in order
 * of rank. */
static void group_order_decide_sorted(struct attempt *a, const struct seat *seats, int32_t count,
                                      int *roles)
{
    struct seat *sorted = malloc(sizeof *sorted * (size_t)count);
    int *of_sorted = malloc(sizeof *of_sorted * (size_t)count);
    for (int32_t p = 0; p < count; p++)
        roles[p] = seats[p].rank;
    if (sorted && of_sorted) {
        memcpy(sorted, seats, sizeof *sorted * (size_t)count);
        qsort(sorted, (size_t)count, sizeof *sorted, ascending_int32);
        group_order_decide_for(a, sorted, count, of_sorted);
        for (int32_t p = 0; p < count; p++)
            roles[p] = of_sorted[group_order_member(sorted, count, seats[p].rank)];
    } else {
        trouble_note(&a->trouble, "out of memory for the mapping");
    }
    free(sorted);
    free(of_sorted);
}

/* Tell the seats of `group` to its rank 0, which decides, and tells the roles. Collective over
 * group. */
static void group_order_decide(struct attempt *a, MPI_Comm group)
{
    struct rank_tree rank_tree;
    struct rank_tree_parts parts;
    struct seat *seats = NULL;
    int *roles = NULL;
    size_t at = 0, size, count = 0;
    rank_tree_open(&rank_tree, group);
    rank_tree_gather(&rank_tree, 0, &a->seats.self, sizeof a->seats.self, &parts);
    if (rank_tree.first == 0) {
        count = (size_t)rank_tree.last;
        seats = malloc(sizeof *seats * count);
        roles = malloc(sizeof *roles * count);
    }
    int has_room = seats && roles && !parts.is_cut;
    for (size_t i = 0; has_room && i < count; i++)
        memcpy(&seats[i], rank_tree_next(&parts, &at, &size), sizeof *seats);
    if (has_room)
        group_order_decide_sorted(a, seats, (int32_t)count, roles);
    else if (rank_tree.first == 0)
        trouble_note(&a->trouble, "out of memory for the seats");
    rank_tree_scatter(&rank_tree, has_room ? RANK_TREE_NOBODY : 0, roles, sizeof *roles, &a->role);
    free(seats);
    free(roles);
    free(parts.data);
}

/* ---- the groups of each strategy ---- */

static double group_order_pattern_bytes(const struct attempt *a)
{
    return (double)(a->pattern.count * sizeof *a->pattern.entries);
}

static double group_order_seats_bytes(const struct attempt *a)
{
    return (double)a->size * (double)(sizeof(struct seat) + sizeof(int));
}

/* One group of all. */
static void group_order_global(struct attempt *a)
{
    if (a->rank == 0 && !trouble_is_known(&a->trouble))
        group_order_decide_for(a, a->seats.all, a->size, a->roles);
    timing_add(&a->timing, "roles", group_order_seats_bytes(a));
}

/* At rank 0: the cost of the launch order and of the roles found, on the whole tree. With `node`
 * the busiest link is that inside nodes, which the leaders have. */
static void group_order_count_costs(struct attempt *a)
{
    struct reseat_location *locations = group_order_locations(a->seats.all, a->size);
    struct decide_input input = {.processes = a->size,
                                 .locations = locations,
                                 .network = &a->seats.network,
                                 .costs = group_order_costs(a),
                                 .entries = a->pattern.entries,
                                 .entries_count = a->pattern.count,
                                 .by_pair = group_order_is_by_pair(a),
                                 .objective = (enum reseat_objective)a->objective,
                                 .keep_local = (enum reseat_keep_local)a->keep_local,
                                 .with_loads = a->settings->verbose >= 2};
    struct reseat_error error = {"out of memory"};
    struct decision whole = {0};
    if (!locations || decide_compare(&input, a->roles, &whole, &error))
        trouble_note(&a->trouble, "mapping: %s", error.text);
    a->cost[0] = whole.before;
    a->cost[1] = whole.after;
    if (a->strategy != RESEAT_STRATEGY_NODE)
        memcpy(a->busiest, whole.busiest, sizeof a->busiest);
    a->decision.local = whole.local;
    a->decision.levels = whole.levels;
    memcpy(a->decision.level, whole.level, sizeof whole.level);
    free(locations);
}

/* Told by rank 0 at the start; the leader of each node knows it after that. */
struct group_start {
    int objective;
    int keep_local;
    int known; /* the costs */
    struct time_costs costs;
};

/* Each node, whose processes are in `node`, orders the roles that it was given. Entries outside the
 * node are dropped in that, so rank 0, which evaluates the total cost, keeps a copy. */
static void group_order_nodes(struct attempt *a, MPI_Comm node, MPI_Comm leaders)
{
    size_t count = a->pattern.count;
    struct tmap_entry *copy = a->rank == 0 ? malloc(sizeof *copy * (count + 1)) : NULL;
    int objective = a->objective;
    if (copy)
        memcpy(copy, a->pattern.entries, sizeof *copy * count);
    else if (a->rank == 0)
        trouble_note(&a->trouble, "out of memory for the pattern");
    pattern_share(&a->pattern, leaders, &a->trouble);
    timing_add(&a->timing, "pattern to the nodes", group_order_pattern_bytes(a));
    struct reseat_timings *timings = a->job_seconds.timings;
    if (a->strategy == RESEAT_STRATEGY_TWOLEVEL)
        a->objective = RESEAT_OBJECTIVE_COST; /* what goes between nodes is decided */
    a->job_seconds.timings = NULL;
    a->seats.self.rank = a->role; /* its rank for the time being */
    if (trouble_agree(&a->trouble, a->plain) == 0)
        group_order_decide(a, node);
    a->seats.self.rank = a->rank;
    a->objective = objective;
    a->job_seconds.timings = timings;
    timing_add(&a->timing, "each node its own", group_order_seats_bytes(a));
    if (copy) {
        free(a->pattern.entries);
        a->pattern.entries = copy;
        a->pattern.count = count;
    }
}

/* At rank 0: assign roles to nodes. */
static void group_order_divide(struct attempt *a)
{
    struct seat *seats = malloc(sizeof *seats * (size_t)a->size);
    for (int rank = 0; seats && rank < a->size; rank++) {
        seats[rank] = a->seats.all[rank];
        reseat_place_clear(&seats[rank].location.place); /* nodes only */
    }
    if (seats)
        group_order_decide_for(a, seats, a->size, a->roles);
    else
        trouble_note(&a->trouble, "out of memory for the seats");
    free(seats);
    memset(a->busiest, 0, sizeof a->busiest);
}

/* Give all leaders the same objective and costs, and with two levels deal the roles to the nodes
 * first. 0, or -1 on all ranks. */
static int group_order_start(struct attempt *a)
{
    struct group_start start = {
        .objective = a->objective, .keep_local = a->keep_local, .known = a->job_seconds.known};
    start.costs = a->job_seconds.costs;
    int divides = a->strategy == RESEAT_STRATEGY_TWOLEVEL;
    if (divides && a->rank == 0 && !trouble_is_known(&a->trouble))
        group_order_divide(a);
    timing_add(&a->timing, divides ? "roles to nodes" : "to the nodes", group_order_seats_bytes(a));
    if (trouble_broadcast(&a->trouble, &a->seats.rank_tree, &start, sizeof start,
                          &(struct rank_tree_wanted){&start, sizeof start}))
        return -1;
    a->objective = start.objective;
    a->keep_local = start.keep_local;
    a->job_seconds.known = start.known;
    a->job_seconds.costs = start.costs;
    if (divides)
        rank_tree_scatter(&a->seats.rank_tree, RANK_TREE_NOBODY, a->roles, sizeof a->role,
                          &a->role);
    return 0;
}

/* The processes of this node, and the leaders of all nodes, if this is one. 0, or -1: no rank has
 * them; they are not freed, because that is collective, and not all ranks may have them. */
static int group_order_split(struct attempt *a, MPI_Comm *node, MPI_Comm *leaders)
{
    int leads = a->seats.leader == a->rank;
    trouble_mpi(&a->trouble, PMPI_Comm_split(a->plain, a->seats.self.location.node, a->rank, node),
                "MPI_Comm_split");
    trouble_mpi(&a->trouble, PMPI_Comm_split(a->plain, leads ? 0 : MPI_UNDEFINED, a->rank, leaders),
                "MPI_Comm_split");
    return trouble_agree(&a->trouble, a->plain);
}

/* Told by each process at the end. */
struct group_result {
    int role;
    int method; /* of a leader: the number of its method; 0: the launch order */
    double busiest[2];
};

/* At rank 0: the roles of all. If the method named is the launch order, name that of the first node
 * which has got another order, as in predict/strategy.c. */
static void group_order_take_results(struct attempt *a, const struct rank_tree_parts *parts)
{
    int first = INT_MAX, number = 0;
    size_t at = 0, size;
    struct group_result result;
    for (int rank = 0; rank < a->size && !parts->is_cut; rank++) {
        memcpy(&result, rank_tree_next(parts, &at, &size), sizeof result);
        a->roles[rank] = result.role;
        if (result.method && a->seats.all[rank].location.node < first) {
            first = a->seats.all[rank].location.node;
            number = result.method;
        }
        for (int i = 0; i < 2; i++)
            a->busiest[i] = result.busiest[i] > a->busiest[i] ? result.busiest[i] : a->busiest[i];
    }
    if (number && a->decision.method && prediction_method_number(a->decision.method) == 0)
        a->decision.method = prediction_method_name(number);
    if (!trouble_is_known(&a->trouble))
        group_order_count_costs(a);
}

/* Let each node order its own roles, with two levels after they have been divided anew. */
static void group_order_by_node(struct attempt *a)
{
    MPI_Comm node = MPI_COMM_NULL, leaders = MPI_COMM_NULL;
    struct rank_tree_parts parts;
    if (group_order_start(a) || group_order_split(a, &node, &leaders))
        return;
    struct decision division = a->decision;
    group_order_nodes(a, node, leaders);
    const char *own = a->seats.leader == a->rank ? a->decision.method : NULL;
    struct group_result result = {a->role, own ? prediction_method_number(own) : 0, {0, 0}};
    memcpy(result.busiest, a->busiest, sizeof result.busiest);
    if (a->strategy == RESEAT_STRATEGY_TWOLEVEL)
        a->decision = division;
    trouble_gather(&a->trouble, &a->seats.rank_tree, &result, sizeof result, &parts);
    if (a->rank == 0)
        group_order_take_results(a, &parts);
    timing_add(&a->timing, "cost of it all", group_order_seats_bytes(a));
    free(parts.data);
    PMPI_Comm_free(&node);
    if (leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&leaders);
}

void group_order_find(struct attempt *a)
{
    a->roles = a->rank == 0 ? malloc(sizeof *a->roles * (size_t)a->size) : NULL;
    if (a->rank == 0 && !a->roles)
        trouble_note(&a->trouble, "out of memory for the roles");
    pattern_gather(&a->pattern, &a->seats.rank_tree, &a->trouble);
    timing_add(&a->timing, "pattern", group_order_pattern_bytes(a));
    if (a->strategy == RESEAT_STRATEGY_GLOBAL)
        group_order_global(a);
    else
        group_order_by_node(a);
}
