/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * swaps.c - local search on the true cost.
 *
 * A role should sit next to its partners. So for each role, the innermost groups of slots (objects
 * of the level above the leaves) that hold its partners are tried, heaviest first. If the role
 * would gain in a group, every role in that group, and every free unit, is tried as the other half
 * of an exchange, and the best exchange is made if the two together gain. After an exchange the
 * partners of both are tried again. Roles whose partners are all in their own group are never
 * looked at twice.
 *
 * With networks, an object next to that of a partner is a good place as well, and may be next to
 * several of them: nearby.c proposes groups. If the innermost level has a network, the slots of a
 * group are not equally good, and single slots are proposed and tried.
 *
 * A try costs O(partners) of a role. The total is limited by a budget of such steps, not by a
 * clock, so that the result is the same on every machine.
 *
 * Gains are sums of weight x cost in floating point, always added in the same order; an exchange
 * must gain more than rounding could.
 */
#include "treematch/improve/swaps.h"

#include "treematch/improve/nearby.h"
#include "treematch/model/distance.h"

struct search {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    const struct tmap_swaps *swaps;
    struct tmap_distance distance;
    int32_t *slot_of;
    int32_t *load;            /* by slot */
    int32_t *head;            /* by slot: a role on it, -1: none */
    int32_t *next, *previous; /* by role: others on the same slot */
    int32_t *queue;           /* roles to be tried, circular */
    char *queued;
    int32_t queue_first, queue_count;
    double *cost;      /* by role: of its pairs */
    double *least;     /* by role: lower bound on the cost of its pairs */
    uint64_t *towards; /* by role: the weight of its pair with the role that is being tried */
    double nearest;    /* the smallest distance of two roles */
    double innermost;  /* the distance within a group, if it has no network */
    int simple;        /* no slot holds more than one role */
    int has_networks;
    struct tmap_nearby nearby; /* if it has */
    double left;               /* of the budget */
};

/* A group of slots to which a role could go, named by one of them. */
struct target {
    int32_t group, slot;
    uint64_t weight;
};

enum { MAX_GROUPS = 16, MAX_NEARBY = 64 };

struct exchange {
    double gain;
    int32_t slot;
    int32_t partner; /* -1: a free unit */
};

static void search_leave(struct search *search, int32_t role)
{
    int32_t slot = search->slot_of[role];
    int32_t before = search->previous[role], after = search->next[role];
    if (before >= 0)
        search->next[before] = after;
    else
        search->head[slot] = after;
    if (after >= 0)
        search->previous[after] = before;
    search->load[slot]--;
}

static void search_enter(struct search *search, int32_t role, int32_t slot)
{
    int32_t first = search->head[slot];
    search->slot_of[role] = slot;
    search->previous[role] = -1;
    search->next[role] = first;
    if (first >= 0)
        search->previous[first] = role;
    search->head[slot] = role;
    search->load[slot]++;
}

static void search_enqueue(struct search *search, int32_t role)
{
    int32_t roles = search->matrix->roles;
    if (search->queued[role])
        return;
    int64_t at = (int64_t)search->queue_first + search->queue_count;
    search->queue[at >= roles ? at - roles : at] = role;
    search->queued[role] = 1;
    search->queue_count++;
}

static int32_t search_dequeue(struct search *search)
{
    int32_t role = search->queue[search->queue_first];
    search->queue_first =
        search->queue_first + 1 < search->matrix->roles ? search->queue_first + 1 : 0;
    search->queue_count--;
    search->queued[role] = 0;
    return role;
}

/* Gain if `role` moves to `slot`, not counting its pair with `except` (-1: with all). */
static double search_gain_of(const struct search *search, int32_t role, int32_t slot,
                             int32_t except)
{
    int32_t from = search->slot_of[role];
    double gain = 0;
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t partner = row.partner[i];
        if (partner == except)
            continue;
        int32_t at = search->slot_of[partner];
        gain += (double)row.weight[i] * (tmap_distance_of(&search->distance, from, at) -
                                         tmap_distance_of(&search->distance, slot, at));
    }
    return gain;
}

/* A try, by which the budget is counted, whether or not it needs all partners of `role`. */
static void search_count(struct search *search, int32_t role)
{
    search->left -= (double)tmap_row_of(search->matrix, role).count;
}

/* The same for a group without a network whose slots hold one role each: all slots of it are
 * equally good, apart from the role that has to leave. */
static double gain_of_group(struct search *search, int32_t role, int32_t slot)
{
    int32_t from = search->slot_of[role];
    double gain = 0;
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t at = search->slot_of[row.partner[i]];
        double to = at == slot ? search->innermost : tmap_distance_of(&search->distance, slot, at);
        gain += (double)row.weight[i] * (tmap_distance_of(&search->distance, from, at) - to);
    }
    search->left -= (double)row.count;
    return gain;
}

static double cost_of_role(const struct search *search, int32_t role)
{
    double cost = 0;
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++)
        cost += (double)row.weight[i] * tmap_distance_of(&search->distance, search->slot_of[role],
                                                         search->slot_of[row.partner[i]]);
    return cost;
}

static int32_t group_of(const struct search *search, int32_t slot)
{
    return search->tree->ancestor[search->tree->depth - 1][slot];
}

/* Add `weight` to a group; groups beyond the first MAX_GROUPS are dropped. */
static int add_target(struct target *targets, int count, int32_t group, int32_t slot,
                      uint64_t weight)
{
    for (int i = 0; i < count; i++) {
        if (targets[i].group == group) {
            targets[i].weight += weight;
            return count;
        }
    }
    if (count == MAX_GROUPS)
        return count;
    targets[count] = (struct target){group, slot, weight};
    return count + 1;
}

/* The groups that hold partners of `role`, heaviest first. */
static int find_targets(const struct search *search, int32_t role, struct target *targets)
{
    int32_t own = group_of(search, search->slot_of[role]);
    int crowded = search->load[search->slot_of[role]] > 0 &&
                  search->tree->capacity[search->slot_of[role]] > 1;
    int count = 0;
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t slot = search->slot_of[row.partner[i]];
        int32_t group = group_of(search, slot);
        if (group != own || crowded || search->tree->capacity[slot] > 1)
            count = add_target(targets, count, group, slot, row.weight[i]);
    }
    for (int i = 1; i < count; i++) {
        struct target moved = targets[i];
        int j = i;
        for (; j > 0 && targets[j - 1].weight < moved.weight; j--)
            targets[j] = targets[j - 1];
        targets[j] = moved;
    }
    return count < search->swaps->groups ? count : search->swaps->groups;
}

/* Try to exchange `role`, which gains `gain` by it, with `other`. No role can gain more than the
 * cost of its pairs minus their lower bound. */
static void try_partner(struct search *search, int32_t role, int32_t other, double gain,
                        struct exchange *best)
{
    if (search->swaps->fixed && search->swaps->fixed[other])
        return;
    if (gain + search->cost[other] - search->least[other] <= best->gain)
        return;
    search_count(search, other);
    gain += search_gain_of(search, other, search->slot_of[role], role);
    if (gain > best->gain)
        *best = (struct exchange){gain, search->slot_of[other], other};
}

/* Try every role on `slot`, and a free unit of it. What `role` gains there differs only by its pair
 * with the role that leaves. */
static void try_slot(struct search *search, int32_t role, int32_t slot, struct exchange *best)
{
    if (slot == search->slot_of[role])
        return;
    int has_room = search->load[slot] < search->tree->capacity[slot];
    double gain = has_room || search->load[slot] > 0 ? search_gain_of(search, role, slot, -1) : 0;
    double apart = tmap_distance_of(&search->distance, search->slot_of[role], slot);
    if (has_room) {
        search_count(search, role);
        if (gain > best->gain)
            *best = (struct exchange){gain, slot, -1};
    }
    int tried = 0;
    for (int32_t other = search->head[slot]; other >= 0 && tried < search->swaps->partners;
         other = search->next[other], tried++) {
        search_count(search, role);
        try_partner(search, role, other, gain - (double)search->towards[other] * apart, best);
    }
}

/* The same for slots that hold one role: `gain` is that of the group. */
static void try_simple_slot(struct search *search, int32_t role, int32_t slot, double gain,
                            struct exchange *best)
{
    int32_t other = search->head[slot];
    if (other < 0) {
        if (search->tree->capacity[slot] > 0 && gain > best->gain)
            *best = (struct exchange){gain, slot, -1};
        return;
    }
    if (search->towards[other] > 0) /* their distance does not change */
        gain -=
            (double)search->towards[other] *
            (tmap_distance_of(&search->distance, search->slot_of[role], slot) - search->innermost);
    try_partner(search, role, other, gain, best);
}

static void try_target(struct search *search, int32_t role, const struct target *target,
                       struct exchange *best)
{
    int level = search->tree->depth - 1;
    int32_t first = search->tree->first_child[level][target->group];
    int32_t arity = search->tree->first_child[level][target->group + 1] - first;
    int32_t at = target->slot - first;
    double gain = search->simple ? gain_of_group(search, role, target->slot) : 0;
    for (int32_t i = 0; i < arity && i < search->swaps->partners; i++) {
        if (search->simple)
            try_simple_slot(search, role, first + at, gain, best);
        else
            try_slot(search, role, first + at, best);
        at = at + 1 < arity ? at + 1 : 0;
    }
}

/* On trees with networks: try the objects that are near the partners. */
static void try_nearby(struct search *search, int32_t role, struct exchange *best)
{
    const struct tmap_tree *tree = search->tree;
    int32_t object[MAX_NEARBY];
    int by_slot = search->nearby.level == tree->depth;
    int32_t most = by_slot ? search->swaps->partners / 2 : search->swaps->groups;
    double work;
    most = most < MAX_NEARBY ? most : MAX_NEARBY;
    int32_t count = tmap_nearby_find(&search->nearby, search->matrix, search->slot_of, role, object,
                                     most, &work);
    search->left -= work;
    for (int32_t i = 0; i < count; i++) {
        struct target target = {object[i], 0, 0};
        if (by_slot) {
            try_slot(search, role, object[i], best);
            continue;
        }
        int32_t first = tree->first_slot[tree->depth - 1][object[i]];
        int32_t slots = tree->first_slot[tree->depth - 1][object[i] + 1] - first;
        target.slot = first + role % slots;
        try_target(search, role, &target, best);
    }
}

static void try_groups(struct search *search, int32_t role, struct exchange *best)
{
    struct target targets[MAX_GROUPS];
    int count = find_targets(search, role, targets);
    search->left -= 2 * (double)tmap_row_of(search->matrix, role).count;
    for (int i = 0; i < count; i++)
        try_target(search, role, &targets[i], best);
}

static void enqueue_partners(struct search *search, int32_t role)
{
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++)
        search_enqueue(search, row.partner[i]);
}

/* Move `role` to `slot`, and update the costs of its partners. */
static void move_role(struct search *search, int32_t role, int32_t slot)
{
    int32_t from = search->slot_of[role];
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t at = search->slot_of[row.partner[i]];
        search->cost[row.partner[i]] +=
            (double)row.weight[i] * (tmap_distance_of(&search->distance, slot, at) -
                                     tmap_distance_of(&search->distance, from, at));
    }
    search_leave(search, role);
    search_enter(search, role, slot);
    search->cost[role] = cost_of_role(search, role);
}

static void make_exchange(struct search *search, int32_t role, const struct exchange *exchange)
{
    int32_t from = search->slot_of[role];
    move_role(search, role, exchange->slot);
    if (exchange->partner >= 0) {
        move_role(search, exchange->partner, from);
        enqueue_partners(search, exchange->partner);
        search_enqueue(search, exchange->partner);
    }
    enqueue_partners(search, role);
    search_enqueue(search, role);
}

static void mark_partners(struct search *search, int32_t role, int on)
{
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++)
        search->towards[row.partner[i]] = on ? row.weight[i] : 0;
}

static void try_role(struct search *search, int32_t role)
{
    struct exchange best = {search->cost[role] * 1e-9, -1, -1};
    search->left -= 1;
    if (search->cost[role] - search->least[role] <= best.gain)
        return;
    mark_partners(search, role, 1);
    if (search->has_networks)
        try_nearby(search, role, &best);
    else
        try_groups(search, role, &best);
    mark_partners(search, role, 0);
    if (best.slot >= 0)
        make_exchange(search, role, &best);
}

static void search_run(struct search *search)
{
    for (int32_t role = 0; role < search->matrix->roles; role++)
        search_enqueue(search, role);
    while (search->queue_count > 0 && search->left > 0) {
        int32_t role = search_dequeue(search);
        if (!search->swaps->fixed || !search->swaps->fixed[role])
            try_role(search, role);
    }
}

static enum tmap_status search_allocate(struct search *search)
{
    size_t roles = (size_t)search->matrix->roles;
    size_t slots = (size_t)search->tree->count[search->tree->depth];
    search->load = tmap_new_zero(slots, sizeof(int32_t));
    search->head = tmap_new(slots, sizeof(int32_t));
    search->next = tmap_new(roles, sizeof(int32_t));
    search->previous = tmap_new(roles, sizeof(int32_t));
    search->queue = tmap_new(roles, sizeof(int32_t));
    search->queued = tmap_new_zero(roles, 1);
    search->cost = tmap_new(roles, sizeof(double));
    search->least = tmap_new(roles, sizeof(double));
    search->towards = tmap_new_zero(roles, sizeof(uint64_t));
    if (!search->load || !search->head || !search->next || !search->previous || !search->queue ||
        !search->queued || !search->cost || !search->least || !search->towards)
        return TMAP_ENOMEM;
    memset(search->head, 0xff, sizeof(int32_t) * slots);
    search->has_networks = tmap_nearby_is_for(search->tree);
    if (search->has_networks && tmap_nearby_init(&search->nearby, search->tree))
        return TMAP_ENOMEM;
    return tmap_distance_init(&search->distance, search->tree);
}

/* The least distance of two slots that part at a level. */
static double level_nearest(const struct tmap_tree *tree, int level)
{
    const struct tmap_interconnect *interconnect = tree->interconnect[level];
    if (!interconnect)
        return tree->level[level].cost;
    double rounded = (float)interconnect->shortest; /* as in a graph's table */
    double shortest = rounded < interconnect->shortest ? rounded : interconnect->shortest;
    return tree->level[level].cost * shortest;
}

static void find_nearest(struct search *search)
{
    const struct tmap_tree *tree = search->tree;
    search->simple = 1;
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++)
        search->simple &= tree->capacity[slot] <= 1;
    search->innermost = tree->level[tree->depth - 1].cost;
    search->nearest = search->simple ? level_nearest(tree, tree->depth - 1) : 0;
    for (int l = 0; l < tree->depth; l++) {
        double nearest = level_nearest(tree, l);
        search->nearest = nearest < search->nearest ? nearest : search->nearest;
    }
}

static enum tmap_status search_set_up(struct search *search)
{
    const struct tmap_matrix *matrix = search->matrix;
    enum tmap_status status = search_allocate(search);
    if (status != TMAP_OK)
        return status;
    find_nearest(search);
    for (int32_t role = matrix->roles - 1; role >= 0; role--) {
        uint64_t weight = 0;
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++)
            weight += row.weight[i];
        search->least[role] = (double)weight * search->nearest;
        search->cost[role] = cost_of_role(search, role);
        search_enter(search, role, search->slot_of[role]);
    }
    search->left =
        search->swaps->budget * (double)(matrix->start[matrix->roles] + (size_t)matrix->roles);
    return TMAP_OK;
}

struct tmap_swaps tmap_swaps_for(enum tmap_effort effort)
{
    static const struct tmap_swaps efforts[] = {
        {3, 8, 4, NULL}, {6, 16, 40, NULL}, {12, 64, 400, NULL}};
    return efforts[effort];
}

enum tmap_status tmap_improve(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                              const struct tmap_swaps *swaps, int32_t *slot_of)
{
    struct search search = {.matrix = matrix, .tree = tree, .swaps = swaps, .slot_of = slot_of};
    enum tmap_status status = search_set_up(&search);
    if (status == TMAP_OK)
        search_run(&search);
    tmap_nearby_fini(&search.nearby);
    tmap_distance_fini(&search.distance);
    free(search.load);
    free(search.head);
    free(search.next);
    free(search.previous);
    free(search.queue);
    free(search.queued);
    free(search.cost);
    free(search.least);
    free(search.towards);
    return status;
}
