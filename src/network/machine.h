/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h - a machine whose hosts have names: a tree with shapes, and what a description says
 * beyond it. Made by netloc.h. */
#ifndef RESEAT_MACHINE_H
#define RESEAT_MACHINE_H

#include <stdint.h>

#include "treematch/tmap.h"

/*
 * Only what is available is in the tree. An *element* is a part of the description: a tree of one
 * or more levels, or a level with a shape. Numbers of objects count what is not available as well.
 */
struct reseat_machine {
    struct tmap_tree *tree;
    int host_level;     /* its objects are the hosts */
    int32_t hosts;      /* number of objects there */
    char **host;        /* name of each */
    int32_t *number_of; /* by slot: its number on its host, row-major, as a rankfile wants it */
    /* Above the hosts, by level: whether an element begins there; how many children an object can
     * have. */
    unsigned char begins[TMAP_MAX_LEVELS];
    int32_t extent[TMAP_MAX_LEVELS];
    /* By level, 1 .. host_level: the number of each object among those of its parent. */
    int32_t *child[TMAP_MAX_LEVELS + 1];
    /* By host, depth - host_level entries each: the extents inside it; 0: this host does not have
     * that level. */
    int32_t *inside;
};

/* NULL is allowed. */
void reseat_machine_destroy(struct reseat_machine *machine);

#endif
