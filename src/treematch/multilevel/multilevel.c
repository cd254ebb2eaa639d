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
 * taken, so it is never worse than any of them, nor than what a smaller effort would find. Before
 * all that, a pattern that is a grid is put on a machine that is one (grid-embedding.c); if that is
 * as good as any mapping can be, it is all that is done. On networks, a few roles are finally tried in
 * all ways (exhaustive.c).
 *
 * Time per start about O(pairs x levels of bisection), memory O(pairs).
 */
#include "treematch/multilevel/division.h"
#include "treematch/improve/exhaustive.h"
#include "treematch/improve/swaps.h"
#include "treematch/grouping/treematch.h"
#include "treematch/model/interconnect.h"
#include "treematch/multilevel/grid-embedding.h"

#include <math.h>
/* Up to this many roles, everything that the effort allows is done. */
enum { SMALL = 512 };

/* Large patterns with more partners a role than this, on average, are mapped by a sparse
 * approximation (thin.c). */
enum { MANY = 256 };

/* How often all of a dense matrix may be read to improve its mapping, with effort strong. */
enum { READINGS = 20 };

/* ---- Starts ---- */

/* A machine as it is divided. */
struct arrangement {
    struct tmap_compact compact; /* only if it has networks */
    const struct tmap_tree *tree;
    int64_t *units_before; /* by slot of the tree, slots + 1: capacity to its left */
};

struct contest {
    const struct tmap_problem *problem;
    struct arrangement arrangement[TMAP_COMPACT_KINDS];
    int arrangements;
    struct tmap_swaps swaps;
    int32_t *best, *tried;
    double best_cost;
    int32_t *simple; /* the best of the first `asked` simple methods, before it is improved */
    double simple_cost;
    int asked;
};

static enum tmap_status cost_of(const struct contest *contest, const int32_t *slot_of, double *cost)
{
    struct tmap_cost all;
    const struct tmap_problem *problem = contest->problem;
    enum tmap_status status =
        tmap_mapping_evaluate(problem->matrix, problem->tree, slot_of, &all, NULL);
    if (status == TMAP_OK)
        *cost = all.cost;
    return status;
}

/* Keep contest->tried if it is the best so far. */
static enum tmap_status contest_judge(struct contest *contest)
{
    double cost = 0;
    enum tmap_status status = cost_of(contest, contest->tried, &cost);
    if (status == TMAP_OK && cost < contest->best_cost) {
        int32_t *swapped = contest->best;
        contest->best = contest->tried;
        contest->tried = swapped;
        contest->best_cost = cost;
    }
    return status;
}

static enum tmap_status contest_improve(struct contest *contest, int32_t *slot_of)
{
    return tmap_improve(contest->problem->matrix, contest->problem->tree, &contest->swaps, slot_of);
}

/* The best of the simple methods. With effort fast, large jobs go without TreeMatch, which would
 * take a third of the time. */
static enum tmap_status ask_simple_methods(struct contest *contest, enum tmap_effort effort)
{
    static tmap_method_fn *const methods[] = {tmap_method_packed, tmap_method_roundrobin,
                                              tmap_method_treematch};
    const size_t roles = (size_t)contest->problem->matrix->roles;
    const int count = effort == TMAP_EFFORT_FAST && roles > SMALL ? 2 : 3;
    enum tmap_status status = TMAP_OK;
    double cost = 0;
    for (; contest->asked < count && status == TMAP_OK; contest->asked++) {
        status = methods[contest->asked](contest->problem, contest->tried, NULL);
        if (status == TMAP_OK)
            status = cost_of(contest, contest->tried, &cost);
        if (status == TMAP_OK && cost < contest->simple_cost) {
            contest->simple_cost = cost;
            memcpy(contest->simple, contest->tried, sizeof *contest->simple * roles);
        }
    }
    return status;
}

/* The same, improved, if it has a chance against the best division. */
static enum tmap_status try_simple_methods(struct contest *contest, enum tmap_effort effort)
{
    const size_t roles = (size_t)contest->problem->matrix->roles;
    double divided = contest->best_cost;
    enum tmap_status status = ask_simple_methods(contest, effort);
    if (status == TMAP_OK && contest->simple_cost < 1.1 * divided) {
        memcpy(contest->tried, contest->simple, sizeof *contest->simple * roles);
        status = contest_improve(contest, contest->tried);
        if (status == TMAP_OK)
            status = contest_judge(contest);
    }
    return status;
}

/* Divide the machine in one of its two arrangements, if it has networks. */
static enum tmap_status try_division(struct contest *contest, struct tmap_division *d,
                                     const struct arrangement *arrangement)
{
    d->slot_of = contest->tried;
    d->tree = arrangement->tree;
    d->compact = arrangement->compact.tree ? &arrangement->compact : NULL;
    d->units_before = arrangement->units_before;
    enum tmap_status status = tmap_divide(d);
    for (int32_t role = 0; d->compact && status == TMAP_OK && role < d->matrix->roles; role++)
        d->slot_of[role] = d->compact->slot_of[d->slot_of[role]];
    if (status == TMAP_OK)
        status = contest_improve(contest, contest->tried);
    return status == TMAP_OK ? contest_judge(contest) : status;
}

/* What the effort means. Restarts are whole divisions; repeats and cycles belong to each bisection,
 * where choosing the best pays most. Small problems can afford more of everything; if roles have
 * many partners, fewer repeats are as good. */
struct effort {
    int restarts, repeats, agreement, cycles, tries, passes, patience;
    struct tmap_swaps swaps;
};

static struct effort choose_effort(const struct tmap_matrix *matrix, enum tmap_effort level)
{
    static const struct effort efforts[] = {
        {1, 1, 0, 0, 2, 2, 30, {0}},
        {1, 4, 0, 1, 4, 4, 100, {0}},
        {4, 8, 0, 3, 8, 8, 300, {0}},
    };
    struct effort effort = efforts[level];
    effort.swaps = tmap_swaps_for(level);
    size_t roles = (size_t)matrix->roles, ends = matrix->start[roles];
    if (level == TMAP_EFFORT_FAST)
        return effort;
    if (roles <= 256)
        effort.restarts *= 4;
    else if (roles <= SMALL)
        effort.restarts *= 2;
    else if (ends > 64 * roles) {
        effort.repeats /= 4;
        effort.cycles = 0;
        effort.tries /= 2;
        effort.swaps.budget /= 4;
    } else if (ends > 8 * roles) {
        effort.repeats /= 2;
        effort.cycles = 0;
    } else {
        effort.repeats += effort.repeats / 2;
        effort.agreement = 2;
    }
    return effort;
}

static enum tmap_status run_effort(struct contest *contest, struct tmap_division *d,
                                   enum tmap_effort level)
{
    struct effort effort = choose_effort(contest->problem->matrix, level);
    struct tmap_random random;
    enum tmap_status status = TMAP_OK;
    d->bisection.repeats = effort.repeats;
    d->bisection.agreement = effort.agreement;
    d->bisection.cycles = effort.cycles;
    d->bisection.tries = effort.tries;
    d->bisection.passes = effort.passes;
    d->bisection.patience = effort.patience;
    contest->swaps = effort.swaps;
    tmap_random_init(&random, contest->problem->seed);
    for (int i = 0; i < effort.restarts && status == TMAP_OK; i++) {
        d->seed = tmap_random_next(&random);
        status = try_division(contest, d, &contest->arrangement[i % contest->arrangements]);
    }
    return status == TMAP_OK ? try_simple_methods(contest, level) : status;
}

/* What a mapping costs at least: all roles are on different slots, each at the smallest distance from
 * its partners. 0 if slots hold several roles. */
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
static enum tmap_status try_grid(struct contest *contest, int *done)
{
    int found;
    enum tmap_status status = tmap_grid_embed(contest->problem, contest->tried, &found);
    *done = 0;
    if (status != TMAP_OK || !found)
        return status;
    status = contest_judge(contest);
    *done = contest->best_cost <= least_cost(contest->problem) * (1 + 1e-12);
    if (status != TMAP_OK || *done)
        return status;
    contest->swaps = tmap_swaps_for(contest->problem->effort);
    memcpy(contest->tried, contest->best,
           sizeof *contest->tried * (size_t)contest->problem->matrix->roles);
    status = contest_improve(contest, contest->tried);
    return status == TMAP_OK ? contest_judge(contest) : status;
}

/* The results of all efforts up to the requested one compete, so more effort never costs more. */
static enum tmap_status contest_run(struct contest *contest, struct tmap_division *d)
{
    int done;
    enum tmap_status status = try_grid(contest, &done);
    for (int level = TMAP_EFFORT_FAST;
         level <= (int)contest->problem->effort && status == TMAP_OK && !done; level++)
        status = run_effort(contest, d, (enum tmap_effort)level);
    return status;
}

static int64_t *count_units(const struct tmap_tree *tree)
{
    int32_t slots = tree->count[tree->depth];
    int64_t *before = tmap_new((size_t)slots + 1, sizeof *before);
    if (!before)
        return NULL;
    before[0] = 0;
    for (int32_t slot = 0; slot < slots; slot++)
        before[slot + 1] = before[slot] + tree->capacity[slot];
    return before;
}

static int has_networks(const struct tmap_tree *tree)
{
    int level = 0;
    while (level < tree->depth && !tree->interconnect[level])
        level++;
    return level < tree->depth;
}

static int has_closed_rings(const struct tmap_tree *tree)
{
    int level = 0;
    while (level < tree->depth && (!tree->interconnect[level] ||
                                   tree->interconnect[level]->shape.kind != TMAP_SHAPE_TORUS))
        level++;
    return level < tree->depth;
}

/* A plain tree is divided as it is; one with toruses in several arrangements, if it is divided more
 * than once. */
static enum tmap_status arrange(struct contest *contest)
{
    const struct tmap_problem *problem = contest->problem;
    int networks = has_networks(problem->tree), wanted = 1;
    if (has_closed_rings(problem->tree) &&
        choose_effort(problem->matrix, problem->effort).restarts > 1)
        wanted = TMAP_COMPACT_KINDS;
    for (; contest->arrangements < wanted; contest->arrangements++) {
        struct arrangement *a = &contest->arrangement[contest->arrangements];
        enum tmap_compact_kind kind = (enum tmap_compact_kind)contest->arrangements;
        if (networks && tmap_compact_init(&a->compact, problem->tree, kind))
            return TMAP_ENOMEM;
        a->tree = networks ? a->compact.tree : problem->tree;
        a->units_before = count_units(a->tree);
        if (!a->units_before) {
            tmap_compact_fini(&a->compact);
            return TMAP_ENOMEM;
        }
    }
    return TMAP_OK;
}

static enum tmap_status map_sparse(const struct tmap_problem *problem, int32_t *slot_of);

/* The machine as a plain tree is a start, too: with traffic that does not suit the network, to see
 * only levels may be better. */
static enum tmap_status try_plain_tree(struct contest *contest)
{
    struct tmap_problem plain = *contest->problem;
    struct tmap_tree *tree;
    enum tmap_status status = tmap_tree_copy_plain(&tree, plain.tree);
    if (status != TMAP_OK)
        return status;
    plain.tree = tree;
    status = map_sparse(&plain, contest->tried);
    tmap_tree_destroy(tree);
    return status == TMAP_OK ? contest_judge(contest) : status;
}

static enum tmap_status map_sparse(const struct tmap_problem *problem, int32_t *slot_of)
{
    size_t roles = (size_t)problem->matrix->roles;
    struct contest contest = {.problem = problem, .best_cost = INFINITY, .simple_cost = INFINITY};
    struct tmap_division d = {.matrix = problem->matrix, .threads = problem->threads};
    enum tmap_status status = arrange(&contest);
    d.order = tmap_new(roles, sizeof *d.order);
    contest.best = tmap_new(roles, sizeof *contest.best);
    contest.tried = tmap_new(roles, sizeof *contest.tried);
    contest.simple = tmap_new(roles, sizeof *contest.simple);
    if (!d.order || !contest.best || !contest.tried || !contest.simple)
        status = TMAP_ENOMEM;
    if (status == TMAP_OK)
        status = contest_run(&contest, &d);
    if (status == TMAP_OK && has_networks(problem->tree))
        status = try_plain_tree(&contest);
    if (status == TMAP_OK && has_networks(problem->tree))
        status = tmap_try_all(problem->matrix, problem->tree, contest.best);
    if (status == TMAP_OK)
        memcpy(slot_of, contest.best, sizeof *slot_of * roles);
    for (int i = 0; i < contest.arrangements; i++) {
        tmap_compact_fini(&contest.arrangement[i].compact);
        free(contest.arrangement[i].units_before);
    }
    free(d.order);
    free(contest.best);
    free(contest.tried);
    free(contest.simple);
    return status;
}

/* ---- Dense patterns ---- */

static int is_dense(const struct tmap_matrix *matrix)
{
    size_t roles = (size_t)matrix->roles;
    return matrix->is_dense || (roles > 4 * SMALL && matrix->start[roles] > (size_t)MANY * roles);
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
static enum tmap_status try_likenesses(struct contest *contest)
{
    enum tmap_status status = TMAP_OK;
    for (int e = TMAP_EFFORT_FAST; e <= (int)contest->problem->effort && status == TMAP_OK; e++) {
        status = map_likeness(contest->problem, (enum tmap_effort)e, contest->tried);
        if (status == TMAP_OK)
            status = contest_judge(contest);
    }
    return status;
}

/* The grouping is the same with any effort; the groups are mapped by map_sparse. */
static enum tmap_status try_groups(struct contest *contest)
{
    enum tmap_status status = tmap_map_grouped(contest->problem, map_few, contest->tried);
    return status == TMAP_OK ? contest_judge(contest) : status;
}

/* The whole matrix is read to compare the result with the simplest methods; only with effort strong
 * also to improve it, which gains little. */
static enum tmap_status map_dense(const struct tmap_problem *problem, int32_t *slot_of)
{
    static tmap_method_fn *const methods[] = {tmap_method_packed, tmap_method_roundrobin};
    struct contest contest = {.problem = problem, .best_cost = INFINITY};
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
            status = contest_judge(&contest);
    }
    contest.swaps = (struct tmap_swaps){8, 16, READINGS, NULL};
    if (status == TMAP_OK && problem->effort == TMAP_EFFORT_STRONG)
        status = contest_improve(&contest, contest.best);
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
    enum tmap_status status =
        is_dense(problem->matrix) ? map_dense(problem, slot_of) : map_sparse(problem, slot_of);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}
