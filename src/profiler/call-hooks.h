/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call-hooks.h - what calls.tbl can name: one function for each way in which an MPI function makes
 * traffic. They are called after the MPI function has succeeded, by the application's own calls
 * only; those named before_ before it, by all. They cannot fail: what cannot be recorded is named
 * in the profile (unseen.h). All but record_send run with the guard up.
 */
#ifndef RESEAT_CALL_HOOKS_H
#define RESEAT_CALL_HOOKS_H

#include <mpi.h>

#include "declared.h"

/* A vector of counts as the application gave it. */
struct counts {
    const int *narrow;
    const MPI_Count *wide;
};

static inline struct counts counts_narrow(const int *counts)
{
    return (struct counts){.narrow = counts};
}

static inline struct counts counts_wide(const MPI_Count *counts)
{
    return (struct counts){.wide = counts};
}

/* The communicator of a collective, and whether its form is nonblocking or persistent. */
struct where {
    MPI_Comm comm;
    int nonblocking;
};

static inline struct where blocking_on(MPI_Comm comm)
{
    return (struct where){comm, 0};
}

static inline struct where nonblocking_on(MPI_Comm comm)
{
    return (struct where){comm, 1};
}

/* ---- point to point ---- */
void record_send(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm);
void record_persistent_send(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm,
                            MPI_Request *request);
/* One message of all partitions together at each start. */
void record_partitioned_send(int partitions, MPI_Count count, MPI_Datatype type, int dest,
                             MPI_Comm comm, MPI_Request *request);
void record_start(MPI_Request *request);
void record_startall(int count, MPI_Request requests[]);
void before_request_free(MPI_Request *request);

/* Between these two, what the calling thread records is kept as the traffic of one start of
 * `request` instead of being counted. */
void persistent_begin(void);
void persistent_end(MPI_Request request);

/* ---- collectives: model.c ---- */
void model_barrier(struct where where);
void model_bcast(MPI_Count count, MPI_Datatype type, int root, struct where where);
void model_reduce(MPI_Count count, MPI_Datatype type, MPI_Op op, int root, struct where where);
void model_allreduce(const void *sendbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     struct where where);
void model_gather(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root, struct where where);
void model_gatherv(MPI_Count sendcount, MPI_Datatype sendtype, int root, struct where where);
void model_scatter(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, struct where where);
void model_scatterv(struct counts sendcounts, MPI_Datatype sendtype, int root, struct where where);
void model_allgather(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                     MPI_Count recvcount, MPI_Datatype recvtype, struct where where);
void model_allgatherv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      struct counts recvcounts, MPI_Datatype recvtype, struct where where);
void model_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                    MPI_Count recvcount, MPI_Datatype recvtype, struct where where);
void model_alltoallv(const void *sendbuf, struct counts sendcounts, MPI_Datatype sendtype,
                     struct counts recvcounts, MPI_Datatype recvtype, struct where where);
void model_alltoallw(const void *sendbuf, struct counts sendcounts, const MPI_Datatype sendtypes[],
                     struct counts recvcounts, const MPI_Datatype recvtypes[], struct where where);
void model_reduce_scatter(struct counts recvcounts, MPI_Datatype type, MPI_Op op,
                          struct where where);
void model_reduce_scatter_block(MPI_Count recvcount, MPI_Datatype type, MPI_Op op,
                                struct where where);
void model_scan(MPI_Count count, MPI_Datatype type, struct where where);
void model_neighbor_same(MPI_Count count, MPI_Datatype type, struct where where);
void model_neighbor_alltoallv(struct counts sendcounts, MPI_Datatype type, struct where where);
void model_neighbor_alltoallw(struct counts sendcounts, const MPI_Datatype types[],
                              struct where where);

/* ---- communicators: communicators.c ---- */
void communicator_derived(MPI_Comm parent, MPI_Comm *child);
void communicator_joined(MPI_Comm local,
                         MPI_Comm *joined); /* with processes that may be in no domain of `local` */

/* ---- one-sided: one-sided.c ---- */
void window_created(MPI_Comm comm, MPI_Win *win);
void shared_window_created(MPI_Comm comm, MPI_Win *win);
void before_window_free(MPI_Win *win);
void record_put(MPI_Count number, MPI_Datatype type, int rank, MPI_Win win);
void record_get(MPI_Count number, MPI_Datatype type, int rank, MPI_Win win);
void record_get_accumulate(MPI_Count number, MPI_Datatype type, MPI_Count result_number,
                           MPI_Datatype result_type, int rank, MPI_Op op, MPI_Win win);
void record_fetch_and_op(MPI_Datatype type, int rank, MPI_Op op, MPI_Win win);
void record_compare_and_swap(MPI_Datatype type, int rank, MPI_Win win);

/* ---- phases: profiler.c ---- */
void phase_begins(int level);

/* ---- what is used and not recorded: unseen.c ---- */
void unseen_other_jobs(void);
void unseen_sessions(void);

#endif
