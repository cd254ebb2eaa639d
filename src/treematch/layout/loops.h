/* SPDX-License-Identifier: BSD-3-Clause */
/* loops.h - the loops that a layout means on a tree (loops.c). */
#ifndef TMAP_LOOPS_H
#define TMAP_LOOPS_H

#include "treematch/layout/letters.h"

/*
 * A loop over the objects of a level, or along a dimension of the network that connects them. An
 * object's index is its number among the objects of its level below the same object of `parent`,
 * however many levels are between; with a dimension, its coordinate there.
 */
struct tmap_loop {
    int level;              /* 1 .. depth */
    int parent;             /* the next outer level with a loop; 0: the root */
    int32_t width;          /* indices are 0 .. width-1: the most objects below one of `parent` */
    int32_t dimension;      /* -1: the objects */
    int32_t stride, extent; /* of the dimension: index = position / stride % extent */
    int32_t turns;          /* of an object of `parent` that has all indices */
    int32_t *turn_of;       /* by index: when it comes, -1: never; NULL: turn = index */
    int32_t *index_of;      /* by turn; NULL as well */
};

/* From the innermost to the outermost. A leaf is in the same turns of all loops as no other, unless
 * a network is there several times, below objects without a loop: then leaves keep their order. */
struct tmap_loops {
    int count;
    struct tmap_loop loop[TMAP_MAX_LETTERS + 1];
};

/* The loops of a layout, to be given to tmap_loops_fini also after an error. TMAP_ESYNTAX: the
 * text; TMAP_EINVAL: two letters for one level, no letter of this tree, dimensions left out. */
enum tmap_status tmap_loops_init(struct tmap_loops *loops, const struct tmap_tree *tree,
                                 const char *text, struct tmap_error *error);
void tmap_loops_fini(struct tmap_loops *loops);

#endif
