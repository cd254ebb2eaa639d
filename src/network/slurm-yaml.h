/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm-yaml.h - Slurm's topology.yaml (https://slurm.schedmd.com/topology.yaml.html), from Slurm
 * 25.05 on: a list of topologies, of the kinds
 *   tree      switches above each other;
 *   block     blocks of nodes; a size of block_sizes above the first one joins as many adjacent
 *             blocks into a larger one, as Slurm does;
 *   ring      rings of nodes (26.05), each a network of its own;
 *   torus3d   nodes by coordinates, x varying fastest, or regions of them (26.05);
 *   flat      all nodes are equally far apart.
 * The first one with `cluster_default: true` counts, else the first one; if a host of the job is
 * not in it, the first other one that has them all. If a job has nodes of rings, or of toruses, of
 * different sizes, only which of them a node is in counts.
 */
#ifndef RESEAT_SLURM_YAML_H
#define RESEAT_SLURM_YAML_H

#include <stdint.h>

#include "text/error.h"
#include "network/network.h"

/* The network of `nodes` hosts; `hosts` NULL: of all in the file. 0, or -1 with *error, which names
 * file and line: the file cannot be read, a host is in no topology, or the one that counts is
 * wrong. */
int reseat_slurm_yaml_of_file(const char *path, const char *const *hosts, int32_t nodes,
                              struct reseat_network *network, struct reseat_error *error);

#endif
