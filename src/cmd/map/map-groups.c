/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map-groups.c - `map --method treematch -v`: the divided tree, and of each level, from below, the
 * groups with their values and the matrix between them, as in the TreeMatch papers (2010, Fig. 1
 * and 2). Of large levels the beginning. On standard error, as what other commands say with -v.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/map/map.h"
#include "treematch/grouping/treematch-levels.h"
#include "cmd/shell/complain.h"
#include "treematch/model/objects.h"
#include "treematch/tmap.h"

/* Groups, members of one, and rows and columns of a matrix that are shown. */
enum { MAP_SHOWN_GROUPS = 16, MAP_SHOWN_MEMBERS = 16, MAP_SHOWN_ORDER = 16 };

static void groups_print_arities(const int32_t *arity, int count)
{
    for (int l = 0; l < count; l++)
        fprintf(stderr, "%s%d", l ? " x " : "", (int)arity[l]);
}

static void groups_print_tree(const struct tmap_tree *tree,
                              const struct tmap_treematch_levels *levels)
{
    int32_t arity[TMAP_MAX_LEVELS];
    int depth = tmap_tree_depth(tree);
    for (int l = 0; l < depth; l++)
        arity[l] = tmap_tree_objects(tree, l + 1) / tmap_tree_objects(tree, l);
    fprintf(stderr, "tree: ");
    if (levels->arities) {
        groups_print_arities(arity, depth);
        fprintf(stderr, ", divided: ");
        groups_print_arities(levels->arity, levels->arities);
    } else {
        fprintf(stderr, "%d levels, not uniform", depth);
    }
    fprintf(stderr, "; %d slots\n", (int)tmap_tree_slots(tree));
}

/* By group: the traffic that leaves it. 0, or -1: out of memory. */
static int groups_evaluate(uint64_t **value, const struct tmap_matrix *matrix,
                           const struct tmap_treematch_level *level)
{
    uint64_t *sum = calloc((size_t)level->groups + 1, sizeof *sum), weight;
    int32_t partner;
    if (!sum)
        return -1;
    for (int32_t i = 0; i < level->real; i++)
        for (size_t at = 0; tmap_matrix_next(matrix, i, &at, &partner, &weight);)
            if (level->group_of[partner] != level->group_of[i])
                sum[level->group_of[i]] += weight;
    *value = sum;
    return 0;
}

/* The members of a group; artificial ones in brackets. */
static void groups_print_members(const struct tmap_treematch_level *level, int32_t group)
{
    int shown = 0;
    for (int32_t i = 0; i < level->processes; i++) {
        if (level->group_of[i] != group)
            continue;
        if (++shown > MAP_SHOWN_MEMBERS) {
            fprintf(stderr, " ...");
            return;
        }
        fprintf(stderr, i < level->real ? " %d" : " (%d)", (int)i);
    }
}

static void groups_print_level(const struct tmap_treematch_level *level, const uint64_t *value,
                               const char *what)
{
    fprintf(stderr, "\n%d %s", (int)level->real, what);
    if (level->processes > level->real)
        fprintf(stderr, " and %d artificial", (int)(level->processes - level->real));
    fprintf(stderr, " in %d group%s; value: what leaves a group\n", (int)level->groups,
            level->groups == 1 ? "" : "s");
    for (int32_t g = 0; g < level->groups && g < MAP_SHOWN_GROUPS; g++) {
        fprintf(stderr, "  %d:", (int)g);
        groups_print_members(level, g);
        fprintf(stderr, "  value %" PRIu64 "\n", value[g]);
    }
    if (level->groups > MAP_SHOWN_GROUPS)
        fprintf(stderr, "  ... and %d more\n", (int)level->groups - MAP_SHOWN_GROUPS);
}

static void groups_print_row(const struct tmap_matrix *matrix, int32_t row, int32_t shown)
{
    uint64_t cell[MAP_SHOWN_ORDER] = {0}, weight;
    int32_t partner;
    for (size_t at = 0; tmap_matrix_next(matrix, row, &at, &partner, &weight);)
        if (partner < shown)
            cell[partner] = weight;
    for (int32_t i = 0; i < shown; i++)
        fprintf(stderr, " %7" PRIu64, cell[i]);
}

static void groups_print_matrix(const struct tmap_matrix *matrix)
{
    int32_t order = tmap_matrix_roles(matrix);
    int32_t shown = order < MAP_SHOWN_ORDER ? order : MAP_SHOWN_ORDER;
    if (order < 2)
        return;
    fprintf(stderr, "matrix between the groups, %d x %d\n", (int)order, (int)order);
    for (int32_t row = 0; row < shown; row++) {
        groups_print_row(matrix, row, shown);
        fprintf(stderr, "%s\n", order > shown ? " ..." : "");
    }
    if (order > shown)
        fprintf(stderr, "     ...\n");
}

/* Show a level, and replace *matrix by that between its groups, in *owned. 0, or -1 with *error. */
static int groups_show_level(const struct tmap_treematch_level *level, const char *what,
                             const struct tmap_matrix **matrix, struct tmap_matrix **owned,
                             struct reseat_error *error)
{
    struct tmap_matrix *above = tmap_matrix_aggregate(*matrix, level->group_of, level->groups);
    uint64_t *value = NULL;
    if (!above || groups_evaluate(&value, *matrix, level)) {
        tmap_matrix_destroy(above);
        return reseat_fail(error, "out of memory");
    }
    int is_same = level->groups == level->processes; /* an arity of 1 */
    if (!is_same)
        groups_print_level(level, value, what);
    free(value);
    if (!is_same)
        groups_print_matrix(above);
    tmap_matrix_destroy(*owned);
    *matrix = *owned = above;
    return 0;
}

int map_show_groups(const struct map_request *r, const struct map_result *x)
{
    const struct tmap_matrix *matrix = x->prediction.matrix;
    struct tmap_matrix *owned = NULL;
    struct tmap_treematch_levels levels;
    struct tmap_error why;
    struct reseat_error error;
    if (tmap_treematch_find_levels(&levels, matrix, x->prediction.tree, &r->options, &why))
        return cli_fail(EXIT_TROUBLE, "-v: %s", why.text);
    groups_print_tree(x->prediction.tree, &levels);
    int rc = 0;
    for (int l = 0; rc == 0 && l < levels.levels; l++)
        rc = groups_show_level(&levels.level[l],
                               levels.level[l].real == levels.level[0].real ? "ranks" : "groups",
                               &matrix, &owned, &error);
    fprintf(stderr, "\n");
    tmap_matrix_destroy(owned);
    tmap_treematch_free_levels(&levels);
    return rc ? cli_fail(EXIT_TROUBLE, "-v: %s", error.text) : 0;
}
