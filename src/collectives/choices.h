/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choices.h - which algorithm the MPI would take for a collective among the ranks of one group.
 * Each MPI has its own: tuned.c (with libnbc.c) is Open MPI's, mpich.c that of MPICH and its
 * relatives; a preloaded library has one of them. Every function says what one rank sends.
 */
#ifndef RESEAT_CHOICES_H
#define RESEAT_CHOICES_H

#include "collectives/algorithms.h"

/* A call, as far as choices and algorithms ask. */
struct call {
    struct sender self;
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

/* The release of a library by what MPI_Get_library_version says of it, where choices differ between releases
 * (50007 for Open MPI 5.0.7); else 0. */
int choices_release(const char *library_version);

/* How a profile calls the choices of a release. */
const char *choices_name(int release);

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

/* Whether a block without elements is a message by the choices of a release; in Alltoallw it is none anywhere. */
enum vector { VECTOR_GATHERV, VECTOR_SCATTERV, VECTOR_ALLTOALLV };
int empty_blocks_travel(const struct call *call, enum vector collective, int release);

#endif
