/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify-numbers.c - see verify-result.h. Each pair of runs gives one gain, and the mean of the
 * gains has a confidence interval (Student's t, 95 %). A run without that took 0 s leaves the gain
 * unknown: without its pair the mean would be too good.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/verify/verify-result.h"

/* The factor for a two-sided 95 % interval with that many degrees of freedom, rounded up. */
static double verify_student(int freedom)
{
    static const double t[] = {12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27,
                               2.23,  2.21, 2.18, 2.17, 2.15, 2.14, 2.12, 2.11, 2.11};
    int known = sizeof t / sizeof t[0];
    return t[freedom <= known ? freedom - 1 : known - 1];
}

double verify_pair_gain(const double seconds[2])
{
    return seconds[0] > 0 ? 1 - seconds[1] / seconds[0] : NAN;
}

static struct verify_gain verify_find_gain(const struct verify_result *r)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < r->pairs; i++)
        sum += verify_pair_gain(r->seconds[i]);
    struct verify_gain gain = {sum / r->pairs, 0};
    for (int i = 0; i < r->pairs; i++) {
        double off = verify_pair_gain(r->seconds[i]) - gain.mean;
        squares += off * off;
    }
    gain.half = verify_student(r->pairs - 1) * sqrt(squares / (r->pairs - 1) / r->pairs);
    return gain;
}

static int verify_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double verify_median(const struct verify_result *r, int with)
{
    double sorted[VERIFY_MOST_PAIRS] = {0};
    for (int i = 0; i < r->pairs; i++)
        sorted[i] = r->seconds[i][with];
    qsort(sorted, (size_t)r->pairs, sizeof *sorted, verify_ascending);
    return r->pairs % 2 ? sorted[r->pairs / 2]
                        : (sorted[r->pairs / 2 - 1] + sorted[r->pairs / 2]) / 2;
}

int verify_has_gain(const struct verify_result *r)
{
    return isfinite(r->gain.mean);
}

const char *verify_print_gain(double gain, const char *unit, char text[32])
{
    if (isfinite(gain))
        snprintf(text, 32, "%+.1f%s", 100 * gain, unit);
    else
        strcpy(text, "-");
    return text;
}

/* For the sentence. */
static const char *verify_describe_gain(const struct verify_result *r, char text[80])
{
    int unknown = 0;
    for (int i = 0; i < r->pairs; i++)
        unknown += isnan(verify_pair_gain(r->seconds[i]));
    if (unknown)
        snprintf(text, 80, "- (%d of %d runs without took 0 s)", unknown, r->pairs);
    else
        snprintf(text, 80, "%+.1f %% +- %.1f (95 %%, %d pairs)", 100 * r->gain.mean,
                 100 * r->gain.half, r->pairs);
    return text;
}

void verify_find_numbers(struct verify_result *r)
{
    static const char *const verdicts[] = {"Reseat makes this job slower",
                                           "No difference could be measured",
                                           "Reseat makes this job faster"};
    char gain[80];
    r->gain = verify_find_gain(r);
    r->verdict = (r->gain.mean - r->gain.half > 0) - (r->gain.mean + r->gain.half < 0);
    for (int with = 0; with < 2; with++)
        r->median[with] = verify_median(r, with);
    snprintf(r->sentence, sizeof r->sentence,
             "%s: gain %s, %.3g s without, %.3g s with it (medians)", verdicts[r->verdict + 1],
             verify_describe_gain(r, gain), r->median[0], r->median[1]);
}
