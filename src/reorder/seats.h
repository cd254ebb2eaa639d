/* SPDX-License-Identifier: BSD-3-Clause */
/* seats.h - where the processes of a communicator run: which of them share a node, which one leads
 * it, and the place of each inside it. */
#ifndef RESEAT_SEATS_H
#define RESEAT_SEATS_H

#include <mpi.h>
#include <stdint.h>

#include "network/leaf.h"
#include "network/network-source.h"
#include "profile/settings.h"
#include "reorder/node-place.h"
#include "reorder/trouble.h"
#include "treematch/tmap.h"

/* A process as its leader sees it. */
struct seat {
    int32_t rank;                    /* in the communicator given to seats_find_nodes */
    struct reseat_location location; /* nodes count in the order of their lowest rank */
};

struct seats {
    struct rank_tree rank_tree;
    struct seat self;
    int leader;       /* the lowest rank of this node */
    struct seat *all; /* rank 0: of all ranks, by rank; NULL elsewhere */
    int nodes;        /* how many */
    int blind; /* rank 0: one node, and no process is bound to a part of it: all seats are alike */
    struct reseat_network network; /* rank 0: the switches above the nodes, by node number */
    struct tmap_binding binding;
    struct node_told told;
    struct reseat_leaf leaf;   /* in a tree as text */
    struct reseat_error error; /* why there is none */
    int source;                /* enum network_source */
};

enum { SEATS_WORDS = 4 };

/* The words that all ranks exchange first. */
struct seats_word {
    uint64_t program; /* of this process */
    /* Of rank 0: the trouble if `program` is not the same everywhere; NULL: none. */
    const char *difference;
    int words[SEATS_WORDS]; /* rank 0's, which all ranks get */
};

/*
 * All ranks of `comm` tell rank 0 on which node they are, and hear its number. Collective. 0, or -1
 * on all ranks if one is in trouble (trouble.h). Nodes are told apart by node-place.h; where a
 * process does not know where it is, by MPI_Comm_split_type. Or by RESEAT_TOPOLOGY if that is a
 * tree as text at rank 0, in which world rank r sits on leaf r. seats_close must always be called.
 */
int seats_find_nodes(struct seats *seats, const struct reseat_settings *settings, MPI_Comm comm,
                     struct seats_word *word, struct trouble *trouble);

/*
 * Then: the place of each process, from hwloc or from that text, and the switches above the nodes:
 * from that text, from the file that RESEAT_TOPOLOGY names instead, or from Slurm. Rank 0 gets all
 * of it, and the trouble of all; the others have to hear of that from it. If hwloc fails, the
 * node's processes have no place, and one line is printed. Collective.
 */
void seats_open(struct seats *seats, const struct reseat_settings *settings,
                struct trouble *trouble);
void seats_close(struct seats *seats);

#endif
