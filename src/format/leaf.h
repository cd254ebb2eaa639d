/* SPDX-License-Identifier: BSD-3-Clause */
/* leaf.h - where the leaves of a tree are that RESEAT_TOPOLOGY has as text:
 * world rank r is leaf r. */
#ifndef RESEAT_LEAF_H
#define RESEAT_LEAF_H

#include <stdint.h>

#include "format/location.h"

struct reseat_leaf {
    struct reseat_location location; /* node: which object of that level; 0 where there is none */
    struct network_path above;       /* the levels above the node: switches */
};

/* 0, or -1 with *error and a leaf that is nowhere: there is no such leaf, or a level is none of
 * those that a place or a switch can be. */
int reseat_leaf_find(struct reseat_leaf *leaf, const struct tmap_tree *tree, int32_t rank,
                     struct reseat_error *error);

#endif
