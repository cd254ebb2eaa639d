/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods.c - the table of mapping methods, and the entry points.
 */
#include "treematch/model/wide.h"
#include "treematch/layout/baselines.h"
#include "treematch/methods/methods.h"
#include "treematch/multilevel/multilevel.h"
#include "treematch/grouping/treematch.h"
#include "treematch/improve/improve.h"
#include "treematch/model/problem.h"

/* The first one is the default. */
static const struct {
    const char *name;
    const char *help;
    tmap_method_fn *map;
    int any_tree; /* handles trees without arrays, too; wide.c spares the others them */
} methods[] = {
    {"multilevel", "divide top down with small cuts, then exchange; best of several starts",
     tmap_method_multilevel, 0},
    {"treematch", "group bottom up by affinity (Jeannot and Mercier 2010; with Tessier 2014)",
     tmap_method_treematch, 0},
    {"greedy", "place by heaviest traffic to what is placed (Mueller-Merbach), then exchange",
     tmap_method_greedy, 0},
    {"best", "greedy and multilevel from many seeds; the cheapest", tmap_method_best, 0},
    {"recursive", "map to the outermost network, then inside each part on its own; to compare with",
     tmap_method_recursive, 0},
    {"packed", "fill the slots from left to right", tmap_method_packed, 1},
    {"roundrobin", "deal the roles out to the objects of the first level in turn",
     tmap_method_roundrobin, 1},
    {"random", "shuffle", tmap_method_random, 1},
    {"mpipp1", "switch pairs from a random start while that gains; slow, to compare with",
     tmap_method_mpipp1, 0},
    {"mpipp5", "the best of five such starts", tmap_method_mpipp5, 0},
};
enum { METHODS = sizeof methods / sizeof *methods };

int tmap_method_describe(int index, const char **name, const char **help)
{
    if (index < 0 || index >= METHODS)
        return 0;
    if (name)
        *name = methods[index].name;
    if (help)
        *help = methods[index].help;
    return 1;
}

/* METHODS: no such method. */
static int find_method(const char *name)
{
    int i = 0;
    while (i < METHODS && strcmp(methods[i].name, name) != 0)
        i++;
    return i;
}

/* Map with the least cost. */
static enum tmap_status find_mapping(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                     const struct tmap_options *options, int32_t *slot_of,
                                     struct tmap_error *error)
{
    const char *name = options->method ? options->method : methods[0].name;
    int method = find_method(name);
    if (method == METHODS)
        return tmap_fail(error, TMAP_EINVAL, "there is no mapping method '%.60s'", name);
    if (matrix->roles > tree->total_capacity)
        return tmap_fail(error, TMAP_ENOSPACE, "%ld roles, but the tree takes %lld",
                         (long)matrix->roles, (long long)tree->total_capacity);
    enum tmap_status status = tmap_tree_check_costs(tree, error);
    if (status != TMAP_OK || matrix->roles == 0)
        return status;
    const struct tmap_problem problem = {.matrix = matrix,
                                         .tree = tree,
                                         .effort = options->effort,
                                         .seed = options->seed,
                                         .seconds = options->seconds,
                                         .threads = options->threads,
                                         .group_threshold = options->group_threshold,
                                         .buckets = options->buckets};
    tmap_method_fn *map = methods[method].map;
    if (options->pinned || options->closed)
        return tmap_mapping_find_constrained(&problem, map, options, slot_of, error);
    if (!methods[method].any_tree && tmap_tree_is_wide(tree, matrix->roles))
        return tmap_mapping_find_wide(&problem, map, slot_of, error);
    return map(&problem, slot_of, error);
}

enum tmap_status tmap_mapping_find(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                   const struct tmap_options *given, int32_t *slot_of,
                                   struct tmap_error *error)
{
    struct tmap_options options;
    enum tmap_status status = tmap_options_read(&options, given, error);
    if (status == TMAP_OK)
        status = find_mapping(matrix, tree, &options, slot_of, error);
    if (status == TMAP_OK && options.objective == TMAP_OBJECTIVE_CONGESTION &&
        tmap_lower_congestion(matrix, tree, &options, slot_of))
        status = tmap_fail_memory(error);
    return status;
}
