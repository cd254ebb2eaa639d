/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choices.h - which algorithm the MPI would take for a collective among the ranks of one group.
 * Each MPI makes its own choices: those of Open MPI are in tuned.c (and libnbc.c), those of MPICH
 * and its relatives in mpich.c; a preloaded library contains one of the two, and that for the
 * standard ABI both, with abi.c in front of them. Every function says what one rank sends.
 */
#ifndef RESEAT_CHOICES_H
#define RESEAT_CHOICES_H

#include "collectives/algorithms.h"

#ifdef CHOICES_OF /* the functions below under names of an MPI, for abi.c */
#define RENAMED_JOIN(mpi, name) mpi##_##name
#define RENAMED_FOR(mpi, name) RENAMED_JOIN(mpi, name)
#define RENAMED(name) RENAMED_FOR(CHOICES_OF, name)
#define choices_release RENAMED(choices_release)
#define choices_name RENAMED(choices_name)
#define empty_blocks_travel RENAMED(empty_blocks_travel)
#define choose_barrier RENAMED(choose_barrier)
#define choose_bcast RENAMED(choose_bcast)
#define choose_reduce RENAMED(choose_reduce)
#define choose_allreduce RENAMED(choose_allreduce)
#define choose_gather RENAMED(choose_gather)
#define choose_scatter RENAMED(choose_scatter)
#define choose_allgather RENAMED(choose_allgather)
#define choose_allgatherv RENAMED(choose_allgatherv)
#define choose_alltoall RENAMED(choose_alltoall)
#define choose_reduce_scatter RENAMED(choose_reduce_scatter)
#define choose_reduce_scatter_block RENAMED(choose_reduce_scatter_block)
#define choose_scan RENAMED(choose_scan)
#endif

/* A call, as far as choices and algorithms need it. */
struct call {
    struct sender self;
    int root;
    uint64_t count;       /* elements in all, or in one block where all blocks are equal */
    uint64_t size;        /* bytes of an element */
    uint64_t bytes;       /* count * size unless a function says otherwise */
    struct blocks blocks; /* of Allgather(v), Reduce_scatter(_block) */
    int ordered;          /* the operation does not commute */
    int user_defined;     /* the operation is not one of MPI's own */
    int in_place;
    int nonblocking; /* or persistent */
    int release;     /* of the MPI, as choices_release says */
};

/* A row of a table of choices: it applies to fewer ranks than `ranks` and fewer bytes than `bytes`.
 * The first row that fits is taken; the last one fits always. */
struct choice {
    int ranks;
    uint64_t bytes;
    void (*send)(const struct call *call);
};

/* The release of an MPI from its MPI_Get_library_version, for an MPI whose choices differ between
 * releases (50007 for Open MPI 5.0.7); else 0, or 1 if the choices of its own are not known. */
enum { CHOICES_UNKNOWN = 1, CHOICES_OPENMPI = 10000 };
int choices_release(const char *library_version);

/* The name of a release's choices in a profile. */
const char *choices_name(int release);

void choose_barrier(const struct call *call);
void choose_bcast(const struct call *call);
void choose_reduce(const struct call *call);
void choose_allreduce(const struct call *call);
void choose_gather(const struct call *call);
void choose_scatter(const struct call *call);
/* `bytes` is the size of the block that this process sends; for -v the mean of all blocks. */
void choose_allgather(const struct call *call);
void choose_allgatherv(const struct call *call);
void choose_alltoall(const struct call *call);
void choose_reduce_scatter(const struct call *call);
void choose_reduce_scatter_block(const struct call *call);
void choose_scan(const struct call *call);

/* Returns 1 if an empty block is sent as a message in a release; in Alltoallw it never is. */
enum vector { VECTOR_GATHERV, VECTOR_SCATTERV, VECTOR_ALLTOALLV };
int empty_blocks_travel(const struct call *call, enum vector collective, int release);

#endif
