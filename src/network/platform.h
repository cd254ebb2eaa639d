/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.h - the network of a platform of SimGrid, in the XML of its DTD 4:
 *
 *   cluster   FAT_TREE: levels of switches, the spines of a level as one; TORUS; DRAGONFLY: a graph
 *             of its routers; any other: one switch, and several of them are a switch each
 *   zones     hosts and routers with a route for each link between two of them (Floyd, Dijkstra,
 *             also what `topo --to simgrid' writes): as of a fabric (fabric.h). Routes between
 *             hosts (Full) are links, too
 *
 * Rates are not read; neither are routes between zones, nor what is inside a host.
 */
#ifndef RESEAT_PLATFORM_H
#define RESEAT_PLATFORM_H

#include <stdint.h>

#include "network/network.h"
#include "text/error.h"

/* The network of `nodes` hosts; `hosts` NULL: of all in the file. 0, or -1 with *error, which names
 * the file. */
int reseat_platform_of_file(const char *path, const char *const *hosts, int32_t nodes,
                            struct reseat_network *network, struct reseat_error *error);

/* Returns 1 if the file is XML whose outermost element is a platform. */
int reseat_platform_is(const char *path);

#endif
