/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * swaps.c - local search on the true cost.
 *
 * A role should sit next to its partners. So for each role, the innermost groups of slots (objects
 * of the level above the leaves) that hold its partners are tried, those where it gains most first:
 * every role in the group, and every free unit, as the other half of an exchange. The best exchange
 * is made if the two together gain. Mostly the other one would lose more by leaving its group than
 * this one gains; what it can gain at most is known from when it was tried last (`want`), and by
 * how much its partners have moved since, so most exchanges need not be priced, and groups none of
 * whose roles wants enough need not be looked through. After an exchange the partners of both are
 * tried again. Roles whose partners are all in their own group are never looked at twice.
 *
 * With networks, an object next to that of a partner is a good place as well, and may be next to
 * several of them: nearby.c proposes groups. If the innermost level has a network, the slots of a
 * group are not equally good, and single slots are proposed and tried.
 *
 * A try costs O(partners) of a role. The total is limited by a budget of such steps, not by a
 * clock, so that the result is the same on every machine.
 *
 * Gains are differences of costs in floating point, and the cost of a role is kept up to date by
 * what each move changes, in the order of the moves. An exchange must gain more than rounding
 * could.
 */
#include "treematch/improve/local-search.h"

#include <math.h>

/* A group of slots to which a role could go, named by one of them. */
struct target {
    int32_t group, slot;
    uint64_t weight;
    double gain;
};

enum { MAX_GROUPS = 16, MAX_NEARBY = 64, MAX_ASKED = 128 };

/* A try, by which the budget is counted, whether or not it needs all partners of `role`. */
static void search_count(struct tmap_search *search, int32_t role)
{
    search->left -= (double)tmap_row_of(search->matrix, role).count;
}

/* The same for a group without a network whose slots hold one role each: all slots of it are
 * equally good, apart from the role that has to leave. */
static double gain_of_group(struct tmap_search *search, int32_t role, int32_t slot)
{
    double cost = 0;
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t at = search->slot_of[row.partner[i]];
        double to = at == slot ? search->innermost : tmap_distance_of(&search->distance, slot, at);
        cost += (double)row.weight[i] * to;
    }
    search->left -= (double)row.count;
    return search->cost[role] - cost;
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
    targets[count] = (struct target){group, slot, weight, 0};
    return count + 1;
}

/* The groups that hold partners of `role`; *own_weight: of the pairs inside its group. */
static int find_targets(const struct tmap_search *search, int32_t role, struct target *targets,
                        uint64_t *own_weight)
{
    int32_t own = tmap_search_group(search, search->slot_of[role]);
    int crowded = search->load[search->slot_of[role]] > 0 &&
                  search->tree->capacity[search->slot_of[role]] > 1;
    int count = 0;
    struct tmap_row row = tmap_row_of(search->matrix, role);
    *own_weight = 0;
    for (size_t i = 0; i < row.count; i++) {
        int32_t slot = search->slot_of[row.partner[i]];
        int32_t group = tmap_search_group(search, slot);
        *own_weight += group == own ? row.weight[i] : 0;
        if (group != own || crowded || search->tree->capacity[slot] > 1)
            count = add_target(targets, count, group, slot, row.weight[i]);
    }
    return count;
}

/* Sort by falling gain. */
static void sort_targets(struct target *targets, int count)
{
    for (int i = 1; i < count; i++) {
        struct target moved = targets[i];
        int j = i;
        for (; j > 0 && targets[j - 1].gain < moved.gain; j--)
            targets[j] = targets[j - 1];
        targets[j] = moved;
    }
}

/* Try to exchange `role`, which gains `gain` by it, with `other`. No role can gain more than the
 * cost of its pairs minus their lower bound, nor more than it could when it was tried last and what
 * its partners' moves can have added. */
static void try_partner(struct tmap_search *search, int32_t role, int32_t other, double gain,
                        struct tmap_exchange *best)
{
    if (tmap_search_is_fixed(search, other))
        return;
    double most = search->cost[other] - search->least[other];
    most = search->want[other] < most ? search->want[other] : most;
    if (gain + most <= best->gain)
        return;
    search_count(search, other);
    gain += tmap_search_gain(search, other, search->slot_of[role], role);
    if (gain > best->gain)
        *best = (struct tmap_exchange){gain, search->slot_of[other], other};
}

/* Try every role on `slot`, and a free unit of it. What `role` gains there differs only by its pair
 * with the role that leaves. */
static void try_slot(struct tmap_search *search, int32_t role, int32_t slot,
                     struct tmap_exchange *best)
{
    if (slot == search->slot_of[role])
        return;
    int has_room = search->load[slot] < search->tree->capacity[slot];
    double gain = has_room || search->load[slot] > 0 ? tmap_search_gain(search, role, slot, -1) : 0;
    double apart = tmap_distance_of(&search->distance, search->slot_of[role], slot);
    if (has_room) {
        search_count(search, role);
        if (gain > best->gain)
            *best = (struct tmap_exchange){gain, slot, -1};
    }
    int tried = 0;
    for (int32_t other = search->head[slot]; other >= 0 && tried < search->swaps->partners;
         other = search->next[other], tried++) {
        search_count(search, role);
        try_partner(search, role, other, gain - (double)search->towards[other] * apart, best);
    }
}

/* The same for slots that hold one role: `gain` is that of the group. */
static void try_simple_slot(struct tmap_search *search, int32_t role, int32_t slot, double gain,
                            struct tmap_exchange *best)
{
    int32_t other = search->head[slot];
    if (other < 0) {
        if (search->tree->capacity[slot] > 0 && gain > best->gain)
            *best = (struct tmap_exchange){gain, slot, -1};
        return;
    }
    if (search->towards[other] > 0) /* their distance does not change */
        gain -=
            (double)search->towards[other] *
            (tmap_distance_of(&search->distance, search->slot_of[role], slot) - search->innermost);
    try_partner(search, role, other, gain, best);
}

/* Returns 1 if an exchange with a role of this group, or a move to a free slot of it, could gain
 * more than the best one: by what is known of the group, and if that does not exclude it, by what
 * its roles want now, unless they are too many to ask. */
static int may_gain(struct tmap_search *search, const struct target *target,
                    const struct tmap_exchange *best)
{
    const int32_t *first = &search->tree->first_child[search->tree->depth - 1][target->group];
    double *most = &search->most[target->group], largest = -INFINITY;
    if (target->gain + *most <= best->gain)
        return 0;
    if (first[1] - first[0] > MAX_ASKED)
        return 1;
    for (int32_t slot = first[0]; slot < first[1]; slot++) {
        const int32_t role = search->head[slot];
        const double want = role < 0 ? 0 : search->want[role];
        if (target->gain + want > best->gain)
            return 1;
        largest = want > largest ? want : largest;
    }
    *most = largest;
    return 0;
}

static void try_target(struct tmap_search *search, int32_t role, const struct target *target,
                       struct tmap_exchange *best)
{
    int level = search->tree->depth - 1;
    int32_t first = search->tree->first_child[level][target->group];
    int32_t arity = search->tree->first_child[level][target->group + 1] - first;
    int32_t at = target->slot - first;
    double gain = target->gain;
    if (search->simple && !may_gain(search, target, best))
        return;
    for (int32_t i = 0; i < arity && i < search->swaps->partners; i++) {
        if (search->simple)
            try_simple_slot(search, role, first + at, gain, best);
        else
            try_slot(search, role, first + at, best);
        at = at + 1 < arity ? at + 1 : 0;
    }
}

/* On trees with networks: try the objects that are near the partners. */
static void try_nearby(struct tmap_search *search, int32_t role, struct tmap_exchange *best)
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
        struct target target = {object[i], 0, 0, 0};
        if (by_slot) {
            try_slot(search, role, object[i], best);
            continue;
        }
        int32_t first = tree->first_slot[tree->depth - 1][object[i]];
        int32_t slots = tree->first_slot[tree->depth - 1][object[i] + 1] - first;
        target.slot = first + role % slots;
        target.gain = search->simple ? gain_of_group(search, role, target.slot) : 0;
        try_target(search, role, &target, best);
    }
}

/* gain_of_group for all of these at once, from the distances between them, which are fewer than
 * those of all partners. `own_weight` is of the partners in the role's own group; all others are in
 * one of these. The work counts as if each had been asked for. */
static void weigh_targets(struct tmap_search *search, int32_t role, struct target *targets,
                          int count, uint64_t own_weight)
{
    const struct tmap_distance *distance = &search->distance;
    const int32_t own = search->slot_of[role];
    for (int i = 0; i < count; i++) {
        const struct target *to = &targets[i];
        double cost = (double)to->weight * search->innermost +
                      (double)own_weight * tmap_distance_of(distance, to->slot, own);
        for (int j = 0; j < i; j++) {
            double apart = tmap_distance_of(distance, to->slot, targets[j].slot);
            cost += (double)targets[j].weight * apart;
            targets[j].gain -= (double)to->weight * apart;
        }
        targets[i].gain = search->cost[role] - cost;
    }
    search->left -= count * (double)tmap_row_of(search->matrix, role).count;
}

/* The groups that `role` could go to; where slots hold one role each, with what it gains there, and
 * what it can gain at most. */
static int weigh_groups(struct tmap_search *search, int32_t role, struct target *targets)
{
    uint64_t own_weight;
    const int count = find_targets(search, role, targets, &own_weight);
    double want = -(double)own_weight * search->outside;
    search->left -= 2 * (double)tmap_row_of(search->matrix, role).count;
    if (!search->simple)
        return count;
    if (count == MAX_GROUPS) { /* perhaps not all of them, so `want` stays what it is */
        for (int i = 0; i < count; i++)
            targets[i].gain = gain_of_group(search, role, targets[i].slot);
        return count;
    }
    weigh_targets(search, role, targets, count, own_weight);
    for (int i = 0; i < count; i++)
        want = targets[i].gain > want ? targets[i].gain : want;
    search->want[role] = want;
    return count;
}

static void try_groups(struct tmap_search *search, int32_t role, struct tmap_exchange *best)
{
    struct target targets[MAX_GROUPS];
    int count = weigh_groups(search, role, targets);
    if (search->simple)
        sort_targets(targets, count);
    if (count > search->swaps->groups)
        count = search->swaps->groups;
    for (int i = 0; i < count; i++)
        try_target(search, role, &targets[i], best);
}

/* Find out what each role can gain at most, without trying any. */
static void weigh_all(struct tmap_search *search)
{
    struct target targets[MAX_GROUPS];
    const int is_known = search->simple && !search->has_networks;
    for (int32_t role = 0; role < search->matrix->roles && is_known; role++)
        weigh_groups(search, role, targets);
}

static void mark_partners(struct tmap_search *search, int32_t role, int on)
{
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++)
        search->towards[row.partner[i]] = on ? row.weight[i] : 0;
}

static void try_role(struct tmap_search *search, int32_t role)
{
    struct tmap_exchange best = {search->cost[role] * 1e-9, -1, -1};
    search->left -= 1;
    if (search->cost[role] - search->least[role] <= best.gain) {
        search->want[role] = search->want[role] < 0 ? search->want[role] : 0;
        return;
    }
    mark_partners(search, role, 1);
    if (search->has_networks)
        try_nearby(search, role, &best);
    else
        try_groups(search, role, &best);
    mark_partners(search, role, 0);
    if (best.slot >= 0)
        tmap_search_exchange(search, role, &best);
}

static int has_room(const struct tmap_search_journal *journal)
{
    return !journal->move || journal->moves < journal->room;
}

void tmap_search_run(struct tmap_search *search)
{
    while (search->queue_count > 0 && search->left > 0 && has_room(&search->journal)) {
        int32_t role = tmap_search_dequeue(search);
        if (!tmap_search_is_fixed(search, role))
            try_role(search, role);
    }
}

struct tmap_swaps tmap_swaps_for(enum tmap_effort effort)
{
    static const struct tmap_swaps efforts[] = {
        {3, 8, 4, NULL, 0, 0}, {6, 16, 40, NULL, 0, 0}, {12, 64, 400, NULL, 0, 0}};
    return efforts[effort];
}

enum tmap_status tmap_improve(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                              const struct tmap_swaps *swaps, int32_t *slot_of)
{
    struct tmap_search search = {
        .matrix = matrix, .tree = tree, .swaps = swaps, .slot_of = slot_of};
    enum tmap_status status = tmap_search_init(&search);
    if (status == TMAP_OK && swaps->disturbance > 0) {
        weigh_all(&search);
        status = tmap_search_disturb(&search);
    } else if (status == TMAP_OK) {
        for (int32_t role = 0; role < matrix->roles; role++)
            tmap_search_enqueue(&search, role);
        tmap_search_run(&search);
    }
    tmap_search_fini(&search);
    return status;
}
