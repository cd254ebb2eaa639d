/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - the switches above the nodes of a job, as numbers for a tree. */
#ifndef RESEAT_NETWORK_H
#define RESEAT_NETWORK_H

#include <stdint.h>

#include "format/error.h"
#include "treematch/tmap.h"

/* As struct tmap_job has them; levels 0: no switch tells these nodes apart. Switches that are above
 * all of the nodes are left out. */
struct reseat_network {
    int levels;
    int32_t nodes;
    int32_t *switches; /* nodes x levels, from the outside in */
};
void reseat_network_free(struct reseat_network *network);

/* The switches above one node, from the outside in. */
struct network_path {
    int length;
    int32_t at[TMAP_SWITCH_LEVELS];
};

/*
 * Put the paths of all nodes side by side. Where one is shorter, further switches that hold this
 * node's neighbours alone are thought below its last one, so that common switches stay common.
 * 0, or -1 with *error.
 */
int reseat_network_create(struct reseat_network *network, const struct network_path *paths,
                          int32_t nodes, struct reseat_error *error);

/*
 * What Slurm tells each process: "s0.s3.n17" as SLURM_TOPOLOGY_ADDR and "switch.switch.node" as
 * SLURM_TOPOLOGY_ADDR_PATTERN (https://slurm.schedmd.com/topology.html), both from the outside in.
 * A node that is connected by several switches has a list of them, which is one name here.
 */
struct network_address {
    const char *address; /* may be NULL, as may be the pattern: not set */
    const char *pattern;
    const char *host; /* on which they were found */
};

/* 0, or -1 with *error: a node without, or one with the address of another node. */
int reseat_network_from_addresses(struct reseat_network *network,
                                  const struct network_address *addresses, int32_t nodes,
                                  struct reseat_error *error);

/* Whether two names are of the same host: equal, or equal up to the first dot and one of them has
 * none. */
int network_same_host(const char *a, const char *b);

#endif
