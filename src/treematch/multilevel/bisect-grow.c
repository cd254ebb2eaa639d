/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bisect-grow.c - an initial division: side 0 grows from a random vertex, always by the vertex that
 * adds least to the cut (greedy graph growing: Karypis and Kumar 1998), and ends where the cut was
 * smallest within the bounds. If no vertex borders on it any more, it continues elsewhere.
 *
 * With pulls, the attempts take turns: side 0 grows from the vertex that is pulled there most; side
 * 1 grows in the same way; side 0 grows from a random vertex, with and without regard to the pulls.
 * Vertices whose pull is stronger than all their edges need not border on anything.
 */
#include "treematch/multilevel/bisect.h"

struct growth {
    const struct tmap_graph *graph;
    int towards;           /* the side that grows */
    struct tmap_heap heap; /* vertices that border on it; key: what the cut loses */
    int32_t *taken;        /* vertices in the order of being taken */
    int32_t count;
    int64_t size, cut;
};

static int64_t weight_of(const struct tmap_graph *graph, int32_t vertex)
{
    int64_t sum = 0;
    for (size_t e = graph->start[vertex]; e < graph->start[vertex + 1]; e++)
        sum += (int64_t)graph->weight[e];
    return sum;
}

/* Keys of vertices that are not taken: their weight towards those that are, minus that towards the
 * others, plus their pull. */
static void grow_take(struct growth *growth, int32_t vertex, unsigned char *side)
{
    const struct tmap_graph *graph = growth->graph;
    struct tmap_heap *heap = &growth->heap;
    if (heap->place[vertex] >= 0)
        tmap_heap_remove(heap, vertex);
    side[vertex] = (unsigned char)growth->towards;
    growth->taken[growth->count++] = vertex;
    growth->size += tmap_size_of(graph, vertex);
    growth->cut -= heap->key[vertex];
    for (size_t e = graph->start[vertex]; e < graph->start[vertex + 1]; e++) {
        int32_t other = graph->target[e];
        if (side[other] == growth->towards)
            continue;
        int64_t key = heap->key[other] + 2 * (int64_t)graph->weight[e];
        if (heap->place[other] >= 0) {
            tmap_heap_set(heap, other, key);
        } else {
            heap->key[other] = key;
            tmap_heap_add(heap, other);
        }
    }
}

/* Grow from `elsewhere` up to bounds.high; returns the number of vertices with which it was
 * best. */
static int32_t grow_once(struct growth *growth, uint32_t elsewhere, struct tmap_bounds bounds,
                         unsigned char *side)
{
    int32_t n = growth->graph->n, best = 0;
    int64_t best_violation = tmap_violation(bounds, 0), best_cut = 0;
    while (growth->size < bounds.high && growth->count < n) {
        if (growth->heap.count == 0 || growth->count == 0) {
            while (side[elsewhere] == growth->towards)
                elsewhere = elsewhere + 1 < (uint32_t)n ? elsewhere + 1 : 0;
            grow_take(growth, (int32_t)elsewhere, side);
        } else {
            grow_take(growth, tmap_heap_top(&growth->heap), side);
        }
        int64_t violation = tmap_violation(bounds, growth->size);
        if (violation < best_violation || (violation == best_violation && growth->cut < best_cut)) {
            best = growth->count;
            best_violation = violation;
            best_cut = growth->cut;
        }
    }
    return best;
}

static enum tmap_status growth_init(struct growth *growth, struct tmap_arena *arena)
{
    size_t n = (size_t)growth->graph->n;
    growth->heap.entry = tmap_arena_take(arena, n, sizeof *growth->heap.entry);
    growth->heap.place = tmap_arena_take(arena, n, sizeof(int32_t));
    growth->heap.key = tmap_arena_take(arena, n, sizeof(int64_t));
    growth->taken = tmap_arena_take(arena, n, sizeof(int32_t));
    if (!growth->heap.entry || !growth->heap.place || !growth->heap.key || !growth->taken)
        return TMAP_ENOMEM;
    memset(growth->heap.place, 0xff, sizeof(int32_t) * n);
    for (int32_t v = 0; v < growth->graph->n; v++)
        growth->heap.key[v] = -weight_of(growth->graph, v);
    return TMAP_OK;
}

/* Gain of `vertex` by its pull if it joins the side that grows. */
static int64_t grow_pull(const struct growth *growth, int32_t vertex)
{
    return tmap_pull_away(growth->graph, vertex, !growth->towards);
}

/* Add the pulls to the keys, and the vertices that they alone decide to the heap. Returns the one
 * that is pulled most; among equals, the first one from `vertex` on. */
static uint32_t grow_add_pulls(struct growth *growth, uint32_t vertex)
{
    int32_t n = growth->graph->n, at = (int32_t)vertex, strongest = at;
    for (int32_t i = 0; i < n; i++) {
        int64_t pull = grow_pull(growth, at);
        growth->heap.key[at] += pull;
        if (growth->heap.key[at] > 0)
            tmap_heap_add(&growth->heap, at);
        if (pull > grow_pull(growth, strongest))
            strongest = at;
        at = at + 1 < n ? at + 1 : 0;
    }
    return (uint32_t)strongest;
}

static struct tmap_bounds bounds_of_side_1(const struct tmap_graph *graph,
                                           struct tmap_bounds bounds)
{
    int64_t total = tmap_total_size(graph);
    return (struct tmap_bounds){total - bounds.high, total - bounds.low};
}

enum tmap_status tmap_grow(const struct tmap_bisection *bisection, const struct tmap_graph *graph,
                           struct tmap_bounds bounds, int attempt, unsigned char *side)
{
    struct tmap_mark mark = tmap_arena_mark(bisection->arena);
    const int turn = attempt % 4;
    struct growth growth = {.graph = graph, .towards = graph->pull && turn == 1};
    if (growth_init(&growth, bisection->arena))
        return TMAP_ENOMEM;
    uint32_t first = tmap_random_below(bisection->random, (uint32_t)graph->n);
    uint32_t strongest = graph->pull && turn < 3 ? grow_add_pulls(&growth, first) : first;
    if (turn < 2)
        first = strongest;
    if (growth.towards == 1)
        bounds = bounds_of_side_1(graph, bounds);
    memset(side, !growth.towards, (size_t)graph->n);
    int32_t best = grow_once(&growth, first, bounds, side);
    for (int32_t i = best; i < growth.count; i++)
        side[growth.taken[i]] = (unsigned char)!growth.towards;
    tmap_arena_release(bisection->arena, mark);
    return TMAP_OK;
}
