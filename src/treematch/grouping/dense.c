/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense.c - dense patterns on uniform trees: TreeMatch's grouping below, any method above.
 *
 * If all roles talk to all others, a division from the top reads the whole matrix for every
 * halving, and a sample of the pairs does not show the innermost groups, whose few heavy pairs are
 * a small part of the traffic. From the bottom up both are easy:
 *
 *   1. The heaviest pairs of each role show which roles belong together: they are grouped.
 *   2. The rows of a group are added up exactly, which makes the matrix k x k times smaller.
 *   3. Both are repeated level by level, until few groups are left. (High arities go in parts, as
 *      in TreeMatch. A group of two or three would leave a large second matrix, so levels are
 *      grouped by their heaviest pairs alone until a group has four members, and only then is the
 *      whole matrix added up.)
 *   4. `map` maps these groups to the tree whose leaves are the objects of that level; the matrix
 *      is small now, so the best methods can be afforded.
 *   5. The members of each group go to the children of its object.
 *
 * Time: reading the matrix twice, and that of every level above twice, each at most a quarter of
 * the one below. Memory: that of the second matrix, a sixteenth of the first, and a few partners of
 * each role.
 */
#include "treematch/grouping/treematch.h"

/* Grouping stops when at most this many groups are left. */
enum { DENSE_FEW_GROUPS = 512 };
/* Number of a role's partners, the heaviest, that are looked at for each place in a group ... */
enum { DENSE_PARTNERS = 4 };
/* ... or two for each slot of an innermost object, but no more than this: an object with many slots
 * has more heavy pairs. */
enum { DENSE_MOST_PARTNERS = 128 };
/* Members that a group needs before the rows of the whole matrix are added up. */
enum { DENSE_LEAST_MEMBERS = 4 };

/* The arities after division, and what their levels cost. */
struct levels {
    int count;
    int32_t innermost; /* arity of the tree's last level */
    int32_t arity[TMAP_MAX_DIVIDED];
    struct tmap_level level[TMAP_MAX_DIVIDED];
};

static void divide_levels(const struct tmap_tree *tree, struct levels *levels)
{
    int32_t arity[TMAP_MAX_LEVELS] = {0};
    int at = 0;
    for (int l = 0; l < tree->depth; l++)
        arity[l] = tree->first_child[l][1];
    levels->innermost = arity[tree->depth - 1];
    levels->count = tmap_divide_arities(arity, tree->depth, levels->arity);
    for (int l = 0; l < tree->depth; l++) {
        int32_t product = 1;
        do {
            levels->level[at] = tree->level[l];
            product *= levels->arity[at++];
        } while (product < arity[l]);
    }
}

/* group_of[i] gets the group, on the highest level so far, of process i of level `from`. */
static void compose_groups(const struct tmap_grouped *grouped, int from, int32_t *group_of)
{
    int32_t processes = grouped->count[from];
    for (int32_t i = 0; i < processes; i++) {
        group_of[i] = i;
        for (int l = from; l < grouped->levels; l++)
            group_of[i] = grouped->group_of[l][group_of[i]];
    }
}

static int32_t choose_heaviest(const struct levels *levels, int32_t k)
{
    int32_t wide =
        levels->innermost < DENSE_MOST_PARTNERS / 2 ? 2 * levels->innermost : DENSE_MOST_PARTNERS;
    return wide > DENSE_PARTNERS * k ? wide : DENSE_PARTNERS * k;
}

/* Group by as many levels as it takes for groups of DENSE_LEAST_MEMBERS, looking at the heaviest
 * pairs only; *matrix is replaced by that between the groups. */
static enum tmap_status group_upwards(struct tmap_grouped *grouped, const struct levels *levels,
                                      int *upper, const struct tmap_matrix **matrix,
                                      const struct tmap_matrix *original)
{
    int first = *upper, from = grouped->levels;
    int32_t k = 1, *group_of = NULL;
    struct tmap_matrix *above = NULL;
    while (first > 1 && k < DENSE_LEAST_MEMBERS)
        k *= levels->arity[--first];
    struct tmap_matrix *thin = tmap_matrix_heaviest(*matrix, choose_heaviest(levels, k));
    const struct tmap_matrix *part = thin;
    enum tmap_status status = thin ? TMAP_OK : TMAP_ENOMEM;
    while (status == TMAP_OK && *upper > first)
        status = tmap_group_up(grouped, levels->arity[--*upper], &part, thin);
    if (status == TMAP_OK) {
        group_of = tmap_new((size_t)grouped->count[from], sizeof *group_of);
        if (group_of) {
            compose_groups(grouped, from, group_of);
            above = tmap_matrix_aggregate(*matrix, group_of, grouped->count[grouped->levels]);
        }
        status = above ? TMAP_OK : TMAP_ENOMEM;
    }
    if (above && *matrix != original)
        tmap_matrix_destroy((struct tmap_matrix *)*matrix);
    *matrix = above ? above : *matrix;
    if (part != thin)
        tmap_matrix_destroy((struct tmap_matrix *)part);
    tmap_matrix_destroy(thin);
    free(group_of);
    return status;
}

/* The groups to the objects of the upper levels. */
static enum tmap_status map_top(const struct tmap_problem *problem, const struct levels *levels,
                                int upper, tmap_method_fn *map, int32_t *object_of)
{
    struct tmap_problem top = *problem;
    struct tmap_tree *tree = NULL;
    enum tmap_status status =
        tmap_tree_create_uniform(&tree, upper, levels->arity, levels->level, NULL);
    if (status != TMAP_OK)
        return status;
    top.tree = tree;
    status = map(&top, object_of, NULL);
    tmap_tree_destroy(tree);
    return status;
}

enum tmap_status tmap_map_grouped(const struct tmap_problem *problem, tmap_method_fn *map,
                                  int32_t *slot_of)
{
    struct tmap_problem top = *problem;
    struct tmap_grouped grouped = {.levels = 0};
    struct levels levels;
    enum tmap_status status = TMAP_OK;
    int32_t *object_of = NULL;
    divide_levels(problem->tree, &levels);
    int upper = levels.count;
    grouped.count[0] = problem->matrix->roles;
    while (status == TMAP_OK && (upper > TMAP_MAX_LEVELS ||
                                 (upper > 1 && grouped.count[grouped.levels] > DENSE_FEW_GROUPS)))
        status = group_upwards(&grouped, &levels, &upper, &top.matrix, problem->matrix);
    if (status != TMAP_OK)
        goto out;
    object_of = tmap_new((size_t)top.matrix->roles, sizeof *object_of);
    status = object_of ? map_top(&top, &levels, upper, map, object_of) : TMAP_ENOMEM;
    if (status == TMAP_OK)
        status = tmap_hand_down(&grouped, levels.arity + upper, object_of, slot_of);
out:
    if (top.matrix != problem->matrix)
        tmap_matrix_destroy((struct tmap_matrix *)top.matrix);
    tmap_grouped_fini(&grouped);
    free(object_of);
    return status;
}
