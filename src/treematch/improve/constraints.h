/* SPDX-License-Identifier: BSD-3-Clause */
/* constraints.h - mappings under constraints. */
#ifndef TMAP_CONSTRAINTS_H
#define TMAP_CONSTRAINTS_H

#include "treematch/model/problem.h"

/* Map with `map` under the constraints of `options`, which has some. constraints.c */
enum tmap_status tmap_mapping_find_constrained(const struct tmap_problem *problem,
                                               tmap_method_fn *map,
                                               const struct tmap_options *options, int32_t *slot_of,
                                               struct tmap_error *error);

#endif
