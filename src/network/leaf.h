/* SPDX-License-Identifier: BSD-3-Clause */
/* leaf.h - the locations of the leaves of a tree that RESEAT_TOPOLOGY gives as text: world rank r
 * is leaf r. */
#ifndef RESEAT_LEAF_H
#define RESEAT_LEAF_H

#include <stdint.h>

#include "network/location.h"

struct reseat_leaf {
    struct reseat_location location; /* node: the object of that level; 0 if there is none */
    /* The levels above the node: switches. In a level with a shape, the position; nodes that are
     * connected by a shape are each below a switch of their own. */
    struct network_path above;
};

/* The shapes of these levels (network.h), valid as long as the tree. */
struct leaf_shapes {
    struct tmap_shape shape[TMAP_SWITCH_LEVELS];
    const struct tmap_shape *at[TMAP_SWITCH_LEVELS];
};
void reseat_leaf_shapes(struct leaf_shapes *shapes, const struct tmap_tree *tree);

/* 0, or -1 with *error and a leaf without location: there is no such leaf, or a level is neither a
 * place level nor a switch. */
int reseat_leaf_find(struct reseat_leaf *leaf, const struct tmap_tree *tree, int32_t rank,
                     struct reseat_error *error);

/*
 * Finds where all ranks are: locations[rank], with the nodes numbered in the order of their lowest
 * rank, and the network above them, which the caller frees. 0; 1 with *error as above; -1 with
 * *error: out of memory.
 */
int reseat_leaf_locations(struct reseat_location *locations, struct reseat_network *network,
                          const struct tmap_tree *tree, int32_t ranks, struct reseat_error *error);

#endif
