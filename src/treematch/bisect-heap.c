/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bisect-heap.c - a binary heap that knows where each vertex is, so that keys can change. Ties go
 * to the smaller vertex, so the order does not depend on how the heap came about.
 */
#include "bisect.h"

static int before(const struct tmap_heap *heap, int32_t a, int32_t b)
{
    if (heap->key[a] != heap->key[b])
        return heap->key[a] > heap->key[b];
    return a < b;
}

static void put(struct tmap_heap *heap, int32_t at, int32_t vertex)
{
    heap->vertex[at] = vertex;
    heap->place[vertex] = at;
}

static void sift_up(struct tmap_heap *heap, int32_t at, int32_t vertex)
{
    while (at > 0 && before(heap, vertex, heap->vertex[(at - 1) / 2])) {
        put(heap, at, heap->vertex[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(heap, at, vertex);
}

static void sift_down(struct tmap_heap *heap, int32_t at, int32_t vertex)
{
    for (;;) {
        int64_t child = 2 * (int64_t)at + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && before(heap, heap->vertex[child + 1], heap->vertex[child]))
            child++;
        if (!before(heap, heap->vertex[child], vertex))
            break;
        put(heap, at, heap->vertex[child]);
        at = (int32_t)child;
    }
    put(heap, at, vertex);
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
