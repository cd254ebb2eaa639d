/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.h - when an order is worth taking, and what must be reported about it: the same for the
 * library and the command. */
#ifndef RESEAT_GAIN_H
#define RESEAT_GAIN_H

#include <stdint.h>

/* The fraction by which the predicted cost falls. */
static inline double reseat_gain(double before, double after)
{
    return before > 0 ? 1 - after / before : 0;
}

/* The same for an order that may lower the load of the busiest link instead ([0]: before, [1]: after;
 * zeros if that is no objective): the larger fall of the two. */
static inline double reseat_gain_with_links(const double cost[2], const double busiest[2])
{
    double gain = reseat_gain(cost[0], cost[1]), relief = reseat_gain(busiest[0], busiest[1]);
    return relief > gain ? relief : gain;
}

/* Whether a gain suffices if `least` is required. What would be printed as 0.0 % never does: it may
 * be mere rounding. */
static inline int reseat_gain_suffices(double gain, double least)
{
    return gain >= 0.0005 && gain >= least;
}

/* By what factor messages between nodes increase; 0: too little to mention. */
static inline double reseat_more_messages(uint64_t before, uint64_t after)
{
    double times = (double)after / (before ? (double)before : 1);
    return times >= 1.5 ? times : 0;
}

#endif
