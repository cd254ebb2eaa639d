/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recursive.c - the method `recursive`, for comparison: part by part, from the outside in (Bordage,
 * Foyer and Goglin 2017, section 5.2).
 *
 * The roles are mapped to the outermost level with a shape (of a plain tree: the first level), each
 * of whose objects is one slot there; then those of each object are mapped inside it in the same
 * way, without a look at the others. An object gets roles in proportion to what it can hold, or the
 * small ones would overflow: the larger remainders are rounded up, to the left first.
 *
 * Example: a torus of two routers with 32 and 64 slots gets 96 roles as 32 and 64, 48 as 16 and 32.
 *
 * Multilevel sees the whole machine instead, so roles at the border of an object come near to their
 * partners beyond it.
 */
#include "treematch/methods/methods.h"
#include "treematch/model/problem.h"
#include "treematch/multilevel/multilevel.h"

#include <math.h>

/* The level whose children are the parts. */
static int recursive_level(const struct tmap_tree *tree)
{
    for (int l = 0; l < tree->depth; l++)
        if (tree->interconnect[l])
            return l;
    return 0;
}

static int compare_remainders(const void *context, int32_t a, int32_t b)
{
    const double *remainder = context;
    return (remainder[a] < remainder[b]) - (remainder[a] > remainder[b]);
}

/* Shares `roles` roles out to the objects of `level`. */
static enum tmap_status share_out(const struct tmap_tree *tree, int level, int32_t roles,
                                  int32_t *share)
{
    int32_t objects = tree->count[level], left = roles;
    double *remainder = tmap_new((size_t)objects, sizeof *remainder);
    int32_t *order = tmap_new((size_t)objects, 2 * sizeof *order);
    for (int32_t o = 0; o < objects && remainder && order; o++) {
        int64_t capacity = tmap_capacity_below(tree, level, o);
        double exact = (double)capacity * roles / (double)tree->total_capacity;
        share[o] = exact < (double)capacity ? (int32_t)exact : (int32_t)capacity;
        remainder[o] = share[o] < capacity ? exact - share[o] : -1;
        left -= share[o];
        order[o] = o;
    }
    if (remainder && order)
        tmap_sort(order, order + objects, objects, compare_remainders, remainder);
    for (int32_t i = 0; i < left && remainder && order; i++)
        share[order[i]]++;
    enum tmap_status status = remainder && order ? TMAP_OK : TMAP_ENOMEM;
    free(remainder);
    free(order);
    return status;
}

struct recursive_parts {
    int32_t *share;  /* by part */
    int32_t *part;   /* by role */
    int32_t *first;  /* members of a part: role[first[p]] .. role[first[p + 1]] */
    int32_t *role;   /* ascending within a part */
    int32_t *inside; /* by role: its number in the part at hand, -1: in another */
    int32_t *slot_of;
};

static enum tmap_status parts_init(struct recursive_parts *parts, int32_t count, int32_t roles)
{
    parts->share = tmap_new((size_t)count, sizeof *parts->share);
    parts->part = tmap_new((size_t)roles, sizeof *parts->part);
    parts->first = tmap_new((size_t)count + 1, sizeof *parts->first);
    parts->role = tmap_new((size_t)roles, sizeof *parts->role);
    parts->inside = tmap_new((size_t)roles, sizeof *parts->inside);
    parts->slot_of = tmap_new((size_t)roles, sizeof *parts->slot_of);
    if (!parts->share || !parts->part || !parts->first || !parts->role || !parts->inside ||
        !parts->slot_of)
        return TMAP_ENOMEM;
    memset(parts->inside, 0xff, sizeof *parts->inside * (size_t)roles);
    return TMAP_OK;
}

static void parts_fini(struct recursive_parts *parts)
{
    free(parts->share);
    free(parts->part);
    free(parts->first);
    free(parts->role);
    free(parts->inside);
    free(parts->slot_of);
}

/* The roles of each part: on the machine down to `level`, whose objects hold their share. */
static enum tmap_status map_to_parts(const struct tmap_problem *problem, int level,
                                     struct recursive_parts *parts)
{
    struct tmap_problem outer = *problem;
    struct tmap_tree *top = NULL;
    int32_t roles = problem->matrix->roles;
    enum tmap_status status = share_out(problem->tree, level, roles, parts->share);
    if (status == TMAP_OK)
        status = tmap_tree_copy_top(&top, problem->tree, level, parts->share, NULL);
    outer.tree = top;
    if (status == TMAP_OK)
        status = tmap_method_multilevel(&outer, parts->part, NULL);
    if (status == TMAP_OK)
        tmap_list_members(parts->part, roles, problem->tree->count[level], parts->first,
                          parts->role);
    tmap_tree_destroy(top);
    return status;
}

static enum tmap_status recursive_map(const struct tmap_problem *problem, int32_t *slot_of);

static enum tmap_status map_inside(const struct tmap_problem *problem, int level, int32_t object,
                                   struct recursive_parts *parts, int32_t *slot_of)
{
    struct tmap_problem inner = *problem;
    struct tmap_matrix *matrix = NULL;
    struct tmap_tree *tree = NULL;
    const int32_t *role = parts->role + parts->first[object];
    int32_t count = parts->first[object + 1] - parts->first[object];
    if (count == 0)
        return TMAP_OK;
    for (int32_t i = 0; i < count; i++)
        parts->inside[role[i]] = i;
    enum tmap_status status =
        tmap_matrix_among(&matrix, problem->matrix, role, count, parts->inside, NULL);
    for (int32_t i = 0; i < count; i++)
        parts->inside[role[i]] = -1;
    if (status == TMAP_OK)
        status = tmap_tree_copy_part(&tree, problem->tree, level, object, NULL, NULL);
    inner.matrix = matrix;
    inner.tree = tree;
    if (status == TMAP_OK)
        status = recursive_map(&inner, parts->slot_of);
    for (int32_t i = 0; i < count && status == TMAP_OK; i++)
        slot_of[role[i]] = problem->tree->first_slot[level][object] + parts->slot_of[i];
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    return status;
}

static enum tmap_status recursive_map(const struct tmap_problem *problem, int32_t *slot_of)
{
    const struct tmap_tree *tree = problem->tree;
    struct recursive_parts parts = {.share = NULL};
    int level = recursive_level(tree) + 1;
    if (level == tree->depth)
        return tmap_method_multilevel(problem, slot_of, NULL);
    enum tmap_status status = parts_init(&parts, tree->count[level], problem->matrix->roles);
    if (status == TMAP_OK)
        status = map_to_parts(problem, level, &parts);
    for (int32_t o = 0; o < tree->count[level] && status == TMAP_OK; o++)
        status = map_inside(problem, level, o, &parts, slot_of);
    parts_fini(&parts);
    return status;
}

/* Better parts may be worse together: so the results of all efforts up to the requested one
 * compete. */
enum tmap_status tmap_method_recursive(const struct tmap_problem *problem, int32_t *slot_of,
                                       struct tmap_error *error)
{
    struct tmap_problem mine = *problem;
    size_t roles = (size_t)problem->matrix->roles;
    double least = INFINITY;
    int32_t *tried = tmap_new(roles, sizeof *tried);
    enum tmap_status status = tried ? TMAP_OK : TMAP_ENOMEM;
    for (int e = TMAP_EFFORT_FAST; e <= (int)problem->effort && status == TMAP_OK; e++) {
        struct tmap_cost cost = {0};
        mine.effort = (enum tmap_effort)e;
        status = recursive_map(&mine, tried);
        if (status == TMAP_OK)
            status = tmap_mapping_evaluate(problem->matrix, problem->tree, tried, &cost, NULL);
        if (status == TMAP_OK && cost.cost < least) {
            least = cost.cost;
            memcpy(slot_of, tried, sizeof *slot_of * roles);
        }
    }
    free(tried);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}
