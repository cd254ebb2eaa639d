/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * treematch-uneven.c - TreeMatch for trees that are not uniform: objects of one level with
 * different numbers of children, slots that hold several roles, or none. The papers leave these out
 * ("we assume that the topology tree is balanced").
 *
 * Two ideas are added; the rest is TreeMatch: group from the bottom up, by elements in falling
 * order.
 *   1. Quotas. How many roles each object gets is decided first, from the root down: children are
 *      filled one after the other, so that few are in use; the next one is the smallest that holds
 *      the remaining roles, or else the largest. After that, every slot with a quota is filled.
 *   2. Classes. With a quota on each leaf, two objects belong to one class if their subtrees
 *      are alike. A level's objects are the bins (treematch.h) of the fast grouping: an object
 *      wants as many groups of each class as it has children of that class. So each group is
 *      exactly what some object wants, and handing groups down always works out.
 *
 * Example: nodes of 4 and 2 slots, 6 roles, {0,1} heavy, {2,3,4,5} less so. Bins of 4 and 2; (0,1)
 * opens in the larger one, (2,3) in the smaller one; when 4 joins 2 and 3, the two groups exchange
 * bins.
 */
#include "treematch/grouping/treematch.h"

struct work {
    const struct tmap_tree *tree;
    int buckets;
    int32_t *quota[TMAP_MAX_LEVELS + 1]; /* by level and object */
    struct tmap_classes classes;
    int32_t *bin_of[TMAP_MAX_LEVELS + 1]; /* the bin of each process of a level */
    int32_t *object[TMAP_MAX_LEVELS + 1]; /* by bin: an object of its kind */
    int32_t bins[TMAP_MAX_LEVELS + 1];
};

/* ---- Quotas ---- */

/* In falling order of capacity. They are filled in that order, except that the last one used is the
 * smallest that suffices. */
struct capacities {
    const int64_t *capacity;
    int32_t first;
};

static int by_falling_capacity(const void *context, int32_t a, int32_t b)
{
    const struct capacities *c = context;
    int64_t left = c->capacity[c->first + a], right = c->capacity[c->first + b];
    return (left < right) - (left > right);
}

/* Capacities of the children from `first` on; `sum`: prefix sums of the capacities of the slots. */
static void child_capacities(const struct tmap_tree *tree, int level, const int64_t *sum,
                             int64_t *capacity)
{
    for (int32_t o = 0; o < tree->count[level]; o++)
        capacity[o] = sum[tree->first_slot[level][o + 1]] - sum[tree->first_slot[level][o]];
}

static void share_out(int32_t roles, int32_t *quota, const struct capacities *c, int32_t *order,
                      int32_t arity)
{
    for (int32_t i = 0; i < arity; i++) {
        order[i] = i;
        quota[c->first + i] = 0;
    }
    tmap_sort(order, order + arity, arity, by_falling_capacity, c);
    for (int32_t i = 0; i < arity && roles > 0; i++) {
        int32_t best = i;
        while (best + 1 < arity && c->capacity[c->first + order[best + 1]] >= roles)
            best++;
        int64_t room = c->capacity[c->first + order[best]];
        quota[c->first + order[best]] = room < roles ? (int32_t)room : roles;
        roles -= quota[c->first + order[best]];
    }
}

static enum tmap_status set_quotas(struct work *work, int32_t roles)
{
    const struct tmap_tree *tree = work->tree;
    int32_t slots = tree->count[tree->depth];
    enum tmap_status status = TMAP_ENOMEM;
    int64_t *sum = tmap_new_zero((size_t)slots + 1, sizeof *sum);
    int64_t *capacity = tmap_new((size_t)slots, sizeof *capacity);
    int32_t *order = tmap_new((size_t)slots, 2 * sizeof *order);
    for (int l = 0; l <= tree->depth; l++) {
        work->quota[l] = tmap_new((size_t)tree->count[l], sizeof(int32_t));
        if (!work->quota[l])
            goto out;
    }
    if (!sum || !capacity || !order)
        goto out;
    for (int32_t s = 0; s < slots; s++)
        sum[s + 1] = sum[s] + tree->capacity[s];
    work->quota[0][0] = roles;
    for (int l = 0; l < tree->depth; l++) {
        child_capacities(tree, l + 1, sum, capacity);
        for (int32_t o = 0; o < tree->count[l]; o++) {
            const struct capacities c = {capacity, tree->first_child[l][o]};
            share_out(work->quota[l][o], work->quota[l + 1], &c, order,
                      tree->first_child[l][o + 1] - c.first);
        }
    }
    status = TMAP_OK;
out:
    free(sum);
    free(capacity);
    free(order);
    return status;
}

/* ---- The bins of a level ---- */

/* Append the demands of one object: its children with a quota, counted by class. Returns the new
 * number of demands. `order`: 2 x its arity. */
static int32_t add_demands(const struct work *work, int level, int32_t object,
                           struct tmap_bins *bins, int32_t at, int32_t *order)
{
    const int32_t *first = work->tree->first_child[level];
    const int32_t *class_of = work->classes.class_of[level + 1];
    int32_t used = 0, begin = at;
    for (int32_t child = first[object]; child < first[object + 1]; child++) {
        if (work->quota[level + 1][child] > 0)
            order[used++] = child;
    }
    tmap_sort(order, order + used, used, tmap_by_number, class_of);
    for (int32_t i = 0; i < used; i++) {
        if (at == begin || bins->child_class[at - 1] != class_of[order[i]]) {
            bins->child_class[at] = class_of[order[i]];
            bins->demand[at++] = 0;
        }
        bins->demand[at - 1]++;
    }
    return at;
}

/* The leaf level: a slot wants its quota of roles, which are all of class 0. */
static int32_t add_slot_demand(const struct work *work, int32_t slot, struct tmap_bins *bins,
                               int32_t at)
{
    bins->child_class[at] = 0;
    bins->demand[at] = work->quota[work->tree->depth][slot];
    return at + 1;
}

static enum tmap_status make_bins(struct work *work, int level, struct tmap_bins *bins)
{
    const struct tmap_tree *tree = work->tree;
    int is_leaf = level == tree->depth;
    int32_t objects = tree->count[level], children = is_leaf ? objects : tree->count[level + 1];
    int32_t *order = tmap_new((size_t)children, 2 * sizeof *order), count = 0, at = 0;
    work->object[level] = tmap_new((size_t)objects, sizeof(int32_t));
    if (!order || !work->object[level] || tmap_bins_alloc(bins, objects, children)) {
        free(order);
        return TMAP_ENOMEM;
    }
    bins->kinds = work->classes.class_count[level];
    bins->classes = is_leaf ? 1 : work->classes.class_count[level + 1];
    for (int32_t o = 0; o < objects; o++) {
        if (work->quota[level][o] == 0)
            continue;
        bins->first[count] = at;
        bins->kind[count] = work->classes.class_of[level][o];
        work->object[level][count++] = o;
        at = is_leaf ? add_slot_demand(work, o, bins, at)
                     : add_demands(work, level, o, bins, at, order);
    }
    bins->first[count] = at;
    bins->bins = count;
    work->bins[level] = count;
    free(order);
    return TMAP_OK;
}

/* ---- Up and down ---- */

/* The class of the group in each bin of `level`, which is the bin's kind. */
static int32_t *classes_of_bins(const struct work *work, int level)
{
    int32_t *class_of = tmap_new((size_t)work->bins[level], sizeof *class_of);
    for (int32_t b = 0; class_of && b < work->bins[level]; b++)
        class_of[b] = work->classes.class_of[level][work->object[level][b]];
    return class_of;
}

static enum tmap_status group_level_by_class(struct work *work, int level,
                                             const struct tmap_matrix *matrix)
{
    struct tmap_bins bins = {0};
    int32_t *class_of = NULL;
    enum tmap_status status = make_bins(work, level, &bins);
    if (status != TMAP_OK)
        return status;
    status = TMAP_ENOMEM;
    work->bin_of[level] = tmap_new((size_t)matrix->roles, sizeof(int32_t));
    if (level < work->tree->depth)
        class_of = classes_of_bins(work, level + 1);
    if (work->bin_of[level] && level == work->tree->depth && bins.bins == matrix->roles) {
        for (int32_t role = 0; role < matrix->roles; role++)
            work->bin_of[level][role] = role;
        status = TMAP_OK;
    } else if (work->bin_of[level] && (class_of || level == work->tree->depth))
        status = tmap_group_fast(matrix, matrix->roles, class_of, &bins, work->buckets,
                                 work->bin_of[level]);
    free(class_of);
    tmap_bins_fini(&bins);
    return status;
}

static enum tmap_status group_all_levels(struct work *work, const struct tmap_matrix *original)
{
    const struct tmap_matrix *matrix = original;
    enum tmap_status status = TMAP_OK;
    for (int l = work->tree->depth; l >= 0 && status == TMAP_OK; l--) {
        status = group_level_by_class(work, l, matrix);
        if (status != TMAP_OK || l == 0)
            break;
        struct tmap_matrix *above = tmap_matrix_aggregate(matrix, work->bin_of[l], work->bins[l]);
        if (matrix != original)
            tmap_matrix_destroy((struct tmap_matrix *)matrix);
        matrix = above;
        status = above ? TMAP_OK : TMAP_ENOMEM;
    }
    if (matrix && matrix != original)
        tmap_matrix_destroy((struct tmap_matrix *)matrix);
    return status;
}

/* The children that have a quota, object by object from first_child on, ordered by class within
 * each. `scratch` has as many entries as there are children. */
static void order_children(const struct work *work, int level, int32_t *ordered, int32_t *scratch)
{
    const int32_t *first = work->tree->first_child[level];
    for (int32_t o = 0; o < work->tree->count[level]; o++) {
        int32_t used = 0, *mine = ordered + first[o];
        for (int32_t child = first[o]; child < first[o + 1]; child++) {
            if (work->quota[level + 1][child] > 0)
                mine[used++] = child;
        }
        tmap_sort(mine, scratch, used, tmap_by_number, work->classes.class_of[level + 1]);
    }
}

/* Place the bins of level + 1 by those of `level`: the contents of a bin go to the children of the
 * object where the bin is, class by class. `memory`: 4 x slots. */
static enum tmap_status seat_level(const struct work *work, int level, int32_t *seat,
                                   int32_t *memory)
{
    int32_t slots = work->tree->count[work->tree->depth], bins = work->bins[level + 1];
    int32_t *ordered = memory, *order = memory + slots, *scratch = order + slots;
    int32_t *cursor = scratch + slots;
    int32_t *class_of = classes_of_bins(work, level + 1);
    if (!class_of)
        return TMAP_ENOMEM;
    order_children(work, level, ordered, scratch);
    for (int32_t b = 0; b < bins; b++)
        order[b] = b;
    tmap_sort(order, scratch, bins, tmap_by_number, class_of);
    for (int32_t b = 0; b < work->bins[level]; b++)
        cursor[b] = work->tree->first_child[level][seat[b]];
    for (int32_t i = 0; i < bins; i++)
        scratch[order[i]] = ordered[cursor[work->bin_of[level][order[i]]]++];
    memcpy(seat, scratch, sizeof *seat * (size_t)bins);
    free(class_of);
    return TMAP_OK;
}

static enum tmap_status hand_down(const struct work *work, int32_t roles, int32_t *slot_of)
{
    const struct tmap_tree *tree = work->tree;
    size_t slots = (size_t)tree->count[tree->depth];
    enum tmap_status status = TMAP_ENOMEM;
    int32_t *seat = tmap_new(slots, sizeof *seat);
    int32_t *memory = tmap_new(slots, 4 * sizeof *memory);
    if (!seat || !memory)
        goto out;
    seat[0] = 0;
    status = TMAP_OK;
    for (int l = 0; l < tree->depth && status == TMAP_OK; l++)
        status = seat_level(work, l, seat, memory);
    for (int32_t role = 0; role < roles && status == TMAP_OK; role++)
        slot_of[role] = seat[work->bin_of[tree->depth][role]];
out:
    free(seat);
    free(memory);
    return status;
}

static void free_work(struct work *work)
{
    for (int l = 0; l <= TMAP_MAX_LEVELS; l++) {
        free(work->quota[l]);
        free(work->bin_of[l]);
        free(work->object[l]);
    }
    tmap_classes_fini(&work->classes);
}

static enum tmap_status group_unevenly(struct work *work, const struct tmap_problem *problem)
{
    enum tmap_status status = set_quotas(work, problem->matrix->roles);
    if (status == TMAP_OK)
        status =
            tmap_classes_init(&work->classes, problem->tree, work->quota[problem->tree->depth]);
    return status == TMAP_OK ? group_all_levels(work, problem->matrix) : status;
}

enum tmap_status tmap_group_uneven(const struct tmap_problem *problem, struct tmap_grouped *grouped)
{
    struct work work = {.tree = problem->tree, .buckets = problem->buckets};
    enum tmap_status status = group_unevenly(&work, problem);
    *grouped = (struct tmap_grouped){.count = {problem->matrix->roles}};
    for (int l = problem->tree->depth; status == TMAP_OK && l >= 0; l--) {
        grouped->group_of[grouped->levels] = work.bin_of[l];
        grouped->count[++grouped->levels] = work.bins[l];
        work.bin_of[l] = NULL;
    }
    free_work(&work);
    return status;
}

enum tmap_status tmap_treematch_uneven(const struct tmap_problem *problem, int32_t *slot_of,
                                       struct tmap_error *error)
{
    struct work work = {.tree = problem->tree, .buckets = problem->buckets};
    enum tmap_status status = group_unevenly(&work, problem);
    if (status == TMAP_OK)
        status = hand_down(&work, problem->matrix->roles, slot_of);
    free_work(&work);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}
