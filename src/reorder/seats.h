/* SPDX-License-Identifier: BSD-3-Clause */
/* seats.h - where the processes of a communicator sit: which of them share a node, who leads a
 * node, and each one's place inside it. */
#ifndef RESEAT_SEATS_H
#define RESEAT_SEATS_H

#include <mpi.h>
#include <stdint.h>

#include "reorder/trouble.h"
#include "treematch/tmap.h"

/* A process as its leader sees it. */
struct seat {
    int32_t rank; /* in the communicator that was asked about */
    int32_t node; /* number of its node: nodes count in the order of their lowest rank */
    struct tmap_place place;
};

struct seats {
    MPI_Comm node;    /* the processes on this node, in order of rank */
    MPI_Comm leaders; /* the lowest rank of each node; MPI_COMM_NULL elsewhere */
    struct seat self;
};

/*
 * Find out. Collective over `comm`; nodes come from MPI_Comm_split_type and places from hwloc, or
 * both from `topology`, a tree as text in which world rank r sits on leaf r (empty: what is
 * discovered). In trouble the object is as good as could be made, and seats_close is to be called
 * all the same.
 */
void seats_open(struct seats *seats, const char *topology, MPI_Comm comm, struct trouble *trouble);
void seats_close(struct seats *seats);

#endif
