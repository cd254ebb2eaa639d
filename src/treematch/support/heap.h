/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap.h - a priority queue of numbers (vertices, roles) whose keys may change.
 */
#ifndef TMAP_HEAP_H
#define TMAP_HEAP_H

#include <stdint.h>

/* The vertices by key, largest first; ties: smaller vertex first. Only tmap_heap_set may change
 * keys. */
struct tmap_heap {
    int32_t count;
    int32_t *vertex; /* heap order */
    int32_t *place;  /* by vertex: where it is, -1: not in the heap; shared by disjoint heaps */
    int64_t *key;    /* by vertex; shared as well */
};
void tmap_heap_add(struct tmap_heap *heap, int32_t vertex);
void tmap_heap_remove(struct tmap_heap *heap, int32_t vertex);
/* The key of a vertex of this heap changes. */
void tmap_heap_set(struct tmap_heap *heap, int32_t vertex, int64_t key);

#endif
