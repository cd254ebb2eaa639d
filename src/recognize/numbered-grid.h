/* SPDX-License-Identifier: BSD-3-Clause */
/* numbered-grid.h - pairs of the cells of a grid whose cells are numbered row by row. */
#ifndef RESEAT_NUMBERED_GRID_H
#define RESEAT_NUMBERED_GRID_H

#include "recognize/traffic-edges.h"

/* Returns 1 if the grid has the pair: as neighbors in a dimension, or diagonal ones that talk. */
int numbered_grid_has(const struct recognized_part *grid, int32_t a, int32_t b);
double numbered_grid_pairs(const struct recognized_part *grid);

/*
 * Find out which dimensions of a grid with extents wrap, and which diagonal neighbors talk, and
 * what neighbors in each dimension have. 0: in some dimension not nearly all neighbors talk.
 */
int numbered_grid_measure(struct recognized_part *grid, const struct traffic *traffic);

/* Offer all grids that the distances between partners' numbers allow. */
void numbered_grid_search(struct traffic *traffic);

#endif
