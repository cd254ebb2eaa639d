/* SPDX-License-Identifier: BSD-3-Clause */
/* problem.h - what a mapping method gets and does. */
#ifndef TMAP_PROBLEM_H
#define TMAP_PROBLEM_H

#include "treematch/model/objects.h"

/* The contract of a mapping method: fill slot_of with a valid mapping. tmap_mapping_find guarantees
 * that all arguments are given, that the roles fit, and that roles >= 1. */
struct tmap_problem {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    enum tmap_effort effort;
    uint64_t seed;
    double seconds;
    int threads;
    int32_t group_threshold, buckets; /* of treematch; 0: the default */
};
typedef enum tmap_status tmap_method_fn(const struct tmap_problem *problem, int32_t *slot_of,
                                        struct tmap_error *error);

#endif
