/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap.c - a binary heap that tracks the place of each vertex, so that keys can change. Ties go to
 * the smaller vertex, so the order does not depend on the order of insertions.
 */
#include "treematch/support/heap.h"

/* Whether (key, vertex) comes before `other`. */
static inline int heap_before(const struct tmap_heap *heap, int64_t key, int32_t vertex,
                              int32_t other)
{
    int64_t others = heap->key[other];
    return key > others || (key == others && vertex < other);
}

static inline void heap_put(struct tmap_heap *heap, int32_t at, int32_t vertex)
{
    heap->vertex[at] = vertex;
    heap->place[vertex] = at;
}

static void sift_up(struct tmap_heap *heap, int32_t at, int32_t vertex)
{
    const int64_t key = heap->key[vertex];
    while (at > 0) {
        int32_t parent = heap->vertex[(at - 1) / 2];
        if (!heap_before(heap, key, vertex, parent))
            break;
        heap_put(heap, at, parent);
        at = (at - 1) / 2;
    }
    heap_put(heap, at, vertex);
}

static void sift_down(struct tmap_heap *heap, int32_t at, int32_t vertex)
{
    const int64_t key = heap->key[vertex];
    const int64_t count = heap->count;
    for (int64_t child; (child = 2 * (int64_t)at + 1) < count; at = (int32_t)child) {
        int32_t larger = heap->vertex[child];
        if (child + 1 < count) {
            int32_t right = heap->vertex[child + 1];
            if (heap_before(heap, heap->key[right], right, larger)) {
                larger = right;
                child++;
            }
        }
        if (heap_before(heap, key, vertex, larger))
            break;
        heap_put(heap, at, larger);
    }
    heap_put(heap, at, vertex);
}

void tmap_heap_add(struct tmap_heap *heap, int32_t vertex)
{
    sift_up(heap, heap->count++, vertex);
}

void tmap_heap_remove(struct tmap_heap *heap, int32_t vertex)
{
    int32_t at = heap->place[vertex], last = heap->vertex[--heap->count];
    heap->place[vertex] = -1;
    if (last == vertex)
        return;
    sift_up(heap, at, last);
    sift_down(heap, heap->place[last], last);
}

void tmap_heap_set(struct tmap_heap *heap, int32_t vertex, int64_t key)
{
    int rises = key > heap->key[vertex];
    heap->key[vertex] = key;
    if (rises)
        sift_up(heap, heap->place[vertex], vertex);
    else
        sift_down(heap, heap->place[vertex], vertex);
}
