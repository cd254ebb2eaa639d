/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time-weights.h - the metric `time`: traffic and machine for methods that know one weight a pair
 * and one cost a level.
 *
 * A pair takes messages x latency + bytes / bandwidth at the level where its ranks part, and both
 * figures differ by level, while weight x cost has one factor for each. So the weight is the pair's
 * seconds where it is dearest, at the outermost level of the tree, in nanoseconds; there it is
 * exact, and there it decides most. The cost of a level is the seconds of all traffic of the job at
 * this level, as a fraction of those at the outermost one: 1 there; inside, exact for the job as a
 * whole and for a pair whose messages are of the job's average kind. So the cost of a mapping is
 * the sum over all pairs of their seconds, in nanoseconds. Costs never rise towards the leaves.
 * If a level has a network, the cost is that of each hop.
 */
#ifndef RESEAT_TIME_WEIGHTS_H
#define RESEAT_TIME_WEIGHTS_H

#include "profile/profile.h"
#include "timings/timings.h"

/* Of all kinds of levels, so that processes which do not have the timings can price their trees: it
 * can be sent as bytes. */
enum { TIME_KINDS = 26 };
struct time_costs {
    double of_kind[TIME_KINDS];
};

/* The seconds of all traffic at the level of each kind, as a fraction of those at `outermost`. */
void time_costs_find(struct time_costs *costs, const struct reseat_timings *timings,
                     const struct reseat_entry *entries, size_t count, const char *outermost);

/* The cost of a kind; one that is not known counts as "node". */
double time_costs_of_kind(const struct time_costs *costs, const char *kind);

/* Replace the costs of a tree. 0, or -1 with *error and the tree unchanged. */
int time_costs_set(const struct time_costs *costs, struct tmap_tree **tree,
                   struct reseat_error *error);

/* The weight of an entry by the metric, at least 1 if there is anything. */
uint64_t time_weight(const struct timings_level *outermost, const struct reseat_entry *entry);

#endif
