/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * treematch.c - the method `treematch`: group processes from the bottom up by how much they
 * communicate (Jeannot and Mercier 2010; fast parts from Jeannot, Mercier and Tessier 2014).
 *
 * On a uniform tree, level by level from the leaves, with k the arity of the level (after arity
 * division) and p the number of processes, or of groups from the level before:
 *   1. extend: while k does not divide p, add artificial processes without traffic (they are only
 *      counted, not stored);
 *   2. group: with fewer than T_h = 30,000 possible groups of k, list all and choose a good
 *      independent set (groups-all.c); else group by elements in falling order (groups-fast.c);
 *   3. aggregate: the groups become the processes of the next level, and their traffic is added up.
 * Then the groups are handed down from the root: the members of a group, in order, go to the
 * children of its object; slots below an artificial member stay empty.
 *
 * Example (2010, Fig. 1): 8 processes on the tree 2 x 3 x 2. Pairs (0,1) (2,3) (4,5) (6,7), value
 * 1218 each; 4 groups are extended to 6 because of the arity 3, grouped (0,1,4) (2,3,5) with 4 and
 * 5 artificial; two groups for two halves. Processes 0..7 sit on slots 0 1 2 3 6 7 8 9, and 412
 * units cross from half to half; packed would send 1218, round robin 6010.
 *
 * The method looks only at how the tree branches, not at costs. Who wants a mapping only if it
 * costs no more than a limit is spared the upper levels, where all groups are listed, once the
 * groups so far are sure to cost more: an object has room for so many partners of a group. The
 * papers assume a balanced tree; treematch-uneven.c does the others.
 *
 * Time: the sorting of the elements on each level, O(depth x pairs x log pairs), and for small p at
 * most 30,000 groups a level. Memory O(roles x depth + pairs).
 */
#include "treematch/grouping/treematch.h"

/* With so many pairs between groups or fewer, what they cost at least is found out. */
enum { MOST_PAIRS_WEIGHED = 1 << 12 };

void tmap_grouped_fini(struct tmap_grouped *grouped)
{
    for (int l = 0; l < grouped->levels; l++)
        free(grouped->group_of[l]);
}

/* Number groups by their smallest member, which makes mappings easier to read. */
static enum tmap_status renumber_groups(int32_t *group_of, int32_t p, int32_t groups)
{
    int32_t *number = tmap_new((size_t)groups, sizeof *number), next = 0;
    if (!number)
        return TMAP_ENOMEM;
    memset(number, 0xff, sizeof *number * (size_t)groups);
    for (int32_t i = 0; i < p; i++) {
        if (number[group_of[i]] < 0)
            number[group_of[i]] = next++;
        group_of[i] = number[group_of[i]];
    }
    free(number);
    return TMAP_OK;
}

/* p is a multiple of k. */
static enum tmap_status group_level(struct tmap_grouped *grouped, const struct tmap_matrix *matrix,
                                    int32_t p, int32_t k, int32_t *group_of)
{
    struct tmap_bins bins = {0};
    enum tmap_status status;
    int32_t threshold = grouped->threshold ? grouped->threshold : TMAP_GROUPS_THRESHOLD;
    if (k == 1 || p == k) {
        for (int32_t i = 0; i < p; i++)
            group_of[i] = k == 1 ? i : 0;
        return TMAP_OK;
    }
    if (tmap_count_groups(p, k, threshold) < threshold) {
        status = tmap_group_all(matrix, p, k, &grouped->choice, group_of);
    } else {
        status = tmap_bins_init_uniform(&bins, p / k, k);
        if (status == TMAP_OK)
            status = tmap_group_fast(matrix, p, NULL, &bins, grouped->buckets, group_of);
        tmap_bins_fini(&bins);
    }
    return status == TMAP_OK ? renumber_groups(group_of, p, p / k) : status;
}

enum tmap_status tmap_group_up(struct tmap_grouped *grouped, int32_t k,
                               const struct tmap_matrix **matrix,
                               const struct tmap_matrix *original)
{
    int32_t p = grouped->count[grouped->levels], groups = p / k + (p % k > 0);
    if (groups > INT32_MAX / k)
        return TMAP_EOVERFLOW;
    int32_t *group_of = tmap_new((size_t)groups * (size_t)k, sizeof *group_of);
    if (!group_of)
        return TMAP_ENOMEM;
    grouped->group_of[grouped->levels] = group_of;
    grouped->count[++grouped->levels] = groups;
    enum tmap_status status = group_level(grouped, *matrix, groups * k, k, group_of);
    if (status != TMAP_OK)
        return status;
    struct tmap_matrix *above = tmap_matrix_aggregate(*matrix, group_of, groups);
    if (!above)
        return TMAP_ENOMEM;
    if (*matrix != original)
        tmap_matrix_destroy((struct tmap_matrix *)*matrix);
    *matrix = above;
    return TMAP_OK;
}

/* MapGroups: from the root down, the members of each group go to the children of its object. */
enum tmap_status tmap_hand_down(const struct tmap_grouped *grouped, const int32_t *arity,
                                const int32_t *top, int32_t *slot_of)
{
    int32_t widest = grouped->count[0];
    int32_t *object = tmap_new((size_t)widest, 3 * sizeof *object);
    if (!object)
        return TMAP_ENOMEM;
    int32_t *below = object + widest, *children = below + widest;
    memcpy(object, top, sizeof *top * (size_t)grouped->count[grouped->levels]);
    for (int l = grouped->levels - 1; l >= 0; l--) {
        int32_t k = arity[grouped->levels - 1 - l];
        memset(children, 0, sizeof *children * (size_t)grouped->count[l + 1]);
        for (int32_t i = 0; i < grouped->count[l]; i++) {
            int32_t group = grouped->group_of[l][i];
            below[i] = object[group] * k + children[group]++;
        }
        memcpy(object, below, sizeof *object * (size_t)grouped->count[l]);
    }
    memcpy(slot_of, object, sizeof *slot_of * (size_t)grouped->count[0]);
    free(object);
    return TMAP_OK;
}

/* ---- What a mapping with these groups costs at least ---- */

/* The smallest distance of two slots that part at an object of `slots` or more: no level costs more
 * than the one above it, and a uniform tree has no networks. */
static double nearest_within(const struct tmap_tree *tree, int64_t slots)
{
    int l = 0;
    while (l + 1 < tree->depth && tmap_uniform_below(tree, l + 1) >= slots)
        l++;
    return tree->level[l].cost;
}

/* What the pairs of one group cost at least: an object has room for so many of its partners, at
 * best for the heaviest. A group takes `slots`. `weight` is room for the row. */
static double least_of_row(const struct tmap_tree *tree, struct tmap_row row, int64_t slots,
                           uint64_t *weight)
{
    double least = 0;
    for (size_t i = 0; i < row.count; i++) {
        size_t j = i;
        for (; j > 0 && weight[j - 1] < row.weight[i]; j--)
            weight[j] = weight[j - 1];
        weight[j] = row.weight[i];
    }
    for (size_t i = 0; i < row.count; i++)
        least += (double)weight[i] * nearest_within(tree, slots * (int64_t)(i + 2));
    return least;
}

/* Returns 1 if every mapping with these groups of `slots` costs more than the limit, if what is
 * inside of them costs `inside`. */
static int is_dearer(const struct tmap_matrix *matrix, const struct tmap_tree *tree, int64_t slots,
                     double inside, double limit)
{
    uint64_t *weight = tmap_new((size_t)matrix->roles, sizeof *weight);
    double twice = 0;
    for (int32_t group = 0; weight && group < matrix->roles; group++)
        twice += least_of_row(tree, tmap_row_of(matrix, group), slots, weight);
    free(weight);
    return inside + twice / 2 > limit * (1 + 1e-6);
}

enum tmap_status tmap_group_uniform(const struct tmap_problem *problem,
                                    struct tmap_grouped *grouped, int32_t *divided, int *levels)
{
    const struct tmap_tree *tree = problem->tree;
    const struct tmap_matrix *matrix = problem->matrix;
    int32_t arity[TMAP_MAX_LEVELS];
    int64_t slots = 1;
    double inside = 0;
    enum tmap_status status = TMAP_OK;
    for (int l = 0; l < tree->depth; l++)
        arity[l] = tree->first_child[l][1];
    *levels = tmap_divide_arities(arity, tree->depth, divided);
    *grouped = (struct tmap_grouped){.threshold = problem->group_threshold,
                                     .buckets = problem->buckets,
                                     .choice = grouped->choice};
    grouped->count[0] = matrix->roles;
    struct tmap_set_choice *choice = &grouped->choice;
    for (int l = *levels - 1; l >= 0 && status == TMAP_OK && !choice->is_dearer; l--) {
        const uint64_t before = matrix->total;
        slots *= divided[l];
        status = tmap_group_up(grouped, divided[l], &matrix, problem->matrix);
        if (status != TMAP_OK || choice->limit == 0)
            continue;
        inside += (double)(before - matrix->total) * nearest_within(tree, slots);
        if (matrix->pairs <= MOST_PAIRS_WEIGHED)
            choice->is_dearer = is_dearer(matrix, tree, slots, inside, choice->limit);
    }
    if (matrix != problem->matrix)
        tmap_matrix_destroy((struct tmap_matrix *)matrix);
    return status;
}

static enum tmap_status map_uniform(const struct tmap_problem *problem, int32_t *slot_of,
                                    struct tmap_set_choice *choice)
{
    static const int32_t root = 0;
    struct tmap_grouped grouped = {.choice = *choice};
    int32_t divided[TMAP_MAX_DIVIDED];
    int levels;
    enum tmap_status status = tmap_group_uniform(problem, &grouped, divided, &levels);
    if (status == TMAP_OK && !grouped.choice.is_dearer)
        status = tmap_hand_down(&grouped, divided, &root, slot_of);
    tmap_grouped_fini(&grouped);
    *choice = grouped.choice;
    return status;
}

enum tmap_status tmap_treematch_below(const struct tmap_problem *problem,
                                      struct tmap_set_choice *choice, int32_t *slot_of)
{
    return problem->tree->uniform ? map_uniform(problem, slot_of, choice)
                                  : tmap_treematch_uneven(problem, slot_of, NULL);
}

enum tmap_status tmap_method_treematch(const struct tmap_problem *problem, int32_t *slot_of,
                                       struct tmap_error *error)
{
    if (!problem->tree->uniform)
        return tmap_treematch_uneven(problem, slot_of, error);
    struct tmap_set_choice choice = {.is_start = 0};
    enum tmap_status status = map_uniform(problem, slot_of, &choice);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}
