/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - what a collective call is in terms of messages.
 *
 * An MPI carries out a collective as messages between ranks. This library sees the call, not the
 * messages, so it assumes the textbook algorithm, the same for both MPIs, and every process records
 * what it would send itself; nothing is communicated for that. With n ranks, r this rank, m bytes:
 *
 *   Barrier                  dissemination: step k to r + 2^k, no bytes
 *   Bcast                    binomial tree from the root, m to each child
 *   Reduce                   the same tree upwards, m to the parent
 *   Allreduce                recursive doubling, m to r ^ 2^k; ranks above the largest power of two
 *                            give their part to a partner first and get the result from it last
 *   Gather, Scatter          binomial tree; a message carries the blocks of a whole subtree
 *   Gatherv, Scatterv        linear: each to the root, the root to each
 *   Allgather, Allgatherv    ring: n - 1 messages to r + 1, all blocks but that of r + 1
 *   Alltoall, -v, -w         each to each
 *   Reduce_scatter, _block   pairwise: block j to j
 *   Scan, Exscan             linear: m to r + 1
 *   Neighbor_*               to the real targets of the topology
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
 * Operations in MPICH", IJHPCA 19(1), 2005, sections 4 and 5; E. Chan et al., "Collective
 * communication: theory, practice, and experience", CCPE 19, 2007. A rank's block to itself is no
 * message. Collectives on inter-communicators are not modelled: they are named in the profile.
 */
#include "profiler/hooks.h"
#include "profiler/record.h"
#include "profiler/unseen.h"

static MPI_Count count_at(struct counts counts, int i)
{
    return counts.narrow ? counts.narrow[i] : counts.wide[i];
}

/* The communicator of a collective; NULL when it is none that the model covers. */
static struct communicator *members(MPI_Comm comm)
{
    struct communicator *communicator = communicator_find(comm);
    if (communicator && communicator->inter) {
        unseen_add(UNSEEN_INTER_COLLECTIVES);
        return NULL;
    }
    return communicator;
}

static void send_to(struct communicator *c, int rank, uint64_t msgs, uint64_t bytes)
{
    record_traffic(c, rank, RESEAT_COLL, msgs, bytes);
}

/* ---- binomial trees: ranks relative to the root; the parent of v is v without its lowest bit ----
 */

static int relative(const struct communicator *c, int root)
{
    return (c->rank - root + c->size) % c->size;
}

static int absolute(const struct communicator *c, int root, int v)
{
    return (v + root) % c->size;
}

/* The lowest set bit of v; for the root the first power of two that is not below n. Children of v
 * are v + b for the powers of two b below it. */
static int reach(int v, int n)
{
    if (v)
        return v & -v;
    int bit = 1;
    while (bit < n)
        bit *= 2;
    return bit;
}

/* How many ranks are in the subtree of v. */
static int subtree(int v, int n)
{
    int bit = reach(v, n);
    return bit < n - v ? bit : n - v;
}

/* To each child: `bytes`, times the ranks of its subtree when `each` rank has a block of its own.
 */
static void send_down(struct communicator *c, int root, uint64_t bytes, int each)
{
    int v = relative(c, root);
    for (int bit = reach(v, c->size) / 2; bit > 0; bit /= 2)
        if (v + bit < c->size)
            send_to(c, absolute(c, root, v + bit), 1,
                    each ? bytes * (uint64_t)subtree(v + bit, c->size) : bytes);
}

static void send_up(struct communicator *c, int root, uint64_t bytes, int each)
{
    int v = relative(c, root);
    if (v)
        send_to(c, absolute(c, root, v & (v - 1)), 1,
                each ? bytes * (uint64_t)subtree(v, c->size) : bytes);
}

/* ---- the hooks ---- */

void model_barrier(MPI_Comm comm)
{
    struct communicator *c = members(comm);
    for (int64_t step = 1; c && step < c->size; step *= 2)
        send_to(c, (int)((c->rank + step) % c->size), 1, 0);
}

void model_bcast(MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    if (c)
        send_down(c, root, record_bytes(count, type), 0);
}

void model_reduce(MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    if (c)
        send_up(c, root, record_bytes(count, type), 0);
}

/* Recursive doubling among the first power of two of ranks, where the 2 x rest lowest ranks are
 * paired: the even one hands its part to the odd one, which takes part for both. */
static void double_recursively(struct communicator *c, uint64_t bytes)
{
    int power = 1;
    while (power <= c->size / 2)
        power *= 2;
    int rest = c->size - power;
    if (c->rank < 2 * rest && c->rank % 2 == 0) {
        send_to(c, c->rank + 1, 1, bytes);
        return;
    }
    int v = c->rank < 2 * rest ? c->rank / 2 : c->rank - rest;
    for (int bit = 1; bit < power; bit *= 2) {
        int other = v ^ bit;
        send_to(c, other < rest ? 2 * other + 1 : other + rest, 1, bytes);
    }
    if (c->rank < 2 * rest)
        send_to(c, c->rank - 1, 1, bytes);
}

void model_allreduce(MPI_Count count, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    if (c)
        double_recursively(c, record_bytes(count, type));
}

void model_gather(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    (void)recvcount;
    (void)recvtype; /* the root's, who sends nothing */
    if (c && c->rank != root)
        send_up(c, root, record_bytes(sendcount, sendtype), 1);
}

void model_gatherv(MPI_Count sendcount, MPI_Datatype sendtype, int root, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    if (c && c->rank != root)
        send_to(c, root, 1, record_bytes(sendcount, sendtype));
}

void model_scatter(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    if (c)
        send_down(c, root,
                  c->rank == root ? record_bytes(sendcount, sendtype)
                                  : record_bytes(recvcount, recvtype),
                  1);
}

void model_scatterv(struct counts sendcounts, MPI_Datatype sendtype, int root, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    for (int j = 0; c && c->rank == root && j < c->size; j++)
        if (j != root)
            send_to(c, j, 1, record_bytes(count_at(sendcounts, j), sendtype));
}

static void send_around(struct communicator *c, uint64_t bytes)
{
    if (c->size > 1)
        send_to(c, (c->rank + 1) % c->size, (uint64_t)c->size - 1, bytes);
}

void model_allgather(MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    if (c)
        send_around(c, record_bytes(recvcount, recvtype) * (uint64_t)(c->size - 1));
}

void model_allgatherv(struct counts recvcounts, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    uint64_t bytes = 0;
    for (int j = 0; c && j < c->size; j++)
        if (j != (c->rank + 1) % c->size)
            bytes += record_bytes(count_at(recvcounts, j), recvtype);
    if (c)
        send_around(c, bytes);
}

void model_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    uint64_t bytes = sendbuf == MPI_IN_PLACE ? record_bytes(recvcount, recvtype)
                                             : record_bytes(sendcount, sendtype);
    for (int j = 0; c && j < c->size; j++)
        if (j != c->rank)
            send_to(c, j, 1, bytes);
}

void model_alltoallv(const void *sendbuf, struct counts sendcounts, MPI_Datatype sendtype,
                     struct counts recvcounts, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    int in_place = sendbuf == MPI_IN_PLACE;
    for (int j = 0; c && j < c->size; j++) {
        uint64_t bytes = in_place ? record_bytes(count_at(recvcounts, j), recvtype)
                                  : record_bytes(count_at(sendcounts, j), sendtype);
        if (j != c->rank && bytes)
            send_to(c, j, 1, bytes);
    }
}

void model_alltoallw(const void *sendbuf, struct counts sendcounts, const MPI_Datatype sendtypes[],
                     struct counts recvcounts, const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct communicator *c = members(comm);
    int in_place = sendbuf == MPI_IN_PLACE;
    for (int j = 0; c && j < c->size; j++) {
        uint64_t bytes = in_place ? record_bytes(count_at(recvcounts, j), recvtypes[j])
                                  : record_bytes(count_at(sendcounts, j), sendtypes[j]);
        if (j != c->rank && bytes)
            send_to(c, j, 1, bytes);
    }
}

void model_reduce_scatter(struct counts recvcounts, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    for (int j = 0; c && j < c->size; j++)
        if (j != c->rank)
            send_to(c, j, 1, record_bytes(count_at(recvcounts, j), type));
}

void model_reduce_scatter_block(MPI_Count recvcount, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    uint64_t bytes = record_bytes(recvcount, type);
    for (int j = 0; c && j < c->size; j++)
        if (j != c->rank)
            send_to(c, j, 1, bytes);
}

void model_scan(MPI_Count count, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    if (c && c->rank + 1 < c->size)
        send_to(c, c->rank + 1, 1, record_bytes(count, type));
}

void model_neighbor_same(MPI_Count count, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    uint64_t bytes = record_bytes(count, type);
    int targets = 0;
    const int *target = c ? communicator_neighbours(c, comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        send_to(c, target[i], 1, bytes);
}

void model_neighbor_alltoallv(struct counts sendcounts, MPI_Datatype type, MPI_Comm comm)
{
    struct communicator *c = members(comm);
    int targets = 0;
    const int *target = c ? communicator_neighbours(c, comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        send_to(c, target[i], 1, record_bytes(count_at(sendcounts, i), type));
}

void model_neighbor_alltoallw(struct counts sendcounts, const MPI_Datatype types[], MPI_Comm comm)
{
    struct communicator *c = members(comm);
    int targets = 0;
    const int *target = c ? communicator_neighbours(c, comm, &targets) : NULL;
    for (int i = 0; i < targets; i++)
        send_to(c, target[i], 1, record_bytes(count_at(sendcounts, i), types[i]));
}
