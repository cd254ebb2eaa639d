/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * multilevel.c - the method `multilevel`: top down along the tree, then exchanges.
 *
 * From the root down, the roles of an object are divided among its children so that little traffic
 * crosses, with exact sizes: the range of children is bisected recursively, and the roles in
 * proportion (bisect.c). An object whose children are slots for one role each needs no division:
 * they are all equally far apart. If there are more units than roles, a side may take any number
 * for which both sides have room, and the bisection chooses; what fits into one side as a whole
 * goes there. Then the whole mapping is improved on its true cost (swaps.c).
 *
 * A network is divided in a way of its own (interconnect-division.c).
 *
 * This is done with several seeds, and the simple methods are starting points as well: identity,
 * round robin, and TreeMatch, which shines if the pattern is hierarchical. The best result is
 * taken, so it is never worse than any of them, nor than what a smaller effort would find.
 *
 * On networks, what is found for the machine as a plain tree is a candidate as well: with traffic
 * that does not suit the network, to see only levels may be better. Before all that, a pattern that
 * is a grid is put on a machine that is one (grid-embedding.c). With many roles, a plain tree that
 * is far behind after effort fast gets no more (has_chance), and a grid that costs about the least
 * is not divided with more effort either (is_ideal). A few roles are finally tried in all ways
 * (exhaustive.c). Where all pairs exchange the same, every mapping is as good, and none is looked
 * for.
 *
 * Time per start about O(pairs x levels of bisection), memory O(pairs).
 */
#include "treematch/grouping/treematch.h"
#include "treematch/improve/improve.h"
#include "treematch/model/interconnect.h"
#include "treematch/multilevel/contest.h"
#include "treematch/multilevel/grid-embedding.h"
#include "treematch/layout/baselines.h"
#include "treematch/multilevel/multilevel.h"

#include <math.h>

/* Large patterns with more partners a role than this, on average, are mapped by a sparse
 * approximation (thin.c). */
enum { MANY_PARTNERS = 256 };

/* A mapping that costs this many times what the best one does has no chance to overtake it. */
#define BEHIND 1.25

/* A mapping of a grid that costs at most this many times what is about the least is good enough. */
#define IDEAL 1.03

/* Of the cost of a mapping: not worth a search, which with fewer roles takes no time. */
#define UNIFORM 1e-3
enum { UNIFORM_ROLES = 64 };

/* Number of times that all of a dense matrix may be read to improve its mapping, with effort
 * strong. */
enum { MATRIX_READINGS = 20 };

/* Lower bound of the cost of a mapping: all roles are on different slots, each at the smallest
 * distance from its partners. 0 if slots hold several roles. */
static double least_cost(const struct tmap_problem *problem)
{
    const struct tmap_tree *tree = problem->tree;
    double least = INFINITY;
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++)
        if (tree->capacity[slot] > 1)
            return 0;
    for (int level = 0; level < tree->depth; level++) {
        const struct tmap_interconnect *interconnect = tree->interconnect[level];
        double step = tree->level[level].cost * (interconnect ? interconnect->shortest : 1);
        least = step < least ? step : least;
    }
    return least * (double)problem->matrix->total;
}

/* A grid on a torus or mesh. *done: nothing can be better. */
static enum tmap_status try_grid(struct tmap_contest *contest, int *found, int *done)
{
    enum tmap_status status = tmap_grid_embed(contest->problem, contest->tried, found);
    *done = 0;
    if (status != TMAP_OK || !*found)
        return status;
    status = tmap_contest_judge(contest);
    *done = contest->best_cost <= least_cost(contest->problem) * (1 + 1e-12);
    if (status != TMAP_OK || *done)
        return status;
    contest->swaps = tmap_swaps_for(contest->problem->effort);
    memcpy(contest->tried, contest->best,
           sizeof *contest->tried * (size_t)contest->problem->matrix->roles);
    status = tmap_contest_improve(contest, contest->tried);
    return status == TMAP_OK ? tmap_contest_judge(contest) : status;
}

/* ---- All candidates ---- */

/* The machine as a plain tree. */
struct plain {
    struct tmap_problem problem;
    struct tmap_tree *tree;
    struct tmap_contest contest;
    double cost; /* of its best mapping, on the network */
};

static enum tmap_status plain_init(struct plain *plain, const struct tmap_problem *problem)
{
    enum tmap_status status = tmap_tree_copy_plain(&plain->tree, problem->tree);
    plain->problem = *problem;
    plain->problem.tree = plain->tree;
    return status == TMAP_OK ? tmap_contest_init(&plain->contest, &plain->problem) : status;
}

static void plain_fini(struct plain *plain)
{
    tmap_contest_fini(&plain->contest);
    tmap_tree_destroy(plain->tree);
}

/* Few roles and effort strong: nothing is left out because it is unlikely to win. */
static int is_thorough(const struct tmap_problem *problem)
{
    return problem->matrix->roles <= TMAP_FEW_ROLES || problem->effort == TMAP_EFFORT_STRONG;
}

/* Lets the mappings of the plain tree compete on the network. */
static enum tmap_status try_plain(struct tmap_contest *contest, struct plain *plain,
                                  enum tmap_effort level)
{
    enum tmap_status status = tmap_contest_run(&plain->contest, level);
    if (status == TMAP_OK)
        status = tmap_contest_cost(contest, plain->contest.best, &plain->cost);
    if (status != TMAP_OK || plain->cost >= contest->best_cost)
        return status;
    memcpy(contest->best, plain->contest.best,
           sizeof *contest->best * (size_t)contest->problem->matrix->roles);
    contest->best_cost = plain->cost;
    return status;
}

/* Returns 1 if more effort for the plain tree could pay. It makes mappings a few percent cheaper,
 * so one that is far behind stays there. */
static int has_chance(const struct tmap_contest *contest, const struct plain *plain)
{
    return is_thorough(contest->problem) || plain->cost <= BEHIND * contest->best_cost;
}

/* The smallest length of a path between the children of an object, at most 1. */
static double shortest_path(const struct tmap_tree *tree)
{
    double shortest = 1;
    for (int level = 0; level < tree->depth; level++)
        if (tree->interconnect[level] && tree->interconnect[level]->shortest < shortest)
            shortest = tree->interconnect[level]->shortest;
    return shortest;
}

/* Returns 1 if a grid has been embedded so well that it costs no more on the network than on the
 * plain tree, where a path is one hop, the best that was found there: then hardly anything is left
 * to gain. */
static int is_ideal(const struct tmap_contest *contest, const struct plain *plain)
{
    return !is_thorough(contest->problem) &&
           contest->best_cost <=
               IDEAL * shortest_path(contest->problem->tree) * plain->contest.best_cost;
}

/* The results of all efforts up to the requested one compete, so more effort never costs more. */
static enum tmap_status run_all(struct tmap_contest *contest, struct plain *plain)
{
    const int last = (int)contest->problem->effort;
    int is_grid = 0, done = 0;
    enum tmap_status status = plain ? try_grid(contest, &is_grid, &done) : TMAP_OK;
    for (int level = TMAP_EFFORT_FAST; level <= last && status == TMAP_OK && !done; level++) {
        status = tmap_contest_run(contest, (enum tmap_effort)level);
        if (status == TMAP_OK && plain && has_chance(contest, plain))
            status = try_plain(contest, plain, (enum tmap_effort)level);
        done = is_grid && is_ideal(contest, plain);
    }
    return status;
}

/* ---- Uniform patterns ---- */

/* Returns 1 if all pairs exchange about the same and no slot stays empty, so that no mapping costs
 * less than `slot_of` by more than UNIFORM of it: of the least weight, every mapping makes the same
 * cost, and what is above it could at most become free. */
static int is_uniform(const struct tmap_problem *problem, const int32_t *slot_of)
{
    const struct tmap_matrix *matrix = problem->matrix;
    const size_t roles = (size_t)matrix->roles, ends = matrix->is_dense ? 0 : matrix->start[roles];
    uint64_t least = UINT64_MAX;
    struct tmap_cost cost = {0};
    if (ends != roles * (roles - 1) || problem->tree->total_capacity != matrix->roles)
        return 0;
    for (size_t e = 0; e < ends; e++)
        least = matrix->weight[e] < least ? matrix->weight[e] : least;
    const double above = (double)matrix->total - (double)least * (double)(ends / 2);
    if (above == 0 || roles < UNIFORM_ROLES || tmap_has_networks(problem->tree))
        return above == 0;
    return tmap_mapping_evaluate(matrix, problem->tree, slot_of, &cost, NULL) == TMAP_OK &&
           above * problem->tree->level[0].cost <= UNIFORM * cost.cost;
}

static enum tmap_status map_sparse(const struct tmap_problem *problem, int32_t *slot_of)
{
    size_t roles = (size_t)problem->matrix->roles;
    const int networks = tmap_has_networks(problem->tree);
    struct tmap_contest contest;
    struct plain plain = {.tree = NULL};
    enum tmap_status status = tmap_contest_init(&contest, problem);
    if (status == TMAP_OK && networks)
        status = plain_init(&plain, problem);
    if (status == TMAP_OK)
        status = run_all(&contest, networks ? &plain : NULL);
    if (status == TMAP_OK)
        status = tmap_try_all(problem, contest.best);
    if (status == TMAP_OK)
        memcpy(slot_of, contest.best, sizeof *slot_of * roles);
    tmap_contest_fini(&contest);
    plain_fini(&plain);
    return status;
}

/* ---- Dense patterns ---- */

static int is_dense(const struct tmap_matrix *matrix)
{
    size_t roles = (size_t)matrix->roles;
    return matrix->is_dense ||
           (roles > 4 * TMAP_FEW_ROLES && matrix->start[roles] > (size_t)MANY_PARTNERS * roles);
}

static enum tmap_status map_few(const struct tmap_problem *problem, int32_t *slot_of,
                                struct tmap_error *error)
{
    (void)error;
    return map_sparse(problem, slot_of);
}

static enum tmap_status map_likeness(const struct tmap_problem *problem, enum tmap_effort effort,
                                     int32_t *slot_of)
{
    static const int partners[] = {64, 128, 256};
    struct tmap_problem sparse = *problem;
    struct tmap_matrix *thin = tmap_matrix_thin(problem->matrix, partners[effort], problem->seed);
    if (!thin)
        return TMAP_ENOMEM;
    sparse.matrix = thin;
    sparse.effort = effort;
    enum tmap_status status = map_sparse(&sparse, slot_of);
    tmap_matrix_destroy(thin);
    return status;
}

/* An approximation may mislead, even a better one more than a worse one; so all that the effort
 * allows are tried. */
static enum tmap_status try_likenesses(struct tmap_contest *contest)
{
    enum tmap_status status = TMAP_OK;
    for (int e = TMAP_EFFORT_FAST; e <= (int)contest->problem->effort && status == TMAP_OK; e++) {
        status = map_likeness(contest->problem, (enum tmap_effort)e, contest->tried);
        if (status == TMAP_OK)
            status = tmap_contest_judge(contest);
    }
    return status;
}

/* The grouping is the same with any effort; the groups are mapped by map_sparse. */
static enum tmap_status try_groups(struct tmap_contest *contest)
{
    enum tmap_status status = tmap_map_grouped(contest->problem, map_few, contest->tried);
    return status == TMAP_OK ? tmap_contest_judge(contest) : status;
}

/* The whole matrix is read to compare the result with the simplest methods; only with effort strong
 * also to improve it, which gains little. */
static enum tmap_status map_dense(const struct tmap_problem *problem, int32_t *slot_of)
{
    static tmap_method_fn *const methods[] = {tmap_method_packed, tmap_method_roundrobin};
    struct tmap_contest contest = {.problem = problem, .best_cost = INFINITY};
    size_t roles = (size_t)problem->matrix->roles;
    enum tmap_status status = TMAP_ENOMEM;
    contest.best = tmap_new(roles, sizeof *contest.best);
    contest.tried = tmap_new(roles, sizeof *contest.tried);
    if (!contest.best || !contest.tried)
        goto out;
    status = problem->tree->uniform ? try_groups(&contest) : try_likenesses(&contest);
    for (int i = 0; i < 2 && status == TMAP_OK; i++) {
        status = methods[i](problem, contest.tried, NULL);
        if (status == TMAP_OK)
            status = tmap_contest_judge(&contest);
    }
    contest.swaps = (struct tmap_swaps){8, 16, MATRIX_READINGS, NULL, 0, 0};
    if (status == TMAP_OK && problem->effort == TMAP_EFFORT_STRONG)
        status = tmap_contest_improve(&contest, contest.best);
    if (status == TMAP_OK)
        memcpy(slot_of, contest.best, sizeof *slot_of * roles);
out:
    free(contest.best);
    free(contest.tried);
    return status;
}

enum tmap_status tmap_method_multilevel(const struct tmap_problem *problem, int32_t *slot_of,
                                        struct tmap_error *error)
{
    enum tmap_status status = tmap_method_packed(problem, slot_of, error);
    if (status != TMAP_OK || is_uniform(problem, slot_of))
        return status;
    status = is_dense(problem->matrix) ? map_dense(problem, slot_of) : map_sparse(problem, slot_of);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}
