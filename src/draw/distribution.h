/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distribution.h - how a set of numbers is distributed: quantiles, shares, and what a box plot and
 * a histogram show of it. All but the first function take numbers that are sorted and finite:
 *
 *   count = distribution_sort(ratio, count);
 *   double median = distribution_quantile(ratio, count, 0.5);
 */
#ifndef RESEAT_DISTRIBUTION_H
#define RESEAT_DISTRIBUTION_H

#include <stddef.h>

/* Sort in place, ascending; numbers that are not finite (or beyond AXIS_LARGEST) are left out.
 * Returns how many remain. */
size_t distribution_sort(double *value, size_t count);

/* The quantile of 0 <= p <= 1, on a straight line between the two nearest values: at position
 * (count
 * - 1) x p, the first value being at 0 (type 7 of Hyndman and Fan 1996, as in R and NumPy). NaN:
 *   there are no
 * values. */
double distribution_quantile(const double *sorted, size_t count, double p);

/* NaN: there are no values. */
double distribution_mean(const double *sorted, size_t count);

/* The number of values below x, and of those that are at most x. The empirical distribution
 * function at x is the second one by `count`. */
size_t distribution_below(const double *sorted, size_t count, double x);
size_t distribution_up_to(const double *sorted, size_t count, double x);

/* The figures of a box plot (Tukey): the quartiles, and the outermost values within 1.5 times the
 * distance of the quartiles from them. Values before `inside` and from `outside` on are drawn one
 * by one. All NaN and 0: there are no values. */
struct distribution_box {
    double lower_whisker, lower_quartile, median, upper_quartile, upper_whisker;
    size_t inside, outside; /* positions in the sorted values */
};
struct distribution_box distribution_box(const double *sorted, size_t count);

/* A histogram. Bin i has the values from edge[i] to below edge[i + 1]. Edges are multiples of their
 * distance, which is 1, 2 or 5 times a power of ten: so ratios below 1 and above it are in
 * different bins where bins are narrower than 1. There are 0.8 to 2 times as many bins as Rice's
 * rule has, which is twice the cube root of `count` (here 5 to 30). */
enum { DISTRIBUTION_MOST_BINS = 64 };
struct distribution_bins {
    int bins; /* 0: there are no values */
    double edge[DISTRIBUTION_MOST_BINS + 1];
    size_t count[DISTRIBUTION_MOST_BINS];
};
void distribution_bins(const double *sorted, size_t count, struct distribution_bins *bins);

#endif
