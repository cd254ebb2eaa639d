/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.c - the topology tree: its layout (objects.h), uniform trees, and queries.
 */
#include "treematch/model/interconnect.h"

#include <math.h>
#include <stdio.h>

enum tmap_status tmap_tree_set_levels(struct tmap_tree *tree, const struct tmap_level *levels,
                                      struct tmap_error *error)
{
    for (int l = 0; l < tree->depth; l++) {
        struct tmap_level *level = &tree->level[l];
        if (levels) {
            *level = levels[l];
            level->name[TMAP_NAME_SIZE - 1] = '\0';
        } else {
            snprintf(level->name, sizeof level->name, "level%d", l + 1);
            level->cost = 2 * (tree->depth - l);
        }
        for (size_t i = 0; i < sizeof level->reserved / sizeof *level->reserved; i++)
            if (level->reserved[i] != 0)
                return tmap_fail(
                    error, TMAP_ENOTSUP,
                    "level %d has a reserved word set that this version of libtmap does not know",
                    l);
        if (!isfinite(level->cost) || level->cost < 0)
            return tmap_fail(error, TMAP_EINVAL, "the cost of level %d is not a finite number >= 0",
                             l);
    }
    return TMAP_OK;
}

enum tmap_status tmap_tree_check_costs(const struct tmap_tree *tree, struct tmap_error *error)
{
    int outside = -1; /* the last level without a network */
    for (int l = 0; l < tree->depth; l++) {
        if (outside >= 0 && tree->level[l].cost > tree->level[outside].cost)
            return tmap_fail(error, TMAP_EINVAL,
                             "the cost of level %d (%g) is above that of level %d (%g), which is "
                             "further out",
                             l, tree->level[l].cost, outside, tree->level[outside].cost);
        outside = tree->interconnect[l] ? outside : l;
    }
    return TMAP_OK;
}

void tmap_levels_raise_costs(struct tmap_level *levels, int depth)
{
    for (int l = depth - 2; l >= 0; l--)
        if (levels[l].cost < levels[l + 1].cost)
            levels[l].cost = levels[l + 1].cost;
}

/* The slots of each object, from the bottom up. */
static enum tmap_status find_slots(struct tmap_tree *tree)
{
    int32_t slots = tree->count[tree->depth];
    for (int l = tree->depth; l >= 0; l--) {
        int32_t *first = tmap_new((size_t)tree->count[l] + 1, sizeof *first);
        tree->first_slot[l] = first;
        if (!first)
            return TMAP_ENOMEM;
        for (int32_t o = 0; o <= tree->count[l]; o++)
            first[o] = l == tree->depth ? o : tree->first_slot[l + 1][tree->first_child[l][o]];
    }
    for (int l = 0; l < tree->depth; l++) {
        int32_t *ancestor = tmap_new((size_t)slots, sizeof *ancestor);
        tree->ancestor[l] = ancestor;
        if (!ancestor)
            return TMAP_ENOMEM;
        for (int32_t o = 0; o < tree->count[l]; o++) {
            for (int32_t s = tree->first_slot[l][o]; s < tree->first_slot[l][o + 1]; s++)
                ancestor[s] = o;
        }
    }
    return TMAP_OK;
}

int tmap_tree_looks_uniform(const struct tmap_tree *tree)
{
    for (int l = 0; l < tree->depth; l++) {
        const int32_t *first = tree->first_child[l];
        if (tree->interconnect[l])
            return 0;
        for (int32_t o = 1; o < tree->count[l]; o++) {
            if (first[o + 1] - first[o] != first[1] - first[0])
                return 0;
        }
    }
    for (int32_t s = 0; s < tree->count[tree->depth]; s++) {
        if (tree->capacity[s] != 1)
            return 0;
    }
    return 1;
}

enum tmap_status tmap_tree_finish(struct tmap_tree *tree, const int32_t *capacity,
                                  struct tmap_error *error)
{
    int32_t slots = tree->count[tree->depth];
    tree->capacity = tmap_new((size_t)slots, sizeof *tree->capacity);
    if (!tree->capacity || find_slots(tree))
        return tmap_fail_memory(error);
    tree->total_capacity = 0;
    for (int32_t s = 0; s < slots; s++) {
        tree->capacity[s] = capacity ? capacity[s] : 1;
        tree->total_capacity += tree->capacity[s];
    }
    tree->uniform = tmap_tree_looks_uniform(tree);
    return TMAP_OK;
}

static enum tmap_status count_objects(struct tmap_tree *tree, const int32_t *arity,
                                      struct tmap_error *error)
{
    int64_t count = 1;
    tree->count[0] = 1;
    for (int l = 0; l < tree->depth; l++) {
        if (arity[l] < 1)
            return tmap_fail(error, TMAP_EINVAL, "arity %ld at level %d", (long)arity[l], l);
        count *= arity[l];
        if (count > INT32_MAX)
            return tmap_fail(error, TMAP_EOVERFLOW, "the tree has 2^31 slots or more");
        tree->count[l + 1] = (int32_t)count;
    }
    return TMAP_OK;
}

static enum tmap_status fill_uniform(struct tmap_tree *tree, const int32_t *arity,
                                     struct tmap_error *error)
{
    for (int l = 0; l < tree->depth; l++) {
        int32_t *first = tmap_new((size_t)tree->count[l] + 1, sizeof *first);
        tree->first_child[l] = first;
        if (!first)
            return tmap_fail_memory(error);
        for (int32_t o = 0; o <= tree->count[l]; o++)
            first[o] = o * arity[l];
    }
    return tmap_tree_finish(tree, NULL, error);
}

/* Trees of more than `most` slots get no arrays. */
static enum tmap_status tree_create(struct tmap_tree **result, int depth, const int32_t *arity,
                                    const struct tmap_level *levels, int32_t most,
                                    struct tmap_error *error)
{
    enum tmap_status status;
    if (depth < 1 || depth > TMAP_MAX_LEVELS)
        return tmap_fail(error, TMAP_EINVAL, "a tree of depth %d (1 .. %d are possible)", depth,
                         TMAP_MAX_LEVELS);
    struct tmap_tree *tree = tmap_new_zero(1, sizeof *tree);
    if (!tree)
        return tmap_fail_memory(error);
    tree->depth = depth;
    status = tmap_tree_set_levels(tree, levels, error);
    if (status == TMAP_OK)
        status = count_objects(tree, arity, error);
    tree->uniform = 1;
    tree->total_capacity = tree->count[depth];
    if (status == TMAP_OK && tree->count[depth] <= most)
        status = fill_uniform(tree, arity, error);
    if (status == TMAP_OK)
        *result = tree;
    else
        tmap_tree_destroy(tree);
    return status;
}

enum tmap_status tmap_tree_create_uniform(struct tmap_tree **result, int depth,
                                          const int32_t *arity, const struct tmap_level *levels,
                                          struct tmap_error *error)
{
    return tree_create(result, depth, arity, levels, TMAP_FILLED_SLOTS, error);
}

enum tmap_status tmap_tree_create_filled(struct tmap_tree **result, int depth, const int32_t *arity,
                                         const struct tmap_level *levels, struct tmap_error *error)
{
    return tree_create(result, depth, arity, levels, INT32_MAX, error);
}

void tmap_tree_destroy(struct tmap_tree *tree)
{
    if (!tree)
        return;
    for (int l = 0; l <= TMAP_MAX_LEVELS; l++) {
        free(tree->first_slot[l]);
        if (l < TMAP_MAX_LEVELS) {
            free(tree->first_child[l]);
            free(tree->ancestor[l]);
            free(tree->position[l]);
            tmap_interconnect_release(tree->interconnect[l]);
        }
    }
    free(tree->capacity);
    free(tree);
}

static int is_slot(const struct tmap_tree *tree, int32_t slot)
{
    return slot >= 0 && slot < tree->count[tree->depth];
}

static int is_level(const struct tmap_tree *tree, int level)
{
    return level >= 0 && level <= tree->depth;
}

int tmap_tree_depth(const struct tmap_tree *tree)
{
    return tree->depth;
}

int32_t tmap_tree_slots(const struct tmap_tree *tree)
{
    return tree->count[tree->depth];
}

int64_t tmap_tree_capacity(const struct tmap_tree *tree)
{
    return tree->total_capacity;
}

int64_t tmap_capacity_below(const struct tmap_tree *tree, int level, int32_t object)
{
    int64_t capacity = 0;
    for (int32_t s = tree->first_slot[level][object]; s < tree->first_slot[level][object + 1]; s++)
        capacity += tree->capacity[s];
    return capacity;
}

int32_t tmap_tree_slot_capacity(const struct tmap_tree *tree, int32_t slot)
{
    return is_slot(tree, slot) ? tmap_capacity_of(tree, slot) : 0;
}

int32_t tmap_tree_objects(const struct tmap_tree *tree, int level)
{
    return is_level(tree, level) ? tree->count[level] : 0;
}

int32_t tmap_tree_ancestor(const struct tmap_tree *tree, int32_t slot, int level)
{
    return is_slot(tree, slot) && is_level(tree, level) ? tmap_ancestor_of(tree, slot, level) : -1;
}

int tmap_tree_common_level(const struct tmap_tree *tree, int32_t a, int32_t b)
{
    return is_slot(tree, a) && is_slot(tree, b) ? tmap_common_level(tree, a, b) : -1;
}

double tmap_length_between(const struct tmap_tree *tree, int level, int32_t a, int32_t b,
                           int32_t *hops)
{
    if (!tree->interconnect[level]) {
        if (hops)
            *hops = 2;
        return 1;
    }
    const int32_t *position = tree->position[level];
    return tmap_interconnect_path(tree->interconnect[level],
                                  position[tmap_ancestor_of(tree, a, level + 1)],
                                  position[tmap_ancestor_of(tree, b, level + 1)], hops);
}

double tmap_tree_distance(const struct tmap_tree *tree, int32_t a, int32_t b)
{
    if (!is_slot(tree, a) || !is_slot(tree, b))
        return -1;
    if (a == b)
        return 0;
    int level = tmap_common_level(tree, a, b);
    return tree->level[level].cost * tmap_length_between(tree, level, a, b, NULL);
}

int32_t tmap_tree_hops(const struct tmap_tree *tree, int32_t a, int32_t b)
{
    if (!is_slot(tree, a) || !is_slot(tree, b))
        return -1;
    if (a == b)
        return 0;
    int32_t hops;
    int level = tmap_common_level(tree, a, b);
    tmap_length_between(tree, level, a, b, &hops);
    return hops + 2 * (tree->depth - level - 1);
}

const struct tmap_level *tmap_tree_level(const struct tmap_tree *tree, int level)
{
    return level >= 0 && level < tree->depth ? &tree->level[level] : NULL;
}

int tmap_tree_is_uniform(const struct tmap_tree *tree)
{
    return tree->uniform;
}
