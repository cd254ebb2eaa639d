/* SPDX-License-Identifier: BSD-3-Clause */
/* time-search.c - see time-search.h. */
#include "predict/time-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "time-model/time-places.h"

/* Slots beyond which nothing is spread, numbers of nodes that are tried, and the budget: entries,
 * roles and links looked at in exchanges. */
enum { SEARCH_MOST_SLOTS = 1 << 20, SEARCH_NODE_COUNTS = 8 };
static const double search_budget = 1e7;

struct time_search_state {
    struct prediction *p;
    struct time_model model;
    struct tmap_options options;
    int node_level, keeps_role0;
    int32_t roles, slots, nodes;
    int32_t *tried;               /* by role */
    int32_t *order;               /* slots, those of each node together, evenly over its parts */
    int32_t *role_on;             /* by slot; -1: free */
    unsigned char *closed;        /* by slot */
    struct time_estimate seconds; /* of p->best */
    double work;                  /* of comparing one mapping */
    double left;                  /* of the budget */
};

/* ---- comparing ---- */

static int search_is_better(const struct time_estimate *a, const struct time_estimate *b)
{
    const double little = 1e-9; /* rounding */
    const double busiest[] = {fmax(a->longest[TIME_CARD], a->longest[TIME_LINK]),
                              fmax(b->longest[TIME_CARD], b->longest[TIME_LINK])};
    if (a->estimate < b->estimate * (1 - little))
        return 1;
    if (a->estimate > b->estimate * (1 + little) || busiest[0] > busiest[1] * (1 + little))
        return 0;
    /* where several cards are the busiest, they can only be relieved one after the other */
    return busiest[0] < busiest[1] * (1 - little) || a->squares < b->squares * (1 - little);
}

/* Take `tried` if it is faster. 0, or -1 with *error. */
static int search_consider(struct time_search_state *s, const char *method,
                           struct reseat_error *error)
{
    struct time_estimate found;
    if (time_model_estimate(&found, &s->model, s->tried, error))
        return -1;
    if (!search_is_better(&found, &s->seconds))
        return 0;
    memcpy(s->p->best, s->tried, (size_t)s->roles * sizeof *s->tried);
    s->p->method = method;
    s->seconds = found;
    return 0;
}

/* ---- spreading ---- */

/* Position of a slot in its node if the parts of each level take turns: the digits of its path, the
 * innermost first. */
static uint64_t search_turn(const struct time_search_state *s, int32_t slot)
{
    const struct tmap_tree *tree = s->model.tree;
    uint64_t turn = 0;
    for (int level = tmap_tree_depth(tree); level > s->node_level; level--) {
        int32_t position = tmap_tree_position(tree, level, tmap_tree_ancestor(tree, slot, level));
        turn = turn * 4096 + (uint64_t)(position < 4096 ? position : 4095);
    }
    return turn;
}

/* Insert the slots of each node by their turn: nodes are small. */
static void search_order_slots(struct time_search_state *s)
{
    const struct tmap_tree *tree = s->model.tree;
    for (int32_t slot = 0; slot < s->slots; slot++) {
        int32_t at = slot, node = tmap_tree_ancestor(tree, slot, s->node_level);
        uint64_t turn = search_turn(s, slot);
        for (; at > 0 && tmap_tree_ancestor(tree, s->order[at - 1], s->node_level) == node &&
               search_turn(s, s->order[at - 1]) > turn;
             at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = slot;
    }
}

/* Open `most` places on each of the first `nodes` nodes; `evenly` over their parts. Returns how
 * many roles that takes. */
static int64_t search_open(struct time_search_state *s, int32_t nodes, int32_t most, int evenly)
{
    const struct tmap_tree *tree = s->model.tree;
    int32_t last = -1, used = 0, node_number = -1;
    int64_t room = 0;
    memset(s->closed, 1, (size_t)s->slots);
    for (int32_t i = 0; i < s->slots; i++) {
        int32_t slot = evenly ? s->order[i] : i;
        int32_t node = tmap_tree_ancestor(tree, slot, s->node_level);
        int32_t capacity = tmap_tree_slot_capacity(tree, slot);
        if (node != last) {
            node_number++;
            used = 0;
        }
        last = node;
        if (node_number >= nodes || capacity == 0 || used >= most)
            continue;
        used += capacity;
        room += capacity;
        s->closed[slot] = 0;
    }
    return room;
}

static int search_spread_over(struct time_search_state *s, int32_t nodes,
                              struct reseat_error *error)
{
    struct tmap_error why;
    int rc = 0;
    for (int evenly = 0; evenly < 2 && rc == 0; evenly++) {
        if (search_open(s, nodes, (s->roles + nodes - 1) / nodes, evenly) < s->roles)
            continue;
        s->options.closed = s->closed;
        if (tmap_mapping_find(s->p->matrix, s->model.tree, &s->options, s->tried, &why))
            return reseat_fail(error, "%s", why.text);
        rc = search_consider(s, "spread", error);
    }
    return rc;
}

/* From all nodes down to half of them, and so on; and the fewest. */
static int search_spread(struct time_search_state *s, struct reseat_error *error)
{
    int rc = 0;
    if (s->slots > SEARCH_MOST_SLOTS || tmap_tree_capacity(s->model.tree) <= s->roles)
        return 0;
    for (int32_t i = 0; i < s->slots; i++)
        s->order[i] = i;
    search_order_slots(s);
    int32_t nodes = s->nodes < s->roles ? s->nodes : s->roles;
    int32_t step = (nodes + SEARCH_NODE_COUNTS - 1) / SEARCH_NODE_COUNTS;
    for (int32_t k = nodes; k > 0 && rc == 0; k -= step)
        rc = search_spread_over(s, k, error);
    return rc;
}

/* ---- exchanges ---- */

/* Put `role` on `slot`, whose role, if any, takes its place; for the time being. 1 if that was
 * better, and is kept; 0; -1 with *error. */
static int search_try(struct time_search_state *s, int32_t role, int32_t slot,
                      struct reseat_error *error)
{
    int32_t *best = s->p->best, from = best[role], other = s->role_on[slot];
    struct time_estimate found;
    s->left -= s->work;
    best[role] = slot;
    if (other >= 0)
        best[other] = from;
    int rc = time_model_estimate(&found, &s->model, best, error);
    if (rc == 0 && search_is_better(&found, &s->seconds)) {
        s->seconds = found;
        s->role_on[slot] = role;
        s->role_on[from] = other;
        return 1;
    }
    best[role] = from;
    if (other >= 0)
        best[other] = slot;
    return rc;
}

/* One improvement of the node or switch with the busiest card or link up: 1; 0: there is none; -1
 * with *error. */
static int search_relieve(struct time_search_state *s, struct reseat_error *error)
{
    const struct tmap_tree *tree = s->model.tree;
    int level = s->seconds.busiest_level;
    if (s->seconds.busiest < 0)
        return 0;
    int32_t busiest = tmap_tree_ancestor(tree, s->p->best[s->seconds.busiest], level);
    for (int32_t role = 0; role < s->roles && s->left > 0; role++) {
        if (tmap_tree_ancestor(tree, s->p->best[role], level) != busiest ||
            (role == 0 && s->keeps_role0))
            continue;
        for (int32_t slot = 0; slot < s->slots && s->left > 0; slot++) {
            if (tmap_tree_ancestor(tree, slot, level) == busiest ||
                tmap_tree_slot_capacity(tree, slot) != 1 ||
                (s->role_on[slot] == 0 && s->keeps_role0))
                continue;
            int rc = search_try(s, role, slot, error);
            if (rc)
                return rc;
        }
    }
    return 0;
}

static int search_exchange(struct time_search_state *s, struct reseat_error *error)
{
    int rc = 1;
    if (s->slots > SEARCH_MOST_SLOTS)
        return 0;
    memset(s->role_on, 0xff, (size_t)s->slots * sizeof *s->role_on);
    for (int32_t role = 0; role < s->roles; role++) {
        if (tmap_tree_slot_capacity(s->model.tree, s->p->best[role]) != 1)
            return 0; /* several roles on a slot: no table of one role each */
        s->role_on[s->p->best[role]] = role;
    }
    while (rc == 1 && s->left > 0)
        rc = search_relieve(s, error);
    return rc < 0 ? -1 : 0;
}

/* ---- all of it ---- */

/* Number of entries, roles and links that time_model_estimate looks at. */
static double search_work(const struct time_search_state *s, const struct time_places *places)
{
    const struct tmap_tree *tree = s->model.tree;
    double work = (double)s->model.count + 4.0 * s->roles;
    for (int level = 0; level < tmap_tree_depth(tree); level++)
        if (tmap_tree_shape(tree, level, NULL) != TMAP_SHAPE_NONE)
            work += 4.0 * (double)s->model.count + (double)tmap_tree_objects(tree, level + 1);
        else if (level < places->node && places->level[level].effort[TIMINGS_ALL].ranks)
            work += (double)s->model.count + (double)tmap_tree_objects(tree, level + 1);
    return work;
}

static int search_open_all(struct time_search_state *s, struct reseat_error *error)
{
    struct time_places places;
    size_t roles = (size_t)s->roles + 1,
           slots = s->slots > SEARCH_MOST_SLOTS ? 1 : (size_t)s->slots;
    time_places_find(&places, s->model.tree, s->model.timings);
    s->node_level = places.node;
    s->work = search_work(s, &places);
    s->nodes = tmap_tree_objects(s->model.tree, places.node);
    s->tried = malloc(roles * sizeof *s->tried);
    s->order = malloc(slots * sizeof *s->order);
    s->role_on = malloc(slots * sizeof *s->role_on);
    s->closed = malloc(slots);
    if (!s->tried || !s->order || !s->role_on || !s->closed)
        return reseat_fail(error, "out of memory");
    return time_model_open(&s->model, error);
}

static int search_run(struct time_search_state *s, struct reseat_error *error)
{
    struct tmap_error why;
    if (time_model_estimate(&s->seconds, &s->model, s->p->best, error))
        return -1;
    if (s->p->launch) {
        memcpy(s->tried, s->p->launch, (size_t)s->roles * sizeof *s->tried);
        if (search_consider(s, prediction_method_name(0), error))
            return -1;
    }
    if (search_spread(s, error) || search_exchange(s, error))
        return -1;
    prediction_name_exchanges(s->p);
    return tmap_mapping_evaluate(s->p->matrix, s->p->tree, s->p->best, &s->p->after, &why)
               ? reseat_fail(error, "%s", why.text)
               : 0;
}

int time_search(const struct time_pricing *pricing, struct prediction *p,
                const struct tmap_options *options, int keeps_role0, struct reseat_error *error)
{
    struct time_search_state s = {.p = p,
                                  .model = {.timings = pricing->timings,
                                            .tree = p->tree,
                                            .roles = tmap_matrix_roles(p->matrix),
                                            .entries = pricing->entries,
                                            .count = pricing->count},
                                  .options = *options,
                                  .keeps_role0 = keeps_role0,
                                  .roles = tmap_matrix_roles(p->matrix),
                                  .slots = tmap_tree_slots(p->tree),
                                  .left = search_budget};
    s.options.method = NULL;
    int rc = search_open_all(&s, error);
    if (rc == 0 && s.roles > 0)
        rc = search_run(&s, error);
    time_model_close(&s.model);
    free(s.tried);
    free(s.order);
    free(s.role_on);
    free(s.closed);
    return rc;
}
