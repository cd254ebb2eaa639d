/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * multilevel.c - the method `multilevel`: top down along the tree, then exchanges.
 *
 * From the root: the roles of an object are divided among its children so that little traffic
 * crosses, with exact sizes; k children by bisecting the range of children again and again, the
 * roles in proportion (bisect.c). An object whose children are slots for one role each needs no
 * division: they are all equally far apart. Where units are more than roles, a side may take any
 * number that both sides have room for, and the bisection chooses; what fits into one side as a
 * whole goes there. Then the whole mapping is improved on the true objective (swaps.c).
 *
 * That is done from several seeds, and the other simple methods are starts as well: identity,
 * round robin, and TreeMatch, which shines where the pattern is hierarchical. The best is taken, so
 * the result is never worse than any of them.
 *
 * Time per start about O(pairs x levels of bisection), memory O(pairs).
 */
#include "bisect.h"
#include "swaps.h"
#include "treematch.h"

#include <math.h>

enum { STACK = 32 * 33 };

/* Up to so many roles all that the effort allows is done. */
enum { SMALL = 512 };

/* Large patterns with more partners a role than this, in the mean, are mapped by a likeness. */
enum { MANY = 256 };

/* How often the whole of a dense matrix may be read to improve its mapping with effort strong. */
enum { READINGS = 20 };

/* Where parting costs so much less than at the root, fewer repeats of a bisection will do. */
enum { CHEAP = 2 };

/* The roles order[begin] .. order[end - 1] go to the objects first .. last-1 of `level`. */
struct task {
    int level;
    int32_t first, last, begin, end;
};

struct division {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    struct tmap_bisection bisection;
    int64_t *units_before; /* by slot, slots + 1: capacity to its left */
    int32_t *order;        /* roles; those of a task stand together */
    int32_t *local;        /* by role: index in the present graph, -1: not in it */
    int32_t *slot_of;
};

static int64_t units(const struct division *d, int level, int32_t first, int32_t last)
{
    const int32_t *first_slot = d->tree->first_slot[level];
    return d->units_before[first_slot[last]] - d->units_before[first_slot[first]];
}

/* All roles in order: the matrix itself, without a copy. */
static int is_everything(const struct division *d, const struct task *task)
{
    int32_t role = 0, roles = d->matrix->roles;
    if (task->end - task->begin != roles)
        return 0;
    while (role < roles && d->order[role] == role)
        role++;
    return role == roles;
}

static void take_matrix(const struct tmap_matrix *matrix, struct tmap_graph *graph)
{
    *graph = (struct tmap_graph){.n = matrix->roles, .largest = 1};
    graph->start = matrix->start;
    graph->target = matrix->partner;
    graph->weight = matrix->weight;
}

/* The graph of the roles of a task. */
static enum tmap_status extract(struct division *d, const struct task *task,
                                struct tmap_graph *graph)
{
    const struct tmap_matrix *matrix = d->matrix;
    struct tmap_arena *arena = d->bisection.arena;
    const int32_t *order = d->order + task->begin;
    size_t edges = 0, n = (size_t)(task->end - task->begin);
    if (is_everything(d, task)) {
        take_matrix(matrix, graph);
        return TMAP_OK;
    }
    *graph = (struct tmap_graph){.n = (int32_t)n, .largest = 1};
    for (size_t i = 0; i < n; i++)
        edges += matrix->start[order[i] + 1] - matrix->start[order[i]];
    size_t *start = tmap_arena_take(arena, n + 1, sizeof *start);
    int32_t *target = tmap_arena_take(arena, edges, sizeof *target);
    uint64_t *weight = tmap_arena_take(arena, edges, sizeof *weight);
    if (!start || !target || !weight)
        return TMAP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        d->local[order[i]] = (int32_t)i;
    edges = start[0] = 0;
    for (size_t i = 0; i < n; i++) {
        struct tmap_row row = tmap_row_of(matrix, order[i]);
        for (size_t e = 0; e < row.count; e++) {
            target[edges] = d->local[row.partner[e]];
            weight[edges] = row.weight[e];
            edges += d->local[row.partner[e]] >= 0;
        }
        start[i + 1] = edges;
    }
    for (size_t i = 0; i < n; i++)
        d->local[order[i]] = -1;
    graph->start = start;
    graph->target = target;
    graph->weight = weight;
    return TMAP_OK;
}

/* Bring the roles of side 0 to the front, keeping the order within each side; returns how many. */
static int32_t separate(int32_t *order, int32_t n, const unsigned char *side, int32_t *scratch)
{
    int32_t left = 0, right = 0;
    for (int32_t i = 0; i < n; i++) {
        if (side[i] == 0)
            order[left++] = order[i];
        else
            scratch[right++] = order[i];
    }
    memcpy(order + left, scratch, sizeof *order * (size_t)right);
    return left;
}

static enum tmap_status bisect_task(struct division *d, const struct task *task,
                                    struct tmap_bounds bounds, int32_t *left)
{
    struct tmap_mark mark = tmap_arena_mark(d->bisection.arena);
    struct tmap_graph graph;
    enum tmap_status status = TMAP_ENOMEM;
    int32_t n = task->end - task->begin;
    unsigned char *side = tmap_arena_take(d->bisection.arena, (size_t)n, 1);
    int32_t *scratch = tmap_arena_take(d->bisection.arena, (size_t)n, sizeof *scratch);
    if (!side || !scratch || extract(d, task, &graph))
        goto out;
    struct tmap_bisection bisection = d->bisection;
    if (d->tree->level[task->level - 1].cost * CHEAP <= d->tree->level[0].cost)
        bisection.repeats = (bisection.repeats + 1) / 2;
    status = tmap_bisect(&bisection, &graph, bounds, side);
    if (status == TMAP_OK)
        *left = separate(d->order + task->begin, n, side, scratch);
out:
    tmap_arena_release(d->bisection.arena, mark);
    return status;
}

/* Divide a task of several objects in two halves of the range. */
static enum tmap_status split(struct division *d, const struct task *task, struct task half[2])
{
    int32_t middle = task->first + (task->last - task->first) / 2;
    int32_t n = task->end - task->begin, left = 0;
    int64_t left_units = units(d, task->level, task->first, middle);
    int64_t right_units = units(d, task->level, middle, task->last);
    struct tmap_bounds bounds = {n > right_units ? n - right_units : 0,
                                 n < left_units ? n : left_units};
    enum tmap_status status = TMAP_OK;
    if (bounds.high == n && (bounds.low > 0 || left_units <= right_units))
        left = n;
    else if (bounds.low == 0)
        left = 0;
    else
        status = bisect_task(d, task, bounds, &left);
    half[0] = (struct task){task->level, task->first, middle, task->begin, task->begin + left};
    half[1] = (struct task){task->level, middle, task->last, task->begin + left, task->end};
    return status;
}

/* Slots for at most one role each need no division. */
static int is_simple(const struct division *d, const struct task *task)
{
    for (int32_t slot = task->first; slot < task->last; slot++) {
        if (d->tree->capacity[slot] > 1)
            return 0;
    }
    return 1;
}

static void seat_simply(struct division *d, const struct task *task)
{
    int32_t slot = task->first;
    for (int32_t i = task->begin; i < task->end; i++, slot++) {
        while (d->tree->capacity[slot] == 0)
            slot++;
        d->slot_of[d->order[i]] = slot;
    }
}

/* Do one task; returns in *count how many new ones it leaves in `next`. */
static enum tmap_status do_task(struct division *d, const struct task *task, struct task next[2],
                                int *count)
{
    *count = 0;
    if (task->begin == task->end)
        return TMAP_OK;
    int is_leaf = task->level == d->tree->depth;
    if (task->last - task->first == 1 && !is_leaf) {
        const int32_t *first = d->tree->first_child[task->level];
        next[0] = (struct task){task->level + 1, first[task->first], first[task->last], task->begin,
                                task->end};
        *count = 1;
        return TMAP_OK;
    }
    if (is_leaf && task->last - task->first == 1) {
        for (int32_t i = task->begin; i < task->end; i++)
            d->slot_of[d->order[i]] = task->first;
        return TMAP_OK;
    }
    if (is_leaf && is_simple(d, task)) {
        seat_simply(d, task);
        return TMAP_OK;
    }
    *count = 2;
    return split(d, task, next);
}

/* Depth first, so the stack holds at most one waiting half per halving of one path. */
static enum tmap_status divide(struct division *d)
{
    struct task stack[STACK];
    int waiting = 1;
    stack[0] = (struct task){0, 0, 1, 0, d->matrix->roles};
    while (waiting > 0) {
        struct task task = stack[--waiting], next[2];
        int count;
        enum tmap_status status = do_task(d, &task, next, &count);
        if (status != TMAP_OK)
            return status;
        while (count > 0)
            stack[waiting++] = next[--count];
    }
    return TMAP_OK;
}

static void start_division(struct division *d)
{
    for (int32_t role = 0; role < d->matrix->roles; role++) {
        d->order[role] = role;
        d->local[role] = -1;
    }
}

/* ---- Starts ---- */

struct contest {
    const struct tmap_problem *problem;
    struct tmap_swaps swaps;
    int32_t *best, *tried;
    double best_cost;
};

static enum tmap_status cost_of(const struct contest *contest, const int32_t *slot_of, double *cost)
{
    struct tmap_cost all;
    const struct tmap_problem *problem = contest->problem;
    enum tmap_status status = tmap_cost_of(problem->matrix, problem->tree, slot_of, &all, NULL);
    if (status == TMAP_OK)
        *cost = all.cost;
    return status;
}

/* Keep contest->tried if it is the best so far. */
static enum tmap_status judge(struct contest *contest)
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

static enum tmap_status improve(struct contest *contest, int32_t *slot_of)
{
    return tmap_improve(contest->problem->matrix, contest->problem->tree, &contest->swaps, slot_of);
}

/* The best of the simple methods; improved, if that has a chance against the best division. With
 * effort fast, many roles go without TreeMatch, which would take a third of the time. */
static enum tmap_status try_simple_methods(struct contest *contest)
{
    static tmap_method_fn *const methods[] = {tmap_method_packed, tmap_method_roundrobin,
                                              tmap_method_treematch};
    const struct tmap_problem *problem = contest->problem;
    const int count = problem->effort == TMAP_EFFORT_FAST && problem->matrix->roles > SMALL ? 2 : 3;
    double divided = contest->best_cost;
    enum tmap_status status = TMAP_OK;
    int32_t *simple = tmap_new((size_t)problem->matrix->roles, sizeof *simple);
    double least = INFINITY, cost = 0;
    if (!simple)
        return TMAP_ENOMEM;
    for (int i = 0; i < count && status == TMAP_OK; i++) {
        status = methods[i](contest->problem, contest->tried, NULL);
        if (status == TMAP_OK)
            status = cost_of(contest, contest->tried, &cost);
        if (status == TMAP_OK && cost < least) {
            least = cost;
            memcpy(simple, contest->tried, sizeof *simple * (size_t)problem->matrix->roles);
        }
    }
    if (status == TMAP_OK && least < 1.1 * divided) {
        memcpy(contest->tried, simple, sizeof *simple * (size_t)problem->matrix->roles);
        status = improve(contest, contest->tried);
        if (status == TMAP_OK)
            status = judge(contest);
    }
    free(simple);
    return status;
}

static enum tmap_status try_division(struct contest *contest, struct division *d)
{
    start_division(d);
    d->slot_of = contest->tried;
    enum tmap_status status = divide(d);
    if (status == TMAP_OK)
        status = improve(contest, contest->tried);
    return status == TMAP_OK ? judge(contest) : status;
}

/* What the dial means. Restarts are whole divisions; repeats and cycles belong to each bisection,
 * where the choice of the best pays most. Small problems can afford more of everything; where roles
 * have many partners, fewer repeats are as good. */
struct effort {
    int restarts, repeats, agreement, cycles, tries, passes, patience;
    struct tmap_swaps swaps;
};

static struct effort choose_effort(const struct tmap_problem *problem)
{
    static const struct effort efforts[] = {
        {1, 1, 0, 0, 2, 2, 30, {3, 8, 4, NULL}},
        {1, 4, 0, 1, 4, 4, 100, {6, 16, 40, NULL}},
        {4, 8, 0, 3, 8, 8, 300, {12, 64, 400, NULL}},
    };
    struct effort effort = efforts[problem->effort];
    size_t roles = (size_t)problem->matrix->roles, ends = problem->matrix->start[roles];
    if (problem->effort == TMAP_EFFORT_FAST)
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

static enum tmap_status run(struct contest *contest, struct division *d)
{
    struct effort effort = choose_effort(contest->problem);
    enum tmap_status status = TMAP_OK;
    d->bisection.repeats = effort.repeats;
    d->bisection.agreement = effort.agreement;
    d->bisection.cycles = effort.cycles;
    d->bisection.tries = effort.tries;
    d->bisection.passes = effort.passes;
    d->bisection.patience = effort.patience;
    contest->swaps = effort.swaps;
    for (int i = 0; i < effort.restarts && status == TMAP_OK; i++)
        status = try_division(contest, d);
    return status == TMAP_OK ? try_simple_methods(contest) : status;
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

static enum tmap_status map_sparse(const struct tmap_problem *problem, int32_t *slot_of)
{
    size_t roles = (size_t)problem->matrix->roles;
    struct tmap_random random;
    struct tmap_arena arena = {NULL, NULL, 0};
    struct contest contest = {.problem = problem, .best_cost = INFINITY};
    struct division d = {.matrix = problem->matrix, .tree = problem->tree};
    enum tmap_status status = TMAP_ENOMEM;
    tmap_random_init(&random, problem->seed);
    d.bisection.arena = &arena;
    d.bisection.random = &random;
    d.units_before = count_units(problem->tree);
    d.order = tmap_new(roles, sizeof *d.order);
    d.local = tmap_new(roles, sizeof *d.local);
    contest.best = tmap_new(roles, sizeof *contest.best);
    contest.tried = tmap_new(roles, sizeof *contest.tried);
    if (d.units_before && d.order && d.local && contest.best && contest.tried)
        status = run(&contest, &d);
    if (status == TMAP_OK)
        memcpy(slot_of, contest.best, sizeof *slot_of * roles);
    tmap_arena_fini(&arena);
    free(d.units_before);
    free(d.order);
    free(d.local);
    free(contest.best);
    free(contest.tried);
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

static enum tmap_status map_likeness(const struct tmap_problem *problem, int32_t *slot_of)
{
    static const int partners[] = {64, 128, 256};
    struct tmap_problem sparse = *problem;
    struct tmap_matrix *thin =
        tmap_matrix_thin(problem->matrix, partners[problem->effort], problem->seed);
    if (!thin)
        return TMAP_ENOMEM;
    sparse.matrix = thin;
    enum tmap_status status = map_sparse(&sparse, slot_of);
    tmap_matrix_destroy(thin);
    return status;
}

/* The whole matrix is read to compare the result with the simplest methods; only with effort strong
 * also to improve it, which finds little. */
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
    status = problem->tree->uniform ? tmap_map_grouped(problem, map_few, contest.tried)
                                    : map_likeness(problem, contest.tried);
    if (status == TMAP_OK)
        status = judge(&contest);
    for (int i = 0; i < 2 && status == TMAP_OK; i++) {
        status = methods[i](problem, contest.tried, NULL);
        if (status == TMAP_OK)
            status = judge(&contest);
    }
    contest.swaps = (struct tmap_swaps){8, 16, READINGS, NULL};
    if (status == TMAP_OK && problem->effort == TMAP_EFFORT_STRONG)
        status = improve(&contest, contest.best);
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
