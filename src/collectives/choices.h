/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choices.h - which algorithm the MPI would take for a collective among the ranks of one group.
 * Each MPI has its own: tuned.c (with libnbc.c) is Open MPI's, mpich.c that of MPICH and its
 * relatives; a preloaded library has one of them. Every function records what this process sends.
 */
#ifndef RESEAT_CHOICES_H
#define RESEAT_CHOICES_H

#include "collectives/algorithms.h"

/* A call, as far as choices and algorithms ask. */
struct call {
    struct communicator *c;
    int root;
    uint64_t count;       /* elements: all, or of one block where ranks have equal ones */
    uint64_t size;        /* bytes of an element */
    uint64_t bytes;       /* count * size, where nothing else is said */
    struct blocks blocks; /* of Allgather(v), Reduce_scatter(_block) */
    int ordered;          /* the operation does not commute */
    int in_place;
    int nonblocking; /* or persistent */
};

/* A row of a table of choices: for fewer ranks than `ranks` and fewer bytes than `bytes`. The first
 * that fits is taken; in the last both are the largest number. */
struct choice {
    int ranks;
    uint64_t bytes;
    void (*send)(const struct call *call);
};

/* How a profile calls them; of several releases, those of the one that runs. */
const char *choices_name(void);

void choose_barrier(const struct call *call);
void choose_bcast(const struct call *call);
void choose_reduce(const struct call *call);
void choose_allreduce(const struct call *call);
void choose_gather(const struct call *call);
void choose_scatter(const struct call *call);
/* `bytes` of a block, by what this process sends; of -v: the mean. */
void choose_allgather(const struct call *call);
void choose_allgatherv(const struct call *call);
void choose_alltoall(const struct call *call);
void choose_reduce_scatter(const struct call *call);
void choose_reduce_scatter_block(const struct call *call);
void choose_scan(const struct call *call);

/* Whether a block without elements is a message; in Alltoallw it is none anywhere. */
enum vector { VECTOR_GATHERV, VECTOR_SCATTERV, VECTOR_ALLTOALLV };
int empty_blocks_travel(const struct call *call, enum vector collective);

#endif
