/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - the counters: what this process, in its role in a domain, has sent to each other
 * role.
 *
 * A process keeps only its own row of the matrix, and of that only the peers it has sent to. The
 * counters of a peer are looked up once for each (communicator, rank) and then written through a
 * pointer, without a lock.
 *
 * Rank 0 of 4 has sent role 3 one message of 400 bytes, called MPI_Pcontrol (1), and sent role 3
 * two messages of 8 bytes and one of 1000, and role 1 one of 8 bytes:
 *
 *   struct domain                                         struct communicator (communicators.h)
 *   MPI_COMM_WORLD, size 4, role 0                        MPI_COMM_WORLD
 *     peers[0] --> struct peer, role 1 <------------------- peer_of_rank[1]
 *                    now[RESEAT_P2P] = {1, 8, size 4}       peer_of_rank[0], [2]: NULL
 *                    past --> NULL
 *     peers[1] --> struct peer, role 3 <------------------- peer_of_rank[3]
 *                    now[RESEAT_P2P] = {2, 16, size 4} --> {1, 1000, size 10} --> NULL
 *                    past --> struct phase_counters --> NULL
 *                               phase 0
 *                               counters[RESEAT_P2P] = {1, 400, size 9}
 *
 * Messages of each class of sizes (message-sizes.h) have a counter of their own, in a list: most
 * peers get one or two. The first is in the struct itself.
 *
 * The end of a phase, or traffic_flush_phase, moves now[] to the list `past` and clears it.
 */
#ifndef RESEAT_TRAFFIC_H
#define RESEAT_TRAFFIC_H

#include <mpi.h>
#include <stdint.h>

#include "base/handles.h"
#include "profile/message-sizes.h"
#include "profile/profile.h"
#include "profiler/run-time.h"

/* A peer has a counter for each kind of traffic sent to it, and one for what was fetched from it
 * (MPI_Get). The latter is the traffic of that peer, and is handed over to it when the profile is
 * written (fetched.h). */
enum { TRAFFIC_FETCHED = RESEAT_TRAFFIC_KINDS, TRAFFIC_COUNTERS };
struct counter {
    uint64_t msgs;
    uint64_t bytes;
    struct counter *next; /* of another class; lives as long as the first */
    int32_t size;         /* class of message-sizes.h; TRAFFIC_NO_SIZE: nothing was counted yet */
};
enum { TRAFFIC_NO_SIZE = -1 };

/* The counters of an earlier phase, or of the current one up to the last flush; each is the first
 * of its list. */
struct phase_counters {
    struct phase_counters *next;
    int32_t phase;
    struct counter counters[TRAFFIC_COUNTERS];
};

/* Lives as long as its domain, and never moves. */
struct peer {
    struct counter now[TRAFFIC_COUNTERS]; /* in the current phase, since the last flush */
    int32_t role;
    struct phase_counters *past;
};

/* The identity of a domain: the same on all members, in this run and the next. */
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
    struct peer **peers; /* ascending by role; this array moves: use traffic_visit */
    size_t peers_count;
    struct handles launched; /* the peers by 1 + rank in the world as launched; monitoring.c */
};

/* 1 if several threads may send at once: then counters are added to atomically. */
extern int traffic_threads __attribute__((visibility("hidden")));

/* The domain of MPI_COMM_WORLD; NULL before traffic_start. */
struct domain *traffic_world(void);

/* Make the world domain, of the processes of `group`.
 * 0, or -1 when out of memory or when MPI fails. */
int traffic_start(MPI_Group group);
/* Destroy all domains. */
void traffic_stop(void);

/* All domains, the world first (after NULL), parents before children; NULL at the end. Other
 * threads may add domains meanwhile. */
struct domain *traffic_next(const struct domain *domain);
struct domain *traffic_find(uint64_t key);

/* The key of an identity. */
uint64_t traffic_key(const struct domain_identity *identity);

/* At the process with role 0: the ordinal of the next domain with this function, parent, size and
 * first. A program may create any number of them, so all later ones share the last ordinal if
 * `group` has the same processes as the domain of that ordinal; if not, TRAFFIC_NO_ORDINAL: the
 * communicator stays in its parent's domain. */
enum { TRAFFIC_ORDINALS = 64, TRAFFIC_NO_ORDINAL = -1 };
int32_t traffic_next_ordinal(const struct domain_identity *identity, MPI_Group group);

/* Returns 1 if all processes of `group` are in `all`. Local: every process finds the same. */
int traffic_contains(MPI_Group all, MPI_Group group);

/* Add the domain of communicator `comm`, whose group's ranks are its roles, or return the existing
 * one; if that one's roles are other processes, the parent. NULL when out of memory or when MPI
 * fails; the communicator then stays in its parent's domain. */
struct domain *traffic_add_domain(const struct domain_identity *identity, struct domain *parent,
                                  MPI_Comm comm);

/* The counters of `role`; NULL when out of memory. Takes a lock. */
struct peer *traffic_peer(struct domain *domain, int32_t role);

/* Call `visit` with all peers of a domain, ascending, or of all domains (NULL). Other threads may
 * count messages meanwhile, but whatever changes peers or their phases waits, so `visit` must not
 * call functions of this file or of MPI. */
typedef void traffic_visitor(const struct domain *domain, struct peer *peer, void *context);
void traffic_visit(struct domain *domain, traffic_visitor *visit, void *context);

/* The messages of all classes in a list; NULL is an empty one. */
static inline uint64_t traffic_messages_of(const struct counter *first)
{
    uint64_t msgs = 0;
    for (; first; first = first->next)
        msgs += __atomic_load_n(&first->msgs, __ATOMIC_RELAXED);
    return msgs;
}

/* Number of messages counted, of all kinds; number of peers of all domains. */
uint64_t traffic_messages(void);
size_t traffic_peers(void);

/* Begin phase `phase`, 0 .. RUN_PHASES-1. */
void traffic_set_phase(int32_t phase);

/* From now on what was and will be counted in phase p is that of phase_of[p]. */
void traffic_renumber_phases(const int32_t phase_of[RUN_PHASES]);

/* Move what has been counted so far to the counters of its phase, as if the current one began
 * again. */
void traffic_flush_phase(void);

/* Add traffic of this process to entry->target that became known late, to the counters of
 * entry->phase. 0, or -1 when out of memory. */
int traffic_put(struct domain *domain, const struct reseat_entry *entry, int counter);

/* The counter of a class in a list that begins with `first`; NULL: there is none yet. */
static inline struct counter *traffic_find_size(struct counter *first, int size)
{
    struct counter *counter = first;
    while (counter && __atomic_load_n(&counter->size, __ATOMIC_RELAXED) != size)
        counter = __atomic_load_n(&counter->next, __ATOMIC_ACQUIRE);
    return counter;
}

/* The same, made where it is missing; the first one when out of memory. Takes a lock. */
struct counter *traffic_make_size(struct counter *first, int size);

static inline void traffic_add(struct counter *counter, uint64_t msgs, uint64_t bytes)
{
    if (traffic_threads) {
        __atomic_fetch_add(&counter->msgs, msgs, __ATOMIC_RELAXED);
        __atomic_fetch_add(&counter->bytes, bytes, __ATOMIC_RELAXED);
    } else {
        counter->msgs += msgs;
        counter->bytes += bytes;
    }
}

/* Messages of one class of sizes. `counter` is a kind of traffic or TRAFFIC_FETCHED. */
static inline void traffic_count(struct peer *peer, int counter, uint64_t msgs, uint64_t bytes)
{
    int size = message_size_of_mean(msgs, bytes);
    struct counter *of_size = traffic_find_size(&peer->now[counter], size);
    traffic_add(of_size ? of_size : traffic_make_size(&peer->now[counter], size), msgs, bytes);
}

#endif
