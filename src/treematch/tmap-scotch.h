/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tmap-scotch.h - mapping by libscotch, for comparison. The only part of the mapping library that
 * needs it; built when configure finds it.
 */
#ifndef TMAP_SCOTCH_H
#define TMAP_SCOTCH_H

#include "treematch/tmap.h"

/* Distances, and the kind of architecture: one that Scotch predefines where it is the same machine
 * (tleaf for uniform trees; mesh, torus and hypercube for a single level of that shape, and sub for
 * a part of those), or else the whole graph. LIGHT and HEAVY are the weights of levels, which add
 * up from a level down to the leaves, as in tleaf; of a level with a shape that of a hop. */
enum tmap_scotch_weights {
    TMAP_SCOTCH_COSTS, /* the costs of the tree, as near as integers can be */
    TMAP_SCOTCH_LIGHT, /* 4 3 2 1 from the root, as in the papers */
    TMAP_SCOTCH_HEAVY, /* 500 100 50 10 */
    TMAP_SCOTCH_WHOLE, /* the costs; always the whole graph */
    TMAP_SCOTCH_RAW =
        8 /* with one of these: loads are the weights of the matrix as they are, though
                           loads x distances may be more than Scotch's integers hold */
};

/*
 * Map with Scotch's default strategy. Scotch may put more roles on a slot than it can hold; those
 * then move to the nearest slot with room, and *repaired (may be NULL) gets their number.
 * TMAP_ENOTSUP: Scotch fails. TMAP_EOVERFLOW: raw loads whose sum its integers do not hold. Scotch
 * keeps global state: its random generator is reset first, so that the result depends only on the
 * input.
 */
TMAP_API enum tmap_status tmap_mapping_find_scotch(const struct tmap_matrix *matrix,
                                                   const struct tmap_tree *tree,
                                                   enum tmap_scotch_weights weights,
                                                   int32_t *slot_of, int32_t *repaired,
                                                   struct tmap_error *error);

#endif
