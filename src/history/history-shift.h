/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history-shift.h - by how much the jobs in one order take longer than those in another: the median
 * of all differences (Hodges and Lehmann 1963) and the interval that belongs to the rank sum test
 * (Lehmann, Nonparametrics, 2.5), by strata: only jobs on as many nodes are compared.
 *
 * Nothing is assumed about how durations are distributed but that both orders have the same
 * distribution with a factor between them; one job that took ten times as long moves the
 * median by one place, whatever it took. The interval is exact for each number of jobs: the number
 * of pairs below a difference has, if there were none, the distribution of the sum of Mann and
 * Whitney's statistics of the strata, which is counted (no normal distribution). With 4 jobs each,
 * 3 and 5, or 2 and 8, it is finite at 95 %.
 */
#ifndef RESEAT_HISTORY_SHIFT_H
#define RESEAT_HISTORY_SHIFT_H

#include <stddef.h>

enum { SHIFT_MOST = 32 }; /* samples of each order, at most */

struct shift_sample {
    double value; /* a logarithm of seconds, finite */
    int stratum, better;
};

struct shift {
    size_t pairs;     /* 0: nothing can be compared, and the rest is not set */
    double estimate;  /* of better - launch */
    double low, high; /* at 95 %; infinite: too few samples */
};

/* At most SHIFT_MOST samples with `better` 0, and as many with 1. */
void shift_estimate(struct shift *shift, const struct shift_sample *sample, size_t count);

/* The median of `count` values, which are sorted. NaN: none. */
double shift_median(double *value, size_t count);

#endif
