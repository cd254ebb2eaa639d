/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster-run.h - the messages of a workload on a cluster, as a network of servers (queueing.h).
 * Each node has a card, of two servers if it sends and receives at once; each package has a memory.
 *
 *   other node           card of the sender, out; switch_seconds; card of the receiver, in
 *   other package        memory of the receiver's package, remote_memory_factor x as long
 *   same package         its cache, where nobody waits; its memory if the message is too long
 *
 * Core c is number c of the first node, and so on: packages in the order of nodes, cores in the
 * order of packages.
 */
#ifndef RESEAT_CLUSTER_RUN_H
#define RESEAT_CLUSTER_RUN_H

#include <stdint.h>

#include "simulate/rates.h"
#include "simulate/workload.h"
#include "simulate/queueing.h"
#include "simulate/route.h"

struct simulate_options {
    struct queueing_options queueing; /* the seed also gives each pair its first moment */
    uint64_t most_messages;           /* of a pair; 0: all */
};

/* The work of a kind of servers. */
struct simulate_sum {
    int32_t servers;
    uint64_t messages;
    double busy_seconds;    /* of all */
    double busiest_seconds; /* of the one that is busy longest */
    int32_t busiest;        /* its node; of memories: package of all */
    double waiting_seconds;
    double longest_wait; /* of a message, seconds */
};

/* The most messages: half a minute, of which the method best takes ten; 3 GB if all of them
 * wait. */
#define SIMULATE_MOST_MESSAGES 1e8

struct simulate_result {
    struct queueing_result queueing;
    double waiting_seconds; /* at all servers */
    double makespan_seconds;
    struct simulate_sum kind[ROUTE_KINDS]; /* cards of one server are all ROUTE_CARD_OUT */
};

/* The name of a kind of servers, for tables ("card_out"). */
const char *simulate_kind_name(enum route_kind kind);

/*
 * Simulate a workload whose rank r (of all jobs, one after the other) is on core core_of[r], which
 * exists; several ranks may share one. All rates must be known. 0, or -1 with *error: out of
 * memory, too many messages, or more than the simulated time can hold.
 */
int simulate_run(const struct reseat_workload *workload, const struct reseat_rates *rates,
                 const int32_t *core_of, const struct simulate_options *options,
                 struct simulate_result *result, struct reseat_error *error);

#endif
