/* SPDX-License-Identifier: BSD-3-Clause */
/* interconnect-search.h - the shortest paths from one position of a graph to all others. */
#ifndef TMAP_INTERCONNECT_SEARCH_H
#define TMAP_INTERCONNECT_SEARCH_H

#include "treematch/model/interconnect.h"
#include "treematch/support/heap.h"

struct tmap_interconnect_search {
    const struct tmap_interconnect *interconnect;
    double *length;        /* by position, unless all links are equally long */
    int32_t *hops;         /* by position: of the paths of that length, the fewest; -1: no path */
    int32_t *queue;        /* breadth first */
    int32_t *entered;      /* the same, over links between groups */
    struct tmap_heap heap; /* by falling key, so keys are negative */
};

/* Make room for searches in a graph; TMAP_ENOMEM or TMAP_OK. To be ended in both cases. */
enum tmap_status tmap_interconnect_search_init(struct tmap_interconnect_search *search,
                                               const struct tmap_interconnect *interconnect);
void tmap_interconnect_search_fini(struct tmap_interconnect_search *search);

/* Search from a position. Time O(positions + links), and a factor log(positions) if lengths
 * differ. Breadth first it ends when all positions have been reached. */
void tmap_interconnect_search_from(struct tmap_interconnect_search *search, int32_t from);

/* Fill the hops of the shortest paths from a position of any graph, -1: no path. The links at
 * position p lead to target[first[p]] .. target[first[p + 1] - 1]; the queue has room for all
 * positions. Time O(positions + links). */
void tmap_search_breadth_first(int64_t positions, const size_t *first, const int32_t *target,
                               int32_t from, int32_t *hops, int32_t *queue);

#endif
