/* SPDX-License-Identifier: BSD-3-Clause */
/* seats.h - where the processes of a communicator sit: which of them share a node, who leads a
 * node, and each one's place inside it. */
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
    int32_t rank;                    /* in the communicator that was asked about */
    struct reseat_location location; /* nodes count in the order of their lowest rank */
};

struct seats {
    MPI_Comm node;    /* the processes on this node, in order of rank */
    MPI_Comm leaders; /* the lowest rank of each node; MPI_COMM_NULL elsewhere */
    struct seat self;
    int blind; /* one node, and nobody is bound to a part of it: all seats are alike */
    struct reseat_network network; /* rank 0: the switches above the nodes, by node number */
};

/*
 * Find out. Collective over `comm`; nodes come from MPI_Comm_split_type and places from hwloc, or
 * both from RESEAT_TOPOLOGY where rank 0 has it as a tree in text, in which world rank r sits on
 * leaf r. Switches come from that text, from the file that it names instead, or from Slurm. Where
 * hwloc fails a node's processes have no place, and one line says so. In trouble the object is as
 * good as could be made, and seats_close is to be called all the same.
 */
void seats_open(struct seats *seats, const struct reseat_settings *settings, MPI_Comm comm,
                struct trouble *trouble);
void seats_close(struct seats *seats);

#endif
