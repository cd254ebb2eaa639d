/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fast-path.h - the fast path of the hot hooks: fast_record_X records a call from cached data only,
 * without calling MPI and without dereferencing an argument, so it is safe to run before the call
 * itself. Returns 1 if the call was recorded; 0 to take the slow path, which is hook X after the
 * call.
 *
 * The cache has the communicator that this thread used last (its peers by rank), the size of the
 * datatype that was sent last, and the messages of recent collectives (call-cache.h). key_of_X is
 * the key of a collective X in that cache; it holds for communicators of one group.
 */
#ifndef RESEAT_FAST_PATH_H
#define RESEAT_FAST_PATH_H

#include "profiler/call-hooks.h"
#include "profiler/call-cache.h"
#include "profiler/record.h"

static inline int fast_is_current(MPI_Comm comm)
{
    return __atomic_load_n(&communicator_last->comm, __ATOMIC_ACQUIRE) == comm;
}

/* Of a type whose size is known, to where messages of about this size went before. */
static inline int fast_record_send(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm)
{
    const struct communicator *c = communicator_last;
    if (!fast_is_current(comm) || type != record_last_type.type ||
        (unsigned)dest >= (unsigned)c->size)
        return 0;
    struct peer *peer = __atomic_load_n(&c->peer_of_rank[dest], __ATOMIC_ACQUIRE);
    uint64_t bytes = (uint64_t)count * record_last_type.size;
    struct counter *counter =
        peer ? traffic_find_size(&peer->now[RESEAT_P2P], message_size(bytes)) : NULL;
    if (counter)
        traffic_add(counter, 1, bytes);
    return counter != NULL;
}

static inline int fast_record_collective(MPI_Comm comm, struct call_key key)
{
    return fast_is_current(comm) && call_cache_hit(communicator_last, key);
}

static inline struct call_key key_of_barrier(struct where where)
{
    return (struct call_key){choose_barrier, 0, MPI_DATATYPE_NULL, MPI_OP_NULL,
                             call_key_form(0, 0, where.nonblocking)};
}

static inline struct call_key key_of_bcast(MPI_Count count, MPI_Datatype type, int root,
                                           struct where where)
{
    return (struct call_key){choose_bcast, count, type, MPI_OP_NULL,
                             call_key_form(root, 0, where.nonblocking)};
}

static inline struct call_key key_of_reduce(MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                                            struct where where)
{
    return (struct call_key){choose_reduce, count, type, op,
                             call_key_form(root, 0, where.nonblocking)};
}

static inline struct call_key key_of_allreduce(const void *sendbuf, MPI_Count count,
                                               MPI_Datatype type, MPI_Op op, struct where where)
{
    return (struct call_key){choose_allreduce, count, type, op,
                             call_key_form(0, sendbuf == MPI_IN_PLACE, where.nonblocking)};
}

/* The root's send and the others' receive arguments mean nothing, and the other way round. */
static inline struct call_key key_of_gather(MPI_Count sendcount, MPI_Datatype sendtype,
                                            MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                            struct where where)
{
    int receives = communicator_last->rank == root;
    return (struct call_key){choose_gather, receives ? recvcount : sendcount,
                             receives ? recvtype : sendtype, MPI_OP_NULL,
                             call_key_form(root, 0, where.nonblocking)};
}

static inline struct call_key key_of_scatter(MPI_Count sendcount, MPI_Datatype sendtype,
                                             MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                             struct where where)
{
    int sends = communicator_last->rank == root;
    return (struct call_key){choose_scatter, sends ? sendcount : recvcount,
                             sends ? sendtype : recvtype, MPI_OP_NULL,
                             call_key_form(root, 0, where.nonblocking)};
}

static inline struct call_key key_of_alltoall(const void *sendbuf, MPI_Count sendcount,
                                              MPI_Datatype sendtype, MPI_Count recvcount,
                                              MPI_Datatype recvtype, struct where where)
{
    int in_place = sendbuf == MPI_IN_PLACE;
    return (struct call_key){choose_alltoall, in_place ? recvcount : sendcount,
                             in_place ? recvtype : sendtype, MPI_OP_NULL,
                             call_key_form(0, in_place, where.nonblocking)};
}

static inline struct call_key key_of_reduce_scatter_block(MPI_Count recvcount, MPI_Datatype type,
                                                          MPI_Op op, struct where where)
{
    return (struct call_key){choose_reduce_scatter_block, recvcount, type, op,
                             call_key_form(0, 0, where.nonblocking)};
}

static inline struct call_key key_of_scan(MPI_Count count, MPI_Datatype type, struct where where)
{
    return (struct call_key){choose_scan, count, type, MPI_OP_NULL,
                             call_key_form(0, 0, where.nonblocking)};
}

#endif
