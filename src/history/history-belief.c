/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history-belief.c - see history-belief.h.
 *
 * Before any job the shift of the better order is believed to be -5 % within 12 % (standard
 * deviation): an order is run only where it is predicted to gain, and most gains are small. Seconds
 * of a job vary by 5 %, which counts as two measured degrees of freedom. Each job narrows both, as
 * for normal distributions whose prior is conjugate, with robust figures in the place of means:
 *
 *   shift   the median of all differences; while an order has two jobs, the difference of the
 *           smaller ones, of more jobs the third from below: a job is disturbed upwards, and of two
 *           one cannot see which was
 *   scale   1.48 times the median deviation from the median, of orders with three jobs or more
 *
 * The worth of k more jobs in one order (the knowledge gradient: Frazier, Powell and Dayanik 2008,
 * SIAM J. Control Optim. 47): they move the mean by a normal amount of variance g^2 = (variance
 * now) - (variance with them); the order that is then better is run in the H jobs to come, which
 * saves H g f(|mean| / g) on average, f(z) = phi(z) - z Phi(-z). They cost k |mean|, at least 0.3 %
 * each. One job alone may be worth nothing where three are, so k = 1, 2, 3 are looked at.
 *
 * Example: 4 and 4.2 s in launch order, 3.9 and 4.1 in the better one. Shift log(3.9 / 4) = -2.5 %;
 * variance of that 0.05^2 (1/2 + 1/2) = 0.05^2; with the prior a mean of -2.9 % within 4.6 %. Three
 * more jobs in launch order would cost 9 % of a job and are worth 10 % with H = 30: once more.
 */
#include "history/history-belief.h"

#include <math.h>

static const double belief_prior_mean = -0.05, belief_prior_deviation = 0.12;
static const double belief_prior_scale = 0.05, belief_prior_freedom = 2;
static const double belief_alone = 0.3;  /* scale of an order's only job, which may be disturbed */
static const double belief_horizon = 30; /* jobs to come */
static const double belief_least_cost =
    0.003; /* of a job: for less nobody wants another order each time */
enum { BELIEF_AT_ONCE = 3, BELIEF_FEW = 2 };

/* The values of an order, into `value`. How many. */
static size_t belief_values(double *value, const struct shift_sample *sample, size_t count,
                            int stratum, int better)
{
    size_t values = 0;
    for (size_t i = 0; i < count; i++)
        if (sample[i].stratum == stratum && (sample[i].better != 0) == better)
            value[values++] = sample[i].value;
    return values;
}

/* A figure of the jobs in an order, sorted, against those in the other one: the median; where one
 * of both orders has two jobs, what the smaller of two is expected to be, a third from below. */
static double belief_low(const double *value, size_t jobs)
{
    double place = ((double)jobs - 1) / 3;
    if (jobs <= BELIEF_FEW)
        return value[0];
    size_t i = (size_t)place;
    return value[i] + (place - (double)i) * (value[i + 1] - value[i]);
}

static double belief_shift(double value[2][SHIFT_MOST], const size_t jobs[2])
{
    struct shift_sample sample[2 * SHIFT_MOST];
    struct shift shift;
    size_t count = 0;
    double middle[2];
    for (int order = 0; order < 2; order++)
        middle[order] = shift_median(value[order], jobs[order]);
    if (jobs[0] == BELIEF_FEW || jobs[1] == BELIEF_FEW)
        return belief_low(value[1], jobs[1]) - belief_low(value[0], jobs[0]);
    if (jobs[0] == 1 || jobs[1] == 1)
        return middle[1] - middle[0];
    for (int order = 0; order < 2; order++)
        for (size_t i = 0; i < jobs[order]; i++)
            sample[count++] = (struct shift_sample){.value = value[order][i], .better = order};
    shift_estimate(&shift, sample, count);
    return shift.estimate;
}

static double belief_scale(double value[2][SHIFT_MOST], const size_t jobs[2])
{
    double squares = belief_prior_freedom * belief_prior_scale * belief_prior_scale;
    double freedom = belief_prior_freedom;
    for (int order = 0; order < 2; order++) {
        double deviation[SHIFT_MOST], middle = shift_median(value[order], jobs[order]);
        if (jobs[order] <= BELIEF_FEW)
            continue;
        for (size_t i = 0; i < jobs[order]; i++)
            deviation[i] = fabs(value[order][i] - middle);
        double scale = 1.4826 * shift_median(deviation, jobs[order]);
        squares += (double)jobs[order] * scale * scale; /* n / (n - 1) of n - 1 degrees */
        freedom += (double)jobs[order] - 1;
    }
    return sqrt(squares / freedom);
}

/* Variance of what so many jobs say about their order. */
static double belief_variance_of(const struct belief *belief, double jobs)
{
    double scale = jobs < BELIEF_FEW ? fmax(belief->scale, belief_alone) : belief->scale;
    return scale * scale / jobs;
}

/* Variance of the shift after so many jobs. */
static double belief_variance(const struct belief *belief, double launch, double better)
{
    double known = 1 / (belief_variance_of(belief, launch) + belief_variance_of(belief, better));
    return 1 / (known + 1 / (belief_prior_deviation * belief_prior_deviation));
}

void belief_form(struct belief *belief, const struct shift_sample *sample, size_t count,
                 int stratum)
{
    double value[2][SHIFT_MOST];
    for (int order = 0; order < 2; order++)
        belief->jobs[order] = belief_values(value[order], sample, count, stratum, order);
    belief->scale = belief_scale(value, belief->jobs);
    belief->mean = belief_prior_mean;
    belief->deviation = belief_prior_deviation;
    if (!belief->jobs[0] || !belief->jobs[1])
        return;
    double variance = belief_variance(belief, (double)belief->jobs[0], (double)belief->jobs[1]);
    double weight = variance / (belief_prior_deviation * belief_prior_deviation);
    belief->mean = weight * belief_prior_mean + (1 - weight) * belief_shift(value, belief->jobs);
    belief->deviation = sqrt(variance);
}

double belief_error(const struct shift_sample *sample, size_t count)
{
    double squares = 0, pairs = 0;
    for (size_t i = 0; i < count; i++) {
        struct belief stratum;
        int is_first = 1;
        for (size_t j = 0; j < i && is_first; j++)
            is_first = sample[j].stratum != sample[i].stratum;
        if (!is_first)
            continue;
        belief_form(&stratum, sample, count, sample[i].stratum);
        double launch = (double)stratum.jobs[0], better = (double)stratum.jobs[1];
        pairs += launch * better;
        squares += launch * better * (launch + better) * stratum.scale * stratum.scale;
    }
    return sqrt(squares) / pairs;
}

/* Share of its seconds that `more` jobs in an order save in each of those to come. */
static double belief_worth(const struct belief *belief, int order, int more)
{
    double jobs[2] = {(double)belief->jobs[0], (double)belief->jobs[1]};
    jobs[order] += more;
    double less = belief->deviation * belief->deviation - belief_variance(belief, jobs[0], jobs[1]);
    if (less <= 0)
        return 0;
    double g = sqrt(less), z = fabs(belief->mean) / g;
    return g * (exp(-z * z / 2) / sqrt(2 * M_PI) - z * erfc(z / sqrt(2)) / 2);
}

int belief_wants_more(const struct belief *belief)
{
    int best = belief->mean < 0, other = !best;
    if (!belief->jobs[0] || !belief->jobs[1])
        return !belief->jobs[other];
    for (int more = 1; more <= BELIEF_AT_ONCE; more++) {
        double saved = belief_worth(belief, other, more) - belief_worth(belief, best, more);
        if ((belief_horizon - more) * saved > more * fmax(fabs(belief->mean), belief_least_cost))
            return 1;
    }
    return 0;
}
