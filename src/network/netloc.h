/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netloc.h - machines as text, as Netloc writes them (Bordage, Foyer, Goglin: Netloc: a Tool for
 * Topology-Aware Process Mapping, 2017, section 5.1). One line for each element, depth first:
 *
 *     [node HOST] tree|torus|ring|alltoall DIMENSIONS {SIZE COST} x DIMENSIONS  COUNT INDEX...
 *
 *     torus 3 4 1600 4 1600 4 1600 2 32 52     routers (2,0,0) and (3,1,0) of a torus of 4 x 4 x 4
 *     tree 1 4 800 1 0                         router (2,0,0) has 4 nodes, of which we have the
 *     first node n129 tree 4 2 80 2 40 4 20 2 10 -1  it is n129, and we have all of it
 *     tree 1 4 800 2 0 1                       router (3,1,0)
 *     node n208 tree 4 2 80 2 40 4 20 2 10 -1
 *     node n210 tree 4 2 80 2 40 4 20 2 10 -1
 *
 * COUNT elements are available, and their row-major indices follow; -1 in its place: all are. On a
 * line without `node` as many elements follow, in the order of the indices; a line with `node` ends
 * there. A tree of DIMENSIONS levels from the root: COST is the distance of two leaves that part at
 * the level. In a torus it is that of a hop along the dimension. ring and alltoall, which the paper
 * announces, have one dimension: a ring is a torus of one (and written as that), and in an alltoall
 * each element has a link to each other. Blank lines and comments (#) are allowed between the
 * lines.
 *
 * All elements of the same depth have to have the same type, sizes and costs, since they are one
 * level of the machine. Only hosts may differ: trees of the same costs in their sizes, other trees
 * if their costs fall strictly from the root: a level of the machine is then one cost, and a host
 * without it has a single object there. Hops cost more than 0.
 *
 * Names of levels are ours: "router" and "switch" above the hosts; inside, by their number, "core",
 * "package core", "package numa core", "package numa core pu", else "part" and a number.
 *
 * Limits: TMAP_MAX_LEVELS levels in all, TMAP_MAX_DIMENSIONS dimensions of a torus, 2^24 elements
 * in one, TMAP_MAX_LINKS links of an alltoall, NETLOC_MOST_SLOTS leaves.
 */
#ifndef RESEAT_NETLOC_H
#define RESEAT_NETLOC_H

#include <stdio.h>

#include "text/error.h"
#include "network/machine.h"
#include "network/network.h"

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* large machines are nothing new, and slow */
enum { NETLOC_MOST_SLOTS = 1 << 12 };
#else
enum { NETLOC_MOST_SLOTS = 1 << 22 };
#endif

/* 0, or -1 with *error, which names file and line: a wrong count, index, level or host, a missing
 * or superfluous element, elements that differ, a limit is exceeded. */
int reseat_netloc_read(struct reseat_machine **machine, const char *path,
                       struct reseat_error *error);

/*
 * The network above the hosts of a job, whose own levels and all costs are not used, except that
 * the dimensions of a torus differ as their costs do. 0, or -1 with *error, as above, or that a
 * host is missing, or there are more than TMAP_SWITCH_LEVELS levels above the hosts.
 */
int reseat_netloc_network_of_file(const char *path, const char *const *hosts, int32_t nodes,
                                  struct reseat_network *network, struct reseat_error *error);

/* Write the same machine: indices ascending, and -1 where all elements are available. A host that
 * is a leaf of the tree becomes one element of which there is one. 0, or -1: out
 * of memory; the caller checks `file` for write errors. */
int reseat_netloc_write(FILE *file, const struct reseat_machine *machine);

/* Returns 1 if this line, without comment, can be the first one of such a file. */
int reseat_netloc_begins(const char *line);

#endif
