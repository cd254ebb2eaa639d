/* SPDX-License-Identifier: BSD-3-Clause */
/* tree-shape.c - trees with shapes at their levels. */
#include "treematch/model/interconnect.h"

/* A shape needs the arrays of a tree, which large uniform trees lack. */
enum { MOST_SHAPED_SLOTS = 1 << 24 };

static enum tmap_status copy_filled(struct tmap_tree **tree, const struct tmap_tree *from,
                                    struct tmap_error *error)
{
    int32_t arity[TMAP_MAX_LEVELS];
    if (from->capacity)
        return tmap_tree_copy_part(tree, from, 0, 0, NULL, error);
    if (from->count[from->depth] > MOST_SHAPED_SLOTS)
        return tmap_fail(error, TMAP_EOVERFLOW, "shapes are possible with up to %d slots",
                         MOST_SHAPED_SLOTS);
    for (int l = 0; l < from->depth; l++)
        arity[l] = tmap_uniform_arity(from, l);
    return tmap_tree_create_filled(tree, from->depth, arity, from->level, error);
}

/* Checks that no two children of an object are at the same position. `work`: 2 x children. */
static enum tmap_status check_positions(const struct tmap_tree *tree, int level,
                                        const int32_t *position, int32_t *work,
                                        struct tmap_error *error)
{
    int32_t *order = work, *scratch = work + tree->count[level + 1];
    for (int32_t o = 0; o < tree->count[level]; o++) {
        int32_t first = tree->first_child[level][o];
        int32_t arity = tree->first_child[level][o + 1] - first;
        for (int32_t i = 0; i < arity; i++)
            order[i] = first + i;
        tmap_sort(order, scratch, arity, tmap_by_number, position);
        for (int32_t i = 1; i < arity; i++)
            if (position[order[i - 1]] == position[order[i]])
                return tmap_fail(
                    error, TMAP_EINVAL, "objects %ld and %ld of level %d are both at position %ld",
                    (long)order[i - 1], (long)order[i], level + 1, (long)position[order[i]]);
    }
    return TMAP_OK;
}

/* The position of each object of level + 1: those given, or its number among its siblings. */
static enum tmap_status copy_positions(struct tmap_tree *tree, int level, const int32_t *given,
                                       struct tmap_error *error)
{
    int32_t count = tree->count[level + 1];
    int32_t *position = tmap_new((size_t)count, sizeof *position);
    int32_t *work = tmap_new((size_t)count, 2 * sizeof *work);
    enum tmap_status status = position && work ? TMAP_OK : tmap_fail_memory(error);
    for (int32_t o = 0; o < tree->count[level] && status == TMAP_OK; o++)
        for (int32_t c = tree->first_child[level][o]; c < tree->first_child[level][o + 1]; c++)
            position[c] = given ? given[c] : c - tree->first_child[level][o];
    if (status == TMAP_OK)
        status = check_positions(tree, level, position, work, error);
    free(work);
    free(tree->position[level]);
    tree->position[level] = position;
    return status;
}

enum tmap_status tmap_tree_copy_with_shape(struct tmap_tree **result, const struct tmap_tree *from,
                                           int level, const struct tmap_shape *shape,
                                           const int32_t *position, struct tmap_error *error)
{
    struct tmap_tree *tree = NULL;
    struct tmap_interconnect *interconnect = NULL;
    if (level < 0 || level >= from->depth)
        return tmap_fail(error, TMAP_EINVAL, "a tree of %d levels has no children below level %d",
                         from->depth, level);
    enum tmap_status status = copy_filled(&tree, from, error);
    if (status == TMAP_OK)
        status = copy_positions(tree, level, position, error);
    if (status == TMAP_OK)
        status = tmap_interconnect_create(&interconnect, shape, tree->position[level],
                                          tree->count[level + 1], error);
    if (status != TMAP_OK) {
        tmap_tree_destroy(tree);
        return status;
    }
    tmap_interconnect_release(tree->interconnect[level]);
    tree->interconnect[level] = interconnect;
    tree->uniform = 0;
    *result = tree;
    return TMAP_OK;
}

enum tmap_status tmap_tree_copy_plain(struct tmap_tree **result, const struct tmap_tree *from)
{
    struct tmap_tree *tree;
    enum tmap_status status = tmap_tree_copy_part(&tree, from, 0, 0, NULL, NULL);
    if (status != TMAP_OK)
        return status;
    for (int l = 0; l < tree->depth; l++) {
        tmap_interconnect_release(tree->interconnect[l]);
        tree->interconnect[l] = NULL;
        free(tree->position[l]);
        tree->position[l] = NULL;
    }
    tree->uniform = tmap_tree_looks_uniform(tree);
    *result = tree;
    return TMAP_OK;
}

enum tmap_shape_kind tmap_tree_shape(const struct tmap_tree *tree, int level,
                                     struct tmap_shape *shape)
{
    const struct tmap_interconnect *interconnect =
        level >= 0 && level < tree->depth ? tree->interconnect[level] : NULL;
    const struct tmap_shape none = {.size = sizeof none};
    if (shape) {
        size_t size = shape->size < sizeof none ? shape->size : sizeof none;
        memcpy(shape, interconnect ? &interconnect->shape : &none, size);
        shape->size = size;
    }
    return interconnect ? interconnect->shape.kind : TMAP_SHAPE_NONE;
}

int32_t tmap_tree_position(const struct tmap_tree *tree, int level, int32_t object)
{
    if (level < 1 || level > tree->depth || object < 0 || object >= tree->count[level])
        return -1;
    if (!tree->capacity)
        return object % tmap_uniform_arity(tree, level - 1);
    if (tree->position[level - 1])
        return tree->position[level - 1][object];
    int32_t slot = tree->first_slot[level][object];
    return object - tree->first_child[level - 1][tmap_ancestor_of(tree, slot, level - 1)];
}
