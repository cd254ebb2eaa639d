/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bisect-grow.c - an initial division: side 0 grows from a random vertex, always by the vertex that
 * adds least to the cut (greedy graph growing: Karypis and Kumar 1998), and ends where the cut was
 * smallest within the bounds. If no vertex borders on it any more, it continues elsewhere.
 */
#include "treematch/multilevel/bisect.h"

struct growth {
    const struct tmap_graph *graph;
    struct tmap_heap heap; /* vertices that border on side 0; key: what the cut loses */
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

/* Keys of vertices of side 1: their weight towards side 0 minus that towards side 1. */
static void grow_take(struct growth *growth, int32_t vertex, unsigned char *side)
{
    const struct tmap_graph *graph = growth->graph;
    struct tmap_heap *heap = &growth->heap;
    if (heap->place[vertex] >= 0)
        tmap_heap_remove(heap, vertex);
    side[vertex] = 0;
    growth->taken[growth->count++] = vertex;
    growth->size += tmap_size_of(graph, vertex);
    growth->cut -= heap->key[vertex];
    for (size_t e = graph->start[vertex]; e < graph->start[vertex + 1]; e++) {
        int32_t other = graph->target[e];
        if (side[other] == 0)
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

/* Grow up to bounds.high; returns the number of vertices with which it was best. */
static int32_t grow_once(struct growth *growth, struct tmap_random *random,
                         struct tmap_bounds bounds, unsigned char *side)
{
    int32_t n = growth->graph->n, best = 0;
    int64_t best_violation = tmap_violation(bounds, 0), best_cut = 0;
    uint32_t elsewhere = tmap_random_below(random, (uint32_t)n);
    while (growth->size < bounds.high && growth->count < n) {
        if (growth->heap.count == 0) {
            while (side[elsewhere] == 0)
                elsewhere = elsewhere + 1 < (uint32_t)n ? elsewhere + 1 : 0;
            grow_take(growth, (int32_t)elsewhere, side);
        } else {
            grow_take(growth, growth->heap.vertex[0], side);
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

enum tmap_status tmap_grow(const struct tmap_bisection *bisection, const struct tmap_graph *graph,
                           struct tmap_bounds bounds, unsigned char *side)
{
    struct tmap_arena *arena = bisection->arena;
    struct tmap_mark mark = tmap_arena_mark(arena);
    size_t n = (size_t)graph->n;
    struct growth growth = {.graph = graph};
    growth.heap.vertex = tmap_arena_take(arena, n, sizeof(int32_t));
    growth.heap.place = tmap_arena_take(arena, n, sizeof(int32_t));
    growth.heap.key = tmap_arena_take(arena, n, sizeof(int64_t));
    growth.taken = tmap_arena_take(arena, n, sizeof(int32_t));
    if (!growth.heap.vertex || !growth.heap.place || !growth.heap.key || !growth.taken)
        return TMAP_ENOMEM;
    memset(growth.heap.place, 0xff, sizeof(int32_t) * n);
    memset(side, 1, n);
    for (int32_t v = 0; v < graph->n; v++)
        growth.heap.key[v] = -weight_of(graph, v);
    int32_t best = grow_once(&growth, bisection->random, bounds, side);
    for (int32_t i = best; i < growth.count; i++)
        side[growth.taken[i]] = 1;
    tmap_arena_release(arena, mark);
    return TMAP_OK;
}
