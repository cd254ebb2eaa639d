/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coordinates.h - a file with the coordinates of each host in a network, as Cray and HPE tools can
 * list them (xtprocadmin, topology services):
 *
 *     # torus 16x8x24
 *     nid00012 0 3 1
 *     nid000[13-14] 0 3 2
 *
 * A line is a host, or a list of hosts that are connected to the same router, and its coordinates,
 * 1 to TMAP_SWITCH_LEVELS of them. A comment that begins with `torus` or `mesh` and the extents, or
 * `dragonfly GROUPSxROUTERS` (all-to-all in a group, one link between each pair of groups; the
 * coordinates are group and router), says what the network is. Without it there are two coordinates
 * or more, and the network is a torus whose extents are the largest coordinates of the file, plus
 * one. Other comments (#) and blank lines are ignored.
 */
#ifndef RESEAT_COORDINATES_H
#define RESEAT_COORDINATES_H

#include <stdint.h>

#include "text/error.h"
#include "network/network.h"

/* The network of `nodes` hosts; `hosts` NULL: of all in the file. 0, or -1 with *error, which names
 * file and line: a host is missing or at two places, other words than coordinates, one outside the
 * network, a limit of tmap.h. */
int reseat_coordinates_of_file(const char *path, const char *const *hosts, int32_t nodes,
                               struct reseat_network *network, struct reseat_error *error);

/*
 * The network of hosts under Slurm's TopologyPlugin=topology/3d_torus: the last three characters of
 * a node's name are its coordinates, digits of base 36 (0-9, A-Z). `path` is the slurm.conf, whose
 * NodeName= lines have the extents ("tux[000x377]", from the lowest to the highest coordinates). 0,
 * or -1 with *error.
 */
int reseat_slurm_torus_of_file(const char *path, const char *const *hosts, int32_t nodes,
                               struct reseat_network *network, struct reseat_error *error);

/* Returns 1 if a line is of the first kind of file: a comment with a network, or, without comment,
 * a host and two coordinates or more. */
int reseat_coordinates_begins(const char *line);

#endif
