/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.h - when an order is worth taking, and what must be reported about it: the same for the
 * library and the command. */
#ifndef RESEAT_GAIN_H
#define RESEAT_GAIN_H

#include <stdint.h>

#include "profile/profile-time.h"

/* The fraction by which the predicted cost falls. */
static inline double reseat_gain(double before, double after)
{
    return before > 0 ? 1 - after / before : 0;
}

/* Print a change as a fraction (-0.97: "-97 %"), with so many decimals, and with more where all but
 * a little falls away, or the change is small: "-100 %" and "0 %" mean just that. From 1000 % on it
 * is "11 times" what was before. Returns `text`. */
enum { RESEAT_CHANGE_SIZE = 32, RESEAT_MOST_PERCENT = 1000 };
const char *reseat_change_print(double change, int decimals, char text[RESEAT_CHANGE_SIZE]);

/* The same for an order that may lower the load of the busiest link instead ([0]: before, [1]:
 * after; zeros if that is no objective): the larger fall of the two. */
static inline double reseat_gain_with_links(const double cost[2], const double busiest[2])
{
    double gain = reseat_gain(cost[0], cost[1]), relief = reseat_gain(busiest[0], busiest[1]);
    return relief > gain ? relief : gain;
}

/* By what factor messages between nodes increase; 0: too little to mention. */
static inline double reseat_more_messages(uint64_t before, uint64_t after)
{
    double times = (double)after / (before ? (double)before : 1);
    return times >= 1.5 ? times : 0;
}

/* The figures that decide on an order. */
struct reseat_worth {
    double gain;       /* of the predicted time of the messages, or by the objective */
    double seconds[2]; /* that time, before and after; zeros: not known */
    struct reseat_job_time job;
    int is_watched;  /* `before` is the order in which the job was watched */
    double min_gain; /* what is required */
};

/* Seconds that any order can save; negative: not known, as of an order that nobody has watched. */
double reseat_worth_most(const struct reseat_worth *worth);

/*
 * The fraction of the job's time that is saved, by the predicted time of the messages; without
 * that, the most that an order could save, by the time in MPI. Of an order that nobody has watched,
 * the job's time is that outside MPI and the predicted time of the messages; where the former is
 * not known, how long the job ran, or the latter if that is longer. Negative: not known.
 */
double reseat_worth_of_job(const struct reseat_worth *worth);

/* Returns 1 if the fraction of the job suffices, or where that is not known the gain, which has to
 * suffice without the predicted time, too. A gain that would be printed as 0.0 % never does: it may
 * be mere rounding. */
int reseat_worth_suffices(const struct reseat_worth *worth);

/* "0.2 % of the job", "at most 0.4 % of the job, by its time in MPI" if that is too little, or "",
 * after `before`. */
enum { RESEAT_WORTH_SIZE = 96 };
const char *reseat_worth_text(const struct reseat_worth *worth, const char *before,
                              char text[RESEAT_WORTH_SIZE]);

#endif
