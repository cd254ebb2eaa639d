/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exhaustive.c - try all mappings of a few roles (branch and bound).
 *
 * Exchanges end where no exchange helps, which on a small machine can cost a quarter more than the
 * best mapping. One role after the other is placed, each time the one that has most to do with
 * those before it. Most branches end early:
 *
 * - Only what costs less than the mapping that is there already is looked for. A role that is still
 *   to be placed costs at least what its pairs with those before it do where the heaviest has the
 *   smallest distance that there is, the next one the second smallest, and so on (Gilmore 1962,
 *   Lawler 1963; `near` has these distances).
 * - Of equal subtrees that are still empty only the first is tried. Twelve roles on `3 2 2` can be
 *   placed in 479,001,600 ways, of which 155,925 differ. On networks, where equal subtrees are at
 *   different places, that holds below the network only.
 *
 * The number of slots tried is limited, not the time, so the result is the same on every machine.
 */
#include "treematch/improve/improve.h"

#include "treematch/model/distance.h"

enum { EXHAUSTIVE_ROLES = 12, EXHAUSTIVE_SLOTS = 256 };

/* Number of slots tried, by effort. */
static const int32_t exhaustive_tries[] = {30000, 300000, 3000000};

/* By how much less something has to cost to be better. */
static const double exhaustive_rounding = 1e-9;

struct exhaustive {
    const struct tmap_tree *tree;
    struct tmap_distance distance;
    int roles;
    int32_t tries;                       /* left */
    int32_t room[EXHAUSTIVE_SLOTS];      /* by slot: number of roles that it still takes */
    int32_t *held[TMAP_MAX_LEVELS + 1];  /* by object of each level: roles placed in it */
    int32_t *equal[TMAP_MAX_LEVELS + 1]; /* the sibling before it that is equal; -1: none */
    double near[EXHAUSTIVE_ROLES];       /* no role has its k-th nearest partner nearer */
    int32_t role[EXHAUSTIVE_ROLES];      /* in the order in which they are placed */
    double weight[EXHAUSTIVE_ROLES][EXHAUSTIVE_ROLES]; /* by that order */
    double rest[EXHAUSTIVE_ROLES + 1]; /* by number placed: the least that all other pairs cost */
    int32_t at[EXHAUSTIVE_ROLES], best[EXHAUSTIVE_ROLES]; /* slots, by that order */
    double limit;                                         /* what is better costs less than that */
};

/* ---- Roles ---- */

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
    for (int i = 0; i < e->roles; i++)
        for (int k = 0; k < i; k++)
            e->weight[i][k] = exhaustive_between(matrix, e->role[i], e->role[k]);
}

/* ---- Bounds ---- */

/* Keeps `value` if it is among the `most` least, which are ascending. */
static void exhaustive_keep_least(double *least, int *count, int most, double value)
{
    int at = *count;
    if (at < most)
        (*count)++;
    else if (most > 0 && value < least[most - 1])
        at--;
    else
        return;
    for (; at > 0 && least[at - 1] > value; at--)
        least[at] = least[at - 1];
    least[at] = value;
}

/* The distances of a role on `slot` to the nearest others that there is room for. */
static int exhaustive_nearest(const struct exhaustive *e, int32_t slot, double *nearest)
{
    int count = 0;
    for (int32_t other = 0; other < e->tree->count[e->tree->depth]; other++) {
        double apart = tmap_distance_of(&e->distance, slot, other);
        int32_t room = e->room[other] - (other == slot);
        for (int32_t i = 0; i < room && i < e->roles - 1; i++)
            exhaustive_keep_least(nearest, &count, e->roles - 1, apart);
    }
    return count;
}

static void exhaustive_find_near(struct exhaustive *e)
{
    double nearest[EXHAUSTIVE_ROLES];
    int is_first = 1;
    for (int32_t slot = 0; slot < e->tree->count[e->tree->depth]; slot++) {
        if (e->room[slot] == 0)
            continue;
        int count = exhaustive_nearest(e, slot, nearest);
        for (int k = 0; k < count; k++)
            if (is_first || nearest[k] < e->near[k])
                e->near[k] = nearest[k];
        is_first = 0;
    }
}

/* The least that the pairs of the role placed as number `i` with those before it cost. */
static double exhaustive_least(const struct exhaustive *e, int i)
{
    double heavy[EXHAUSTIVE_ROLES], least = 0;
    int count = 0;
    for (int k = 0; k < i; k++)
        exhaustive_keep_least(heavy, &count, i, -e->weight[i][k]);
    for (int k = 0; k < count; k++)
        least -= heavy[k] * e->near[k];
    return least;
}

/* ---- Equal subtrees ---- */

/* Returns 1 if the children of an object of `level` that are equal can be exchanged. */
static int exhaustive_can_exchange(const struct tmap_tree *tree, int level)
{
    while (level < tree->depth && !tree->interconnect[level])
        level++;
    return level == tree->depth;
}

static void exhaustive_find_equal(struct exhaustive *e, const struct tmap_classes *classes,
                                  int level)
{
    const int32_t *first = e->tree->first_child[level], *class_of = classes->class_of[level + 1];
    int can_exchange = exhaustive_can_exchange(e->tree, level);
    for (int32_t parent = 0; parent < e->tree->count[level]; parent++)
        for (int32_t child = first[parent]; child < first[parent + 1]; child++) {
            int32_t before = child - 1;
            while (before >= first[parent] && class_of[before] != class_of[child])
                before--;
            e->equal[level + 1][child] = can_exchange && before >= first[parent] ? before : -1;
        }
}

/* Returns 1 if `slot` is in an empty subtree and an equal one before that is empty, too. */
static int exhaustive_is_repeated(const struct exhaustive *e, int32_t slot)
{
    for (int level = e->tree->depth; level > 0; level--) {
        int32_t object = tmap_ancestor_of(e->tree, slot, level);
        int32_t before = e->equal[level][object];
        if (e->held[level][object] > 0)
            return 0;
        if (before >= 0 && e->held[level][before] == 0)
            return 1;
    }
    return 0;
}

/* ---- The search ---- */

static void exhaustive_enter(struct exhaustive *e, int32_t slot, int count)
{
    e->room[slot] -= count;
    for (int level = 1; level <= e->tree->depth; level++)
        e->held[level][tmap_ancestor_of(e->tree, slot, level)] += count;
}

/* Place the roles from number `placed` on; those before them cost so much. */
static void exhaustive_place(struct exhaustive *e, int placed, double cost)
{
    if (placed == e->roles) {
        memcpy(e->best, e->at, sizeof e->best);
        e->limit = cost * (1 - exhaustive_rounding);
        return;
    }
    for (int32_t slot = 0; slot < e->tree->count[e->tree->depth] && e->tries > 0; slot++) {
        double more = cost;
        if (e->room[slot] == 0 || exhaustive_is_repeated(e, slot))
            continue;
        e->tries--;
        for (int i = 0; i < placed; i++)
            more += e->weight[placed][i] * tmap_distance_of(&e->distance, slot, e->at[i]);
        if (more + e->rest[placed + 1] >= e->limit)
            continue;
        e->at[placed] = slot;
        exhaustive_enter(e, slot, 1);
        exhaustive_place(e, placed + 1, more);
        exhaustive_enter(e, slot, -1);
    }
}

static int exhaustive_is_for(const struct tmap_matrix *matrix, const struct tmap_tree *tree)
{
    return matrix->roles > 1 && matrix->roles <= EXHAUSTIVE_ROLES && tree->capacity &&
           tree->count[tree->depth] <= EXHAUSTIVE_SLOTS;
}

static enum tmap_status exhaustive_init(struct exhaustive *e, const struct tmap_matrix *matrix)
{
    const struct tmap_tree *tree = e->tree;
    struct tmap_classes classes = {{NULL}, {0}};
    enum tmap_status status = tmap_distance_init(&e->distance, tree);
    if (status == TMAP_OK)
        status = tmap_classes_init(&classes, tree, tree->capacity);
    for (int level = 1; level <= tree->depth && status == TMAP_OK; level++) {
        e->held[level] = tmap_new_zero((size_t)tree->count[level], sizeof *e->held[level]);
        e->equal[level] = tmap_new((size_t)tree->count[level], sizeof *e->equal[level]);
        status = e->held[level] && e->equal[level] ? TMAP_OK : TMAP_ENOMEM;
        if (status == TMAP_OK)
            exhaustive_find_equal(e, &classes, level - 1);
    }
    tmap_classes_fini(&classes);
    if (status != TMAP_OK)
        return status;
    memcpy(e->room, tree->capacity, sizeof *e->room * (size_t)tree->count[tree->depth]);
    exhaustive_order(e, matrix);
    exhaustive_find_near(e);
    for (int i = e->roles - 1; i >= 0; i--)
        e->rest[i] = e->rest[i + 1] + exhaustive_least(e, i);
    return TMAP_OK;
}

static void exhaustive_fini(struct exhaustive *e)
{
    tmap_distance_fini(&e->distance);
    for (int level = 1; level <= e->tree->depth; level++) {
        free(e->held[level]);
        free(e->equal[level]);
    }
}

enum tmap_status tmap_try_all(const struct tmap_problem *problem, int32_t *slot_of)
{
    const struct tmap_matrix *matrix = problem->matrix;
    const struct tmap_tree *tree = problem->tree;
    struct exhaustive e = {.tree = tree,
                           .roles = matrix->roles,
                           .tries = exhaustive_tries[problem->effort],
                           .best = {-1}};
    struct tmap_cost cost;
    if (!exhaustive_is_for(matrix, tree))
        return TMAP_OK;
    enum tmap_status status = exhaustive_init(&e, matrix);
    if (status == TMAP_OK)
        status = tmap_mapping_evaluate(matrix, tree, slot_of, &cost, NULL);
    if (status == TMAP_OK) {
        e.limit = cost.cost * (1 - exhaustive_rounding);
        exhaustive_place(&e, 0, 0);
        for (int i = 0; i < e.roles && e.best[0] >= 0; i++)
            slot_of[e.role[i]] = e.best[i];
    }
    exhaustive_fini(&e);
    return status;
}
