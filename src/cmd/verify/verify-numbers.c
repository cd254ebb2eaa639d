/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify-numbers.c - see verify-result.h. Of each pair of runs the ratio of the times counts, with
 * over without. The gain is that of the geometric mean of these ratios, which is also the ratio of
 * the geometric means of the times: so the gain and the seconds beside it are one figure, and a run
 * that was disturbed pulls less than in an arithmetic mean. The interval is Student's (95 %), of
 * the mean of the logarithms of the ratios. A run that took 0 s leaves the gain unknown: it has no
 * ratio, and without its pair the mean would be another one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/verify/verify-result.h"

enum { VERIFY_LEAST_PAIRS = 3 };        /* of which an interval is shown */
static const double verify_widest = 10; /* interval that is shown, of the seconds */

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

/* NAN if a run took 0 s. */
static double verify_log_ratio(const double seconds[2])
{
    return seconds[0] > 0 && seconds[1] > 0 ? log(seconds[1] / seconds[0]) : NAN;
}

static struct verify_gain verify_find_gain(const struct verify_result *r)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < r->pairs; i++)
        sum += verify_log_ratio(r->seconds[i]);
    double mean = sum / r->pairs;
    for (int i = 0; i < r->pairs; i++) {
        double off = verify_log_ratio(r->seconds[i]) - mean;
        squares += off * off;
    }
    double half = verify_student(r->pairs - 1) * sqrt(squares / (r->pairs - 1) / r->pairs);
    return (struct verify_gain){1 - exp(mean), 1 - exp(mean + half), 1 - exp(mean - half)};
}

static double verify_mean(const struct verify_result *r, int with)
{
    double sum = 0;
    for (int i = 0; i < r->pairs; i++)
        sum += log(r->seconds[i][with]);
    return verify_has_gain(r) ? exp(sum / r->pairs) : NAN;
}

int verify_has_gain(const struct verify_result *r)
{
    return isfinite(r->gain.mean);
}

const char *verify_print_gain(double gain, char text[32])
{
    if (isfinite(gain))
        snprintf(text, 32, "%+.1f%%", 100 * gain);
    else
        strcpy(text, "-");
    return text;
}

/* Two pairs, or an interval of more than ten times the job, which would say nothing. */
static int verify_has_too_few_pairs(const struct verify_result *r)
{
    return r->verdict == 0 &&
           (r->pairs < VERIFY_LEAST_PAIRS || !(r->gain.high - r->gain.low < verify_widest));
}

static const char *verify_print_seconds(double seconds, char text[32])
{
    if (seconds < 0.1)
        return amount_seconds(seconds, text);
    snprintf(text, 32, seconds < 9999.5 ? "%.4g s" : "%.0f s", seconds);
    return text;
}

static void verify_describe(struct verify_result *r)
{
    static const char *const verdicts[] = {"Reseat makes this job slower",
                                           "No difference could be measured",
                                           "Reseat makes this job faster"};
    const char *verdict = verdicts[r->verdict + 1];
    char before[32], after[32];
    verify_print_seconds(r->mean[0], before);
    verify_print_seconds(r->mean[1], after);
    int zero = 0;
    for (int i = 0; i < r->pairs; i++)
        zero += (r->seconds[i][0] <= 0) + (r->seconds[i][1] <= 0);
    if (zero)
        snprintf(r->sentence, sizeof r->sentence, "%s: %d of %d runs took 0 s", verdict, zero,
                 2 * r->pairs);
    else if (verify_has_too_few_pairs(r))
        snprintf(r->sentence, sizeof r->sentence,
                 "%s: %d pairs are too few here, more are needed (--runs). Gain %+.1f %%, %s "
                 "without, %s with it (geometric means)",
                 verdict, r->pairs, 100 * r->gain.mean, before, after);
    else
        snprintf(r->sentence, sizeof r->sentence,
                 "%s: gain %+.1f %% (95 %%: %+.1f to %+.1f, %d pairs), %s without, %s with it "
                 "(geometric means)",
                 verdict, 100 * r->gain.mean, 100 * r->gain.low, 100 * r->gain.high, r->pairs,
                 before, after);
}

void verify_find_numbers(struct verify_result *r)
{
    r->gain = verify_find_gain(r);
    r->verdict = (r->gain.low > 0) - (r->gain.high < 0);
    for (int with = 0; with < 2; with++)
        r->mean[with] = verify_mean(r, with);
    verify_describe(r);
}
