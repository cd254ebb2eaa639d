/* SPDX-License-Identifier: BSD-3-Clause */
/* treematch-levels.c - see treematch-levels.h. */
#include "treematch/grouping/treematch-levels.h"

#include "treematch/grouping/treematch.h"
#include "treematch/model/wide.h"

#include <assert.h>

static_assert((int)TMAP_MOST_GROUPED == (int)TMAP_MAX_DIVIDED, "levels after division");

/* The groups move to *levels; all but the last processes of a level are groups of the one below. */
static void levels_take(struct tmap_treematch_levels *levels, struct tmap_grouped *grouped,
                        const int32_t *processes)
{
    for (int l = 0; l < grouped->levels; l++) {
        levels->level[l] = (struct tmap_treematch_level){.processes = processes[l],
                                                         .real = grouped->count[l],
                                                         .groups = grouped->count[l + 1],
                                                         .group_of = grouped->group_of[l]};
        grouped->group_of[l] = NULL;
    }
    levels->levels = grouped->levels;
}

static enum tmap_status levels_group(struct tmap_treematch_levels *levels,
                                     const struct tmap_problem *problem, struct tmap_error *error)
{
    struct tmap_treematch_levels found = {.levels = 0};
    struct tmap_grouped grouped = {.levels = 0};
    int32_t processes[TMAP_MAX_DIVIDED];
    enum tmap_status status =
        problem->tree->uniform ? tmap_group_uniform(problem, &grouped, found.arity, &found.arities)
                               : tmap_group_uneven(problem, &grouped);
    for (int l = 0; l < grouped.levels; l++)
        processes[l] = found.arities ? grouped.count[l + 1] * found.arity[found.arities - 1 - l]
                                     : grouped.count[l];
    if (status == TMAP_OK) {
        levels_take(&found, &grouped, processes);
        *levels = found;
    }
    tmap_grouped_fini(&grouped);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}

enum tmap_status tmap_treematch_find_levels(struct tmap_treematch_levels *levels,
                                            const struct tmap_matrix *matrix,
                                            const struct tmap_tree *tree,
                                            const struct tmap_options *options,
                                            struct tmap_error *error)
{
    struct tmap_tree *narrow = NULL;
    enum tmap_status status = TMAP_OK;
    if (matrix->roles > tree->total_capacity || matrix->roles == 0)
        return tmap_fail(error, TMAP_ENOSPACE, "%ld roles, and the tree takes %lld",
                         (long)matrix->roles, (long long)tree->total_capacity);
    if (tmap_tree_is_wide(tree, matrix->roles))
        status = tmap_tree_narrow(&narrow, tree, matrix->roles, error);
    const struct tmap_problem problem = {.matrix = matrix,
                                         .tree = narrow ? narrow : tree,
                                         .group_threshold = options->group_threshold,
                                         .buckets = options->buckets};
    if (status == TMAP_OK)
        status = levels_group(levels, &problem, error);
    tmap_tree_destroy(narrow);
    return status;
}

void tmap_treematch_free_levels(struct tmap_treematch_levels *levels)
{
    for (int l = 0; l < levels->levels; l++)
        free(levels->level[l].group_of);
    levels->levels = 0;
}
