/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strategy.c - see strategy.h.
 *
 *   global     all roles on all slots
 *   node       the roles that each node was launched with, on its slots
 *   twolevel   first all roles on nodes, whose inside is ignored; then the roles of each node on
 *              its slots
 *
 * The roles of a node are numbered in ascending order, as its leader in the library does. It orders
 * them by the traffic among them; what that gains is told as a share of all traffic. If the busiest
 * link is to carry less: the links between nodes do with `twolevel`, those inside of each node with
 * `node`. If all is to take less time: between nodes with `twolevel`; inside a node the cost
 * counts, since its card carries the same in any order.
 *
 * Nodes have nothing to do with each other once the roles are on them. So threads, where the caller
 * wants some, take one node after the other; what they find is put together in the order of the
 * nodes. After an error no more nodes are begun. Those before it have been, so the error of the
 * first node that has one is found with any number of threads.
 */
#include "predict/strategy.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct strategy_search {
    struct tmap_matrix *matrix;
    const struct reseat_location *locations; /* by process */
    const struct reseat_network *network;
    const struct time_costs *costs;
    enum reseat_keep_local keep_local;
    const struct time_pricing *pricing;
    const struct prediction_request *request;
    enum reseat_objective inside; /* of each node */
    int32_t roles;
    int32_t *process_of; /* by role: the order so far */
    int32_t *grouped;    /* the roles, by node and then by number */
    int32_t *end;        /* by node: the end of its roles in `grouped` */
    struct strategy_node *node;
    const char *method; /* of the division; if that is the launch order, of the first node that
                             has another order */
    double busiest[2];  /* the most over the groups */
    atomic_int next;    /* node without a thread */
};

/* The result for a node; the method of one without roles is NULL. */
struct strategy_node {
    const char *method;
    double busiest[2];
};

/* One thread, and what it does not share with the others. */
struct strategy_worker {
    struct strategy_search *search;
    pthread_t thread;
    int32_t *index_of; /* by role: its number in the group being ordered; -1: not in it */
    int32_t *found;    /* of the group being ordered */
    struct reseat_location *locations;
    int32_t failed; /* node; -1: none */
    struct reseat_error error;
};

/* More would wait for each other's memory. */
enum { STRATEGY_THREADS = 64 };

static int strategy_open(struct strategy_search *s, struct reseat_error *error)
{
    size_t n = (size_t)s->roles + 1;
    s->process_of = malloc(n * sizeof *s->process_of);
    s->grouped = malloc(n * sizeof *s->grouped);
    s->end = malloc(n * sizeof *s->end);
    s->node = calloc(n, sizeof *s->node);
    if (!s->process_of || !s->grouped || !s->end || !s->node)
        return reseat_fail(error, "out of memory");
    for (int32_t role = 0; role < s->roles; role++)
        s->process_of[role] = role;
    return 0;
}

static void strategy_close(struct strategy_search *s)
{
    free(s->process_of);
    free(s->grouped);
    free(s->end);
    free(s->node);
}

/* ---- roles to nodes ---- */

static int strategy_divide(struct strategy_search *s, struct reseat_error *error)
{
    struct prediction division = {
        .matrix = s->matrix, .costs = s->costs, .pricing = s->pricing, .keep_local = s->keep_local};
    struct reseat_location *locations = malloc(((size_t)s->roles + 1) * sizeof *locations);
    if (!locations)
        return reseat_fail(error, "out of memory");
    for (int32_t process = 0; process < s->roles; process++) {
        locations[process] = s->locations[process];
        reseat_place_clear(&locations[process].place);
    }
    int rc = prediction_set_locations(&division, locations, s->network, error) ||
                     prediction_find(&division, s->request, error) ||
                     prediction_order(&division, s->process_of, error)
                 ? -1
                 : 0;
    if (rc == 0)
        s->method = division.method;
    division.matrix = NULL; /* borrowed */
    prediction_close(&division);
    free(locations);
    return rc;
}

/* ---- each node by itself ---- */

/* Fill grouped and end: a stable counting sort. Returns how many nodes have roles. */
static int32_t strategy_group(struct strategy_search *s)
{
    int32_t begin = 0, nodes = 0;
    memset(s->end, 0, (size_t)s->roles * sizeof *s->end);
    for (int32_t process = 0; process < s->roles; process++)
        s->end[s->locations[process].node]++;
    for (int32_t node = 0; node < s->roles; node++) {
        int32_t count = s->end[node];
        s->end[node] = begin;
        begin += count;
        nodes += count > 0;
    }
    for (int32_t role = 0; role < s->roles; role++)
        s->grouped[s->end[s->locations[s->process_of[role]].node]++] = role;
    return nodes;
}

/* Set the traffic among the `count` roles of a group, numbered by index_of. */
static int strategy_set_traffic(const struct strategy_worker *w, struct prediction *group,
                                const int32_t *roles, int32_t count, struct reseat_error *error)
{
    const struct tmap_matrix *matrix = w->search->matrix;
    size_t room = 1, used = 0, at;
    uint64_t weight;
    int32_t partner;
    for (int32_t i = 0; i < count; i++)
        room += tmap_matrix_partners(matrix, roles[i]);
    struct tmap_entry *entries = malloc(room * sizeof *entries);
    if (!entries)
        return reseat_fail(error, "out of memory");
    for (int32_t i = 0; i < count; i++)
        for (at = 0; tmap_matrix_next(matrix, roles[i], &at, &partner, &weight);)
            if (w->index_of[partner] >= 0)
                entries[used++] = (struct tmap_entry){i, w->index_of[partner],
                                                      tmap_matrix_sent(matrix, roles[i], partner)};
    int rc = prediction_set_entries(group, count, entries, used, error);
    free(entries);
    return rc;
}

/* Find a better order of the `count` roles of a node among its processes: w->found. */
static int strategy_order_group(struct strategy_worker *w, const int32_t *roles, int32_t count,
                                struct strategy_node *node, struct reseat_error *error)
{
    const struct strategy_search *s = w->search;
    const struct prediction_request request = {.role0 = roles[0] == 0 ? s->request->role0
                                                                      : ROLE0_STAYS_IF_FREE,
                                               .objective = s->inside,
                                               .method = s->request->method};
    struct prediction group = {.costs = s->costs, .keep_local = s->keep_local};
    int rc = strategy_set_traffic(w, &group, roles, count, error) ||
                     prediction_set_locations(&group, w->locations, s->network, error) ||
                     prediction_find(&group, &request, error) ||
                     prediction_order(&group, w->found, error)
                 ? -1
                 : 0;
    *node = (struct strategy_node){group.method, {group.busiest[0], group.busiest[1]}};
    prediction_close(&group);
    return rc;
}

/* Put the roles of a node in a better order among its processes. */
static int strategy_order_node(struct strategy_worker *w, int32_t number,
                               struct reseat_error *error)
{
    struct strategy_search *s = w->search;
    const int32_t begin = number > 0 ? s->end[number - 1] : 0, count = s->end[number] - begin;
    const int32_t *roles = s->grouped + begin;
    if (count == 0)
        return 0;
    for (int32_t i = 0; i < count; i++) {
        w->index_of[roles[i]] = i;
        w->locations[i] = s->locations[s->process_of[roles[i]]];
    }
    int rc = strategy_order_group(w, roles, count, &s->node[number], error);
    for (int32_t i = 0; rc == 0 && i < count; i++)
        w->found[i] = s->process_of[roles[w->found[i]]];
    for (int32_t i = 0; i < count; i++) {
        if (rc == 0)
            s->process_of[roles[i]] = w->found[i];
        w->index_of[roles[i]] = -1;
    }
    return rc;
}

/* Order nodes as long as there are any that no other thread has begun. */
static void *strategy_work(void *argument)
{
    struct strategy_worker *w = argument;
    struct strategy_search *s = w->search;
    int32_t node;
    while (w->failed < 0 && (node = atomic_fetch_add(&s->next, 1)) < s->roles)
        if (strategy_order_node(w, node, &w->error)) {
            w->failed = node;
            atomic_store(&s->next, s->roles);
        }
    return NULL;
}

static void strategy_close_worker(struct strategy_worker *w)
{
    free(w->index_of);
    free(w->found);
    free(w->locations);
}

static int strategy_open_worker(struct strategy_worker *w, struct strategy_search *s)
{
    size_t n = (size_t)s->roles + 1;
    *w = (struct strategy_worker){.search = s, .failed = -1};
    w->index_of = malloc(n * sizeof *w->index_of);
    w->found = malloc(n * sizeof *w->found);
    w->locations = malloc(n * sizeof *w->locations);
    if (!w->index_of || !w->found || !w->locations) {
        strategy_close_worker(w);
        return -1;
    }
    memset(w->index_of, 0xff, n * sizeof *w->index_of);
    return 0;
}

/* Put together what was found, in the order of the nodes. */
static void strategy_sum_up(struct strategy_search *s)
{
    for (int32_t i = 0; i < s->roles; i++) {
        const struct strategy_node *node = &s->node[i];
        if (!node->method)
            continue;
        for (int k = 0; k < 2; k++)
            s->busiest[k] = node->busiest[k] > s->busiest[k] ? node->busiest[k] : s->busiest[k];
        if (prediction_method_number(s->method) == 0)
            s->method = node->method;
    }
}

/* The workers order all nodes; the first is the caller's thread, and does what others cannot be
 * started for. 0, or -1 with the error of the first node that has one. */
static int strategy_work_together(struct strategy_worker *workers, int count,
                                  struct reseat_error *error)
{
    int started = 1, failed = 0;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, strategy_work, &workers[started]) == 0)
        started++;
    strategy_work(&workers[0]);
    for (int i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 1; i < started; i++)
        if (workers[i].failed >= 0 &&
            (workers[failed].failed < 0 || workers[i].failed < workers[failed].failed))
            failed = i;
    if (workers[failed].failed < 0)
        return 0;
    *error = workers[failed].error;
    return -1;
}

static int strategy_order_nodes(struct strategy_search *s, struct reseat_error *error)
{
    struct strategy_worker workers[STRATEGY_THREADS];
    const int32_t nodes = strategy_group(s);
    const int32_t wanted = s->request->threads < nodes ? s->request->threads : nodes;
    int count = 1;
    if (strategy_open_worker(&workers[0], s))
        return reseat_fail(error, "out of memory");
    while (count < wanted && count < STRATEGY_THREADS &&
           strategy_open_worker(&workers[count], s) == 0)
        count++;
    int rc = strategy_work_together(workers, count, error);
    for (int i = 0; i < count; i++)
        strategy_close_worker(&workers[i]);
    if (rc == 0)
        strategy_sum_up(s);
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
                                .keep_local = p->keep_local,
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
    if (rc == 0 && by_node)
        memcpy(p->busiest, s.busiest, sizeof p->busiest);
    strategy_close(&s);
    return rc ? -1 : 0;
}
