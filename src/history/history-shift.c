/* SPDX-License-Identifier: BSD-3-Clause */
/* history-shift.c - see history-shift.h. */
#include "history/history-shift.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"

enum { SHIFT_PAIRS = SHIFT_MOST * SHIFT_MOST };
static const double shift_outside =
    0.05; /* share of intervals that do not have the truth in them, at most */

double shift_median(double *value, size_t count)
{
    qsort(value, count, sizeof *value, ascending_double);
    return count ? (value[(count - 1) / 2] + value[count / 2]) / 2 : NAN;
}

/* The samples of a stratum: how many are in each order. */
static void shift_sizes(const struct shift_sample *sample, size_t count, int stratum,
                        size_t size[2])
{
    size[0] = size[1] = 0;
    for (size_t i = 0; i < count; i++)
        if (sample[i].stratum == stratum)
            size[sample[i].better != 0]++;
}

/*
 * In how many of the orders of m + n samples u of the m n pairs have the first sample below: the
 * coefficients of the product over i = 1..m of (1 - q^(n+i)) / (1 - q^i). They are at most
 * 64 choose 32, which 64 bits hold, and what is larger on the way wraps around and back.
 */
static void shift_count_orders(uint64_t *orders, size_t m, size_t n)
{
    memset(orders, 0, (m * n + 1) * sizeof *orders);
    orders[0] = 1;
    for (size_t i = 1; i <= m; i++) {
        for (size_t u = m * n; u >= n + i && u <= m * n; u--)
            orders[u] -= orders[u - n - i];
        for (size_t u = i; u <= m * n; u++)
            orders[u] += orders[u - i];
    }
}

/* Adds a stratum to the distribution of the number of pairs, which has `pairs` so far: the
 * probability of each number. Returns the pairs with it. */
static size_t shift_add_stratum(double *probability, size_t pairs, const size_t size[2])
{
    uint64_t orders[SHIFT_PAIRS + 1];
    double before[SHIFT_PAIRS + 1], all = 0;
    size_t more = size[0] * size[1];
    shift_count_orders(orders, size[0], size[1]);
    for (size_t u = 0; u <= more; u++)
        all += (double)orders[u];
    memcpy(before, probability, (pairs + 1) * sizeof *before);
    memset(probability, 0, (pairs + more + 1) * sizeof *probability);
    for (size_t t = 0; t <= pairs; t++)
        for (size_t u = 0; u <= more; u++)
            probability[t + u] += before[t] * ((double)orders[u] / all);
    return pairs + more;
}

/* The number of differences at each end that are outside of the interval; 0: it has no ends. */
static size_t shift_outer(const struct shift_sample *sample, size_t count)
{
    double probability[SHIFT_PAIRS + 1] = {1}, sum = 0;
    size_t pairs = 0, outer = 0;
    for (size_t i = 0; i < count; i++) {
        size_t size[2], before[2];
        shift_sizes(sample, count, sample[i].stratum, size);
        shift_sizes(sample, i, sample[i].stratum, before);
        if (before[0] + before[1] == 0 && size[0] && size[1])
            pairs = shift_add_stratum(probability, pairs, size);
    }
    while (outer < pairs / 2 && 2 * (sum + probability[outer]) <= shift_outside)
        sum += probability[outer++];
    return outer;
}

void shift_estimate(struct shift *shift, const struct shift_sample *sample, size_t count)
{
    double difference[SHIFT_PAIRS];
    *shift = (struct shift){.low = -INFINITY, .high = INFINITY};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (sample[i].better && !sample[j].better && sample[i].stratum == sample[j].stratum)
                difference[shift->pairs++] = sample[i].value - sample[j].value;
    if (!shift->pairs)
        return;
    shift->estimate = shift_median(difference, shift->pairs);
    size_t outer = shift_outer(sample, count);
    if (outer) {
        shift->low = difference[outer - 1];
        shift->high = difference[shift->pairs - outer];
    }
}
