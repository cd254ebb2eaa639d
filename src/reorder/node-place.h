/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node-place.h - which processes share a node, and their places in it, for which one process of
 * each node reads the machine.
 *
 * If all ranks of a large node read it at once, they wait for each other in the kernel. They differ
 * only in what they are bound to, and each of them knows that without hwloc.
 */
#ifndef RESEAT_NODE_PLACE_H
#define RESEAT_NODE_PLACE_H

#include <mpi.h>

#include "comm/rank-tree.h"
#include "network/location.h"
#include "treematch/adapters/binding.h"
#include "treematch/tmap.h"

/* Told by a process to rank 0. */
struct node_here {
    uint64_t node; /* equal for the processes of a node; 0: not known */
    int is_bound;
};

/* The answer of rank 0. */
struct node_told {
    int node;   /* in the order of their lowest rank */
    int leader; /* this rank */
    int reader; /* the lowest rank on the node that may be bound; -1: none */
    int next;   /* the next higher one, for a process that may be; -1: none */
};

/*
 * Find out where this process is: the result is equal for processes in one network namespace of one
 * running system, with one host name, which is what a launcher can tell apart. Containers that
 * share the network of their host are on one node, and those that do not are hosts of their own.
 * `binding`: what it is bound to.
 */
void node_place_here(struct node_here *here, const struct tmap_binding *binding);

/* At rank 0: what all are told. Returns the number of nodes; 0: of some processes it is not known
 * on which they are; -1: out of memory. */
int node_place_number(struct node_told *told, const struct node_here *here, int ranks);

/*
 * The place of this process, as tmap_place_find_self gives it. Collective over the processes of a
 * node that may be bound: the lowest reads the machine for all, with its own variables HWLOC_....
 * If the machine cannot be read, no process of the node has a place, and *why tells the reason at
 * the reader; elsewhere *why is empty. Without a binding there is no place. Every process gets an
 * answer, even if out of memory.
 */
void node_place_find(const struct node_told *told, const struct tmap_binding *binding,
                     const struct rank_tree *rank_tree, struct tmap_place *place,
                     struct tmap_error *why);

/* All of it, for who wants the place, and the accelerators of its node, which one process of each
 * node is told. The number of the node is not set. Collective over the tree, which may span
 * nodes. */
void node_place(struct rank_tree *rank_tree, struct reseat_location *location,
                struct tmap_error *why);

#endif
