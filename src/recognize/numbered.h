/* SPDX-License-Identifier: BSD-3-Clause */
/* numbered.h - patterns that show in the numbers of the ranks. Each search offers all that the
 * distances between partners' numbers allow. */
#ifndef RESEAT_NUMBERED_H
#define RESEAT_NUMBERED_H

#include "recognize/traffic-edges.h"

/* ---- numbered-grid.c: pairs of the cells of a grid whose cells are numbered row by row ---- */

/* Returns 1 if the grid has the pair: as neighbors in a dimension, or diagonal ones that talk. */
int numbered_grid_has(const struct recognized_part *grid, int32_t a, int32_t b);
double numbered_grid_pairs(const struct recognized_part *grid);

/*
 * Find out which dimensions of a grid with extents wrap, and which diagonal neighbors talk, and
 * what neighbors in each dimension have. 0: in some dimension not nearly all neighbors talk.
 */
int numbered_grid_measure(struct recognized_part *grid, const struct traffic *traffic);

void numbered_grid_search(struct traffic *traffic);

/* ---- numbered-groups.c: all that talk within groups, transpositions, trees, one with all ---- */

int numbered_groups_has(const struct recognized_part *part, int32_t a, int32_t b);
double numbered_groups_pairs(const struct recognized_part *part, int32_t ranks);

void numbered_groups_search(struct traffic *traffic);
/* Only groups of 4 ranks or more in which all talk with all, without the group of all ranks. */
void numbered_groups_search_large(struct traffic *traffic);

#endif
