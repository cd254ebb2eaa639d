/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contest.c - see contest.h. What an effort means is in choose_effort: how many divisions, how
 * careful each of them is, and how many exchanges follow; and how long the best mapping of all is
 * disturbed and repaired (disturb.c). Time per division about O(pairs x levels of bisection),
 * memory O(pairs).
 */
#include "treematch/multilevel/contest.h"

#include "treematch/grouping/treematch.h"
#include "treematch/model/interconnect.h"
#include "treematch/layout/baselines.h"

#include <math.h>
#include <pthread.h>

/* A simple mapping may cost this many times what the best division does to be improved. */
#define CHANCE 1.02

/* When this many divisions cost exactly what the best one does, others will not be better. */
enum { AGREEMENT = 2 };

enum tmap_status tmap_contest_cost(const struct tmap_contest *contest, const int32_t *slot_of,
                                   double *cost)
{
    struct tmap_cost all;
    const struct tmap_problem *problem = contest->problem;
    enum tmap_status status =
        tmap_mapping_evaluate(problem->matrix, problem->tree, slot_of, &all, NULL);
    if (status == TMAP_OK)
        *cost = all.cost;
    return status;
}

enum tmap_status tmap_contest_judge(struct tmap_contest *contest)
{
    double cost = 0;
    enum tmap_status status = tmap_contest_cost(contest, contest->tried, &cost);
    if (status == TMAP_OK && cost < contest->best_cost) {
        int32_t *swapped = contest->best;
        contest->best = contest->tried;
        contest->tried = swapped;
        contest->best_cost = cost;
        contest->agreeing = 0;
    } else if (status == TMAP_OK && cost == contest->best_cost) {
        contest->agreeing++;
    }
    return status;
}

enum tmap_status tmap_contest_improve(struct tmap_contest *contest, int32_t *slot_of)
{
    return tmap_improve(contest->problem->matrix, contest->problem->tree, &contest->swaps, slot_of);
}

/* ---- Candidates ---- */

/* The best of the simple methods, as far as they cost less than `limit`. With effort fast, large
 * jobs go without TreeMatch, which would take a third of the time. */
static enum tmap_status ask_simple_methods(struct tmap_contest *contest, enum tmap_effort effort,
                                           double limit)
{
    static tmap_method_fn *const methods[] = {tmap_method_packed, tmap_method_roundrobin};
    const size_t roles = (size_t)contest->problem->matrix->roles;
    const int count = effort == TMAP_EFFORT_FAST && roles > TMAP_FEW_ROLES ? 2 : 3;
    struct tmap_set_choice choice = {.is_start = 1, .limit = limit};
    enum tmap_status status = TMAP_OK;
    double cost = 0;
    for (; contest->simple.asked < count && status == TMAP_OK; contest->simple.asked++) {
        int32_t *found = contest->improved.slot_of;
        status = contest->simple.asked < 2
                     ? methods[contest->simple.asked](contest->problem, found, NULL)
                     : tmap_treematch_below(contest->problem, &choice, found);
        contest->simple.differs = choice.differs;
        if (status != TMAP_OK || choice.is_dearer)
            continue;
        status = tmap_contest_cost(contest, found, &cost);
        if (status == TMAP_OK && cost < contest->simple.cost) {
            contest->simple.cost = cost;
            memcpy(contest->simple.slot_of, found, sizeof *contest->simple.slot_of * roles);
        }
    }
    return status;
}

/* The same, improved if it has a chance against a division that costs `divided`. */
static enum tmap_status improve_simple_methods(struct tmap_contest *contest,
                                               enum tmap_effort effort, double divided)
{
    const size_t roles = (size_t)contest->problem->matrix->roles;
    enum tmap_status status = ask_simple_methods(contest, effort, CHANCE * divided);
    if (status != TMAP_OK || contest->simple.cost >= CHANCE * divided || contest->improved.is_done)
        return status;
    memcpy(contest->improved.slot_of, contest->simple.slot_of,
           sizeof *contest->improved.slot_of * roles);
    contest->improved.is_done = 1;
    return tmap_contest_improve(contest, contest->improved.slot_of);
}

/* Enter the same if it has a chance against the best division; and TreeMatch, where that is not
 * what it was a start for: the result shall not be dearer. */
static enum tmap_status try_simple_methods(struct tmap_contest *contest, enum tmap_effort effort)
{
    const double divided = contest->best_cost;
    enum tmap_status status = improve_simple_methods(contest, effort, divided);
    if (status == TMAP_OK && contest->simple.cost < CHANCE * divided) {
        int32_t *swapped = contest->tried;
        contest->tried = contest->improved.slot_of;
        contest->improved.slot_of = swapped;
        status = tmap_contest_judge(contest);
    }
    contest->improved.is_done = 0;
    if (status == TMAP_OK && contest->simple.differs) {
        struct tmap_set_choice choice = {.limit = contest->best_cost};
        contest->simple.differs = 0;
        status = tmap_treematch_below(contest->problem, &choice, contest->tried);
        if (status == TMAP_OK && !choice.is_dearer)
            status = tmap_contest_judge(contest);
    }
    return status;
}

/* ---- Improving a division and a simple mapping at the same time ---- */

struct contest_errand {
    struct tmap_contest *contest;
    enum tmap_effort effort;
    double divided;
    enum tmap_status status;
};

static void *contest_run_errand(void *argument)
{
    struct contest_errand *errand = argument;
    errand->status = improve_simple_methods(errand->contest, errand->effort, errand->divided);
    return NULL;
}

static int has_free_thread(const struct tmap_problem *problem)
{
    return problem->threads > 1 && problem->matrix->roles > TMAP_FEW_ROLES;
}

/* Improve contest->tried, the last division of an effort. The simple methods come next, with what
 * has a chance against it; where a thread is free, it does them meanwhile. Nothing has a chance
 * later that has none before the division is improved, so the result is the same; at worst one
 * improvement was done for nothing. */
static enum tmap_status improve_last_division(struct tmap_contest *contest, enum tmap_effort effort)
{
    struct contest_errand errand = {.contest = contest, .effort = effort};
    pthread_t thread;
    enum tmap_status status = tmap_contest_cost(contest, contest->tried, &errand.divided);
    if (status != TMAP_OK)
        return status;
    int failed = pthread_create(&thread, NULL, contest_run_errand, &errand);
    status = tmap_contest_improve(contest, contest->tried);
    if (!failed)
        pthread_join(thread, NULL);
    return status == TMAP_OK ? errand.status : status;
}

/* ---- Divisions ---- */

/* Divide the machine in one of its two arrangements, if it has networks. The result is
 * contest->tried. */
static enum tmap_status find_division(struct tmap_contest *contest,
                                      const struct tmap_arrangement *arrangement)
{
    struct tmap_division *d = &contest->division;
    d->slot_of = contest->tried;
    d->tree = arrangement->tree;
    d->compact = arrangement->compact.tree ? &arrangement->compact : NULL;
    d->units_before = arrangement->units_before;
    enum tmap_status status = tmap_divide(d);
    for (int32_t role = 0; d->compact && status == TMAP_OK && role < d->matrix->roles; role++)
        d->slot_of[role] = d->compact->slot_of[d->slot_of[role]];
    return status;
}

/* With so many roles there is time for a repeat more of each bisection and more disturbances: with
 * fewer, it is short, and with more, it is long anyway. */
enum { LEAST_LARGE = 3000, MOST_LARGE = 1 << 14 };

/* An effort in numbers. Restarts are whole divisions, attempts those of objects with more than two
 * children; repeats and cycles belong to each bisection, where choosing the best pays most. Small
 * problems can afford more of everything; if roles have more than 64 partners, fewer repeats are as
 * good. Up to TMAP_FEW_ROLES, whole divisions pay more than repeats in them. On a machine whose
 * nodes cost far more than what is in them, disturbances pay more than anything else. */
struct effort {
    int restarts, attempts, repeats, agreement, cycles, tries, passes, patience;
    double disturbance; /* of the result: how often the matrix may be read for that */
    struct tmap_swaps swaps;
};

static struct effort choose_effort(const struct tmap_problem *problem, enum tmap_effort level)
{
    const struct tmap_matrix *matrix = problem->matrix;
    static const struct effort efforts[] = {
        {1, 0, 2, 0, 0, 2, 2, 30, 0, {0}},
        {1, 1, 2, 0, 1, 4, 4, 100, 600, {.worth = 15e-4}},
        {4, 1, 6, 0, 1, 8, 8, 300, 600, {.worth = 1e-4}},
    };
    struct effort effort = efforts[level];
    effort.swaps = tmap_swaps_for(level);
    effort.swaps.worth = efforts[level].swaps.worth;
    size_t roles = (size_t)matrix->roles, ends = matrix->start[roles];
    const int is_large = roles >= LEAST_LARGE && roles <= MOST_LARGE;
    if (level == TMAP_EFFORT_FAST)
        return effort;
    if (level == TMAP_EFFORT_DEFAULT) {
        effort.repeats += is_large;
        if (is_large || (tmap_is_steep(problem->tree) && !tmap_has_networks(problem->tree)))
            effort.disturbance *= 2;
    }
    if (ends > 64 * roles) {
        effort.repeats = (effort.repeats + 3) / 4;
        effort.cycles = 0;
        effort.tries /= 2;
        effort.swaps.budget /= 4;
        effort.disturbance /= 4;
    } else if (roles <= TMAP_FEW_ROLES) {
        effort.restarts *= 4;
        effort.attempts = level == TMAP_EFFORT_DEFAULT ? 6 : 3;
        effort.repeats = (effort.repeats + 3) / 4;
        effort.cycles = 0;
        effort.disturbance = level == TMAP_EFFORT_DEFAULT ? 960 : 2400;
        effort.swaps.worth = 1e-5;
    } else if (ends > 8 * roles) {
        effort.cycles = 0;
        effort.disturbance /= 2;
    } else {
        effort.agreement = 2;
    }
    return effort;
}

/* Disturb the best mapping so far and repair it, within this many readings of the matrix. */
static enum tmap_status disturb_best(struct tmap_contest *contest, double readings)
{
    if (readings <= 0)
        return TMAP_OK;
    contest->swaps.disturbance = readings;
    memcpy(contest->tried, contest->best,
           sizeof *contest->tried * (size_t)contest->problem->matrix->roles);
    enum tmap_status status = tmap_contest_improve(contest, contest->tried);
    contest->swaps.disturbance = 0;
    return status == TMAP_OK ? tmap_contest_judge(contest) : status;
}

enum tmap_status tmap_contest_run(struct tmap_contest *contest, enum tmap_effort level)
{
    struct effort effort = choose_effort(contest->problem, level);
    struct tmap_division *d = &contest->division;
    struct tmap_random random;
    enum tmap_status status = TMAP_OK;
    d->attempts = effort.attempts;
    d->bisection.repeats = effort.repeats;
    d->bisection.agreement = effort.agreement;
    d->bisection.cycles = effort.cycles;
    d->bisection.tries = effort.tries;
    d->bisection.passes = effort.passes;
    d->bisection.patience = effort.patience;
    contest->swaps = effort.swaps;
    tmap_random_init(&random, contest->problem->seed);
    contest->agreeing = 0;
    for (int i = 0; i < effort.restarts && contest->agreeing < AGREEMENT && status == TMAP_OK;
         i++) {
        d->seed = tmap_random_next(&random);
        status = find_division(contest, &contest->arrangement[i % contest->arrangements]);
        if (status == TMAP_OK)
            status = i + 1 == effort.restarts && has_free_thread(contest->problem)
                         ? improve_last_division(contest, level)
                         : tmap_contest_improve(contest, contest->tried);
        if (status == TMAP_OK)
            status = tmap_contest_judge(contest);
    }
    if (status == TMAP_OK)
        status = try_simple_methods(contest, level);
    return status == TMAP_OK ? disturb_best(contest, effort.disturbance) : status;
}

/* ---- The machine ---- */

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

int tmap_has_networks(const struct tmap_tree *tree)
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
static enum tmap_status contest_arrange(struct tmap_contest *contest)
{
    const struct tmap_problem *problem = contest->problem;
    int networks = tmap_has_networks(problem->tree), wanted = 1;
    if (has_closed_rings(problem->tree) && choose_effort(problem, problem->effort).restarts > 1)
        wanted = TMAP_COMPACT_KINDS;
    for (; contest->arrangements < wanted; contest->arrangements++) {
        struct tmap_arrangement *a = &contest->arrangement[contest->arrangements];
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

enum tmap_status tmap_contest_init(struct tmap_contest *contest, const struct tmap_problem *problem)
{
    size_t roles = (size_t)problem->matrix->roles;
    *contest = (struct tmap_contest){
        .problem = problem, .best_cost = INFINITY, .simple = {.cost = INFINITY}};
    contest->division =
        (struct tmap_division){.matrix = problem->matrix, .threads = problem->threads};
    contest->division.order = tmap_new(roles, sizeof *contest->division.order);
    contest->best = tmap_new(roles, sizeof *contest->best);
    contest->tried = tmap_new(roles, sizeof *contest->tried);
    contest->simple.slot_of = tmap_new(roles, sizeof *contest->simple.slot_of);
    contest->improved.slot_of = tmap_new(roles, sizeof *contest->improved.slot_of);
    if (!contest->division.order || !contest->best || !contest->tried || !contest->simple.slot_of ||
        !contest->improved.slot_of)
        return TMAP_ENOMEM;
    return contest_arrange(contest);
}

void tmap_contest_fini(struct tmap_contest *contest)
{
    for (int i = 0; i < contest->arrangements; i++) {
        tmap_compact_fini(&contest->arrangement[i].compact);
        free(contest->arrangement[i].units_before);
    }
    free(contest->division.order);
    free(contest->best);
    free(contest->tried);
    free(contest->simple.slot_of);
    free(contest->improved.slot_of);
}
