/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exhaustive.c - try all mappings of a few roles (branch and bound).
 *
 * Exchanges end where no exchange helps, which on a small network can cost a quarter more than the
 * best mapping, and all mappings of eight roles are quickly tried. One role after the other is
 * placed, each time the one that has most to do with those before it. What remains costs at least
 * the smallest distance for each unit, so most branches end early: what is looked for has to cost
 * less than the mapping that is there already.
 */
#include "treematch/improve/exhaustive.h"

#include "treematch/model/distance.h"

enum { EXHAUSTIVE_WAYS = 100000, EXHAUSTIVE_ROLES = 8 }; /* 9! is more */

/* By how much less something has to cost to be better. */
static const double exhaustive_rounding = 1e-9;

struct exhaustive {
    struct tmap_distance distance;
    int roles;
    int32_t slots;
    int32_t *slot, *room;           /* open slots; how many more roles each takes */
    int32_t role[EXHAUSTIVE_ROLES]; /* in the order in which they are placed */
    double weight[EXHAUSTIVE_ROLES][EXHAUSTIVE_ROLES]; /* by that order */
    double rest[EXHAUSTIVE_ROLES + 1]; /* by number placed: the least that all other pairs cost */
    int32_t at[EXHAUSTIVE_ROLES], best[EXHAUSTIVE_ROLES]; /* slots, by that order */
    double limit;                                         /* what is better costs less than that */
};

/* Returns 1 if there are few enough ways to place the roles. */
static int exhaustive_is_possible(const struct tmap_matrix *matrix, const struct tmap_tree *tree)
{
    int64_t units = tmap_tree_capacity(tree);
    double ways = 1;
    for (int32_t i = 0; i < matrix->roles && ways <= EXHAUSTIVE_WAYS; i++)
        ways *= (double)(units - i);
    return matrix->roles > 1 && matrix->roles <= EXHAUSTIVE_ROLES && ways <= EXHAUSTIVE_WAYS &&
           tree->capacity;
}

/* Weight that two roles send to each other. */
static double exhaustive_between(const struct tmap_matrix *matrix, int32_t a, int32_t b)
{
    struct tmap_row row = tmap_row_of(matrix, a);
    double weight = 0;
    for (size_t i = 0; i < row.count; i++)
        weight += row.partner[i] == b ? (double)row.weight[i] : 0;
    return weight;
}

/* Order the roles, each next to those that it has most to do with. */
static void exhaustive_order(struct exhaustive *e, const struct tmap_matrix *matrix)
{
    char is_placed[EXHAUSTIVE_ROLES] = {0};
    for (int placed = 0; placed < e->roles; placed++) {
        double most = -1;
        for (int32_t role = 0; role < e->roles; role++) {
            double sum = 0;
            for (int32_t other = 0; other < e->roles; other++)
                if (is_placed[other] || placed == 0)
                    sum += exhaustive_between(matrix, role, other);
            if (!is_placed[role] && sum > most) {
                most = sum;
                e->role[placed] = role;
            }
        }
        is_placed[e->role[placed]] = 1;
    }
}

/* The smallest distance of two roles. */
static double exhaustive_step(const struct exhaustive *e)
{
    double least = -1;
    for (int32_t a = 0; a < e->slots; a++)
        for (int32_t b = a; b < e->slots; b++) {
            double step = tmap_distance_of(&e->distance, e->slot[a], e->slot[b]);
            if ((a != b || e->room[a] > 1) && (least < 0 || step < least))
                least = step;
        }
    return least;
}

static enum tmap_status exhaustive_init(struct exhaustive *e, const struct tmap_matrix *matrix,
                                        const struct tmap_tree *tree)
{
    int32_t slots = tree->count[tree->depth];
    enum tmap_status status = tmap_distance_init(&e->distance, tree);
    e->slot = tmap_new((size_t)slots, sizeof *e->slot);
    e->room = tmap_new((size_t)slots, sizeof *e->room);
    if (status != TMAP_OK || !e->slot || !e->room)
        return TMAP_ENOMEM;
    for (int32_t s = 0; s < slots; s++)
        if (tree->capacity[s] > 0) {
            e->slot[e->slots] = s;
            e->room[e->slots++] = tree->capacity[s];
        }
    exhaustive_order(e, matrix);
    double step = exhaustive_step(e);
    for (int i = e->roles - 1; i >= 0; i--) {
        e->rest[i] = e->rest[i + 1];
        for (int k = 0; k < i; k++) {
            e->weight[i][k] = exhaustive_between(matrix, e->role[i], e->role[k]);
            e->rest[i] += step * e->weight[i][k];
        }
    }
    return TMAP_OK;
}

/* Place the roles from number `placed` on; those before them cost so much. */
static void exhaustive_place(struct exhaustive *e, int placed, double cost)
{
    if (placed == e->roles) {
        memcpy(e->best, e->at, sizeof e->best);
        e->limit = cost * (1 - exhaustive_rounding);
        return;
    }
    for (int32_t s = 0; s < e->slots; s++) {
        double more = cost;
        for (int i = 0; i < placed; i++)
            more += e->weight[placed][i] * tmap_distance_of(&e->distance, e->slot[s], e->at[i]);
        if (e->room[s] == 0 || more + e->rest[placed + 1] >= e->limit)
            continue;
        e->at[placed] = e->slot[s];
        e->room[s]--;
        exhaustive_place(e, placed + 1, more);
        e->room[s]++;
    }
}

enum tmap_status tmap_try_all(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                              int32_t *slot_of)
{
    struct exhaustive e = {.roles = matrix->roles, .best = {-1}};
    struct tmap_cost cost;
    if (!exhaustive_is_possible(matrix, tree))
        return TMAP_OK;
    enum tmap_status status = exhaustive_init(&e, matrix, tree);
    if (status == TMAP_OK)
        status = tmap_mapping_evaluate(matrix, tree, slot_of, &cost, NULL);
    if (status == TMAP_OK) {
        e.limit = cost.cost * (1 - exhaustive_rounding);
        exhaustive_place(&e, 0, 0);
        for (int i = 0; i < e.roles && e.best[0] >= 0; i++)
            slot_of[e.role[i]] = e.best[i];
    }
    tmap_distance_fini(&e.distance);
    free(e.slot);
    free(e.room);
    return status;
}
