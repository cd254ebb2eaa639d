/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap.h - a priority queue of numbers (vertices, roles) whose keys may change.
 */
#ifndef TMAP_HEAP_H
#define TMAP_HEAP_H

#include <stdint.h>

/* A vertex and its key, side by side: a comparison reads one place of memory. */
struct tmap_heap_entry {
    int64_t key;
    int32_t vertex;
};

/* The vertices by key, largest first; ties: smaller vertex first. Only tmap_heap_set may change the
 * keys of vertices that are in the heap. */
struct tmap_heap {
    int32_t count;
    struct tmap_heap_entry *entry; /* heap order */
    int32_t
        *place;   /* by vertex: where it is, negative: not in the heap; shared by disjoint heaps */
    int64_t *key; /* by vertex; shared as well */
};

/* The first vertex of a heap that is not empty. */
static inline int32_t tmap_heap_top(const struct tmap_heap *heap)
{
    return heap->entry[0].vertex;
}

void tmap_heap_add(struct tmap_heap *heap, int32_t vertex);
/* Leaves -1 as its place. */
void tmap_heap_remove(struct tmap_heap *heap, int32_t vertex);
/* The key of a vertex of this heap changes. */
void tmap_heap_set(struct tmap_heap *heap, int32_t vertex, int64_t key);

/* To fill a heap with many vertices at once: append all of them, in any order, then call
 * tmap_heap_arrange; in between it is no heap. Time O(vertices). */
static inline void tmap_heap_append(struct tmap_heap *heap, int32_t vertex)
{
    heap->entry[heap->count++] = (struct tmap_heap_entry){heap->key[vertex], vertex};
}
void tmap_heap_arrange(struct tmap_heap *heap);

#endif
