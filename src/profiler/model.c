/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - which messages a collective call amounts to, where the MPI does not tell.
 *
 * An MPI carries out a collective as messages between ranks. This library sees the call, not the
 * messages. So every process records what it would send by the algorithm that its MPI takes for
 * that size and number of ranks (choices.h), which needs no communication. What all MPIs do alike
 * is here:
 *
 *   Gatherv, Scatterv            straight to the root, from the root
 *   Alltoallv, Alltoallw         each to each
 *   Neighbor_*                   to the real targets of the topology
 *
 * A rank's block for itself is no message. On an inter-communicator the bytes are counted to the
 * ranks of the other group that have to receive them; no messages within a group are assumed.
 */
#include <stdlib.h>

#include "profiler/fast-path.h"
#include "collectives/choices.h"
#include "profiler/call-hooks.h"
#include "profiler/call-cache.h"
#include "profiler/mpi-release.h"
#include "profiler/record.h"
#include "profiler/unseen.h"

/* One or several messages of a collective to a rank of `communicator`, a struct communicator. */
static void model_send(void *communicator, int rank, uint64_t msgs, uint64_t bytes)
{
    record_traffic(communicator, rank, RESEAT_COLL, msgs, bytes);
}

static MPI_Count model_count_at(struct counts counts, int i)
{
    return counts.narrow ? counts.narrow[i] : counts.wide[i];
}

/* n + 1 offsets at which blocks begin, for `counts` elements of `type`. NULL when out of memory. */
static uint64_t *model_lay_out(const struct communicator *c, struct counts counts,
                               MPI_Datatype type)
{
    uint64_t *start = malloc(sizeof *start * ((size_t)c->size + 1));
    if (!start) {
        unseen_add(UNSEEN_MEMORY);
        return NULL;
    }
    start[0] = 0;
    for (int i = 0; i < c->size; i++)
        start[i + 1] = start[i] + record_bytes(model_count_at(counts, i), type);
    return start;
}

/* The call of an MPI function with `count` elements of `type`; without elements MPI is not asked
 * about the type, which need not be valid. */
static struct call model_describe(struct communicator *c, MPI_Count count, MPI_Datatype type,
                                  int nonblocking)
{
    uint64_t elements = count > 0 ? (uint64_t)count : 0;
    uint64_t size = elements ? record_bytes(1, type) : 0;
    return (struct call){.self = {c->rank, c->size, model_send, c},
                         .count = elements,
                         .size = size,
                         .bytes = elements * size,
                         .blocks = {.each = elements * size},
                         .release = mpi_release(),
                         .nonblocking = nonblocking};
}

static int model_does_not_commute(MPI_Op op)
{
    int commutes = 1;
    return op != MPI_OP_NULL && !record_commutes(op) &&
           PMPI_Op_commutative(op, &commutes) == MPI_SUCCESS && !commutes;
}

static int model_is_user_defined(MPI_Op op)
{
    return op != MPI_OP_NULL && !record_commutes(op) && op != MPI_LXOR && op != MPI_BXOR &&
           op != MPI_REPLACE && op != MPI_NO_OP;
}

/* On a communicator of one group. For a persistent request the cache is not used. */
static void model_record_collective(struct communicator *c, struct call_key key)
{
    int nonblocking = (key.form & CALL_KEY_NONBLOCKING) != 0;
    if (!(nonblocking && tally_is_open()) && call_cache_hit(c, key))
        return;
    struct call call = model_describe(c, key.count, key.type, nonblocking);
    call.root = (int)(key.form / CALL_KEY_ROOT);
    call.in_place = (key.form & CALL_KEY_IN_PLACE) != 0;
    call.ordered = model_does_not_commute(key.op);
    call.user_defined = model_is_user_defined(key.op);
    call_cache_fill(c, &key, &call);
}

/* ---- inter-communicators: c->size and peers are of the other group ---- */

/* From the root in this group to rank 0 of the other, which passes it on. */
static void model_across_from_root(struct communicator *c, int root, uint64_t bytes)
{
    if (root == MPI_ROOT)
        model_send(c, 0, 1, bytes);
}

/* From rank 0 of this group to the root in the other. */
static void model_across_to_root(struct communicator *c, int root, uint64_t bytes)
{
    if (root >= 0 && c->rank == 0)
        model_send(c, root, 1, bytes);
}

/* Between the two ranks 0. */
static void model_across(struct communicator *c, uint64_t bytes)
{
    if (c->rank == 0)
        model_send(c, 0, 1, bytes);
}

/* ---- the hooks ---- */

void model_barrier(struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter)
        model_across(c, 0);
    else if (c)
        model_record_collective(c, key_of_barrier(where));
}

void model_bcast(MPI_Count count, MPI_Datatype type, int root, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter && root != MPI_PROC_NULL) /* the other arguments are not significant */
        model_across_from_root(c, root, record_bytes(count, type));
    else if (c && !c->inter)
        model_record_collective(c, key_of_bcast(count, type, root, where));
}

void model_reduce(MPI_Count count, MPI_Datatype type, MPI_Op op, int root, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter && root != MPI_PROC_NULL)
        model_across_to_root(c, root, record_bytes(count, type));
    else if (c && !c->inter)
        model_record_collective(c, key_of_reduce(count, type, op, root, where));
}

void model_allreduce(const void *sendbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter)
        model_across(c, record_bytes(count, type));
    else if (c)
        model_record_collective(c, key_of_allreduce(sendbuf, count, type, op, where));
}

void model_gather(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter && root >= 0)
        model_send(c, root, 1, record_bytes(sendcount, sendtype));
    else if (c && !c->inter)
        model_record_collective(
            c, key_of_gather(sendcount, sendtype, recvcount, recvtype, root, where));
}

void model_gatherv(MPI_Count sendcount, MPI_Datatype sendtype, int root, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (!c || root < 0 || (!c->inter && c->rank == root))
        return;
    struct call call = model_describe(c, sendcount, sendtype, where.nonblocking);
    if (call.bytes || empty_blocks_travel(&call, VECTOR_GATHERV, mpi_release()))
        model_send(c, root, 1, call.bytes);
}

void model_scatter(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    for (int j = 0; c && c->inter && root == MPI_ROOT && j < c->size; j++)
        model_send(c, j, 1, record_bytes(sendcount, sendtype));
    if (c && !c->inter)
        model_record_collective(
            c, key_of_scatter(sendcount, sendtype, recvcount, recvtype, root, where));
}

void model_scatterv(struct counts sendcounts, MPI_Datatype sendtype, int root, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    struct call call = {.nonblocking = where.nonblocking};
    int sends = c && (c->inter ? root == MPI_ROOT : c->rank == root);
    int empty = empty_blocks_travel(&call, VECTOR_SCATTERV, mpi_release());
    for (int j = 0; sends && j < c->size; j++) {
        uint64_t bytes = record_bytes(model_count_at(sendcounts, j), sendtype);
        if ((c->inter || j != root) && (bytes || empty))
            model_send(c, j, 1, bytes);
    }
}

/* On an inter-communicator the receive counts are those of the other group's blocks; what this
 * process sends is in sendcount. */
void model_allgather(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                     MPI_Count recvcount, MPI_Datatype recvtype, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter)
        model_send(c, 0, 1, record_bytes(sendcount, sendtype));
    if (!c || c->inter)
        return;
    struct call call = model_describe(c, recvcount, recvtype, where.nonblocking);
    call.bytes = record_bytes(sendcount, sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
    choose_allgather(&call);
}

void model_allgatherv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      struct counts recvcounts, MPI_Datatype recvtype, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter)
        model_send(c, 0, 1, record_bytes(sendcount, sendtype));
    uint64_t *start = c && !c->inter ? model_lay_out(c, recvcounts, recvtype) : NULL;
    if (!start)
        return;
    struct call call = model_describe(c, start[c->size] > 0, recvtype, where.nonblocking);
    call.blocks.start = start;
    if (call.size)
        call.bytes = start[c->size] / call.size *
                     record_bytes(1, sendbuf == MPI_IN_PLACE ? recvtype : sendtype) /
                     (uint64_t)c->size;
    choose_allgatherv(&call);
    free(start);
}

/* Returns 1 if rank j gets a message from this one when each rank sends to each. */
static int model_is_other(const struct communicator *c, int j)
{
    return c->inter || j != c->rank;
}

void model_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                    MPI_Count recvcount, MPI_Datatype recvtype, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    for (int j = 0; c && c->inter && j < c->size; j++)
        model_send(c, j, 1, record_bytes(sendcount, sendtype));
    if (c && !c->inter)
        model_record_collective(
            c, key_of_alltoall(sendbuf, sendcount, sendtype, recvcount, recvtype, where));
}

void model_alltoallv(const void *sendbuf, struct counts sendcounts, MPI_Datatype sendtype,
                     struct counts recvcounts, MPI_Datatype recvtype, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    int in_place = sendbuf == MPI_IN_PLACE;
    MPI_Datatype type = in_place ? recvtype : sendtype;
    struct counts counts = in_place ? recvcounts : sendcounts;
    struct call call = {.in_place = in_place, .nonblocking = where.nonblocking};
    int empty = c && !c->inter && empty_blocks_travel(&call, VECTOR_ALLTOALLV, mpi_release());
    for (int j = 0; c && j < c->size; j++) {
        uint64_t bytes = record_bytes(model_count_at(counts, j), type);
        if (model_is_other(c, j) && (bytes || empty))
            model_send(c, j, 1, bytes);
    }
}

void model_alltoallw(const void *sendbuf, struct counts sendcounts, const MPI_Datatype sendtypes[],
                     struct counts recvcounts, const MPI_Datatype recvtypes[], struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    int in_place = sendbuf == MPI_IN_PLACE;
    for (int j = 0; c && j < c->size; j++) {
        uint64_t bytes = in_place ? record_bytes(model_count_at(recvcounts, j), recvtypes[j])
                                  : record_bytes(model_count_at(sendcounts, j), sendtypes[j]);
        if (model_is_other(c, j) && bytes)
            model_send(c, j, 1, bytes);
    }
}

void model_reduce_scatter(struct counts recvcounts, MPI_Datatype type, MPI_Op op,
                          struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter)
        model_across(c, record_bytes(model_count_at(recvcounts, c->rank), type));
    uint64_t *start = c && !c->inter ? model_lay_out(c, recvcounts, type) : NULL;
    if (!start)
        return;
    struct call call = model_describe(c, start[c->size] > 0, type, where.nonblocking);
    call.blocks.start = start;
    call.bytes = start[c->size];
    call.ordered = model_does_not_commute(op);
    call.user_defined = model_is_user_defined(op);
    choose_reduce_scatter(&call);
    free(start);
}

void model_reduce_scatter_block(MPI_Count recvcount, MPI_Datatype type, MPI_Op op,
                                struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c && c->inter)
        model_across(c, record_bytes(recvcount, type));
    else if (c)
        model_record_collective(c, key_of_reduce_scatter_block(recvcount, type, op, where));
}

void model_scan(MPI_Count count, MPI_Datatype type, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    if (c)
        model_record_collective(c, key_of_scan(count, type, where));
}

/* ---- to the neighbors ---- */

void model_neighbor_same(MPI_Count count, MPI_Datatype type, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    uint64_t bytes = record_bytes(count, type);
    int targets = 0;
    const int *target = c ? communicator_neighbors(c, where.comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        model_send(c, target[i], 1, bytes);
}

void model_neighbor_alltoallv(struct counts sendcounts, MPI_Datatype type, struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    int targets = 0;
    const int *target = c ? communicator_neighbors(c, where.comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        model_send(c, target[i], 1, record_bytes(model_count_at(sendcounts, i), type));
}

void model_neighbor_alltoallw(struct counts sendcounts, const MPI_Datatype types[],
                              struct where where)
{
    struct communicator *c = communicator_find(where.comm);
    int targets = 0;
    const int *target = c ? communicator_neighbors(c, where.comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        model_send(c, target[i], 1, record_bytes(model_count_at(sendcounts, i), types[i]));
}
