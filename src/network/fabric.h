/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fabric.h - the switches and hosts of an InfiniBand fabric, from the output of ibnetdiscover
 * (infiniband-diags, without -l, -p and the like):
 *
 *     Switch  36 "S-0002c9020040a8f8"   # "leaf 1" base port 0 lid 1 lmc 0
 *     [1]     "H-0002c9030008fd84"[1](2c9030008fd85)    # "node1 HCA-1" lid 4 4xQDR
 *     [19]    "S-0002c9020040b160"[3]   # "spine 1" lid 2 4xQDR
 *     Ca      2 "H-0002c9030008fd84"    # "node1 HCA-1"
 *     [1](2c9030008fd85)   "S-0002c9020040a8f8"[1]      # lid 4 lmc 0 "leaf 1" lid 1 4xQDR
 *
 * The name of a host is the first word of its adapter's description. A host with several ports or
 * adapters is where the first of them is, in the order of the file. Links between switches all have
 * the same length; adapters of other names (management, aggregation) are ignored, and so are
 * InfiniBand routers.
 *
 * If "at most d links apart" divides the switches of the job's hosts into groups, for every d, the
 * fabric is a fat tree as far as this job sees it, and these groups are levels of switches.
 * Otherwise its switches are a graph, and the distance is that of the shortest path.
 *
 * Limits: FABRIC_MOST_SWITCHES switches, and the links that tmap.h allows.
 */
#ifndef RESEAT_FABRIC_H
#define RESEAT_FABRIC_H

#include <stdint.h>

#include "text/error.h"
#include "network/network.h"

enum { FABRIC_MOST_SWITCHES = 1 << 17 };

/* The network of `nodes` hosts; `hosts` NULL: of all in the file. 0, or -1 with *error, which names
 * the file, and the line if one is wrong: a host is not in it, or is not connected to the
 * others. */
int reseat_fabric_of_file(const char *path, const char *const *hosts, int32_t nodes,
                          struct reseat_network *network, struct reseat_error *error);

/* Returns 1 if a line is of such a file. */
int reseat_fabric_begins(const char *line);

#endif
