/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strategy.c - see strategy.h.
 *
 *   global     all roles on all slots
 *   node       the roles that each node was launched with, on its slots
 *   twolevel   first all roles on nodes, whose inside is ignored; then the roles of each node on
 *              its slots
 *
 * The roles of a node are numbered in ascending order, as its leader in the library does. Only the
 * traffic among them is taken into account. If the busiest link is to carry less: the links between
 * nodes do with `twolevel`, those inside of each node with `node`. If all is to take less time: between
 * nodes with `twolevel`; inside a node the cost counts, since its card carries the same in any order.
 */
#include "predict/strategy.h"

#include <stdlib.h>
#include <string.h>

struct strategy_search {
    struct tmap_matrix *matrix;
    const struct reseat_location *locations; /* by process */
    const struct reseat_network *network;
    const struct seconds_costs *costs;
    const struct seconds_pricing *pricing;
    const struct prediction_request *request;
    enum reseat_objective inside; /* of each node */
    int32_t roles;
    int32_t *process_of; /* by role: the order so far */
    int32_t *grouped;    /* the roles, by node and then by number */
    int32_t *end;        /* by node: the end of its roles in `grouped` */
    int32_t *index_of;   /* by role: its number in the group being ordered; -1: not in it */
    int32_t *found;      /* of the group being ordered */
    struct reseat_location *group_locations;
    const char *method;   /* of the division; if that is the launch order, of the first node that
                             has another order */
    double before, after; /* sums over the groups */
    double busiest[2];    /* the most over the groups */
};

static int strategy_open(struct strategy_search *s, struct reseat_error *error)
{
    size_t n = (size_t)s->roles + 1;
    s->process_of = malloc(n * sizeof *s->process_of);
    s->grouped = malloc(n * sizeof *s->grouped);
    s->end = malloc(n * sizeof *s->end);
    s->index_of = malloc(n * sizeof *s->index_of);
    s->found = malloc(n * sizeof *s->found);
    s->group_locations = malloc(n * sizeof *s->group_locations);
    if (!s->process_of || !s->grouped || !s->end || !s->index_of || !s->found ||
        !s->group_locations)
        return reseat_fail(error, "out of memory");
    for (int32_t role = 0; role < s->roles; role++) {
        s->process_of[role] = role;
        s->index_of[role] = -1;
    }
    return 0;
}

static void strategy_close(struct strategy_search *s)
{
    free(s->process_of);
    free(s->grouped);
    free(s->end);
    free(s->index_of);
    free(s->found);
    free(s->group_locations);
}

/* ---- roles to nodes ---- */

static int strategy_divide(struct strategy_search *s, struct reseat_error *error)
{
    struct prediction division = {.matrix = s->matrix, .costs = s->costs, .pricing = s->pricing};
    for (int32_t process = 0; process < s->roles; process++) {
        s->group_locations[process] = s->locations[process];
        reseat_place_clear(&s->group_locations[process].place);
    }
    int rc = prediction_set_locations(&division, s->group_locations, s->network, error) ||
                     prediction_find(&division, s->request, error) ||
                     prediction_order(&division, s->process_of, error)
                 ? -1
                 : 0;
    if (rc == 0)
        s->method = division.method;
    division.matrix = NULL; /* borrowed */
    prediction_close(&division);
    return rc;
}

/* ---- each node by itself ---- */

/* Fill grouped and end: a stable counting sort. */
static void strategy_group(struct strategy_search *s)
{
    int32_t begin = 0;
    memset(s->end, 0, (size_t)s->roles * sizeof *s->end);
    for (int32_t process = 0; process < s->roles; process++)
        s->end[s->locations[process].node]++;
    for (int32_t node = 0; node < s->roles; node++) {
        int32_t count = s->end[node];
        s->end[node] = begin;
        begin += count;
    }
    for (int32_t role = 0; role < s->roles; role++)
        s->grouped[s->end[s->locations[s->process_of[role]].node]++] = role;
}

/* Set the traffic among the `count` roles of a group, numbered by index_of. */
static int strategy_set_traffic(const struct strategy_search *s, struct prediction *group,
                                const int32_t *roles, int32_t count, struct reseat_error *error)
{
    size_t room = 1, used = 0, at;
    uint64_t weight;
    int32_t partner;
    for (int32_t i = 0; i < count; i++)
        room += tmap_matrix_partners(s->matrix, roles[i]);
    struct tmap_entry *entries = malloc(room * sizeof *entries);
    if (!entries)
        return reseat_fail(error, "out of memory");
    for (int32_t i = 0; i < count; i++)
        for (at = 0; tmap_matrix_next(s->matrix, roles[i], &at, &partner, &weight);)
            if (s->index_of[partner] > i)
                entries[used++] = (struct tmap_entry){i, s->index_of[partner], weight};
    int rc = prediction_set_entries(group, count, entries, used, error);
    free(entries);
    return rc;
}

/* Find a better order of the roles of a node among its processes. */
static int strategy_order_group(struct strategy_search *s, const int32_t *roles, int32_t count,
                                struct reseat_error *error)
{
    const struct prediction_request request = {.role0 = roles[0] == 0 ? s->request->role0
                                                                      : ROLE0_STAYS_IF_FREE,
                                               .objective = s->inside,
                                               .method = s->request->method};
    struct prediction group = {.costs = s->costs};
    for (int32_t i = 0; i < count; i++) {
        s->index_of[roles[i]] = i;
        s->group_locations[i] = s->locations[s->process_of[roles[i]]];
    }
    int rc = strategy_set_traffic(s, &group, roles, count, error) ||
                     prediction_set_locations(&group, s->group_locations, s->network, error) ||
                     prediction_find(&group, &request, error) ||
                     prediction_order(&group, s->found, error)
                 ? -1
                 : 0;
    for (int32_t i = 0; rc == 0 && i < count; i++)
        s->found[i] = s->process_of[roles[s->found[i]]];
    for (int32_t i = 0; i < count; i++) {
        if (rc == 0)
            s->process_of[roles[i]] = s->found[i];
        s->index_of[roles[i]] = -1;
    }
    s->before += group.before.cost;
    s->after += group.after.cost;
    for (int i = 0; i < 2; i++)
        s->busiest[i] = group.busiest[i] > s->busiest[i] ? group.busiest[i] : s->busiest[i];
    if (rc == 0 && prediction_method_number(s->method) == 0)
        s->method = group.method;
    prediction_close(&group);
    return rc;
}

static int strategy_order_nodes(struct strategy_search *s, struct reseat_error *error)
{
    int rc = 0;
    strategy_group(s);
    for (int32_t node = 0, begin = 0; rc == 0 && node < s->roles; begin = s->end[node++])
        if (s->end[node] > begin)
            rc = strategy_order_group(s, s->grouped + begin, s->end[node] - begin, error);
    return rc;
}

int strategy_find(struct prediction *p, enum reseat_strategy strategy,
                  const struct reseat_location *locations, const struct reseat_network *network,
                  const struct prediction_request *request, struct reseat_error *error)
{
    int by_node = strategy == RESEAT_STRATEGY_NODE;
    struct strategy_search s = {.matrix = p->matrix,
                                .locations = locations,
                                .network = network,
                                .costs = p->costs,
                                .pricing = p->pricing,
                                .request = request,
                                .inside = by_node ? request->objective : RESEAT_OBJECTIVE_COST,
                                .method = prediction_method_name(0),
                                .roles = tmap_matrix_roles(p->matrix)};
    if (strategy == RESEAT_STRATEGY_GLOBAL)
        return prediction_find(p, request, error);
    p->objective = request->objective;
    int rc = strategy_open(&s, error);
    if (rc == 0 && strategy == RESEAT_STRATEGY_TWOLEVEL)
        rc = strategy_divide(&s, error);
    rc = rc || strategy_order_nodes(&s, error) || prediction_judge(p, s.process_of, error);
    if (rc == 0)
        p->method = s.method;
    if (rc == 0 && by_node) {
        p->before.cost = s.before;
        p->after.cost = s.after;
        memcpy(p->busiest, s.busiest, sizeof p->busiest);
    }
    strategy_close(&s);
    return rc ? -1 : 0;
}
