/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bisect.h - divide a graph in two with a small cut and exact sizes: the workhorse of the method
 * `multilevel`. Nothing here knows about trees.
 */
#ifndef TMAP_BISECT_H
#define TMAP_BISECT_H

#include "treematch/model/objects.h"
#include "treematch/support/arena.h"
#include "treematch/support/heap.h"

/* An undirected graph in CSR form, each edge from both ends, no loops. The arrays belong to the
 * matrix or to an arena. */
struct tmap_graph {
    int32_t n;
    const size_t *start;
    const int32_t *target;
    const uint64_t *weight;
    const int32_t *size; /* of a vertex: how many roles it stands for; NULL: all 1 */
    int32_t largest;     /* the largest size */
    const int64_t *pull; /* by vertex: how much better side 0 is than side 1 (negative: side 1 is
                            better), for reasons outside of the graph; NULL: none */
};

static inline int32_t tmap_size_of(const struct tmap_graph *graph, int32_t vertex)
{
    return graph->size ? graph->size[vertex] : 1;
}

static inline int64_t tmap_total_size(const struct tmap_graph *graph)
{
    int64_t total = 0;
    for (int32_t v = 0; v < graph->n; v++)
        total += tmap_size_of(graph, v);
    return total;
}

/* The total size of side 0 shall be in low .. high. */
struct tmap_bounds {
    int64_t low, high;
};

/* Gain by the pull of `vertex` if it leaves `side`; a gain is also the cost of staying. */
static inline int64_t tmap_pull_away(const struct tmap_graph *graph, int32_t vertex, int side)
{
    return side == 0 ? -graph->pull[vertex] : graph->pull[vertex];
}

/* State that the parts of the bisection share. */
struct tmap_bisection {
    struct tmap_arena *arena;
    struct tmap_random *random;
    int repeats;   /* of the whole bisection; the best one is taken */
    int agreement; /* stop repeats and cycles when this many more agree with the best; 0: never */
    int tries;     /* starts at the coarsest graph */
    int passes;    /* of refinement, at most, on each level */
    int patience;  /* moves without gain after which a pass ends */
    int cycles;    /* how often the result is coarsened and refined again */
    int32_t limit; /* the largest size that a coarse vertex may get */
};

/*
 * side[vertex] = 0 or 1, so that the size of side 0 is in bounds (any size between 0 and the
 * total is possible when all vertices have size 1) and the cut is small.
 *
 * With pulls, "the cut" means here and below: the weight of the cut edges, and for each vertex that
 * is not on the side that it is pulled to, the absolute value of its pull. It is never negative.
 * The weight of all edges (each once) and the absolute values of all pulls must add up to less than
 * 2^62. Pulls are what a vertex has to do with roles that are divided elsewhere: terminal
 * propagation (Dunlop and Kernighan 1985), dual recursive bipartitioning (Pellegrini 1994).
 *
 * TMAP_ENOMEM or TMAP_OK. Time about O(edges log n), memory O(edges).
 */
enum tmap_status tmap_bisect(const struct tmap_bisection *bisection, const struct tmap_graph *graph,
                             struct tmap_bounds bounds, unsigned char *side);

/* Improve a division that there is, as tmap_bisect's cycles do; *cut gets what is cut. */
enum tmap_status tmap_bisect_again(const struct tmap_bisection *bisection,
                                   const struct tmap_graph *graph, struct tmap_bounds bounds,
                                   unsigned char *side, int64_t *cut);

/* Move what is on side 0 to the front, keeping the order within each side; returns how much that
 * is. */
int32_t tmap_separate_sides(int32_t *element, int32_t n, const unsigned char *side,
                            int32_t *scratch);

/* ---- The parts ---- */

/*
 * `coarser` gets a graph in which pairs of strongly connected vertices of `graph` are merged;
 * coarse_of[vertex] is where a vertex went. With `side`, the two of a pair are on one side.
 * bisect-coarsen.c
 */
enum tmap_status tmap_coarsen(const struct tmap_bisection *bisection,
                              const struct tmap_graph *graph, const unsigned char *side,
                              struct tmap_graph *coarser, int32_t *coarse_of);

/* Grow side 0 from a random vertex; with pulls, side 0 or side 1 from a vertex that depends on
 * `attempt`. bisect-grow.c */
enum tmap_status tmap_grow(const struct tmap_bisection *bisection, const struct tmap_graph *graph,
                           struct tmap_bounds bounds, int attempt, unsigned char *side);

/* Improve `side`, by Fiduccia and Mattheyses; *cut gets the cut. bisect-refine.c */
enum tmap_status tmap_refine(const struct tmap_bisection *bisection, const struct tmap_graph *graph,
                             struct tmap_bounds bounds, unsigned char *side, int64_t *cut);

/* Distance of `size` from the bounds; 0: it is within them. */
static inline int64_t tmap_violation(struct tmap_bounds bounds, int64_t size)
{
    if (size < bounds.low)
        return bounds.low - size;
    return size > bounds.high ? size - bounds.high : 0;
}

#endif
