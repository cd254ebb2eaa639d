/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree-paths.c - a tree from the paths of its leaves.
 *
 * The rows are sorted; a new object of level l + 1 begins wherever the first l + 1 numbers of a row
 * differ from those of the row before.
 */
#include "treematch/model/objects.h"

struct paths {
    const int32_t *path;
    int depth;
};

static int compare_rows(const void *context, int32_t a, int32_t b)
{
    const struct paths *paths = context;
    const int32_t *left = paths->path + (size_t)a * (size_t)paths->depth;
    const int32_t *right = paths->path + (size_t)b * (size_t)paths->depth;
    for (int l = 0; l < paths->depth; l++) {
        if (left[l] != right[l])
            return left[l] < right[l] ? -1 : 1;
    }
    return 0;
}

/* Number of leading numbers that two rows share. */
static int common_prefix(const struct paths *paths, int32_t a, int32_t b)
{
    const int32_t *left = paths->path + (size_t)a * (size_t)paths->depth;
    const int32_t *right = paths->path + (size_t)b * (size_t)paths->depth;
    int l = 0;
    while (l < paths->depth && left[l] == right[l])
        l++;
    return l;
}

static enum tmap_status tree_add_level(struct tmap_tree *tree, const struct paths *paths,
                                       const int32_t *rows, int32_t leaves,
                                       struct tmap_error *error)
{
    for (int l = 0; l < tree->depth; l++) {
        tree->first_child[l] = tmap_new((size_t)leaves + 1, sizeof(int32_t));
        if (!tree->first_child[l])
            return tmap_fail_memory(error);
    }
    memset(tree->count, 0, sizeof tree->count);
    for (int32_t i = 0; i < leaves; i++) {
        int shared = i == 0 ? -1 : common_prefix(paths, rows[i - 1], rows[i]);
        if (shared == tree->depth)
            return tmap_fail(error, TMAP_EINVAL, "leaves %ld and %ld have the same path",
                             (long)rows[i - 1], (long)rows[i]);
        for (int l = shared + 1; l < tree->depth; l++)
            tree->first_child[l][tree->count[l]++] = tree->count[l + 1];
        tree->count[tree->depth]++;
    }
    for (int l = 0; l < tree->depth; l++)
        tree->first_child[l][tree->count[l]] = tree->count[l + 1];
    return TMAP_OK;
}

static enum tmap_status check_paths(int32_t leaves, int depth, const int32_t *capacity,
                                    struct tmap_error *error)
{
    if (leaves < 1)
        return tmap_fail(error, TMAP_EINVAL, "a tree of %ld leaves", (long)leaves);
    if (depth < 1 || depth > TMAP_MAX_LEVELS)
        return tmap_fail(error, TMAP_EINVAL, "a tree of depth %d (1 .. %d are possible)", depth,
                         TMAP_MAX_LEVELS);
    for (int32_t i = 0; capacity && i < leaves; i++) {
        if (capacity[i] < 0)
            return tmap_fail(error, TMAP_EINVAL, "leaf %ld has capacity %ld", (long)i,
                             (long)capacity[i]);
    }
    return TMAP_OK;
}

/* rows[slot] = leaf, rows[leaves + slot] = scratch, and then its capacity. */
static enum tmap_status tree_from_rows(struct tmap_tree *tree, const struct paths *paths,
                                       int32_t leaves, const int32_t *capacity, int32_t *rows,
                                       struct tmap_error *error)
{
    int32_t *of_slot = rows + leaves;
    for (int32_t i = 0; i < leaves; i++)
        rows[i] = i;
    tmap_sort(rows, of_slot, leaves, compare_rows, paths);
    enum tmap_status status = tree_add_level(tree, paths, rows, leaves, error);
    if (status != TMAP_OK)
        return status;
    for (int32_t i = 0; i < leaves; i++)
        of_slot[i] = capacity ? capacity[rows[i]] : 1;
    return tmap_tree_finish(tree, of_slot, error);
}

enum tmap_status tmap_tree_create_from_paths(struct tmap_tree **result, int32_t leaves, int depth,
                                             const int32_t *path, const int32_t *capacity,
                                             const struct tmap_level *levels, int32_t *slot_of_leaf,
                                             struct tmap_error *error)
{
    const struct paths paths = {path, depth};
    enum tmap_status status = check_paths(leaves, depth, capacity, error);
    if (status != TMAP_OK)
        return status;
    struct tmap_tree *tree = tmap_new_zero(1, sizeof *tree);
    int32_t *rows = tmap_new((size_t)leaves, 2 * sizeof *rows);
    if (!tree || !rows) {
        status = tmap_fail_memory(error);
        goto out;
    }
    tree->depth = depth;
    status = tmap_tree_set_levels(tree, levels, error);
    if (status == TMAP_OK)
        status = tree_from_rows(tree, &paths, leaves, capacity, rows, error);
    if (status != TMAP_OK)
        goto out;
    for (int32_t slot = 0; slot_of_leaf && slot < leaves; slot++)
        slot_of_leaf[rows[slot]] = slot;
    *result = tree;
    tree = NULL;
out:
    tmap_tree_destroy(tree);
    free(rows);
    return status;
}
