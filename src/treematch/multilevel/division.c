/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * division.c - divide the roles among the objects of a tree, from the root down.
 *
 * A task is a range of objects of one level and the roles that go there. A range of several objects
 * is halved, and the roles are bisected (bisect.c) in proportion to what the halves hold; for one
 * object the task is that of its children. The halves are independent of each other, and each
 * bisection has a random seed of its own, derived from the task; so threads can do the halves in
 * parallel, and the result stays the same.
 *
 * `order` lists the roles; a task owns a run of it, and halving the task moves the roles of side 0
 * to the front of that run. So tasks never overlap and nothing is copied. Eight roles on two nodes
 * with two packages of two cores each:
 *
 *   order   0 1 2 3 4 5 6 7      the machine: one object, so its children
 *           0 2 5 7 | 1 3 4 6    two nodes, bisected with 4 and 4
 *           0 5 | 2 7 | 1 3 4 6  the packages of the first node, 2 and 2; its cores take 0 and 5 as
 *                                they come, being equally far apart
 */
#include "treematch/multilevel/division-worker.h"

#include <pthread.h>

enum { STACK = 32 * 33 };

/* A cut that costs this many times less than at the root needs fewer repeats of the bisection. */
enum { CHEAP_CUT = 2 };

/* The first level costs at least so many times what the second one does. */
enum { STEEP = 4 };

/* Among more parts than this, exchanges mend what a cut has missed, in less time than better cuts
 * take. */
enum { FEW_PARTS = 8 };

/* Repeats of a bisection of more roles differ little, and take most of the time. */
enum { MANY_ROLES = 1 << 16, FEWER_REPEATS = 3 };

/* A half with fewer roles is not worth a thread of its own. */
enum { WORTH_A_THREAD = 256 };

int64_t tmap_worker_units(const struct tmap_worker *d, int level, int32_t first, int32_t last)
{
    const int32_t *first_slot = d->tree->first_slot[level];
    return d->shared->units_before[first_slot[last]] - d->shared->units_before[first_slot[first]];
}

/* Returns 1 if these are all roles in order: then their graph is the matrix itself. */
static int is_everything(const struct tmap_worker *d, const int32_t *order, int32_t n)
{
    int32_t role = 0, roles = d->matrix->roles;
    if (n != roles)
        return 0;
    while (role < roles && order[role] == role)
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

enum tmap_status tmap_worker_graph(struct tmap_worker *d, const int32_t *order, int32_t count,
                                   struct tmap_graph *graph)
{
    const struct tmap_matrix *matrix = d->matrix;
    struct tmap_arena *arena = &d->arena;
    size_t edges = 0, n = (size_t)count;
    if (is_everything(d, order, count)) {
        take_matrix(matrix, graph);
        return TMAP_OK;
    }
    *graph = (struct tmap_graph){.n = count, .largest = 1};
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

uint64_t tmap_worker_seed(const struct tmap_worker *d, const struct tmap_task *task)
{
    struct tmap_random random;
    tmap_random_init(&random, d->shared->seed + d->attempt);
    tmap_random_init(&random, tmap_random_next(&random) + (uint64_t)task->level);
    tmap_random_init(&random, tmap_random_next(&random) + (uint64_t)task->first);
    tmap_random_init(&random, tmap_random_next(&random) + (uint64_t)task->last);
    return tmap_random_next(&random);
}

int tmap_is_steep(const struct tmap_tree *tree)
{
    return tree->depth > 1 && tree->level[0].cost >= STEEP * tree->level[1].cost;
}

int tmap_worker_is_decisive(const struct tmap_worker *d, const struct tmap_task *task)
{
    return task->level == 1 && tmap_is_steep(d->tree) && d->tree->count[1] <= FEW_PARTS;
}

/* How often a bisection is repeated. */
static int count_repeats(const struct tmap_worker *d, const struct tmap_task *task)
{
    const struct tmap_level *level = d->tree->level;
    int repeats = d->shared->bisection.repeats;
    if (repeats > 1 && task->level == 1 && tmap_is_steep(d->tree))
        repeats *= 2;
    if (level[task->level - 1].cost * CHEAP_CUT <= level[0].cost)
        repeats = repeats > 1 ? repeats / 2 : 1;
    if (task->end - task->begin > MANY_ROLES)
        repeats = (repeats + FEWER_REPEATS - 1) / FEWER_REPEATS;
    return repeats;
}

/* Bisect the roles of half[0], which so far has those of both. */
static enum tmap_status bisect_task(struct tmap_worker *d, const struct tmap_task half[2],
                                    struct tmap_bounds bounds, const struct tmap_pulls *pulls,
                                    int32_t *left)
{
    const struct tmap_task both = {half[0].level, half[0].first, half[1].last,
                                   half[0].begin, half[0].end,   NULL};
    struct tmap_mark mark = tmap_arena_mark(&d->arena);
    struct tmap_graph graph;
    enum tmap_status status = TMAP_ENOMEM;
    int32_t n = both.end - both.begin;
    unsigned char *side = tmap_arena_take(&d->arena, (size_t)n, 1);
    int32_t *scratch = tmap_arena_take(&d->arena, (size_t)n, sizeof *scratch);
    int64_t *pull = pulls ? tmap_arena_take(&d->arena, (size_t)n, sizeof *pull) : NULL;
    if (!side || !scratch || (pulls && !pull) ||
        tmap_worker_graph(d, d->shared->order + both.begin, n, &graph))
        goto out;
    if (pulls)
        pulls->find(pulls->context, half, pull);
    graph.pull = pull;
    struct tmap_bisection bisection = d->shared->bisection;
    struct tmap_random random;
    tmap_random_init(&random, tmap_worker_seed(d, &both));
    bisection.arena = &d->arena;
    bisection.random = &random;
    bisection.repeats = count_repeats(d, &both);
    if (bisection.repeats > 2 && tmap_worker_is_decisive(d, &both)) /* results to combine */
        bisection.cycles = 1;
    status = tmap_bisect(&bisection, &graph, bounds, side);
    if (status == TMAP_OK)
        *left = tmap_separate_sides(d->shared->order + both.begin, n, side, scratch);
out:
    tmap_arena_release(&d->arena, mark);
    return status;
}

enum tmap_status tmap_worker_split(struct tmap_worker *d, const struct tmap_task *task,
                                   int32_t middle, const struct tmap_pulls *pulls,
                                   struct tmap_task half[2])
{
    int32_t n = task->end - task->begin, left = 0;
    int64_t left_units = tmap_worker_units(d, task->level, task->first, middle);
    int64_t right_units = tmap_worker_units(d, task->level, middle, task->last);
    struct tmap_bounds bounds = {n > right_units ? n - right_units : 0,
                                 n < left_units ? n : left_units};
    enum tmap_status status = TMAP_OK;
    half[0] = (struct tmap_task){task->level, task->first, middle, task->begin, task->end, NULL};
    half[1] = (struct tmap_task){task->level, middle, task->last, task->end, task->end, NULL};
    if (bounds.high == n && (bounds.low > 0 || left_units <= right_units))
        left = n;
    else if (bounds.low == 0)
        left = 0;
    else
        status = bisect_task(d, half, bounds, pulls, &left);
    half[0].end = half[1].begin = task->begin + left;
    return status;
}

/* Slots for at most one role each need no division. */
static int is_simple(const struct tmap_worker *d, const struct tmap_task *task)
{
    for (int32_t slot = task->first; slot < task->last; slot++) {
        if (d->tree->capacity[slot] > 1)
            return 0;
    }
    return 1;
}

static void seat_simply(struct tmap_worker *d, const struct tmap_task *task)
{
    int32_t slot = task->first;
    for (int32_t i = task->begin; i < task->end; i++, slot++) {
        while (d->tree->capacity[slot] == 0)
            slot++;
        d->shared->slot_of[d->shared->order[i]] = slot;
    }
}

/* Halve a range of objects whose roles are dealt out, dealing them out first if they are not. */
static enum tmap_status halve_parts(struct tmap_worker *d, const struct tmap_task *task,
                                    struct tmap_task half[2])
{
    const int32_t middle = task->first + (task->last - task->first) / 2;
    const int32_t *parts = task->parts;
    enum tmap_status status = parts ? TMAP_OK : tmap_worker_divide_wide(d, task, &parts);
    if (status != TMAP_OK)
        return status;
    const int32_t *right = parts + (middle - task->first);
    half[0] = (struct tmap_task){task->level, task->first, middle, task->begin, right[0], parts};
    half[1] = (struct tmap_task){task->level, middle, task->last, right[0], task->end, right};
    return TMAP_OK;
}

/* Do one task; returns in *count how many new ones it leaves in `next`. */
static enum tmap_status do_task(struct tmap_worker *d, const struct tmap_task *task,
                                struct tmap_task next[2], int *count)
{
    *count = 0;
    if (task->begin == task->end)
        return TMAP_OK;
    int is_leaf = task->level == d->tree->depth;
    if (task->last - task->first == 1 && !is_leaf) {
        const int32_t *first = d->tree->first_child[task->level];
        next[0] = (struct tmap_task){task->level + 1, first[task->first], first[task->last],
                                     task->begin,     task->end,          NULL};
        *count = 1;
        return TMAP_OK;
    }
    if (is_leaf && task->last - task->first == 1) {
        for (int32_t i = task->begin; i < task->end; i++)
            d->shared->slot_of[d->shared->order[i]] = task->first;
        return TMAP_OK;
    }
    if (d->tree->interconnect[task->level - 1])
        return tmap_worker_divide_interconnect(d, task);
    if (is_leaf && is_simple(d, task)) {
        seat_simply(d, task);
        return TMAP_OK;
    }
    *count = 2;
    if (task->parts || tmap_worker_is_wide(d, task))
        return halve_parts(d, task, next);
    return tmap_worker_split(d, task, task->first + (task->last - task->first) / 2, NULL, next);
}

static enum tmap_status worker_init(struct tmap_worker *d, const struct tmap_division *shared,
                                    int threads)
{
    size_t roles = (size_t)shared->matrix->roles;
    *d = (struct tmap_worker){.shared = shared, .matrix = shared->matrix, .tree = shared->tree};
    d->threads = threads;
    d->local = tmap_new(roles, sizeof *d->local);
    if (!d->local)
        return TMAP_ENOMEM;
    memset(d->local, 0xff, sizeof *d->local * roles);
    return TMAP_OK;
}

static void worker_fini(struct tmap_worker *d)
{
    tmap_arena_fini(&d->arena);
    free(d->local);
    free(d->part_of);
}

struct errand {
    struct tmap_worker worker;
    struct tmap_task task;
    enum tmap_status status;
};

static void *run_errand(void *argument)
{
    struct errand *errand = argument;
    errand->status = tmap_worker_divide(&errand->worker, errand->task);
    return NULL;
}

/* Do two halves at the same time, or one after the other if no thread can be started. They share
 * the memory that the whole needed, so both together need little more. */
static enum tmap_status divide_side_by_side(struct tmap_worker *d, const struct tmap_task half[2])
{
    struct errand errand = {.task = half[1]};
    pthread_t thread;
    int threads = d->threads;
    enum tmap_status status = worker_init(&errand.worker, d->shared, threads / 2);
    if (status == TMAP_OK) {
        tmap_arena_share(&d->arena, &errand.worker.arena);
        int failed = pthread_create(&thread, NULL, run_errand, &errand);
        d->threads = threads - threads / 2;
        status = tmap_worker_divide(d, half[0]);
        d->threads = threads;
        if (failed)
            run_errand(&errand);
        else
            pthread_join(thread, NULL);
    }
    worker_fini(&errand.worker);
    return status != TMAP_OK ? status : errand.status;
}

static int is_worth_a_thread(const struct tmap_worker *d, const struct tmap_task half[2])
{
    return d->threads > 1 && half[0].end - half[0].begin >= WORTH_A_THREAD &&
           half[1].end - half[1].begin >= WORTH_A_THREAD;
}

/* Depth first, so the stack holds at most one waiting half for each halving on one path. */
enum tmap_status tmap_worker_divide(struct tmap_worker *d, struct tmap_task task)
{
    struct tmap_task stack[STACK];
    int waiting = 1;
    stack[0] = task;
    while (waiting > 0) {
        struct tmap_task next[2];
        int count;
        task = stack[--waiting];
        enum tmap_status status = do_task(d, &task, next, &count);
        if (status == TMAP_OK && count == 2 && is_worth_a_thread(d, next)) {
            status = divide_side_by_side(d, next);
            count = 0;
        }
        if (status != TMAP_OK)
            return status;
        while (count > 0)
            stack[waiting++] = next[--count];
    }
    return TMAP_OK;
}

enum tmap_status tmap_divide(const struct tmap_division *division)
{
    struct tmap_worker worker;
    enum tmap_status status = worker_init(&worker, division, division->threads);
    for (int32_t role = 0; role < division->matrix->roles; role++)
        division->order[role] = role;
    if (status == TMAP_OK)
        status = tmap_worker_divide(&worker,
                                    (struct tmap_task){0, 0, 1, 0, division->matrix->roles, NULL});
    worker_fini(&worker);
    return status;
}
