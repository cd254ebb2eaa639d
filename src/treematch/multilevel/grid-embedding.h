/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid-embedding.h - put a pattern that is a grid on a machine that is one.
 */
#ifndef TMAP_GRID_EMBEDDING_H
#define TMAP_GRID_EMBEDDING_H

#include "treematch/model/problem.h"

/*
 * If the pattern is a grid, the machine a torus or mesh, and both fit each other exactly: *found is
 * 1, and slot_of is the cheapest of some natural mappings. Else *found is 0. TMAP_ENOMEM or
 * TMAP_OK.
 */
enum tmap_status tmap_grid_embed(const struct tmap_problem *problem, int32_t *slot_of, int *found);

#endif
