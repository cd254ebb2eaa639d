/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide-division.c - divide the roles of an object among more than two children, seen as a whole.
 *
 * Halving after halving finds the best first halves, which need not be those of the best parts: of
 * four quarters of a plane, two may better be taken from one half. So after the children have been
 * dealt their roles by halving, pairs of children are bisected anew, those with the most traffic
 * between them first, starting from what they have (Sanders and Schulz 2011 call it the quotient
 * graph's refinement). Siblings are equally far from everything else, so only the cut between the
 * two matters. A pair is done again when one of its children has changed. All this is tried
 * several times, and the attempt that cuts least as a whole is taken.
 *
 * Example: eight cliques 0 .. 7 of four roles, on four children of eight. If 0, 1, 2, 3 came to the
 * left half, but 1 belongs with 6 and 3 with 4, then the pairs of children {0, 1} {4, 6} and so on
 * exchange whole cliques, which the halves cannot do any more.
 *
 * The work is limited by the number of vertices in all pairs, a few times the roles. Memory O(pairs
 * of roles + children squared). More than WIDE_ROLES roles are left to the halves, which threads
 * can do at the same time.
 */
#include "treematch/multilevel/division-worker.h"

/* Pairs are bisected as long as they have together no more vertices than this for each role. */
enum { WIDE_WORK = 6 };

/* More roles are divided by halving only, and with more children, their traffic is not added up. */
enum { WIDE_ROLES = 1 << 14, WIDE_CHILDREN = 1 << 9 };

struct wide_pair {
    int32_t a, b; /* children */
    uint64_t weight;
};

struct wide {
    struct tmap_worker *worker;
    const struct tmap_task *task;
    int32_t children;
    int32_t *order;    /* the roles of the task, as the best attempt has dealt them out */
    int32_t *parts;    /* of the present attempt, as in struct tmap_task */
    int32_t *when;     /* by child: the step in which it has changed last */
    int32_t *done;     /* by pair, children x children: the step in which it was bisected */
    uint64_t *between; /* by pair: their traffic */
    int32_t step;
    double left; /* vertices that may still be in pairs */
    struct tmap_random random;
};

int tmap_worker_is_wide(const struct tmap_worker *d, const struct tmap_task *task)
{
    const int32_t *slot = d->tree->first_slot[task->level];
    int32_t parent = tmap_ancestor_of(d->tree, slot[task->first], task->level - 1);
    int32_t children = task->last - task->first, n = task->end - task->begin;
    return children > 2 && children <= WIDE_CHILDREN && n <= WIDE_ROLES &&
           d->shared->attempts > 0 && n >= 2 * children &&
           d->tree->first_child[task->level - 1][parent] == task->first &&
           d->tree->first_child[task->level - 1][parent + 1] == task->last;
}

/* Deal out the roles by halving. */
static enum tmap_status wide_halve(struct wide *w, const struct tmap_task *task)
{
    struct tmap_task half[2];
    int32_t at = task->first - w->task->first;
    if (task->last - task->first == 1) {
        w->parts[at] = task->begin;
        w->parts[at + 1] = task->end;
        return TMAP_OK;
    }
    enum tmap_status status = tmap_worker_split(
        w->worker, task, task->first + (task->last - task->first) / 2, NULL, half);
    for (int i = 0; i < 2 && status == TMAP_OK; i++)
        status = wide_halve(w, &half[i]);
    return status;
}

/* Add up the traffic between children; returns all of it. */
static uint64_t wide_add_up(struct wide *w)
{
    const int32_t *order = w->worker->shared->order;
    int32_t *child = w->worker->local;
    uint64_t sum = 0;
    memset(w->between, 0, sizeof *w->between * (size_t)w->children * (size_t)w->children);
    for (int32_t c = 0; c < w->children; c++)
        for (int32_t i = w->parts[c]; i < w->parts[c + 1]; i++)
            child[order[i]] = c;
    for (int32_t i = w->task->begin; i < w->task->end; i++) {
        struct tmap_row row = tmap_row_of(w->worker->matrix, order[i]);
        uint64_t *between = w->between + (size_t)child[order[i]] * (size_t)w->children;
        for (size_t e = 0; e < row.count; e++) {
            int32_t other = child[row.partner[e]];
            if (other < 0 || other == child[order[i]])
                continue;
            between[other] += row.weight[e];
            sum += row.weight[e];
        }
    }
    for (int32_t i = w->task->begin; i < w->task->end; i++)
        child[order[i]] = -1;
    return sum / 2;
}

/* The cut between the first `left` vertices and the others. */
static int64_t wide_cut(const struct tmap_graph *graph, int32_t left)
{
    int64_t cut = 0;
    for (int32_t v = 0; v < left; v++)
        for (size_t e = graph->start[v]; e < graph->start[v + 1]; e++)
            cut += graph->target[e] >= left ? (int64_t)graph->weight[e] : 0;
    return cut;
}

/* Bisect n roles anew, of which the first `left` were on one side and now are the first `left` ones
 * again; *gain gets how much less is cut. */
static enum tmap_status wide_bisect(struct wide *w, int32_t *role, int32_t n, int32_t left,
                                    uint64_t *gain)
{
    struct tmap_worker *d = w->worker;
    const struct tmap_bounds bounds = {left, left};
    struct tmap_bisection bisection = d->shared->bisection;
    struct tmap_graph graph;
    int64_t cut = 0;
    int32_t *scratch = tmap_arena_take(&d->arena, (size_t)n, sizeof *scratch);
    unsigned char *side = tmap_arena_take(&d->arena, (size_t)n, 1);
    if (!scratch || !side || tmap_worker_graph(d, role, n, &graph))
        return TMAP_ENOMEM;
    memset(side, 0, (size_t)left);
    memset(side + left, 1, (size_t)(n - left));
    const int64_t before = wide_cut(&graph, left);
    bisection.arena = &d->arena;
    bisection.random = &w->random;
    if (tmap_bisect_again(&bisection, &graph, bounds, side, &cut))
        return TMAP_ENOMEM;
    *gain = cut < before ? (uint64_t)(before - cut) : 0;
    if (*gain > 0)
        tmap_separate_sides(role, n, side, scratch);
    return TMAP_OK;
}

/* The same for the roles of two children. */
static enum tmap_status wide_bisect_pair(struct wide *w, int32_t a, int32_t b, uint64_t *gain)
{
    struct tmap_arena *arena = &w->worker->arena;
    struct tmap_mark mark = tmap_arena_mark(arena);
    const size_t in_a = (size_t)(w->parts[a + 1] - w->parts[a]);
    const size_t in_b = (size_t)(w->parts[b + 1] - w->parts[b]);
    int32_t *order = w->worker->shared->order;
    int32_t *role = tmap_arena_take(arena, in_a + in_b, sizeof *role);
    if (!role)
        return TMAP_ENOMEM;
    memcpy(role, order + w->parts[a], sizeof *role * in_a);
    memcpy(role + in_a, order + w->parts[b], sizeof *role * in_b);
    enum tmap_status status = wide_bisect(w, role, (int32_t)(in_a + in_b), (int32_t)in_a, gain);
    memcpy(order + w->parts[a], role, sizeof *role * in_a);
    memcpy(order + w->parts[b], role + in_a, sizeof *role * in_b);
    tmap_arena_release(arena, mark);
    return status;
}

static int wide_compare(const void *context, int32_t a, int32_t b)
{
    const struct wide_pair *pair = context;
    if (pair[a].weight != pair[b].weight)
        return pair[a].weight > pair[b].weight ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* List the pairs with traffic of which a child has changed; returns their number. */
static int32_t wide_list(const struct wide *w, struct wide_pair *pair)
{
    const size_t k = (size_t)w->children;
    int32_t count = 0;
    for (int32_t a = 0; a < w->children; a++)
        for (int32_t b = a + 1; b < w->children; b++) {
            size_t at = (size_t)a * k + (size_t)b;
            if (w->between[at] > 0 && (w->when[a] > w->done[at] || w->when[b] > w->done[at]))
                pair[count++] = (struct wide_pair){a, b, w->between[at]};
        }
    return count;
}

/* One round over these pairs, the heaviest first; *gain gets how much less is cut. */
static enum tmap_status wide_round(struct wide *w, uint64_t *gain)
{
    struct tmap_arena *arena = &w->worker->arena;
    struct tmap_mark mark = tmap_arena_mark(arena);
    const size_t k = (size_t)w->children, most = k * (k - 1) / 2;
    struct wide_pair *pair = tmap_arena_take(arena, most, sizeof *pair);
    int32_t *by_weight = tmap_arena_take(arena, 2 * most, sizeof *by_weight);
    enum tmap_status status = pair && by_weight ? TMAP_OK : TMAP_ENOMEM;
    const int32_t count = status == TMAP_OK ? wide_list(w, pair) : 0;
    *gain = 0;
    for (int32_t i = 0; i < count; i++)
        by_weight[i] = i;
    if (status == TMAP_OK)
        tmap_sort(by_weight, by_weight + most, count, wide_compare, pair);
    for (int32_t i = 0; i < count && status == TMAP_OK && w->left > 0; i++) {
        uint64_t less = 0;
        int32_t a = pair[by_weight[i]].a, b = pair[by_weight[i]].b;
        w->step++;
        w->left -= w->parts[a + 1] - w->parts[a] + w->parts[b + 1] - w->parts[b];
        status = wide_bisect_pair(w, a, b, &less);
        w->done[(size_t)a * k + (size_t)b] = w->step;
        if (less > 0)
            w->when[a] = w->when[b] = w->step;
        *gain += less;
    }
    tmap_arena_release(arena, mark);
    return status;
}

/* One attempt; *cut gets what is cut. */
static enum tmap_status wide_attempt(struct wide *w, uint64_t *cut)
{
    size_t k = (size_t)w->children;
    enum tmap_status status = wide_halve(w, w->task);
    int32_t n = w->task->end - w->task->begin;
    uint64_t gain = 1;
    if (status != TMAP_OK)
        return status;
    tmap_random_init(&w->random, tmap_worker_seed(w->worker, w->task));
    w->left = WIDE_WORK * (double)n;
    w->step = 1;
    for (size_t c = 0; c < k; c++)
        w->when[c] = 1;
    memset(w->done, 0, sizeof *w->done * k * k);
    *cut = wide_add_up(w);
    while (status == TMAP_OK && gain > 0 && w->left > 0) {
        status = wide_round(w, &gain);
        *cut = wide_add_up(w);
    }
    return status;
}

enum tmap_status tmap_worker_divide_wide(struct tmap_worker *d, const struct tmap_task *task,
                                         const int32_t **parts)
{
    struct wide w = {.worker = d, .task = task, .children = task->last - task->first};
    size_t k = (size_t)w.children, n = (size_t)(task->end - task->begin);
    int32_t *best = tmap_arena_take(&d->arena, k + 1, sizeof *best);
    struct tmap_mark mark = tmap_arena_mark(&d->arena);
    w.parts = tmap_arena_take(&d->arena, k + 1, sizeof *w.parts);
    w.order = tmap_arena_take(&d->arena, n, sizeof *w.order);
    w.when = tmap_arena_take(&d->arena, k, sizeof *w.when);
    w.done = tmap_arena_take(&d->arena, k * k, sizeof *w.done);
    w.between = tmap_arena_take(&d->arena, k * k, sizeof *w.between);
    if (!best || !w.parts || !w.order || !w.when || !w.done || !w.between)
        return TMAP_ENOMEM;
    uint64_t least = UINT64_MAX, cut;
    enum tmap_status status = TMAP_OK;
    const int attempts = d->shared->attempts * (tmap_worker_is_decisive(d, task) ? 2 : 1);
    for (int i = 0; i < attempts && status == TMAP_OK && least > 0; i++) {
        d->attempt = (uint64_t)i;
        status = wide_attempt(&w, &cut);
        if (status != TMAP_OK || cut >= least)
            continue;
        least = cut;
        memcpy(best, w.parts, sizeof *best * (k + 1));
        memcpy(w.order, d->shared->order + task->begin, sizeof *w.order * n);
    }
    d->attempt = 0;
    if (status == TMAP_OK)
        memcpy(d->shared->order + task->begin, w.order, sizeof *w.order * n);
    tmap_arena_release(&d->arena, mark);
    *parts = best;
    return status;
}
