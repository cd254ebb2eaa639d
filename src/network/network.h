/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - the switches above the nodes of a job, as numbers for a tree. */
#ifndef RESEAT_NETWORK_H
#define RESEAT_NETWORK_H

#include <stdint.h>

#include "text/error.h"
#include "treematch/tmap.h"

/* As in struct tmap_job; levels 0: no switch separates these nodes. Switches above all of the nodes
 * are left out. */
struct reseat_network {
    int levels;
    int32_t nodes;
    int32_t *switches; /* nodes x levels, outermost first */
    /* By level: how the switches below the same one are connected; their numbers are then
     * positions. NULL, for a level or all: they are equally far apart. */
    struct tmap_shape **shapes;
    char **host; /* by node: its name, if all hosts of a description were asked for; else NULL */
};
void reseat_network_free(struct reseat_network *network);

/* The network of other nodes, which each take the switches of a node of `from`: row[node]. 0, or -1
 * with *error. */
int reseat_network_select(struct reseat_network *network, const struct reseat_network *from,
                          const int32_t *row, int32_t nodes, struct reseat_error *error);

/* The switches above one node, outermost first. */
struct network_path {
    int length;
    int32_t at[TMAP_SWITCH_LEVELS];
};

/*
 * Combine the paths of all nodes. A shorter path is extended by switches below its last one, each
 * holding only the nodes with this path, so that common switches stay common. `shapes` (an entry
 * for each level of the paths, which are all as long as each other then; NULL: none) is copied. 0,
 * or -1 with *error.
 */
int reseat_network_create(struct reseat_network *network, const struct network_path *paths,
                          int32_t nodes, const struct tmap_shape *const *shapes,
                          struct reseat_error *error);

/*
 * The address that Slurm gives each process: "s0.s3.n17" as SLURM_TOPOLOGY_ADDR and
 * "switch.switch.node" as SLURM_TOPOLOGY_ADDR_PATTERN (https://slurm.schedmd.com/topology.html),
 * both outermost first. A node connected to several switches has a list of them, which counts as
 * one name here.
 */
struct network_address {
    const char *address; /* NULL, as may be the pattern: not set */
    const char *pattern;
    const char *host; /* where they were found */
};
enum { NETWORK_ADDRESS_SIZE = 512, NETWORK_PATTERN_SIZE = 128 }; /* longer ones are cut */

/* 0, or -1 with *error: a node without an address, or with that of another node. */
int reseat_network_from_addresses(struct reseat_network *network,
                                  const struct network_address *addresses, int32_t nodes,
                                  struct reseat_error *error);

/* Returns 1 if two names denote the same host: equal, or equal up to the first dot if one of them
 * has no dot. */
int network_same_host(const char *a, const char *b);

#endif
