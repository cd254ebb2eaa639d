/* SPDX-License-Identifier: BSD-3-Clause */
/* grid-symmetry.h - exchanging the places in a torus or mesh so that no distance changes. */
#ifndef TMAP_GRID_SYMMETRY_H
#define TMAP_GRID_SYMMETRY_H

#include "treematch/model/objects.h"

struct tmap_grid_symmetry {
    const struct tmap_tree *tree;
    int level;               /* which has the network */
    const int32_t *class_of; /* by object of level + 1: which are alike */
    int32_t parent;          /* an object of `level` */
    int32_t from, to;        /* children of it */
    int32_t *image;   /* by child, counted from the first one: the child whose place it gets */
    int32_t *scratch; /* 2 x the number of these children */
};

/*
 * Fill image so that `from` gets the place of `to`, all children go to children that are alike, and
 * all distances among them stay: by shifts and reflections along the dimensions of a torus or mesh,
 * which may have positions without a child. Returns 0 if none of these does that. Time O(children
 * log children), times up to 2^8 if many almost do.
 */
int tmap_find_grid_symmetry(const struct tmap_grid_symmetry *symmetry);

#endif
