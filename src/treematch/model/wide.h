/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.h - uniform trees with many more slots than there are roles: methods see a small tree
 * instead.
 */
#ifndef TMAP_WIDE_H
#define TMAP_WIDE_H

#include "treematch/model/problem.h"

/* Returns 1 if methods that fill arrays by slot should see another tree. */
int tmap_tree_is_wide(const struct tmap_tree *tree, int32_t roles);
/*
 * A tree with all arrays, of the same depth and costs, in which `roles` (>= 1, no more than slots)
 * can be mapped as well as in `tree`, which is wide.
 */
enum tmap_status tmap_tree_narrow(struct tmap_tree **narrow, const struct tmap_tree *tree,
                                  int32_t roles, struct tmap_error *error);
/* Turn slot_of, a mapping to `narrow`, into the same mapping to `tree`, from which narrow was
 * made. */
void tmap_widen(const struct tmap_tree *tree, const struct tmap_tree *narrow, int32_t roles,
                int32_t *slot_of);
/* A method on a wide tree. */
enum tmap_status tmap_mapping_find_wide(const struct tmap_problem *problem, tmap_method_fn *map,
                                        int32_t *slot_of, struct tmap_error *error);

#endif
