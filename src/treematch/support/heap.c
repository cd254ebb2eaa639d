/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap.c - a binary heap that tracks the place of each vertex, so that keys can change. Ties go to
 * the smaller vertex, so the order does not depend on the order of insertions.
 *
 * The keys are as good as random, and a branch on them would be mispredicted half of the time;
 * so the larger of two children is chosen by arithmetic. When the first vertex leaves, its place
 * goes down to a leaf along the larger children, and what was last takes that leaf and rises,
 * seldom far.
 */
#include "treematch/support/heap.h"

static inline int heap_before(struct tmap_heap_entry a, struct tmap_heap_entry b)
{
    return (a.key > b.key) | ((a.key == b.key) & (a.vertex < b.vertex));
}

static inline void heap_put(struct tmap_heap *heap, int32_t at, struct tmap_heap_entry entry)
{
    heap->entry[at] = entry;
    heap->place[entry.vertex] = at;
}

static inline void sift_up(struct tmap_heap *heap, int32_t at, struct tmap_heap_entry entry)
{
    while (at > 0) {
        struct tmap_heap_entry parent = heap->entry[(at - 1) / 2];
        if (!heap_before(entry, parent))
            break;
        heap_put(heap, at, parent);
        at = (at - 1) / 2;
    }
    heap_put(heap, at, entry);
}

/* The child of `at` that comes first; `at` has one. */
static inline int32_t larger_child(const struct tmap_heap *heap, int32_t at)
{
    int32_t child = 2 * at + 1;
    if (child + 1 < heap->count)
        child += heap_before(heap->entry[child + 1], heap->entry[child]);
    return child;
}

static inline int has_children(const struct tmap_heap *heap, int32_t at)
{
    return at < heap->count / 2;
}

static inline void sift_down(struct tmap_heap *heap, int32_t at, struct tmap_heap_entry entry)
{
    while (has_children(heap, at)) {
        int32_t child = larger_child(heap, at);
        if (heap_before(entry, heap->entry[child]))
            break;
        heap_put(heap, at, heap->entry[child]);
        at = child;
    }
    heap_put(heap, at, entry);
}

void tmap_heap_add(struct tmap_heap *heap, int32_t vertex)
{
    sift_up(heap, heap->count++, (struct tmap_heap_entry){heap->key[vertex], vertex});
}

void tmap_heap_remove(struct tmap_heap *heap, int32_t vertex)
{
    int32_t at = heap->place[vertex];
    struct tmap_heap_entry last = heap->entry[--heap->count];
    heap->place[vertex] = -1;
    if (last.vertex == vertex)
        return;
    while (has_children(heap, at)) {
        int32_t child = larger_child(heap, at);
        heap_put(heap, at, heap->entry[child]);
        at = child;
    }
    sift_up(heap, at, last);
}

void tmap_heap_set(struct tmap_heap *heap, int32_t vertex, int64_t key)
{
    const struct tmap_heap_entry entry = {key, vertex};
    int rises = key > heap->key[vertex];
    heap->key[vertex] = key;
    if (rises)
        sift_up(heap, heap->place[vertex], entry);
    else
        sift_down(heap, heap->place[vertex], entry);
}

void tmap_heap_arrange(struct tmap_heap *heap)
{
    for (int32_t at = 0; at < heap->count; at++)
        heap->place[heap->entry[at].vertex] = at;
    for (int32_t at = heap->count / 2 - 1; at >= 0; at--)
        sift_down(heap, at, heap->entry[at]);
}
