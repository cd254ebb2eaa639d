/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid-order.h - walk through all cells of a grid so that each step leads to a neighbor.
 */
#ifndef TMAP_GRID_ORDER_H
#define TMAP_GRID_ORDER_H

#include <stdint.h>

/* A dimension of the grid; `size` >= 2. */
struct tmap_grid_side {
    int32_t size;
    int wraps;      /* the last cell is a neighbor of the first */
    int32_t stride; /* what a step adds to the number of a cell */
    double cost;    /* of a step */
};

enum tmap_grid_walk {
    TMAP_GRID_OPEN,   /* each cell is a neighbor of the one before */
    TMAP_GRID_CLOSED, /* and the first one of the last */
    TMAP_GRID_FOLDED  /* closed, but by steps over a cell */
};

/* Put the sides into the order that the walk wants, cheap ones last; `closed` says whether the walk
 * shall end next to its begin. Only a mesh of odd sides must be walked folded for that. */
enum tmap_grid_walk tmap_grid_plan(struct tmap_grid_side *side, int sides, int closed);

/* The number of the cell that the walk reaches after `steps` steps. */
int32_t tmap_grid_cell(const struct tmap_grid_side *side, int sides, enum tmap_grid_walk walk,
                       int32_t steps);

#endif
