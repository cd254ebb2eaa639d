/* SPDX-License-Identifier: BSD-3-Clause */
/* distribution.c - see distribution.h. */
#include "draw/distribution.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascending.h"
#include "base/search.h"
#include "draw/axis.h"

/* Bins that are wanted at most; there may be twice as many. */
enum { MOST_WANTED = 30 };

size_t distribution_sort(double *value, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (fabs(value[i]) <= AXIS_LARGEST)
            value[kept++] = value[i];
    if (kept > 0)
        qsort(value, kept, sizeof *value, ascending_double);
    return kept;
}

double distribution_quantile(const double *sorted, size_t count, double p)
{
    if (count == 0)
        return NAN;
    double position = (double)(count - 1) * p;
    size_t before = (size_t)position;
    if (before >= count - 1)
        return sorted[count - 1];
    double rest = position - (double)before;
    return sorted[before] + rest * (sorted[before + 1] - sorted[before]);
}

double distribution_mean(const double *sorted, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sorted[i];
    return count ? sum / (double)count : NAN;
}

struct distribution_sought {
    const double *sorted;
    double x;
};

static int distribution_is_before(const void *sought, size_t at)
{
    const struct distribution_sought *s = sought;
    return s->sorted[at] < s->x;
}

size_t distribution_below(const double *sorted, size_t count, double x)
{
    return search_first(count, distribution_is_before, &(struct distribution_sought){sorted, x});
}

size_t distribution_up_to(const double *sorted, size_t count, double x)
{
    return distribution_below(sorted, count, nextafter(x, INFINITY));
}

struct distribution_box distribution_box(const double *sorted, size_t count)
{
    struct distribution_box box = {NAN, NAN, NAN, NAN, NAN, 0, 0};
    if (count == 0)
        return box;
    box.lower_quartile = distribution_quantile(sorted, count, 0.25);
    box.median = distribution_quantile(sorted, count, 0.5);
    box.upper_quartile = distribution_quantile(sorted, count, 0.75);
    double reach = 1.5 * (box.upper_quartile - box.lower_quartile);
    box.inside = distribution_below(sorted, count, box.lower_quartile - reach);
    box.outside = distribution_up_to(sorted, count, box.upper_quartile + reach);
    box.lower_whisker = sorted[box.inside];
    box.upper_whisker = sorted[box.outside - 1];
    return box;
}

void distribution_bins(const double *sorted, size_t count, struct distribution_bins *bins)
{
    *bins = (struct distribution_bins){.bins = 0};
    if (count == 0)
        return;
    double least = sorted[0], most = sorted[count - 1], size = fmax(fabs(least), fabs(most));
    double wanted = fmin(fmax(2 * cbrt((double)count), 5), MOST_WANTED);
    double range = most - least > 1e-9 * size ? (most - least) / wanted : size / 10;
    /* A step is up to 2.5 times as long as its argument: of the half there are 0.8 to 2 times as
     * many bins. */
    struct axis_step step = axis_step_above(range / 2);
    double first = floor(least / axis_multiple(step, 1) + 1e-6);
    first -= axis_multiple(step, first) > least;
    bins->edge[0] = axis_multiple(step, first);
    while (bins->bins < DISTRIBUTION_MOST_BINS && bins->edge[bins->bins] <= most) {
        double next = axis_multiple(step, first + bins->bins + 1);
        size_t before = distribution_below(sorted, count, bins->edge[bins->bins]);
        bins->count[bins->bins++] = distribution_below(sorted, count, next) - before;
        bins->edge[bins->bins] = next;
    }
}
