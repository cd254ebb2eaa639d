/* SPDX-License-Identifier: BSD-3-Clause */
/* group-order.c - see group-order.h, and reorder.c for the groups. */
#include "reorder/group-order.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- a leader decides for its group ---- */

/* Index of the seat of role `rank` in a group in order of rank; -1: not in the group. */
static int32_t group_order_member(const struct seat *seats, int32_t count, int32_t rank)
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
static const struct seconds_costs *group_order_costs(const struct attempt *a)
{
    return a->job_seconds.known ? &a->job_seconds.costs : NULL;
}

/* For the objective time: where one process decides what goes between nodes, which is rank 0, and the
 * group has all ranks, as the traffic has. */
static const struct reseat_timings *group_order_timings(const struct attempt *a, int32_t count)
{
    return a->strategy != RESEAT_STRATEGY_NODE && count == a->size ? a->job_seconds.timings : NULL;
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
                                 .timings = group_order_timings(a, count),
                                 .traffic = a->pattern.traffic,
                                 .traffic_count = a->pattern.traffic_count,
                                 .objective = (enum reseat_objective)a->objective,
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

static int group_order_by_rank(const void *a, const void *b)
{
    const struct seat *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Like group_order_decide_for, for seats in the order of the processes, which need not be in order of
 * rank. */
static void group_order_decide_sorted(struct attempt *a, const struct seat *seats, int32_t count,
                                      int *roles)
{
    struct seat *sorted = malloc(sizeof *sorted * (size_t)count);
    int *of_sorted = malloc(sizeof *of_sorted * (size_t)count);
    for (int32_t p = 0; p < count; p++)
        roles[p] = seats[p].rank;
    if (sorted && of_sorted) {
        memcpy(sorted, seats, sizeof *sorted * (size_t)count);
        qsort(sorted, (size_t)count, sizeof *sorted, group_order_by_rank);
        group_order_decide_for(a, sorted, count, of_sorted);
        for (int32_t p = 0; p < count; p++)
            roles[p] = of_sorted[group_order_member(sorted, count, seats[p].rank)];
    } else {
        trouble_note(&a->trouble, "out of memory for the mapping");
    }
    free(sorted);
    free(of_sorted);
}

/* Gather the seats of `group`, decide at its rank 0, and scatter the roles. Collective over
 * group. */
static void group_order_decide(struct attempt *a, MPI_Comm group)
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
            group_order_decide_sorted(a, seats, count, roles);
        PMPI_Scatter(roles, 1, MPI_INT, &a->role, 1, MPI_INT, 0, group);
    } else {
        trouble_note(&a->trouble, "out of memory for the seats");
    }
    free(seats);
    free(roles);
}

/* ---- the groups of each strategy ---- */

/* At rank 0: if the method named is the launch order, name that of the first node which has got
 * another order; `own` is this node's at its leader, else NULL. As in predict/strategy.c. Collective
 * over plain. */
static void group_order_name_method(struct attempt *a, const char *own)
{
    int number = own ? prediction_method_number(own) : 0, first = INT_MAX;
    int mine = number ? a->seats.self.location.node * PREDICTION_METHODS + number : INT_MAX;
    trouble_mpi(&a->trouble, PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, a->plain),
                "MPI_Allreduce");
    if (a->rank == 0 && a->decision.method && first != INT_MAX &&
        prediction_method_number(a->decision.method) == 0)
        a->decision.method = prediction_method_name(first % PREDICTION_METHODS);
}

static double group_order_pattern_bytes(const struct attempt *a)
{
    return (double)(a->pattern.count * sizeof *a->pattern.entries);
}

/* The size of the seats that a leader of the group gets and the roles that it sends. */
static double group_order_seats_bytes(MPI_Comm group)
{
    int size = 0;
    PMPI_Comm_size(group, &size);
    return (double)size * (double)(sizeof(struct seat) + sizeof(int));
}

/* One group of all, or one of each node. */
static void group_order_one_level(struct attempt *a)
{
    int by_node = a->strategy == RESEAT_STRATEGY_NODE;
    MPI_Comm group = by_node ? a->seats.node : a->plain;
    pattern_gather(&a->pattern, group, by_node ? a->seats.leaders : MPI_COMM_NULL, &a->trouble);
    timing_add(&a->timing, "pattern", group_order_pattern_bytes(a));
    group_order_decide(a, group);
    if (by_node)
        group_order_name_method(a, a->decision.method);
    timing_add(&a->timing, "roles", group_order_seats_bytes(group));
}

/* At rank 0: the cost of the launch order and of the roles found, on the whole tree. */
static void group_order_count_costs(struct attempt *a, const struct seat *seats, const int *roles)
{
    struct reseat_location *locations = group_order_locations(seats, a->size);
    struct decide_input input = {.processes = a->size,
                                 .locations = locations,
                                 .network = &a->seats.network,
                                 .costs = group_order_costs(a),
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
static void group_order_nodes(struct attempt *a, const struct seat *self)
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
    timing_add(&a->timing, "pattern to the nodes", group_order_pattern_bytes(a));
    int objective = a->objective;
    a->objective = RESEAT_OBJECTIVE_COST; /* what goes between nodes is decided */
    if (trouble_agree(&a->trouble, a->plain) == 0)
        group_order_decide(a, a->seats.node);
    a->objective = objective;
    timing_add(&a->timing, "each node its own", group_order_seats_bytes(a->seats.node));
    if (copy) {
        free(a->pattern.entries);
        a->pattern.entries = copy;
        a->pattern.count = count;
    }
}

/* Assign roles to nodes at rank 0, then let each node order its own. */
static void group_order_two_levels(struct attempt *a)
{
    struct seat self = a->seats.self;
    size_t size = a->rank == 0 ? (size_t)a->size : 1;
    struct seat *seats = malloc(sizeof *seats * size);
    int *roles = malloc(sizeof *roles * size);
    if (!seats || !roles)
        trouble_note(&a->trouble, "out of memory for the seats");
    pattern_gather(&a->pattern, a->plain, MPI_COMM_NULL, &a->trouble);
    timing_add(&a->timing, "pattern", group_order_pattern_bytes(a));
    reseat_place_clear(&a->seats.self.location.place); /* nodes only */
    group_order_decide(a, a->plain);
    timing_add(&a->timing, "roles to nodes", group_order_seats_bytes(a->plain));
    struct decision division = a->decision;
    if (trouble_agree(&a->trouble, a->plain) == 0)
        group_order_nodes(a, &self);
    const char *own = a->decision.method;
    a->decision = division;
    group_order_name_method(a, own);
    if (trouble_agree(&a->trouble, a->plain) == 0) {
        PMPI_Gather(&self, sizeof self, MPI_BYTE, seats, sizeof self, MPI_BYTE, 0, a->plain);
        PMPI_Gather(&a->role, 1, MPI_INT, roles, 1, MPI_INT, 0, a->plain);
        a->cost[0] = a->cost[1] = a->busiest[0] = a->busiest[1] = 0;
        if (a->rank == 0)
            group_order_count_costs(a, seats, roles);
        timing_add(&a->timing, "cost of it all", group_order_seats_bytes(a->plain));
    }
    a->seats.self = self;
    free(seats);
    free(roles);
}

void group_order_find(struct attempt *a)
{
    if (a->strategy == RESEAT_STRATEGY_TWOLEVEL)
        group_order_two_levels(a);
    else
        group_order_one_level(a);
}
