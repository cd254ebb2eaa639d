/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - what a mapping costs, level by level.
 *
 * Weights are summed by level as integers, exactly; only these few sums are multiplied by the costs
 * of their levels. So the cost does not depend on any order of evaluation.
 */
#include "treematch/model/distance.h"

static void cost_add_role(const struct tmap_matrix *matrix, const struct tmap_distance *distance,
                          const int32_t *slot_of, int32_t role, struct tmap_cost *cost)
{
    struct tmap_row row = tmap_row_of(matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        if (row.partner[i] <= role || row.weight[i] == 0)
            continue;
        int level = tmap_level_of(distance, slot_of[role], slot_of[row.partner[i]]);
        cost->weight_at[level] += row.weight[i];
        cost->pairs_at[level]++;
    }
}

static uint64_t add_hops(uint64_t sum, uint64_t weight, uint64_t hops)
{
    return weight > (UINT64_MAX - sum) / hops ? UINT64_MAX : sum + weight * hops;
}

enum tmap_status tmap_mapping_evaluate(const struct tmap_matrix *matrix,
                                       const struct tmap_tree *tree, const int32_t *slot_of,
                                       struct tmap_cost *result, struct tmap_error *error)
{
    struct tmap_cost cost;
    struct tmap_distance distance;
    if (!tmap_mapping_is_valid(tree, matrix->roles, slot_of))
        return tmap_fail(error, TMAP_EINVAL, "not a valid mapping of %ld roles to %ld slots",
                         (long)matrix->roles, (long)tmap_tree_slots(tree));
    if (tmap_distance_init(&distance, tree))
        return tmap_fail_memory(error);
    memset(&cost, 0, sizeof cost);
    for (int32_t role = 0; role < matrix->roles; role++)
        cost_add_role(matrix, &distance, slot_of, role, &cost);
    tmap_distance_fini(&distance);
    for (int level = 0; level < tree->depth; level++) {
        cost.cost += (double)cost.weight_at[level] * tree->level[level].cost;
        cost.hops = add_hops(cost.hops, cost.weight_at[level], 2 * (uint64_t)(tree->depth - level));
    }
    *result = cost;
    return TMAP_OK;
}

enum tmap_status tmap_mapping_evaluate_links(const struct tmap_matrix *matrix,
                                             const struct tmap_tree *tree, const int32_t *slot_of,
                                             int level, uint64_t *outside, struct tmap_error *error)
{
    if (level < 1 || level > tree->depth)
        return tmap_fail(error, TMAP_EINVAL, "level %d is not one of 1 .. %d", level, tree->depth);
    if (!tmap_mapping_is_valid(tree, matrix->roles, slot_of))
        return tmap_fail(error, TMAP_EINVAL, "not a valid mapping");
    memset(outside, 0, sizeof *outside * (size_t)tree->count[level]);
    for (int32_t role = 0; role < matrix->roles; role++) {
        int32_t here = tmap_tree_ancestor(tree, slot_of[role], level);
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++)
            if (tmap_tree_ancestor(tree, slot_of[row.partner[i]], level) != here)
                outside[here] += row.weight[i];
    }
    return TMAP_OK;
}
