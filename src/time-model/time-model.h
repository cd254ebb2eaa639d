/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time-model.h - how long the messages of a job take in an order, by the timings of a machine.
 *
 * Everything that messages pass through is a resource, which takes time for what passes it:
 *   card     of a node: the bytes that leave it at the rate `out', those that arrive at the rate `in',
 *            all of them at the rate `both', for as many ranks as use it; the longest of the three
 *   memory   of a package (of a node where packages are not known): the bytes between its ranks, and
 *            those between it and the rest of the node, for as many pairs as use it
 *   link     of a network: half of its load (tmap_loads) each way, as fast as one pair of ranks there
 *   rank     the bytes that it sends and receives, as fast as one pair of ranks: between nodes both at
 *            once; inside a node one after the other, because it copies them itself
 *   network  all bytes between nodes, as fast as when all ranks of the job exchange at once
 *   processors  of a node, and of all: what ranks do for each message, and inside a node for its bytes, at
 *            the pace of as many ranks that exchange at once (time-resources.h)
 * The last two are known only where exchanges were measured (timings/timings.h).
 *
 * Besides, each message has a latency, what remains of its seconds without its bytes; a rank sends one
 * message after the other, and receives meanwhile. Where exchanges of a pair were measured, that is only the
 * part that each further message takes; the rest is waiting, for all partners at the same time, as often as
 * for the one with most messages.
 *
 * Messages of an entry are taken to be of their mean size; the kinds of traffic of a pair are entries of their
 * own, each with its own size, and count as one partner.
 *
 * So the communication takes
 *   at least      the longest time of a resource, as if nobody ever waited;
 *   at most       the longest sum, over the ranks, of all its messages one by one, sent and received,
 *                 and all resources that these pass, the card of the other side included;
 *   as estimate   the longest, over the ranks, of the busiest resource that its messages pass plus its
 *                 latencies; or the processors with all waiting for a turn on them.
 * Phases (MPI_Pcontrol) follow each other, and their seconds are added up. What happens between the
 * messages is not known: a program that does not wait for them takes less, one in which ranks wait for
 * each other in turn takes more.
 *
 * Time O(entries x levels + ranks log ranks) for each order, and what tmap_loads takes.
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
    double cards_squared;           /* the sum of the squares of the seconds of all cards */
    double between_nodes;           /* bytes */
    int32_t
        busiest_card; /* in the phase that takes longest: a role of that node; -1: no card is used */
};

/* What is known before there is an order. All pointers stay the caller's. */
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
