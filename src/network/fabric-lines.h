/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric-lines.h - what fabric.c has read of a fabric, for fabric-levels.c. */
#ifndef RESEAT_FABRIC_LINES_H
#define RESEAT_FABRIC_LINES_H

#include "network/host-places.h"

/* Links between switches, each in both directions: those of switch s are neighbor[first[s]] ..
 * neighbor[first[s + 1] - 1]. */
struct fabric_graph {
    int32_t switches;
    size_t *first;
    int32_t *neighbor;
};

/*
 * Turn the place of each host, the number of its switch, into levels of switches. 1; 0: these
 * switches are no fat tree, and nothing has changed; -1: with *error, out of memory, or a host is
 * not connected with the first one.
 */
int fabric_find_levels(const struct fabric_graph *graph, struct host_places *places,
                       struct reseat_error *error);

#endif
