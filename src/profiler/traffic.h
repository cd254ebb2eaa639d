/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - the counters: what this process, in its role in a domain, has sent to each other
 * role.
 *
 * A process keeps its own row of the matrix only, and of that only the partners it has. Counters
 * are found once for each (communicator, rank) and then written through a pointer, without a lock.
 */
#ifndef RESEAT_TRAFFIC_H
#define RESEAT_TRAFFIC_H

#include <mpi.h>
#include <stdint.h>

#include "format/profile.h"

/* What was sent to one role. Lives as long as its domain, at the same place. */
struct peer {
    int32_t role;
    uint64_t msgs[RESEAT_TRAFFIC_KINDS];
    uint64_t bytes[RESEAT_TRAFFIC_KINDS];
};

/* Who a domain is, for all its members alike, in this run and the next. */
struct domain_identity {
    char function[RESEAT_FUNCTION_SIZE];
    uint64_t parent; /* key of the parent domain; 0: none */
    int32_t size;
    int32_t first;
    int32_t ordinal;
};

struct domain {
    struct domain_identity identity;
    uint64_t key; /* hash of the identity, never 0 */
    struct domain *parent;
    struct domain *next;
    MPI_Group group;     /* rank r of it plays role r */
    int32_t role;        /* of this process */
    int32_t *members;    /* roles in the parent, at the process with role 0; else NULL */
    struct peer **peers; /* ascending by role */
    size_t peers_count;
    size_t peers_room;
};

/* Whether several threads may send at once: then counters are added to atomically. */
extern int traffic_threads;

/* The domain of MPI_COMM_WORLD; NULL before traffic_start. */
struct domain *traffic_world(void);

/* Make the world domain. 0, or -1 when memory is short or MPI fails. */
int traffic_start(void);
/* Destroy all domains. */
void traffic_stop(void);

/* All domains, the world first, parents before children. */
struct domain *traffic_domains(void);
struct domain *traffic_find(uint64_t key);

/* The key of an identity. */
uint64_t traffic_key(const struct domain_identity *identity);

/* The next free ordinal for a domain with this function, parent and first; counts it as taken. */
int32_t traffic_next_ordinal(const struct domain_identity *identity);

/* Add the domain of communicator `comm`, whose group's ranks are its roles. NULL when memory is
 * short or MPI fails; the communicator then stays in its parent's domain. */
struct domain *traffic_add_domain(const struct domain_identity *identity, struct domain *parent,
                                  MPI_Comm comm);

/* The counters of `role`; NULL when memory is short. Takes a lock. */
struct peer *traffic_peer(struct domain *domain, int32_t role);

static inline void traffic_count(struct peer *peer, enum reseat_traffic kind, uint64_t msgs,
                                 uint64_t bytes)
{
    if (traffic_threads) {
        __atomic_fetch_add(&peer->msgs[kind], msgs, __ATOMIC_RELAXED);
        __atomic_fetch_add(&peer->bytes[kind], bytes, __ATOMIC_RELAXED);
    } else {
        peer->msgs[kind] += msgs;
        peer->bytes[kind] += bytes;
    }
}

#endif
