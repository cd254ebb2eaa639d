/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time-model.h - the time that the messages of a job take in an order, by the timings of a machine.
 *
 * Messages pass resources, each of which is busy for a time T:
 *
 *   resource    shared by         T
 *   card        ranks of a node   the longest of: bytes out / rate `out', bytes in / rate `in', all
 *                                 bytes / rate `both'; rates for as many ranks as use it. Where a
 *                                 node has several, near parts of it (`near' of timings/timings.h),
 *                                 both that of the rank's part, and all of the node together
 *   memory      a package         bytes among its ranks, and between them and the rest of the node;
 *                                 for as many pairs as use it
 *   link        paths over it     its bytes in the busier direction (time-links.h): of a network
 *                                 by static routes, at the rate of a pair of ranks there; of a
 *                                 switch all that leaves it, at the rate when all ranks exchange
 *   rank        only this rank    between nodes, the longer of bytes sent and received, at the rate
 *                                 of one rank that uses a card, or of a pair with one partner;
 *                                 inside the node both, since it copies them itself; at the rate of
 *                                 a pair, which may be higher when a pair exchanges, if that was
 *                                 measured
 *   network     all nodes         bytes that cross a level (time-links.h), of the busiest, at the
 *                                 rate when all ranks exchange at once
 *   processors  a node; the job   work for each message, and inside a node for its bytes, at the
 *                                 pace of as many ranks exchanging at once (time-resources.h)
 *
 * The last two, and links above switches, are known only if exchanges were measured
 * (timings/timings.h). A node whose packages are not known counts as one package.
 *
 * A rank also has latencies: a message takes its seconds minus those of its bytes. A rank sends one
 * message after the other and receives meanwhile. If exchanges of a pair were measured, the latency
 * is only the part that each further message takes; the rest is waiting, done for all partners at
 * the same time, as often as for the partner with most messages.
 *
 * For each phase (MPI_Pcontrol), over all resources r and ranks i:
 *
 *   least     max over r of T(r): nobody ever waits
 *   estimate  max over i of the larger of
 *               - T(r) of the busiest resource that messages of i pass + latencies and waiting of i
 *               - T(processors) + all waiting for a turn on them
 *   most      max over i of: all messages of i one by one, sent and received, + T(r) of all
 *             resources that they pass, the card of the other side included
 *
 * Phases follow each other: their seconds are added up. What happens between the messages is not
 * known: a program that does not wait for them takes less, one in which ranks wait for each other
 * in turn takes more.
 *
 * The messages of an entry all count with their mean size. The kinds of traffic of a pair are
 * entries of their own, each with its own size, but one partner.
 *
 * Time O(entries x levels + ranks log ranks + switches) for each order, and that of tmap_loads.
 */
#ifndef RESEAT_TIME_MODEL_H
#define RESEAT_TIME_MODEL_H

#include "profile/profile.h"
#include "timings/timings.h"

enum time_resource {
    TIME_CARD,
    TIME_MEMORY,
    TIME_LINK,
    TIME_RANK,
    TIME_NETWORK,
    TIME_PROCESSORS,
    TIME_RESOURCES
};

struct time_estimate {
    double least, estimate, most;
    double longest[TIME_RESOURCES]; /* of the resources of a kind, and all phases */
    double squares;                 /* the sum of those of the seconds of all cards and links up */
    double between_nodes;           /* bytes */
    int32_t busiest;   /* a role of the node or switch whose card or link up takes longest, in the
                        longest phase; -1: none is used */
    int busiest_level; /* of that object; below the nodes: a part of a node with its own card */
};

/* The input that does not depend on an order. All pointers stay the caller's. */
struct time_model {
    const struct reseat_timings *timings;
    const struct tmap_tree *tree;
    int32_t roles;
    const struct reseat_entry *entries; /* in the order of reseat_profile_phases */
    size_t count;
    struct time_model_work *work;
};

/* Fill the private rest. 0, or -1 with *error. */
int time_model_open(struct time_model *model, struct reseat_error *error);
void time_model_close(struct time_model *model);

/* The seconds of a valid mapping. 0, or -1 with *error. */
int time_model_estimate(struct time_estimate *seconds, const struct time_model *model,
                        const int32_t *slot_of, struct reseat_error *error);

/* The name of a resource for people: "network card", "memory", "link", "rank", "network",
 * "processors". */
const char *time_resource_name(enum time_resource resource);
/* The kind of resource that takes longest. */
enum time_resource time_longest_resource(const struct time_estimate *seconds);

#endif
