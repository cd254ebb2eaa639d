/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * again.h - the hooks once more, for calls that are known: again_X does what the hook of a call
 * like that did when it had succeeded before, on the communicator that this thread has used last,
 * and says so: 1, or 0. MPI is not asked for anything and no argument is believed, so again_X can
 * come before the call.
 *
 * asked_X is what there is to remember of a collective X on a communicator of one group, which is
 * the one that this thread has used last.
 */
#ifndef RESEAT_AGAIN_H
#define RESEAT_AGAIN_H

#include "profiler/hooks.h"
#include "profiler/recall.h"
#include "profiler/record.h"

static inline int again_on(MPI_Comm comm)
{
    return __atomic_load_n(&communicator_last->comm, __ATOMIC_ACQUIRE) == comm;
}

/* Of a type whose size is known, to where a message went before. */
static inline int again_send(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm)
{
    const struct communicator *c = communicator_last;
    if (!again_on(comm) || type != record_last_type.type || (unsigned)dest >= (unsigned)c->size)
        return 0;
    struct peer *peer = __atomic_load_n(&c->peer_of_rank[dest], __ATOMIC_ACQUIRE);
    if (peer)
        traffic_count(peer, RESEAT_P2P, 1, (uint64_t)count * record_last_type.size);
    return peer != NULL;
}

static inline int again_collective(MPI_Comm comm, struct asked asked)
{
    return again_on(comm) && recall(communicator_last, asked);
}

static inline struct asked asked_barrier(struct where where)
{
    return (struct asked){choose_barrier, 0, MPI_DATATYPE_NULL, MPI_OP_NULL,
                          recall_form(0, 0, where.nonblocking)};
}

static inline struct asked asked_bcast(MPI_Count count, MPI_Datatype type, int root,
                                       struct where where)
{
    return (struct asked){choose_bcast, count, type, MPI_OP_NULL,
                          recall_form(root, 0, where.nonblocking)};
}

static inline struct asked asked_reduce(MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                                        struct where where)
{
    return (struct asked){choose_reduce, count, type, op, recall_form(root, 0, where.nonblocking)};
}

static inline struct asked asked_allreduce(const void *sendbuf, MPI_Count count, MPI_Datatype type,
                                           MPI_Op op, struct where where)
{
    return (struct asked){choose_allreduce, count, type, op,
                          recall_form(0, sendbuf == MPI_IN_PLACE, where.nonblocking)};
}

/* The root's send and the others' receive arguments mean nothing, and the other way round. */
static inline struct asked asked_gather(MPI_Count sendcount, MPI_Datatype sendtype,
                                        MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                        struct where where)
{
    int receives = communicator_last->rank == root;
    return (struct asked){choose_gather, receives ? recvcount : sendcount,
                          receives ? recvtype : sendtype, MPI_OP_NULL,
                          recall_form(root, 0, where.nonblocking)};
}

static inline struct asked asked_scatter(MPI_Count sendcount, MPI_Datatype sendtype,
                                         MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                         struct where where)
{
    int sends = communicator_last->rank == root;
    return (struct asked){choose_scatter, sends ? sendcount : recvcount,
                          sends ? sendtype : recvtype, MPI_OP_NULL,
                          recall_form(root, 0, where.nonblocking)};
}

static inline struct asked asked_alltoall(const void *sendbuf, MPI_Count sendcount,
                                          MPI_Datatype sendtype, MPI_Count recvcount,
                                          MPI_Datatype recvtype, struct where where)
{
    int in_place = sendbuf == MPI_IN_PLACE;
    return (struct asked){choose_alltoall, in_place ? recvcount : sendcount,
                          in_place ? recvtype : sendtype, MPI_OP_NULL,
                          recall_form(0, in_place, where.nonblocking)};
}

static inline struct asked asked_reduce_scatter_block(MPI_Count recvcount, MPI_Datatype type,
                                                      MPI_Op op, struct where where)
{
    return (struct asked){choose_reduce_scatter_block, recvcount, type, op,
                          recall_form(0, 0, where.nonblocking)};
}

static inline struct asked asked_scan(MPI_Count count, MPI_Datatype type, struct where where)
{
    return (struct asked){choose_scan, count, type, MPI_OP_NULL,
                          recall_form(0, 0, where.nonblocking)};
}

#endif
