/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric-lines.h - what fabric.c and platform.c have read of a network, and what is made of it. */
#ifndef RESEAT_FABRIC_LINES_H
#define RESEAT_FABRIC_LINES_H

#include "network/host-places.h"

/* A link between two switches, in either direction, as often as it was met. */
struct fabric_pair {
    int32_t from, to;
};

/* The links of switches 0 .. switches-1. */
struct fabric_links {
    int32_t switches;
    size_t count;
    struct fabric_pair *pair;
};

/* Add a link; one of a switch with itself is none. 0, or -1: out of memory, or there are
 * TMAP_MAX_LINKS. */
int fabric_links_add(struct fabric_links *links, int32_t from, int32_t to);

/* The network of the hosts, whose places are the numbers of their switches: levels of switches if
 * they are a fat tree, else a graph. 0, or -1 with *error. */
int fabric_network(struct fabric_links *links, struct host_places *places,
                   struct reseat_network *network, struct reseat_error *error);

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
