/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network-source.h - the switches above the nodes of a job, from RESEAT_TOPOLOGY (a file, or a tree
 * as text) if it is set, otherwise from Slurm. Used by the library, which gathers what the ranks
 * know, and by the command, which asks a launcher or reads a profile.
 */
#ifndef RESEAT_NETWORK_SOURCE_H
#define RESEAT_NETWORK_SOURCE_H

#include "network/leaf.h"
#include "network/network.h"

enum network_source { NETWORK_FROM_SLURM, NETWORK_FROM_TREE, NETWORK_FROM_FILE };

/* Returns the source that a value of RESEAT_TOPOLOGY names; empty: it is not set. */
enum network_source network_source_of(const char *topology);

/* A node as each source describes it. */
struct network_node {
    struct network_address address; /* its host, and the address that Slurm gave to its ranks */
    struct network_path above;      /* NETWORK_FROM_TREE: network_source_leaf */
};

/*
 * The switches above nodes; `source` is network_source_of(topology). If Slurm gave no node an
 * address, there are no switches. 0, or -1 with *error. After a failure with NETWORK_FROM_SLURM the
 * caller goes on without switches, since the user did not ask for them.
 */
int reseat_network_find(struct reseat_network *network, enum network_source source,
                        const char *topology, const struct network_node *nodes, int32_t count,
                        struct reseat_error *error);

/* The network of all hosts that a file names, which then has their names. 0, or -1 with *error:
 * also if it is a description that does not list its hosts. */
int reseat_network_of_all(struct reseat_network *network, const char *path,
                          struct reseat_error *error);

/* The leaf of world rank `rank` in the tree `topology`. 0, or -1 with *error and a leaf without
 * location. */
int network_source_leaf(struct reseat_leaf *leaf, const char *topology, int32_t rank,
                        struct reseat_error *error);

/* Parse the tree `topology`. 0, or -1 with *error. */
int network_source_tree(struct tmap_tree **tree, const char *topology, struct reseat_error *error);

/*
 * From the addresses that Slurm gave to the ranks of each host (network.h). These may be missing
 * for ranks that a launcher has started itself on its own host, and wrong if a launcher passes on
 * its environment with those of its own host. Then from what is next to `configuration`, the value
 * of SLURM_CONF (NULL: /etc/slurm/slurm.conf): topology.yaml, else topology.conf, else slurm.conf
 * with TopologyPlugin=topology/3d_torus. If the addresses name no switches, as those of toruses and
 * rings do not, only from the first and the last of these. 0, or -1 with *error.
 */
int reseat_network_from_slurm(struct reseat_network *network,
                              const struct network_address *addresses, int32_t nodes,
                              const char *configuration, struct reseat_error *error);

/* Returns the number of accelerators of this node (treematch/adapters/accelerators.h). A tree as
 * text, as RESEAT_TOPOLOGY or HWLOC_SYNTHETIC may be, stands for a machine without any; what
 * HWLOC_XMLFILE describes comes first. */
int32_t reseat_node_accelerators(const char *topology);
/* The same of the parts of this node that have network cards (tmap_card_level); -1 for a tree. */
int reseat_node_card_level(const char *topology);

#endif
