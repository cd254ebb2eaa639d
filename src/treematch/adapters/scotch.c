/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scotch.c - mapping by libscotch (dual recursive bisection: Pellegrini 1994).
 *
 * Scotch counts in int, so weights are scaled down until their sum times the longest distance fits;
 * no pair vanishes by that, since its weight stays at least 1. With TMAP_SCOTCH_RAW it gets them as
 * they are, as from a program that hands it bytes: then it may compare sums that wrapped around.
 */
#include "treematch/adapters/scotch-machine.h"
#include "treematch/model/wide.h"

#include <math.h>

struct scotch_graph {
    SCOTCH_Num *start, *target, *load;
    int is_raw; /* loads are not scaled down */
};

/* Divided by this, weights times distances of up to `longest` fit. */
static uint64_t load_divisor(const struct tmap_matrix *matrix, double longest)
{
    uint64_t divisor = 1, limit = (uint64_t)((1 << 30) / (longest > 4 ? longest : 4)) + 1;
    while (matrix->total / divisor >= limit)
        divisor *= 2;
    return divisor;
}

static enum tmap_status fill_graph(struct scotch_graph *graph, const struct tmap_matrix *matrix,
                                   double longest)
{
    size_t roles = (size_t)matrix->roles, ends = 2 * matrix->pairs, at = 0;
    graph->start = tmap_new(roles + 1, sizeof *graph->start);
    graph->target = tmap_new(ends, sizeof *graph->target);
    graph->load = tmap_new(ends, sizeof *graph->load);
    if (!graph->start || !graph->target || !graph->load)
        return TMAP_ENOMEM;
    uint64_t divisor = graph->is_raw ? 1 : load_divisor(matrix, longest);
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

/* The nearest slot with room: of those below the closest ancestor that has any. -1: all are
 * full. */
static int32_t nearest_free(const struct tmap_tree *tree, int32_t wanted, const int32_t *used)
{
    int32_t nearest = -1;
    for (int level = tree->depth - 1; level >= 0 && nearest < 0; level--) {
        int32_t object = tree->ancestor[level][wanted];
        double least = INFINITY;
        for (int32_t s = tree->first_slot[level][object]; s < tree->first_slot[level][object + 1];
             s++) {
            double distance =
                used[s] < tree->capacity[s] ? tmap_tree_distance(tree, wanted, s) : INFINITY;
            if (distance >= least)
                continue;
            least = distance;
            nearest = s;
            if (!tree->interconnect[level]) /* all are equally far */
                break;
        }
    }
    return nearest;
}

/* Roles for which a slot has no room move to the nearest one that has. `used` is all 0. */
static int32_t scotch_repair(const struct tmap_tree *tree, int32_t roles, int32_t *slot_of,
                             int32_t *used)
{
    int32_t repaired = 0;
    for (int32_t role = 0; role < roles; role++) {
        if (used[slot_of[role]] < tree->capacity[slot_of[role]])
            used[slot_of[role]]++;
        else
            slot_of[role] = -1 - slot_of[role];
    }
    for (int32_t role = 0; role < roles; role++) {
        if (slot_of[role] >= 0)
            continue;
        slot_of[role] = nearest_free(tree, -1 - slot_of[role], used);
        used[slot_of[role]]++;
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

static int run_scotch(struct scotch_graph *graph, const struct tmap_matrix *matrix,
                      struct scotch_machine *machine, int32_t *slot_of)
{
    SCOTCH_Graph scotch;
    SCOTCH_Strat strategy;
    SCOTCH_Num *mapped = tmap_new_zero((size_t)matrix->roles, sizeof *mapped);
    if (!mapped || fill_graph(graph, matrix, machine->longest)) {
        free(mapped);
        return 1;
    }
    SCOTCH_randomReset();
    SCOTCH_graphInit(&scotch);
    SCOTCH_stratInit(&strategy);
    int failed = SCOTCH_graphBuild(&scotch, 0, matrix->roles, graph->start, NULL, NULL, NULL,
                                   graph->start[matrix->roles], graph->target, graph->load) ||
                 map_graph(&scotch, &machine->arch, &strategy, mapped);
    for (int32_t role = 0; role < matrix->roles && !failed; role++)
        slot_of[role] = machine->slot_of ? machine->slot_of[mapped[role]] : (int32_t)mapped[role];
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&scotch);
    free(mapped);
    return failed;
}

/* Returns 1 if two slots can hold something: Scotch's architectures need two vertices. */
static int has_choice(const struct tmap_tree *tree)
{
    int32_t open = 0;
    for (int32_t s = 0; s < tree->count[tree->depth] && open < 2; s++)
        open += tree->capacity[s] > 0;
    return open == 2;
}

static enum tmap_status map_wide(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                 enum tmap_scotch_weights weights, int32_t *slot_of,
                                 int32_t *repaired, struct tmap_error *error)
{
    struct tmap_tree *narrow;
    enum tmap_status status = tmap_tree_check_costs(tree, error);
    if (status == TMAP_OK)
        status = tmap_tree_narrow(&narrow, tree, matrix->roles, error);
    if (status != TMAP_OK)
        return status;
    status = tmap_mapping_find_scotch(matrix, narrow, weights, slot_of, repaired, error);
    if (status == TMAP_OK)
        tmap_widen(tree, narrow, matrix->roles, slot_of);
    tmap_tree_destroy(narrow);
    return status;
}

/* Trees for which there is no tleaf get the weights as costs. */
static enum tmap_status map_weighted(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                     enum tmap_scotch_weights weights, int32_t *slot_of,
                                     int32_t *repaired, struct tmap_error *error)
{
    double costs[TMAP_MAX_LEVELS], below = 0;
    struct tmap_tree *priced;
    for (int l = tree->depth - 1; l >= 0; l--)
        costs[l] = below += scotch_paper_weight(tree, l, weights);
    enum tmap_status status = tmap_tree_copy_with_costs(&priced, tree, costs, tree->depth, error);
    if (status != TMAP_OK)
        return status;
    weights = TMAP_SCOTCH_COSTS | (weights & TMAP_SCOTCH_RAW);
    status = tmap_mapping_find_scotch(matrix, priced, weights, slot_of, repaired, error);
    tmap_tree_destroy(priced);
    return status;
}

enum tmap_status tmap_mapping_find_scotch(const struct tmap_matrix *matrix,
                                          const struct tmap_tree *tree,
                                          enum tmap_scotch_weights weights, int32_t *slot_of,
                                          int32_t *repaired, struct tmap_error *error)
{
    struct scotch_graph graph = {NULL, NULL, NULL, weights & TMAP_SCOTCH_RAW};
    struct scotch_machine machine;
    if (matrix->roles > tree->total_capacity)
        return tmap_fail(error, TMAP_ENOSPACE, "more roles than slots");
    if (graph.is_raw && matrix->total > (uint64_t)SCOTCH_NUMMAX / 2)
        return tmap_fail(error, TMAP_EOVERFLOW, "Scotch cannot add up weights of %llu",
                         (unsigned long long)matrix->total);
    if (!tree->capacity && matrix->roles > 0)
        return map_wide(matrix, tree, weights, slot_of, repaired, error);
    if (!tree->uniform && scotch_paper_weight(tree, 0, weights))
        return map_weighted(matrix, tree, weights, slot_of, repaired, error);
    int32_t *used = tmap_new_zero((size_t)tree->count[tree->depth], sizeof *used);
    if (!used)
        return tmap_fail_memory(error);
    memset(slot_of, 0, sizeof *slot_of * (size_t)matrix->roles);
    enum tmap_status status = TMAP_OK;
    if (has_choice(tree) && matrix->roles > 0) {
        SCOTCH_randomReset();
        status = scotch_machine_init(&machine, tree, weights);
        if (status != TMAP_OK || run_scotch(&graph, matrix, &machine, slot_of))
            status = tmap_fail(error, TMAP_ENOTSUP, "Scotch cannot map this");
        scotch_machine_fini(&machine);
    }
    int32_t moved = status == TMAP_OK ? scotch_repair(tree, matrix->roles, slot_of, used) : 0;
    if (repaired && status == TMAP_OK)
        *repaired = moved;
    free(used);
    free(graph.start);
    free(graph.target);
    free(graph.load);
    return status;
}
