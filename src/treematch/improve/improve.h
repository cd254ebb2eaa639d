/* SPDX-License-Identifier: BSD-3-Clause */
/* improve.h - what improves or adapts a mapping that exists, for the methods. */
#ifndef TMAP_IMPROVE_H
#define TMAP_IMPROVE_H

#include "treematch/model/objects.h"
#include "treematch/model/problem.h"

/* Map with `map` under the constraints of `options`, which has some: constraints.c. */
enum tmap_status tmap_mapping_find_constrained(const struct tmap_problem *problem,
                                               tmap_method_fn *map,
                                               const struct tmap_options *options, int32_t *slot_of,
                                               struct tmap_error *error);

/*
 * congestion.c: exchange roles, and move roles to free slots, so that the busiest link of the
 * network carries less, while the cost stays at most 1.02 x what it was. The network is that of the
 * outermost level with a shape, or else the links up at the outermost level that branches. Pinned
 * roles and closed slots are those of `options`. Trees without arrays are left alone, and so is
 * traffic whose loads alone would take long (2 * 10^8 links). TMAP_ENOMEM (slot_of is as before) or
 * TMAP_OK.
 */
enum tmap_status tmap_lower_congestion(const struct tmap_matrix *matrix,
                                       const struct tmap_tree *tree,
                                       const struct tmap_options *options, int32_t *slot_of);

/*
 * exhaustive.c: if there are at most 12 roles and 256 slots, make slot_of, which is valid, one of
 * the cheapest mappings, unless it is that already; so it changes only for something better. Where
 * the search would take long, for its effort, what it has found until then is taken. On plain trees
 * 12 roles on as many slots are searched to the end, on networks about 8. TMAP_ENOMEM (slot_of is
 * as before) or TMAP_OK.
 */
enum tmap_status tmap_try_all(const struct tmap_problem *problem, int32_t *slot_of);

#endif
