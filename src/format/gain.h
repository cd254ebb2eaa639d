/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.h - when an order is worth having, and what has to be said of it: the same for the library
 * and the command. */
#ifndef RESEAT_GAIN_H
#define RESEAT_GAIN_H

#include <stdint.h>

/* By which fraction the predicted cost falls. */
static inline double reseat_gain(double before, double after)
{
    return before > 0 ? 1 - after / before : 0;
}

/* Whether to have it, when `least` is asked for. What would be printed as 0.0 % never is: that much
 * is rounding. */
static inline int reseat_gain_suffices(double gain, double least)
{
    return gain >= 0.0005 && gain >= least;
}

/* How many times as many messages go between nodes; 0: not enough more to be said. */
static inline double reseat_more_messages(uint64_t before, uint64_t after)
{
    double times = (double)after / (before ? (double)before : 1);
    return times >= 1.5 ? times : 0;
}

#endif
