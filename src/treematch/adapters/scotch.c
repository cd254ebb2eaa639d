/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scotch.c - mapping by libscotch (dual recursive bisection: Pellegrini 1994).
 *
 * Scotch counts in int, so weights are scaled down until their sum fits; no pair vanishes by that,
 * since its weight stays at least 1.
 */
#include "treematch/tmap-scotch.h"
#include "treematch/model/wide.h"

#include <math.h>
#include <stdio.h>
#include <scotch.h>

struct scotch_graph {
    SCOTCH_Num *start, *target, *load;
};

static enum tmap_status fill_graph(struct scotch_graph *graph, const struct tmap_matrix *matrix)
{
    size_t roles = (size_t)matrix->roles, ends = 2 * matrix->pairs, at = 0;
    graph->start = tmap_new(roles + 1, sizeof *graph->start);
    graph->target = tmap_new(ends, sizeof *graph->target);
    graph->load = tmap_new(ends, sizeof *graph->load);
    if (!graph->start || !graph->target || !graph->load)
        return TMAP_ENOMEM;
    uint64_t divisor = 1;
    while (matrix->total / divisor >= (UINT64_C(1) << 28))
        divisor *= 2;
    for (size_t role = 0; role < roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, (int32_t)role);
        graph->start[role] = (SCOTCH_Num)at;
        for (size_t i = 0; i < row.count; i++) {
            uint64_t load = row.weight[i] / divisor;
            if (row.weight[i] == 0)
                continue;
            graph->target[at] = row.partner[i];
            graph->load[at++] = load > 0 ? (SCOTCH_Num)load : 1;
        }
    }
    graph->start[roles] = (SCOTCH_Num)at;
    return TMAP_OK;
}

static SCOTCH_Num weight_of_level(const struct tmap_tree *tree, int level,
                                  enum tmap_scotch_weights weights)
{
    static const int heavy[] = {10, 50, 100, 500};
    int height = tree->depth - 1 - level;
    if (weights == TMAP_SCOTCH_LIGHT)
        return height + 1;
    if (weights == TMAP_SCOTCH_HEAVY)
        return height < 4 ? heavy[height] : 500 * (height - 2);
    double cost = tree->level[level].cost;
    return cost < 1 ? 1 : cost > 1e6 ? 1000000 : (SCOTCH_Num)llround(cost);
}

/* All but one of the roles that share a slot move to the nearest free one. */
static int32_t scotch_repair(const struct tmap_tree *tree, int32_t roles, int32_t *slot_of,
                             char *taken)
{
    int32_t slots = tree->count[tree->depth], repaired = 0;
    memset(taken, 0, (size_t)slots);
    for (int32_t role = 0; role < roles; role++) {
        if (taken[slot_of[role]])
            slot_of[role] = -1 - slot_of[role];
        else
            taken[slot_of[role]] = 1;
    }
    for (int32_t role = 0; role < roles; role++) {
        if (slot_of[role] >= 0)
            continue;
        int32_t wanted = -1 - slot_of[role];
        for (int level = tree->depth - 1; level >= 0 && slot_of[role] < 0; level--) {
            int32_t object = tree->ancestor[level][wanted];
            for (int32_t s = tree->first_slot[level][object];
                 s < tree->first_slot[level][object + 1] && slot_of[role] < 0; s++) {
                if (!taken[s])
                    slot_of[role] = s;
            }
        }
        taken[slot_of[role]] = 1;
        repaired++;
    }
    return repaired;
}

/* With one thread: those that libscotch starts spin, and take three times the processor time. */
static int map_graph(SCOTCH_Graph *graph, const SCOTCH_Arch *arch, SCOTCH_Strat *strategy,
                     SCOTCH_Num *slot_of)
{
#if SCOTCH_VERSION >= 7
    SCOTCH_Context context;
    SCOTCH_Graph bound;
    int failed = SCOTCH_contextInit(&context) || SCOTCH_contextThreadSpawn(&context, 1, NULL);
    if (failed)
        return failed;
    SCOTCH_contextRandomReset(&context);
    SCOTCH_graphInit(&bound);
    failed = SCOTCH_contextBindGraph(&context, graph, &bound) ||
             SCOTCH_graphMap(&bound, arch, strategy, slot_of);
    SCOTCH_graphExit(&bound);
    SCOTCH_contextExit(&context);
    return failed;
#else
    return SCOTCH_graphMap(graph, arch, strategy, slot_of);
#endif
}

static int run_scotch(const struct scotch_graph *graph, int32_t roles, const struct tmap_tree *tree,
                      enum tmap_scotch_weights weights, SCOTCH_Num *slot_of)
{
    SCOTCH_Num arity[TMAP_MAX_LEVELS], weight[TMAP_MAX_LEVELS];
    int levels = 0;
    SCOTCH_Graph scotch;
    SCOTCH_Arch arch;
    SCOTCH_Strat strategy;
    /* Scotch does not accept arities of 1. */
    for (int l = 0; l < tree->depth; l++) {
        arity[levels] = tree->first_child[l][1];
        weight[levels] = weight_of_level(tree, l, weights);
        levels += arity[levels] > 1;
    }
    SCOTCH_randomReset();
    SCOTCH_graphInit(&scotch);
    SCOTCH_archInit(&arch);
    SCOTCH_stratInit(&strategy);
    int failed = SCOTCH_graphBuild(&scotch, 0, roles, graph->start, NULL, NULL, NULL,
                                   graph->start[roles], graph->target, graph->load) ||
                 SCOTCH_archTleaf(&arch, levels, arity, weight) ||
                 map_graph(&scotch, &arch, &strategy, slot_of);
    SCOTCH_stratExit(&strategy);
    SCOTCH_archExit(&arch);
    SCOTCH_graphExit(&scotch);
    return failed;
}

static enum tmap_status map_wide(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                 enum tmap_scotch_weights weights, int32_t *slot_of,
                                 int32_t *repaired, struct tmap_error *error)
{
    struct tmap_tree *narrow;
    enum tmap_status status = tmap_tree_narrow(&narrow, tree, matrix->roles, error);
    if (status != TMAP_OK)
        return status;
    status = tmap_mapping_find_scotch(matrix, narrow, weights, slot_of, repaired, error);
    if (status == TMAP_OK)
        tmap_widen(tree, narrow, matrix->roles, slot_of);
    tmap_tree_destroy(narrow);
    return status;
}

enum tmap_status tmap_mapping_find_scotch(const struct tmap_matrix *matrix,
                                          const struct tmap_tree *tree,
                                          enum tmap_scotch_weights weights, int32_t *slot_of,
                                          int32_t *repaired, struct tmap_error *error)
{
    struct scotch_graph graph = {NULL, NULL, NULL};
    enum tmap_status status = TMAP_ENOMEM;
    if (!tree->uniform)
        return tmap_fail(error, TMAP_ENOTSUP, "Scotch's tleaf architecture needs a uniform tree");
    if (matrix->roles > tree->total_capacity)
        return tmap_fail(error, TMAP_ENOSPACE, "more roles than slots");
    if (!tree->capacity && matrix->roles > 0)
        return map_wide(matrix, tree, weights, slot_of, repaired, error);
    SCOTCH_Num *mapped = tmap_new_zero((size_t)matrix->roles, sizeof *mapped);
    char *taken = tmap_new((size_t)tree->count[tree->depth], 1);
    if (!mapped || !taken || fill_graph(&graph, matrix)) {
        tmap_fail_memory(error);
        goto out;
    }
    status = TMAP_OK;
    if (tree->count[tree->depth] > 1 && run_scotch(&graph, matrix->roles, tree, weights, mapped)) {
        status = tmap_fail(error, TMAP_ENOTSUP, "Scotch cannot map this");
        goto out;
    }
    for (int32_t role = 0; role < matrix->roles; role++)
        slot_of[role] = (int32_t)mapped[role];
    int32_t moved = scotch_repair(tree, matrix->roles, slot_of, taken);
    if (repaired)
        *repaired = moved;
out:
    free(mapped);
    free(taken);
    free(graph.start);
    free(graph.target);
    free(graph.load);
    return status;
}
