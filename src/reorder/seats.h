/* SPDX-License-Identifier: BSD-3-Clause */
/* seats.h - where the processes of a communicator run: which of them share a node, which one leads
 * it, and the place of each inside it. */
#ifndef RESEAT_SEATS_H
#define RESEAT_SEATS_H

#include <mpi.h>
#include <stdint.h>

#include "format/location.h"
#include "format/settings.h"
#include "reorder/trouble.h"
#include "treematch/tmap.h"

/* A process as its leader sees it. */
struct seat {
    int32_t rank;                    /* in the communicator given to seats_open */
    struct reseat_location location; /* nodes count in the order of their lowest rank */
};

struct seats {
    MPI_Comm node;    /* the processes on this node, in order of rank */
    MPI_Comm leaders; /* the lowest rank of each node; MPI_COMM_NULL elsewhere */
    struct seat self;
    int blind; /* one node, and no process is bound to a part of it: all seats are alike */
    struct reseat_network network; /* rank 0: the switches above the nodes, by node number */
};

/*
 * Fill `seats`. Collective over `comm`. Nodes come from MPI_Comm_split_type and places from hwloc,
 * or both from RESEAT_TOPOLOGY if that is a tree as text at rank 0, in which world rank r sits on
 * leaf r. Switches come from that text, from the file that RESEAT_TOPOLOGY names instead, or from
 * Slurm. If hwloc fails, the node's processes have no place, and one line is printed. If a rank
 * cannot get its communicators, all ranks are in trouble and have none. In other trouble the object
 * is as complete as possible. seats_close must always be called.
 */
void seats_open(struct seats *seats, const struct reseat_settings *settings, MPI_Comm comm,
                struct trouble *trouble);
void seats_close(struct seats *seats);

#endif
