/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - what a mapping costs, level by level.
 *
 * Weights are summed by level as integers, exactly; only these few sums are multiplied by the costs
 * of their levels. So the cost does not depend on any order of evaluation. At a level with a
 * network each weight counts with the length of its path; these sums are taken in the order of the
 * roles.
 */
#include "treematch/model/distance.h"

struct evaluation {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    struct tmap_distance distance;
    struct tmap_cost cost;
    double in_network[TMAP_MAX_LEVELS]; /* weight x length, of levels with a network */
};

/* saturates */
static uint64_t add_hops(uint64_t sum, uint64_t weight, uint64_t hops)
{
    return hops > 0 && weight > (UINT64_MAX - sum) / hops ? UINT64_MAX : sum + weight * hops;
}

static void add_path(struct evaluation *e, int level, uint64_t weight, const int32_t slot[2])
{
    int32_t hops;
    double length = e->distance.code ? tmap_distance_in_interconnect(&e->distance, level, slot[0],
                                                                     slot[1], &hops)
                                     : tmap_length_between(e->tree, level, slot[0], slot[1], &hops);
    e->in_network[level] += (double)weight * length;
    e->cost.hops =
        add_hops(e->cost.hops, weight, (uint64_t)hops + 2 * (uint64_t)(e->tree->depth - level - 1));
}

static void add_role(struct evaluation *e, const int32_t *slot_of, int32_t role)
{
    struct tmap_row row = tmap_row_of(e->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        if (row.partner[i] <= role || row.weight[i] == 0)
            continue;
        int32_t slot[2] = {slot_of[role], slot_of[row.partner[i]]};
        int level = tmap_level_of(&e->distance, slot[0], slot[1]);
        e->cost.weight_at[level] += row.weight[i];
        e->cost.pairs_at[level]++;
        if (level < e->tree->depth && e->tree->interconnect[level])
            add_path(e, level, row.weight[i], slot);
    }
}

static double cost_of_level(const struct evaluation *e, int level)
{
    double lengths =
        e->tree->interconnect[level] ? e->in_network[level] : (double)e->cost.weight_at[level];
    return lengths * e->tree->level[level].cost;
}

static enum tmap_status cost_evaluate(struct evaluation *e, const int32_t *slot_of,
                                      struct tmap_error *error)
{
    const struct tmap_tree *tree = e->tree;
    if (!tmap_mapping_is_valid(tree, e->matrix->roles, slot_of))
        return tmap_fail(error, TMAP_EINVAL, "not a valid mapping of %ld roles to %ld slots",
                         (long)e->matrix->roles, (long)tmap_tree_slots(tree));
    if (tmap_distance_init(&e->distance, tree))
        return tmap_fail_memory(error);
    for (int32_t role = 0; role < e->matrix->roles; role++)
        add_role(e, slot_of, role);
    tmap_distance_fini(&e->distance);
    for (int level = 0; level < tree->depth; level++) {
        e->cost.cost += cost_of_level(e, level);
        if (!tree->interconnect[level])
            e->cost.hops = add_hops(e->cost.hops, e->cost.weight_at[level],
                                    2 * (uint64_t)(tree->depth - level));
    }
    return TMAP_OK;
}

enum tmap_status tmap_mapping_evaluate(const struct tmap_matrix *matrix,
                                       const struct tmap_tree *tree, const int32_t *slot_of,
                                       struct tmap_cost *result, struct tmap_error *error)
{
    struct evaluation e = {.matrix = matrix, .tree = tree};
    enum tmap_status status = cost_evaluate(&e, slot_of, error);
    if (status == TMAP_OK)
        *result = e.cost;
    return status;
}

enum tmap_status tmap_mapping_evaluate_levels(const struct tmap_matrix *matrix,
                                              const struct tmap_tree *tree, const int32_t *slot_of,
                                              double *cost_at, struct tmap_error *error)
{
    struct evaluation e = {.matrix = matrix, .tree = tree};
    enum tmap_status status = cost_evaluate(&e, slot_of, error);
    for (int level = 0; level < tree->depth && status == TMAP_OK; level++)
        cost_at[level] = cost_of_level(&e, level);
    return status;
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
