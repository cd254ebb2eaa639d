/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - what a collective call is in terms of messages, where the MPI does not tell.
 *
 * An MPI carries out a collective as messages between ranks. This library sees the call, not the
 * messages, so every process records what it would send itself by the algorithm that an MPI takes
 * for that size and number of ranks; nothing is communicated for that. The choice is that of MPICH
 * 4.0 and its relatives (maint/tuning/coll/mpir/generic.json in its sources: facts of 4.0 to 4.2);
 * with n ranks, m bytes in all, b bytes a block:
 *
 *   Barrier         dissemination
 *   Bcast           binomial tree; from n = 8 and m > 12288: scatter and doubling (n a power of two
 *                   and m <= 512 KiB) or scatter and ring
 *   Reduce          binomial tree; m > 2048 and at least p elements: Rabenseifner
 *   Allreduce       doubling; m > 8 and at least p elements: Rabenseifner
 *   Gather, Scatter binomial tree; -v linear
 *   Allgather, -v   n a power of two: doubling to 512 KiB, else ring; other n: Bruck to 80 KiB,
 *                   ring; in the ring of -v a block comes in pieces of 32 KiB
 *   Alltoall        n > 8 and b <= 256: Bruck; else, and -v and -w: each to each
 *   Reduce_scatter, _block   halving to 512 KiB, then pairwise
 *   Scan, Exscan    doubling
 *   Neighbor_*      to the real targets of the topology
 *
 * An MPI that knows which ranks share a node may do it in two steps, within nodes and between them.
 * Then the messages follow the places of the ranks and not the roles: that is no traffic that a
 * better order would save, so it is not modelled.
 *
 * A rank's block to itself is no message. On an inter-communicator (two groups) the bytes go to
 * whoever in the other group has to get them; within a group nothing is assumed.
 */
#include <stdlib.h>

#include "profiler/algorithms.h"
#include "profiler/hooks.h"
#include "profiler/record.h"
#include "profiler/unseen.h"

/* Bytes at which the choice changes. Open MPI's is a large table (coll/tuned) that this does not
 * follow: it takes trees and doubling there, the other algorithms only where Open MPI does so too.
 */
enum {
#ifdef OPEN_MPI
    BCAST_SHORT = 1 << 30,
    REDUCE_SHORT = 1 << 30,
    ALLREDUCE_SHORT = 8192,
    ALLTOALL_SHORT = 0,
    SCAN_IS_LINEAR = 1,
#else
    BCAST_SHORT = 12288,
    REDUCE_SHORT = 2048,
    ALLREDUCE_SHORT = 8,
    ALLTOALL_SHORT = 256,
    SCAN_IS_LINEAR = 0,
#endif
    BCAST_MEDIUM = 524288,
    ALLGATHER_SHORT = 81920,
    ALLGATHER_SHORT_POWER = 524288,
    ALLGATHERV_CHUNK = 32768,
    REDUCE_SCATTER_SHORT = 524288
};

static MPI_Count count_at(struct counts counts, int i)
{
    return counts.narrow ? counts.narrow[i] : counts.wide[i];
}

/* Whether an MPI would take the algorithm for many elements: those are parts of equal counts. */
static int can_be_parted(const struct communicator *c, MPI_Count count)
{
    return count > 0 && count >= largest_power(c->size);
}

/* n + 1 places where blocks begin, for `counts` elements of `type`, or `count` each when counts has
 * none; *total is all of it. NULL when memory is short. */
static uint64_t *lay_out(const struct communicator *c, const struct counts *counts, MPI_Count count,
                         MPI_Datatype type)
{
    uint64_t *start = malloc(sizeof *start * ((size_t)c->size + 1));
    if (!start) {
        unseen_add(UNSEEN_MEMORY);
        return NULL;
    }
    start[0] = 0;
    for (int i = 0; i < c->size; i++)
        start[i + 1] = start[i] + record_bytes(counts ? count_at(*counts, i) : count, type);
    return start;
}

/* ---- inter-communicators: c->size and peers are of the other group ---- */

/* From the one root of this group to the leader of the other, who passes it on. */
static int across_from_root(struct communicator *c, int root, uint64_t bytes)
{
    if (c->inter && root == MPI_ROOT)
        algorithm_send(c, 0, 1, bytes);
    return c->inter;
}

/* From the leader of this group to the root in the other. */
static int across_to_root(struct communicator *c, int root, uint64_t bytes)
{
    if (c->inter && root >= 0 && c->rank == 0)
        algorithm_send(c, root, 1, bytes);
    return c->inter;
}

/* Between the leaders. */
static int across(struct communicator *c, uint64_t bytes)
{
    if (c->inter && c->rank == 0)
        algorithm_send(c, 0, 1, bytes);
    return c->inter;
}

/* ---- the hooks ---- */

void model_barrier(MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    if (c && !across(c, 0))
        send_dissemination(c);
}

void model_bcast(MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    uint64_t bytes = record_bytes(count, type);
    if (!c || across_from_root(c, root, bytes))
        return;
    int n = c->size, power = largest_power(n) == n;
    if (n < 8 || bytes <= BCAST_SHORT)
        send_down_binomial(c, root, bytes, 0);
    else if (power && bytes <= BCAST_MEDIUM)
        send_scatter_doubling(c, root, bytes);
    else
        send_scatter_ring(c, root, bytes);
}

void model_reduce(MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    uint64_t bytes = record_bytes(count, type);
    if (!c || across_to_root(c, root, bytes))
        return;
    if (bytes <= REDUCE_SHORT || !can_be_parted(c, count))
        send_up_binomial(c, root, bytes, 0);
    else
        send_rabenseifner_to(c, root, (uint64_t)count, bytes / (uint64_t)count);
}

void model_allreduce(MPI_Count count, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    uint64_t bytes = record_bytes(count, type);
    if (!c || across(c, bytes))
        return;
    if (bytes <= ALLREDUCE_SHORT || !can_be_parted(c, count))
        send_doubling(c, bytes);
    else
        send_rabenseifner(c, (uint64_t)count, bytes / (uint64_t)count);
}

void model_gather(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    (void)recvcount;
    (void)recvtype; /* the root's, who sends nothing */
    if (c && c->inter && root >= 0)
        algorithm_send(c, root, 1, record_bytes(sendcount, sendtype));
    else if (c && !c->inter && c->rank != root)
        send_up_binomial(c, root, record_bytes(sendcount, sendtype), 1);
}

void model_gatherv(MPI_Count sendcount, MPI_Datatype sendtype, int root, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    if (c && root >= 0 && (c->inter || c->rank != root))
        algorithm_send(c, root, 1, record_bytes(sendcount, sendtype));
}

void model_scatter(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    for (int j = 0; c && c->inter && root == MPI_ROOT && j < c->size; j++)
        algorithm_send(c, j, 1, record_bytes(sendcount, sendtype));
    if (c && !c->inter)
        send_down_binomial(c, root,
                           c->rank == root ? record_bytes(sendcount, sendtype)
                                           : record_bytes(recvcount, recvtype),
                           1);
}

void model_scatterv(struct counts sendcounts, MPI_Datatype sendtype, int root, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    int sends = c && (c->inter ? root == MPI_ROOT : c->rank == root);
    for (int j = 0; sends && j < c->size; j++)
        if (c->inter || j != root)
            algorithm_send(c, j, 1, record_bytes(count_at(sendcounts, j), sendtype));
}

/* `chunk`: the ring sends blocks in pieces of at most that many bytes. */
static void gather_to_all(struct communicator *c, const uint64_t *start, uint64_t chunk)
{
    uint64_t bytes = start[c->size];
    int power = largest_power(c->size) == c->size;
    if (bytes >= (power ? ALLGATHER_SHORT_POWER : ALLGATHER_SHORT))
        send_gather_ring(c, start, chunk);
    else if (power)
        send_gather_doubling(c, start);
    else
        send_gather_bruck(c, start);
}

/* On an inter-communicator a process gets the blocks of the other group, so that how many bytes it
 * sends itself is not to be seen in the counts: each group gets what the other's ranks sent. */
void model_allgather(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    if (c && c->inter)
        algorithm_send(c, 0, 1, record_bytes(sendcount, sendtype));
    uint64_t *start = c && !c->inter ? lay_out(c, NULL, recvcount, recvtype) : NULL;
    if (start)
        gather_to_all(c, start, UINT64_MAX);
    free(start);
}

void model_allgatherv(MPI_Count sendcount, MPI_Datatype sendtype, struct counts recvcounts,
                      MPI_Datatype recvtype, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    if (c && c->inter)
        algorithm_send(c, 0, 1, record_bytes(sendcount, sendtype));
    uint64_t *start = c && !c->inter ? lay_out(c, &recvcounts, 0, recvtype) : NULL;
    if (start)
        gather_to_all(c, start, ALLGATHERV_CHUNK);
    free(start);
}

/* Whether rank j gets a message of this one in a collective of each to each. */
static int is_other(const struct communicator *c, int j)
{
    return c->inter || j != c->rank;
}

void model_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    int in_place = sendbuf == MPI_IN_PLACE;
    uint64_t bytes =
        in_place ? record_bytes(recvcount, recvtype) : record_bytes(sendcount, sendtype);
    if (c && !c->inter && !in_place && c->size > 8 && bytes <= ALLTOALL_SHORT) {
        send_bruck(c, bytes);
        return;
    }
    for (int j = 0; c && j < c->size; j++)
        if (is_other(c, j))
            algorithm_send(c, j, 1, bytes);
}

void model_alltoallv(const void *sendbuf, struct counts sendcounts, MPI_Datatype sendtype,
                     struct counts recvcounts, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    int in_place = sendbuf == MPI_IN_PLACE;
    for (int j = 0; c && j < c->size; j++) {
        uint64_t bytes = in_place ? record_bytes(count_at(recvcounts, j), recvtype)
                                  : record_bytes(count_at(sendcounts, j), sendtype);
        if (is_other(c, j) && bytes)
            algorithm_send(c, j, 1, bytes);
    }
}

void model_alltoallw(const void *sendbuf, struct counts sendcounts, const MPI_Datatype sendtypes[],
                     struct counts recvcounts, const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    int in_place = sendbuf == MPI_IN_PLACE;
    for (int j = 0; c && j < c->size; j++) {
        uint64_t bytes = in_place ? record_bytes(count_at(recvcounts, j), recvtypes[j])
                                  : record_bytes(count_at(sendcounts, j), sendtypes[j]);
        if (is_other(c, j) && bytes)
            algorithm_send(c, j, 1, bytes);
    }
}

static void reduce_and_scatter(struct communicator *c, const uint64_t *start)
{
    if (start[c->size] < REDUCE_SCATTER_SHORT)
        send_halving(c, start);
    else
        send_pairwise(c, start);
}

void model_reduce_scatter(struct counts recvcounts, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    if (c && c->inter) {
        across(c, record_bytes(count_at(recvcounts, c->rank), type));
        return;
    }
    uint64_t *start = c ? lay_out(c, &recvcounts, 0, type) : NULL;
    if (start)
        reduce_and_scatter(c, start);
    free(start);
}

void model_reduce_scatter_block(MPI_Count recvcount, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    if (!c || across(c, record_bytes(recvcount, type)))
        return;
    uint64_t *start = lay_out(c, NULL, recvcount, type);
    if (start)
        reduce_and_scatter(c, start);
    free(start);
}

void model_scan(MPI_Count count, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    uint64_t bytes = record_bytes(count, type);
    if (c && !SCAN_IS_LINEAR)
        send_scan_doubling(c, bytes);
    else if (c && c->rank + 1 < c->size)
        algorithm_send(c, c->rank + 1, 1, bytes);
}

/* ---- to the neighbours ---- */

void model_neighbor_same(MPI_Count count, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    uint64_t bytes = record_bytes(count, type);
    int targets = 0;
    const int *target = c ? communicator_neighbours(c, comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        algorithm_send(c, target[i], 1, bytes);
}

void model_neighbor_alltoallv(struct counts sendcounts, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    int targets = 0;
    const int *target = c ? communicator_neighbours(c, comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        algorithm_send(c, target[i], 1, record_bytes(count_at(sendcounts, i), type));
}

void model_neighbor_alltoallw(struct counts sendcounts, const MPI_Datatype types[], MPI_Comm comm)
{
    struct communicator *c = communicator_find(comm);
    int targets = 0;
    const int *target = c ? communicator_neighbours(c, comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        algorithm_send(c, target[i], 1, record_bytes(count_at(sendcounts, i), types[i]));
}
