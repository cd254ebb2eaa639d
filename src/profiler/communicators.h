/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * communicators.h - which domain a communicator belongs to, and which role each of its ranks plays
 * there. Known communicators are looked up without a lock; roles are translated once for each rank
 * that is sent to.
 */
#ifndef RESEAT_COMMUNICATORS_H
#define RESEAT_COMMUNICATORS_H

#include <mpi.h>

#include "base/handles.h"
#include "profiler/traffic.h"

struct communicator {
    /* once the rest is filled in, at the first use; before and after: MPI_COMM_NULL */
    MPI_Comm comm;
    struct peer **peer_of_rank;    /* size entries, NULL until sent to */
    struct call_cache *call_cache; /* what collectives have sent on it; call-cache.h */
    struct domain *domain;
    struct communicator *spare; /* the next one that is free for reuse */
    MPI_Group group; /* which a rank argument refers to: the remote one of an inter-communicator */
    int size;        /* of that group; 0: free for reuse */
    int rank;        /* of this process in its own group */
    int inter;
    int neighbors; /* number of targets in the topology; -1: not asked yet */
    int *neighbor; /* their ranks, in MPI's order */
};

/* Those that have been used, or do not belong to the world. */
extern struct handles communicators;

/* The one that this thread found last. A struct communicator may be reused but is never freed, so
 * its `comm` can always be read. */
extern __thread struct communicator *communicator_last __attribute__((tls_model("initial-exec")));

/* communicator_find, when it is not the last one again. */
struct communicator *communicator_find_other(MPI_Comm comm);

/* The record of `comm`; a communicator not seen before belongs to the world. NULL when out of
 * memory, when MPI fails, or when nothing is recorded. */
static inline struct communicator *communicator_find(MPI_Comm comm)
{
    struct communicator *last = communicator_last;
    return __atomic_load_n(&last->comm, __ATOMIC_ACQUIRE) == comm ? last
                                                                  : communicator_find_other(comm);
}

/* The counters for messages to `rank`; NULL when it has no role in the domain (unseen) or out of
 * memory. Takes a lock and asks MPI, so it is for the first message only. */
struct peer *communicator_resolve_peer(struct communicator *communicator, int rank);

static inline struct peer *communicator_peer(struct communicator *communicator, int rank)
{
    /* MPICH 5 returns MPI_SUCCESS also for a bad rank, once the application's error handler has
     * returned. */
    if ((unsigned)rank >= (unsigned)communicator->size)
        return NULL;
    struct peer *peer = __atomic_load_n(&communicator->peer_of_rank[rank], __ATOMIC_ACQUIRE);
    return peer ? peer : communicator_resolve_peer(communicator, rank);
}

/* The ranks that this process sends to in a neighborhood collective, in order, duplicates included;
 * their number in *count. NULL when there is no topology. */
const int *communicator_neighbors(struct communicator *communicator, MPI_Comm comm, int *count);

/* The identity of the domain that a topology call on `comm_old` makes of the members of `comm`:
 * comm_old itself, or the new communicator, which may have fewer. All must be known to be in the
 * world. Collective over comm; `reorder` is rank 0's. The same on all members: 0; 1 when it
 * makes none, without reorder or when traffic_next_ordinal gives no ordinal; or -1 when MPI
 * fails at one. */
int communicator_identity(MPI_Comm comm, MPI_Comm comm_old, const char *function, int reorder,
                          struct domain_identity *identity);

/* Make `comm` the communicator of a new domain. */
void communicator_opens_domain(MPI_Comm comm, const struct domain_identity *identity);

/* The members of something made from `comm` that is no communicator (a window), in its domain;
 * takes `group`. NULL when out of memory or when MPI fails. Free with communicator_destroy. */
struct communicator *communicator_create(MPI_Comm comm, MPI_Group group);
void communicator_destroy(struct communicator *communicator);

/* `comm` is about to be freed. */
void communicator_forget(MPI_Comm comm);

/* Forget everything. */
void communicators_stop(void);

#endif
