/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * greedy.c - the method `greedy`: place one role after the other (Mueller-Merbach 1970), then
 * improve by exchanges.
 *
 * The next role is the one with the most traffic to those already placed; it goes to the free unit
 * where that traffic costs least. On a tree the best unit is near one of its partners: for each of
 * the heaviest few, the nearest free unit is tried. It is found by climbing to the first ancestor
 * with a free unit below, and by a union-find over the slots that skips full ones.
 *
 * Example: the path 0-1-2-3 on the tree 2 x 2: 1 has the most traffic and goes first, to slot 0;
 * then 0 or 2 next to it, then the others.
 * Time O(pairs log roles + roles x partners tried), memory O(roles + slots).
 */
#include "treematch/improve/swaps.h"
#include "treematch/model/distance.h"
#include "treematch/support/arena.h"
#include "treematch/support/heap.h"
#include "treematch/methods/methods.h"
#include "treematch/model/problem.h"

#include <math.h>

enum { TRIED_PARTNERS = 8 };

struct greedy {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    struct tmap_distance distance;
    struct tmap_heap heap; /* roles not yet placed; key: traffic to those that are */
    int32_t *slot_of;      /* -1: not placed */
    int32_t *load;         /* by slot */
    int32_t *next_free;    /* by slot, slots + 1 entries: itself or further right; union-find */
};

static int32_t find_free(struct greedy *g, int32_t slot)
{
    int32_t root = slot;
    while (g->next_free[root] != root)
        root = g->next_free[root];
    while (g->next_free[slot] != root) {
        int32_t following = g->next_free[slot];
        g->next_free[slot] = root;
        slot = following;
    }
    return root;
}

/* The slot itself if it is free, else a free one under the lowest ancestor that has any. */
static int32_t nearest_free(struct greedy *g, int32_t slot)
{
    for (int level = g->tree->depth; level > 0; level--) {
        int32_t object = tmap_tree_ancestor(g->tree, slot, level);
        int32_t found = find_free(g, g->tree->first_slot[level][object]);
        if (found < g->tree->first_slot[level][object + 1])
            return found;
    }
    return find_free(g, 0);
}

static double cost_at(const struct greedy *g, int32_t role, int32_t slot)
{
    double cost = 0;
    struct tmap_row row = tmap_row_of(g->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t at = g->slot_of[row.partner[i]];
        if (at >= 0)
            cost += (double)row.weight[i] * tmap_distance_of(&g->distance, slot, at);
    }
    return cost;
}

/* The heaviest partners in a row that are placed, at most TRIED_PARTNERS; returns their number. */
static int heaviest_partners(const struct greedy *g, const struct tmap_row *row, size_t *best)
{
    int count = 0;
    for (size_t i = 0; i < row->count; i++) {
        int at = count;
        if (g->slot_of[row->partner[i]] < 0)
            continue;
        while (at > 0 && row->weight[best[at - 1]] < row->weight[i]) {
            if (at < TRIED_PARTNERS)
                best[at] = best[at - 1];
            at--;
        }
        if (at < TRIED_PARTNERS)
            best[at] = i;
        count += count < TRIED_PARTNERS;
    }
    return count;
}

static int32_t choose_slot(struct greedy *g, int32_t role)
{
    size_t partners[TRIED_PARTNERS];
    struct tmap_row row = tmap_row_of(g->matrix, role);
    int count = heaviest_partners(g, &row, partners);
    int32_t best = -1;
    double least = 0;
    for (int i = 0; i < count; i++) {
        int32_t slot = nearest_free(g, g->slot_of[row.partner[partners[i]]]);
        double cost = slot == best ? least : cost_at(g, role, slot);
        if (best < 0 || cost < least) {
            best = slot;
            least = cost;
        }
    }
    return best >= 0 ? best : find_free(g, 0);
}

static void greedy_place(struct greedy *g, int32_t role, int32_t slot)
{
    g->slot_of[role] = slot;
    if (++g->load[slot] == g->tree->capacity[slot])
        g->next_free[slot] = slot + 1;
    tmap_heap_remove(&g->heap, role);
    struct tmap_row row = tmap_row_of(g->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t partner = row.partner[i];
        if (g->slot_of[partner] < 0)
            tmap_heap_set(&g->heap, partner, g->heap.key[partner] + (int64_t)row.weight[i]);
    }
}

/* The role with the most traffic in total comes first. */
static int32_t first_role(const struct tmap_matrix *matrix)
{
    int32_t best = 0;
    uint64_t most = 0;
    for (int32_t role = 0; role < matrix->roles; role++) {
        uint64_t sum = 0;
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++)
            sum += row.weight[i];
        if (sum > most) {
            most = sum;
            best = role;
        }
    }
    return best;
}

static enum tmap_status greedy_set_up(struct greedy *g, struct tmap_arena *arena)
{
    size_t roles = (size_t)g->matrix->roles, slots = (size_t)g->tree->count[g->tree->depth];
    g->heap.entry = tmap_arena_take(arena, roles, sizeof *g->heap.entry);
    g->heap.place = tmap_arena_take(arena, roles, sizeof(int32_t));
    g->heap.key = tmap_arena_take(arena, roles, sizeof(int64_t));
    g->load = tmap_arena_take(arena, slots, sizeof(int32_t));
    g->next_free = tmap_arena_take(arena, slots + 1, sizeof(int32_t));
    if (!g->heap.entry || !g->heap.place || !g->heap.key || !g->load || !g->next_free ||
        tmap_distance_init(&g->distance, g->tree))
        return TMAP_ENOMEM;
    memset(g->load, 0, sizeof(int32_t) * slots);
    for (size_t slot = 0; slot <= slots; slot++)
        g->next_free[slot] =
            (int32_t)(slot < slots && g->tree->capacity[slot] == 0 ? slot + 1 : slot);
    for (int32_t role = 0; role < g->matrix->roles; role++) {
        g->slot_of[role] = -1;
        g->heap.key[role] = 0;
        tmap_heap_add(&g->heap, role);
    }
    return TMAP_OK;
}

/* Place all roles: fill slot_of. */
static enum tmap_status place_all(const struct tmap_problem *problem, int32_t *slot_of)
{
    struct greedy g = {.matrix = problem->matrix, .tree = problem->tree, .slot_of = slot_of};
    struct tmap_arena arena = {NULL, NULL, 0};
    enum tmap_status status = greedy_set_up(&g, &arena);
    if (status == TMAP_OK) {
        int32_t role = first_role(problem->matrix);
        greedy_place(&g, role, find_free(&g, 0));
        while (g.heap.count > 0) {
            role = tmap_heap_top(&g.heap);
            greedy_place(&g, role, choose_slot(&g, role));
        }
    }
    tmap_distance_fini(&g.distance);
    tmap_arena_fini(&arena);
    return status;
}

/* Improve slot_of by exchanges with each effort up to the requested one, and keep the best, so that
 * more effort never costs more. */
static enum tmap_status greedy_improve(const struct tmap_problem *problem, int32_t *slot_of)
{
    const size_t roles = (size_t)problem->matrix->roles;
    int32_t *start = tmap_new(roles, 2 * sizeof *start);
    struct tmap_cost cost;
    double least = INFINITY;
    enum tmap_status status = TMAP_OK;
    if (!start)
        return TMAP_ENOMEM;
    int32_t *tried = start + roles;
    memcpy(start, slot_of, roles * sizeof *start);
    for (int e = TMAP_EFFORT_FAST; e <= (int)problem->effort && status == TMAP_OK; e++) {
        struct tmap_swaps swaps = tmap_swaps_for((enum tmap_effort)e);
        memcpy(tried, start, roles * sizeof *tried);
        status = tmap_improve(problem->matrix, problem->tree, &swaps, tried);
        if (status == TMAP_OK)
            status = tmap_mapping_evaluate(problem->matrix, problem->tree, tried, &cost, NULL);
        if (status == TMAP_OK && cost.cost < least) {
            least = cost.cost;
            memcpy(slot_of, tried, roles * sizeof *tried);
        }
    }
    free(start);
    return status;
}

enum tmap_status tmap_method_greedy(const struct tmap_problem *problem, int32_t *slot_of,
                                    struct tmap_error *error)
{
    enum tmap_status status = place_all(problem, slot_of);
    if (status == TMAP_OK)
        status = greedy_improve(problem, slot_of);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}
