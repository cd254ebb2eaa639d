/* SPDX-License-Identifier: BSD-3-Clause */
/* grid-tile.h - which block of a grid's ranks a node should get. */
#ifndef RESEAT_GRID_TILE_H
#define RESEAT_GRID_TILE_H

#include "recognize/recognize.h"

/*
 * The tile of `ranks_of_node` ranks that divides the grid evenly with the least traffic between
 * tiles, as far as neighbors in a dimension go. 1 with the extents in tile[], or 0: no such tile,
 * or it is all.
 */
int grid_tile_choose(const struct recognized_part *grid, int32_t ranks_of_node,
                     int32_t tile[RECOGNIZE_DIMENSIONS]);

/* Number of ranks on each node of a tree that holds all `ranks`; 0: not all nodes take as many, or
 * there are no nodes (or out of memory). */
int32_t grid_tile_ranks_of_node(const struct tmap_tree *tree, int32_t ranks);

/* The tile in which a rank is, counted row by row. */
int32_t grid_tile_of(const struct recognized_part *grid, const int32_t *tile, int32_t rank);

/* Weight of the matrix between tiles. */
uint64_t grid_tile_crossing(const struct recognized_part *grid, const int32_t *tile,
                            const struct tmap_matrix *matrix);

#endif
