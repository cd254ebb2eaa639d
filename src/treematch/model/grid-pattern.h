/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid-pattern.h - patterns that are grids: the roles are the points of a mesh or torus, and each
 * talks to the next ones in every dimension.
 */
#ifndef TMAP_GRID_PATTERN_H
#define TMAP_GRID_PATTERN_H

#include "treematch/model/objects.h"

/* 2^24 roles in dimensions of extent 2. */
enum { TMAP_GRID_DIMENSIONS = 24 };

struct tmap_grid {
    int dimensions;                       /* 0: the pattern is not a grid */
    int32_t extent[TMAP_GRID_DIMENSIONS]; /* >= 2 */
    int wraps[TMAP_GRID_DIMENSIONS];      /* never with extent 2 or 4: a ring of 4 is 2 x 2 */
    double weight[TMAP_GRID_DIMENSIONS];  /* of all pairs that are neighbors in this dimension */
    int32_t *cell_of; /* by role: its coordinates, row-major, the last one varying fastest */
};

/*
 * Find out whether the pattern is a grid, or has one that is clearly heavier than all other
 * traffic. TMAP_ENOMEM or TMAP_OK. A grid without dimensions has no cells; all grids are for
 * tmap_grid_fini. Time O(pairs + roles x dimensions^2) for each of a few attempts, of which all but
 * one usually end at the first role; memory O(roles x dimensions).
 */
enum tmap_status tmap_grid_recognize(struct tmap_grid *grid, const struct tmap_matrix *matrix);
void tmap_grid_fini(struct tmap_grid *grid);

/* The coordinates of a cell. */
static inline void tmap_grid_coordinates(const struct tmap_grid *grid, int32_t cell,
                                         int32_t coordinate[TMAP_GRID_DIMENSIONS])
{
    for (int d = grid->dimensions - 1; d >= 0; d--) {
        coordinate[d] = cell % grid->extent[d];
        cell /= grid->extent[d];
    }
}

#endif
