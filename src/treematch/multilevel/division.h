/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * division.h - divide the roles among the objects of a tree, from the root down.
 */
#ifndef TMAP_DIVISION_H
#define TMAP_DIVISION_H

#include "treematch/multilevel/bisect.h"
#include "treematch/multilevel/compact.h"

struct tmap_division {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    const struct tmap_compact *compact; /* whose tree it is; NULL: it has no networks */
    struct tmap_bisection bisection;    /* without arena and random */
    int attempts; /* to divide an object with more than two children; 0: by halving alone */
    uint64_t seed;
    int threads;                 /* at most; 0 or 1: only the caller's */
    const int64_t *units_before; /* by slot, slots + 1: capacity to its left */
    int32_t *order;              /* roles, scratch; those of a task are contiguous */
    int32_t *slot_of;            /* the result: a valid mapping */
};

/* Returns 1 if the first level costs several times what the second one does, as nodes do against
 * what is in them: most of the cost of a mapping depends on the first division. */
int tmap_is_steep(const struct tmap_tree *tree);

/* TMAP_ENOMEM or TMAP_OK. The mapping depends on the seed, not on the threads. Memory apart from
 * the result: O(pairs), and O(roles) for each thread. */
enum tmap_status tmap_divide(const struct tmap_division *division);

#endif
