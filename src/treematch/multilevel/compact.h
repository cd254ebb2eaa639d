/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compact.h - a tree with networks, arranged so that it can be divided: the children of an object
 * are in such an order that halving ranges of them gives compact parts of the network.
 */
#ifndef TMAP_COMPACT_H
#define TMAP_COMPACT_H

#include "treematch/model/objects.h"

struct tmap_compact {
    struct tmap_tree *tree; /* with other numbers for objects and slots */
    int32_t *slot_of;       /* by slot of this tree: the slot of the original */
    /* By object of level l + 1, of levels with a network: how deep the halving is that separates it
     * from the object on its left; those of one parent only. */
    unsigned char *depth[TMAP_MAX_LEVELS];
};

/* Which one to cut where a part of a torus could as well be cut across an open dimension as across
 * a closed ring. Only one of them suits a pattern that looks like the network itself, and nothing
 * tells which. */
enum tmap_compact_kind { TMAP_COMPACT_RINGS_FIRST, TMAP_COMPACT_RINGS_LAST, TMAP_COMPACT_KINDS };

/* TMAP_ENOMEM or TMAP_OK; on failure nothing is left. Memory O(slots). */
enum tmap_status tmap_compact_init(struct tmap_compact *compact, const struct tmap_tree *tree,
                                   enum tmap_compact_kind kind);
void tmap_compact_fini(struct tmap_compact *compact);

/* Returns where to halve the objects first .. last - 1 of `level`, siblings: a part that
 * tmap_compact_init has halved as a whole. */
static inline int32_t tmap_compact_middle(const struct tmap_compact *compact, int level,
                                          int32_t first, int32_t last)
{
    const unsigned char *depth = compact->depth[level - 1];
    int32_t middle = first + 1;
    for (int32_t o = first + 2; o < last; o++)
        if (depth[o] < depth[middle])
            middle = o;
    return middle;
}

/* ---- The parts ---- */

/* Input and scratch memory for halving the children of one object. */
struct tmap_halving {
    const struct tmap_interconnect *interconnect;
    enum tmap_compact_kind kind;
    int32_t *member;                    /* positions of the children */
    int64_t *weight;                    /* by position: what the child can hold */
    int32_t *key;                       /* by position: scratch */
    int32_t *work;                      /* scratch, 2 x children */
    int32_t start[TMAP_MAX_DIMENSIONS]; /* where coordinates begin to count */
};

/* Before a torus or mesh is halved: in each dimension a torus is opened where the longest run of
 * planes without any of its `count` members ends. */
enum tmap_status tmap_halve_begin(struct tmap_halving *halving, int32_t count);

/* Halve the members first .. first + count - 1 (at least 2), in place: *left gets how many come
 * first. TMAP_ENOMEM or TMAP_OK. */
enum tmap_status tmap_halve_grid(struct tmap_halving *halving, int32_t first, int32_t count,
                                 int32_t *left);
enum tmap_status tmap_halve_graph(struct tmap_halving *halving, int32_t first, int32_t count,
                                  int32_t *left);

#endif
