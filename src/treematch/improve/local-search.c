/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * local-search.c - see local-search.h: where the roles are, who is to be tried, how it was before.
 */
#include "treematch/improve/local-search.h"

#include <math.h>

/* A role of the group of `slot` may gain as much by leaving it. */
static void search_raise(struct tmap_search *search, int32_t slot, double want)
{
    double *most = &search->most[tmap_search_group(search, slot)];
    *most = want > *most ? want : *most;
}

static void search_leave(struct tmap_search *search, int32_t role)
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
    search_raise(search, slot, 0);
}

static void search_enter(struct tmap_search *search, int32_t role, int32_t slot)
{
    int32_t first = search->head[slot];
    search->slot_of[role] = slot;
    search->previous[role] = -1;
    search->next[role] = first;
    if (first >= 0)
        search->previous[first] = role;
    search->head[slot] = role;
    search->load[slot]++;
    search_raise(search, slot, search->want[role]);
}

void tmap_search_enqueue(struct tmap_search *search, int32_t role)
{
    int32_t roles = search->matrix->roles;
    if (search->queued[role])
        return;
    int64_t at = (int64_t)search->queue_first + search->queue_count;
    search->queue[at >= roles ? at - roles : at] = role;
    search->queued[role] = 1;
    search->queue_count++;
}

int32_t tmap_search_dequeue(struct tmap_search *search)
{
    int32_t role = search->queue[search->queue_first];
    search->queue_first =
        search->queue_first + 1 < search->matrix->roles ? search->queue_first + 1 : 0;
    search->queue_count--;
    search->queued[role] = 0;
    return role;
}

double tmap_search_gain(const struct tmap_search *search, int32_t role, int32_t slot,
                        int32_t except)
{
    const int32_t from = search->slot_of[role];
    double cost = 0; /* once it has moved: where it was is known */
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        const int32_t partner = row.partner[i], to = partner == except ? from : slot;
        cost += (double)row.weight[i] *
                tmap_distance_of(&search->distance, to, search->slot_of[partner]);
    }
    return search->cost[role] - cost;
}

static double cost_of_role(const struct tmap_search *search, int32_t role)
{
    double cost = 0;
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++)
        cost += (double)row.weight[i] * tmap_distance_of(&search->distance, search->slot_of[role],
                                                         search->slot_of[row.partner[i]]);
    return cost;
}

static void enqueue_partners(struct tmap_search *search, int32_t role)
{
    struct tmap_row row = tmap_row_of(search->matrix, role);
    for (size_t i = 0; i < row.count; i++)
        tmap_search_enqueue(search, row.partner[i]);
}

/* Write down how a role is before its cost changes. */
static void search_touch(struct tmap_search *search, int32_t role)
{
    struct tmap_search_journal *journal = &search->journal;
    if (!journal->move || journal->touched[role] == journal->number)
        return;
    journal->touched[role] = journal->number;
    journal->before[journal->befores++] =
        (struct tmap_search_before){role, search->cost[role], search->want[role]};
}

/* Move `role` to `slot`, and update the costs of its partners. No slot has become nearer to a
 * partner by more than the way that `role` has gone. */
static void move_role(struct tmap_search *search, int32_t role, int32_t slot)
{
    int32_t from = search->slot_of[role];
    struct tmap_row row = tmap_row_of(search->matrix, role);
    const double moved = tmap_distance_of(&search->distance, from, slot) - search->innermost;
    for (size_t i = 0; i < row.count; i++) {
        int32_t partner = row.partner[i], at = search->slot_of[partner];
        double more = tmap_distance_of(&search->distance, slot, at) -
                      tmap_distance_of(&search->distance, from, at);
        search_touch(search, partner);
        search->cost[partner] += (double)row.weight[i] * more;
        search->want[partner] += (double)row.weight[i] * (more + moved);
        search_raise(search, at, search->want[partner]);
    }
    search_touch(search, role);
    search->want[role] = INFINITY;
    search_leave(search, role);
    search_enter(search, role, slot);
    search->cost[role] = cost_of_role(search, role);
    if (search->journal.move)
        search->journal.move[search->journal.moves++] = (struct tmap_search_move){role, from};
}

void tmap_search_exchange(struct tmap_search *search, int32_t role,
                          const struct tmap_exchange *exchange)
{
    int32_t from = search->slot_of[role];
    search->journal.gained += exchange->gain;
    move_role(search, role, exchange->slot);
    if (exchange->partner >= 0) {
        move_role(search, exchange->partner, from);
        enqueue_partners(search, exchange->partner);
        tmap_search_enqueue(search, exchange->partner);
    }
    enqueue_partners(search, role);
    tmap_search_enqueue(search, role);
}

void tmap_search_undo(struct tmap_search *search)
{
    const struct tmap_search_journal *journal = &search->journal;
    /* wants first: search_enter reads them */
    for (int32_t i = 0; i < journal->befores; i++) {
        const struct tmap_search_before *before = &journal->before[i];
        search->cost[before->role] = before->cost;
        search->want[before->role] = before->want;
        search_raise(search, search->slot_of[before->role], before->want);
    }
    for (int32_t i = journal->moves - 1; i >= 0; i--) {
        search_leave(search, journal->move[i].role);
        search_enter(search, journal->move[i].role, journal->move[i].from);
    }
}

static enum tmap_status search_allocate(struct tmap_search *search)
{
    size_t roles = (size_t)search->matrix->roles;
    size_t slots = (size_t)search->tree->count[search->tree->depth];
    size_t groups = (size_t)search->tree->count[search->tree->depth - 1];
    search->load = tmap_new_zero(slots, sizeof(int32_t));
    search->head = tmap_new(slots, sizeof(int32_t));
    search->next = tmap_new(roles, sizeof(int32_t));
    search->previous = tmap_new(roles, sizeof(int32_t));
    search->queue = tmap_new(roles, sizeof(int32_t));
    search->queued = tmap_new_zero(roles, 1);
    search->cost = tmap_new(roles, sizeof(double));
    search->least = tmap_new(roles, sizeof(double));
    search->want = tmap_new(roles, sizeof(double));
    search->most = tmap_new_zero(groups, sizeof(double));
    search->towards = tmap_new_zero(roles, sizeof(uint64_t));
    if (!search->load || !search->head || !search->next || !search->previous || !search->queue ||
        !search->queued || !search->cost || !search->least || !search->want || !search->most ||
        !search->towards)
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

static void find_nearest(struct tmap_search *search)
{
    const struct tmap_tree *tree = search->tree;
    search->simple = 1;
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++)
        search->simple &= tree->capacity[slot] <= 1;
    search->innermost = tree->level[tree->depth - 1].cost;
    search->outside = 0;
    if (tree->depth > 1)
        search->outside = tree->level[tree->depth - 2].cost - search->innermost;
    search->nearest = search->simple ? level_nearest(tree, tree->depth - 1) : 0;
    for (int l = 0; l < tree->depth; l++) {
        double nearest = level_nearest(tree, l);
        search->nearest = nearest < search->nearest ? nearest : search->nearest;
    }
}

enum tmap_status tmap_search_init(struct tmap_search *search)
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
        search->want[role] = INFINITY;
        search_enter(search, role, search->slot_of[role]);
    }
    search->left =
        search->swaps->budget * (double)(matrix->start[matrix->roles] + (size_t)matrix->roles);
    return TMAP_OK;
}

void tmap_search_fini(struct tmap_search *search)
{
    tmap_nearby_fini(&search->nearby);
    tmap_distance_fini(&search->distance);
    free(search->load);
    free(search->head);
    free(search->next);
    free(search->previous);
    free(search->queue);
    free(search->queued);
    free(search->cost);
    free(search->least);
    free(search->want);
    free(search->most);
    free(search->towards);
}
