/* SPDX-License-Identifier: BSD-3-Clause */
/* tree-copy.c - copies of trees: a part, other capacities, other costs. */
#include "treematch/model/interconnect.h"

/* The children of the objects begin .. end - 1 of `level`, numbered from the first of them. */
static int32_t *copy_children(const struct tmap_tree *from, int level, int32_t begin, int32_t end)
{
    const int32_t *first = from->first_child[level] + begin;
    int32_t *copy = tmap_new((size_t)(end - begin) + 1, sizeof *copy);
    for (int32_t o = 0; copy && o <= end - begin; o++)
        copy[o] = first[o] - first[0];
    return copy;
}

/* The network of level `from_level`, if it has one, and the positions of the objects from `begin`
 * on. */
static enum tmap_status copy_network(struct tmap_tree *tree, int level,
                                     const struct tmap_tree *from, int from_level, int32_t begin)
{
    size_t objects = (size_t)tree->count[level + 1];
    if (!from->interconnect[from_level])
        return TMAP_OK;
    tree->position[level] = tmap_new(objects, sizeof(int32_t));
    if (!tree->position[level])
        return TMAP_ENOMEM;
    memcpy(tree->position[level], from->position[from_level] + begin, objects * sizeof(int32_t));
    tree->interconnect[level] = tmap_interconnect_share(from->interconnect[from_level]);
    return TMAP_OK;
}

static enum tmap_status copy_objects(struct tmap_tree *tree, const struct tmap_tree *from,
                                     int level, int32_t object)
{
    int32_t begin = object, end = object + 1;
    tree->count[0] = 1;
    for (int l = 0; l < tree->depth; l++) {
        tree->first_child[l] = copy_children(from, level + l, begin, end);
        if (!tree->first_child[l])
            return TMAP_ENOMEM;
        begin = from->first_child[level + l][begin];
        end = from->first_child[level + l][end];
        tree->count[l + 1] = end - begin;
        if (copy_network(tree, l, from, level + l, begin))
            return TMAP_ENOMEM;
    }
    return TMAP_OK;
}

/* The part of a tree below an object of `level`, down to level `end`. */
struct piece {
    const struct tmap_tree *from;
    int level, end;
    int32_t object;
};

static enum tmap_status copy_piece(struct tmap_tree **result, const struct piece *piece,
                                   const int32_t *capacity, struct tmap_error *error)
{
    struct tmap_tree *tree = tmap_new_zero(1, sizeof *tree);
    if (!tree)
        return tmap_fail_memory(error);
    tree->depth = piece->end - piece->level;
    enum tmap_status status = tmap_tree_set_levels(tree, piece->from->level + piece->level, error);
    if (status == TMAP_OK && copy_objects(tree, piece->from, piece->level, piece->object))
        status = tmap_fail_memory(error);
    if (status == TMAP_OK)
        status = tmap_tree_finish(tree, capacity, error);
    if (status == TMAP_OK)
        *result = tree;
    else
        tmap_tree_destroy(tree);
    return status;
}

/* The subtree of an object of `level`, all of which are alike. */
static enum tmap_status copy_uniform(struct tmap_tree **result, const struct tmap_tree *from,
                                     int level, struct tmap_error *error)
{
    int32_t arity[TMAP_MAX_LEVELS];
    for (int l = level; l < from->depth; l++)
        arity[l - level] = tmap_uniform_arity(from, l);
    return tmap_tree_create_uniform(result, from->depth - level, arity, from->level + level, error);
}

enum tmap_status tmap_tree_copy_part(struct tmap_tree **result, const struct tmap_tree *from,
                                     int level, int32_t object, const int32_t *capacity,
                                     struct tmap_error *error)
{
    if (!from->capacity)
        return copy_uniform(result, from, level, error);
    if (!capacity)
        capacity = from->capacity + from->first_slot[level][object];
    const struct piece piece = {from, level, from->depth, object};
    return copy_piece(result, &piece, capacity, error);
}

enum tmap_status tmap_tree_copy_top(struct tmap_tree **result, const struct tmap_tree *from,
                                    int depth, const int32_t *capacity, struct tmap_error *error)
{
    const struct piece piece = {from, 0, depth, 0};
    return copy_piece(result, &piece, capacity, error);
}

enum tmap_status tmap_tree_copy_with_costs(struct tmap_tree **result, const struct tmap_tree *from,
                                           const double *costs, int count, struct tmap_error *error)
{
    struct tmap_level levels[TMAP_MAX_LEVELS];
    struct tmap_tree *tree;
    if (count != from->depth)
        return tmap_fail(error, TMAP_EINVAL, "%d costs for a tree of %d levels", count,
                         from->depth);
    enum tmap_status status = tmap_tree_copy_part(&tree, from, 0, 0, NULL, error);
    if (status != TMAP_OK)
        return status;
    for (int l = 0; l < count; l++) {
        levels[l] = from->level[l];
        levels[l].cost = costs[l];
    }
    status = tmap_tree_set_levels(tree, levels, error);
    if (status == TMAP_OK)
        *result = tree;
    else
        tmap_tree_destroy(tree);
    return status;
}
