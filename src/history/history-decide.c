/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history-decide.c - see history.h. Which jobs are comparable, what they show, and which order is
 * next:
 *
 *   1. two jobs in each order, the better one first, since it is predicted to gain;
 *   2. then the order that looks better, except where one more job in the other is worth what it
 *      costs (history-belief.h);
 *   3. but where the better order has gained by more than a standard error, each such job in launch
 *      order waits until it costs at most an eighth of what was gained; for another pattern all do,
 *      unless for the one before both were equal: then none waits; or the better order lost by two
 *      errors: then the first one in it waits;
 *   4. nothing more to know once the interval of the gain (history-shift.h) leaves 0 out.
 *
 * All on the next job's number of nodes. While that has not two jobs in each order, what is sure by
 * those on other numbers holds. All follows from the jobs: nothing is remembered.
 */
#include "history/history.h"

#include <math.h>
#include <string.h>

#include "history/history-belief.h"
#include "history/history-shift.h"

enum { HISTORY_ENOUGH = 2 }; /* jobs of each order, at least, before one is preferred for good */
enum {
    HISTORY_TRUST = 8,    /* jobs in the order that has gained, for one in the other */
    HISTORY_LONGEST = 32, /* jobs since another pattern that may have shown a gain */
    HISTORY_UNWATCHED = 7 /* jobs between two that are recorded, where no order gains */
};
static const double history_least_gain = 0.008; /* of the seconds: what another order costs a job */
static const double history_sure =
    1.96; /* deviations, where there are too few jobs for an interval */
/* Standard errors of a difference: from the first one on a gain holds, from the second a loss holds
 * for another pattern, for which a gain is predicted again. */
static const double history_gain_errors = 1, history_loss_errors = 2;
static const double history_least_in_mpi =
    0.01; /* of the seconds; below, no order is worth a job */

/* Comparable jobs, the latest first. */
struct history_evidence {
    struct shift_sample sample[2 * HISTORY_LATEST];
    size_t count, jobs[2];
    double in_mpi; /* median share of those in launch order; NaN */
};

_Static_assert((int)HISTORY_LATEST <= (int)SHIFT_MOST, "as many as can be compared");

static int history_counts(const struct past_job *job, const struct next_job *next)
{
    return job->status == 0 && isfinite(job->seconds) && job->seconds > 0 &&
           job->pattern == next->pattern && job->machine == next->machine &&
           (job->order == next->order || (job->order == 0 && !(job->predicted <= 0)));
}

static void history_gather(struct history_evidence *evidence, const struct past_job *jobs,
                           size_t count, const struct next_job *next)
{
    double share[HISTORY_LATEST];
    size_t shares = 0;
    *evidence = (struct history_evidence){0};
    for (size_t i = count; i-- > 0;) {
        int better = jobs[i].order != 0;
        if (!history_counts(&jobs[i], next) || evidence->jobs[better] == HISTORY_LATEST)
            continue;
        evidence->jobs[better]++;
        evidence->sample[evidence->count++] =
            (struct shift_sample){log(jobs[i].seconds), jobs[i].nodes, better};
        if (!better && jobs[i].seconds_in_mpi >= 0)
            share[shares++] = jobs[i].seconds_in_mpi / jobs[i].seconds;
    }
    evidence->in_mpi = shift_median(share, shares);
}

/* Seconds in launch order, the median on the latest number of nodes that has both orders. */
static double history_launch_seconds(const struct history_evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++) {
        double value[2][HISTORY_LATEST];
        size_t values[2] = {0, 0};
        for (size_t j = 0; j < evidence->count; j++)
            if (evidence->sample[j].stratum == evidence->sample[i].stratum) {
                int better = evidence->sample[j].better;
                value[better][values[better]++] = evidence->sample[j].value;
            }
        if (values[0] && values[1])
            return exp(shift_median(value[0], values[0]));
    }
    return NAN;
}

static void history_compare(struct history_gain *gain, const struct history_evidence *evidence)
{
    struct shift shift;
    shift_estimate(&shift, evidence->sample, evidence->count);
    *gain = (struct history_gain){.launch_jobs = evidence->jobs[0],
                                  .better_jobs = evidence->jobs[1],
                                  .launch_seconds = history_launch_seconds(evidence),
                                  .better_seconds = NAN,
                                  .change = NAN,
                                  .low = -1,
                                  .high = INFINITY};
    if (!shift.pairs)
        return;
    gain->change = expm1(shift.estimate);
    gain->better_seconds = gain->launch_seconds * (1 + gain->change);
    gain->low = expm1(shift.low);
    gain->high = expm1(shift.high);
}

static int history_is_enough(const struct belief *belief)
{
    return belief->jobs[0] >= HISTORY_ENOUGH && belief->jobs[1] >= HISTORY_ENOUGH;
}

/* GAINS or DROPPED where that is sure, by the interval, or by the belief where it has no ends. */
static enum history_reason history_verdict(const struct history_gain *gain,
                                           const struct belief *belief)
{
    double z = belief->mean / belief->deviation;
    if (isfinite(gain->high))
        z = gain->high < 0 ? -INFINITY : gain->low > 0 ? INFINITY : 0;
    else if (!history_is_enough(belief))
        z = 0;
    return z <= -history_sure  ? HISTORY_GAINS
           : z >= history_sure ? HISTORY_DROPPED
                               : HISTORY_NOT_SURE;
}

static void history_choose(struct history_decision *decision, enum history_choice run,
                           enum history_reason reason)
{
    decision->run = run;
    decision->reason = reason;
}

/* A job of which it is only known that it will tell more. */
static void history_explore(struct history_decision *decision, const struct belief *belief,
                            enum history_choice run)
{
    int first = run == HISTORY_BETTER && belief->jobs[1] == 0;
    history_choose(decision, run, first ? HISTORY_TRY : HISTORY_TO_KNOW);
    decision->job = belief->jobs[run] + 1;
    decision->wanted = decision->job > HISTORY_ENOUGH ? decision->job : HISTORY_ENOUGH;
}

/* The belief about a number of nodes, and the gain: on that number where it has jobs enough, which
 * are then all that is left of the evidence. */
static void history_weigh(struct belief *belief, struct history_gain *gain,
                          struct history_evidence *evidence, int nodes)
{
    belief_form(belief, evidence->sample, evidence->count, nodes);
    if (history_is_enough(belief)) {
        size_t count = evidence->count;
        evidence->count = 0;
        for (size_t i = 0; i < count; i++)
            if (evidence->sample[i].stratum == nodes)
                evidence->sample[evidence->count++] = evidence->sample[i];
        memcpy(evidence->jobs, belief->jobs, sizeof evidence->jobs);
    }
    history_compare(gain, evidence);
}

/* The gain, which is known, in standard errors by the noise of the jobs that it is of. */
static double history_errors(const struct history_gain *gain,
                             const struct history_evidence *evidence)
{
    return fabs(log1p(gain->change)) / belief_error(evidence->sample, evidence->count);
}

/* The share of a job that the better order gains, as far as jobs have shown it: those of this
 * pattern, or, while one of its orders has none, those of the latest other pattern that has jobs
 * enough; the prior where they say nothing. Negative: for that one it lost, by what is believed. 0:
 * nothing has been shown. */
static double history_shown_gain(const struct history_gain *gain, const struct belief *belief,
                                 const struct history_evidence *of, const struct past_job *jobs,
                                 size_t count, const struct next_job *next)
{
    struct history_evidence evidence;
    struct history_gain before;
    struct belief then;
    struct next_job other = *next;
    if (isfinite(gain->change))
        return history_errors(gain, of) < history_gain_errors ? 0
                                                              : fmin(-gain->change, -belief->mean);
    for (size_t i = count; i-- > 0 && count - i <= HISTORY_LONGEST;) {
        if (jobs[i].machine != next->machine || jobs[i].pattern == next->pattern ||
            jobs[i].pattern == other.pattern)
            continue;
        other.pattern = jobs[i].pattern;
        other.nodes = jobs[i].nodes;
        history_gather(&evidence, jobs, count, &other);
        history_weigh(&then, &before, &evidence, other.nodes);
        if (evidence.jobs[1] < HISTORY_ENOUGH || !isfinite(before.change))
            continue;
        if (before.change <= history_least_gain)
            return -before.change;
        return then.mean > 0 && history_errors(&before, &evidence) >= history_loss_errors
                   ? -then.mean
                   : -belief->mean;
    }
    return 0;
}

/* Find the order whose next job has to wait, or -1: the other one has been shown to be better, and
 * has not yet gained HISTORY_TRUST times what this one has lost, such a job included. Lost are jobs
 * in launch order, and the one that showed the pattern, in an order for another one. A better order
 * that has run here does not wait: its own jobs say more. */
static int history_waiting(double shown_gain, const struct past_job *jobs, size_t count,
                           const struct next_job *next)
{
    size_t in[2] = {0, 0};
    int order = shown_gain > 0 ? HISTORY_LAUNCH : HISTORY_BETTER;
    if (fabs(shown_gain) <= history_least_gain)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (jobs[i].pattern == next->pattern && jobs[i].machine == next->machine &&
            jobs[i].status == 0)
            in[jobs[i].order == next->order]++;
    if (in[!order] >= HISTORY_TRUST * (in[order] + 1) || (order == HISTORY_BETTER && in[order]))
        return -1;
    return order;
}

/* Find the order of a job that is there to tell more, or -1: there need not be one. */
static int history_trial(const struct history_decision *decision, const struct belief *belief,
                         int waiting)
{
    if (waiting == HISTORY_BETTER)
        return -1;
    if (belief->jobs[1] < HISTORY_ENOUGH)
        return HISTORY_BETTER;
    if (waiting == HISTORY_LAUNCH)
        return -1;
    if (belief->jobs[0] < HISTORY_ENOUGH)
        return HISTORY_LAUNCH;
    return belief_wants_more(belief) ? !decision->leads : -1;
}

static void history_decide_by(struct history_decision *decision, const struct belief *belief,
                              int waiting)
{
    enum history_reason verdict = history_verdict(&decision->gain, belief);
    int is_known = verdict != HISTORY_NOT_SURE && isfinite(decision->gain.high);
    int better =
        verdict == HISTORY_NOT_SURE ? belief->mean < -history_least_gain : verdict == HISTORY_GAINS;
    decision->leads = better ? HISTORY_BETTER : HISTORY_LAUNCH;
    int trial = is_known ? -1 : history_trial(decision, belief, waiting);
    if (trial >= 0)
        history_explore(decision, belief, (enum history_choice)trial);
    else if (is_known || waiting < 0)
        history_choose(decision, decision->leads, verdict);
    else
        history_choose(decision, (enum history_choice) !waiting, verdict);
}

/* Returns 1 if a job is to be recorded: always where an order may gain; else now and then, to see
 * whether the pattern is still the same. */
static int history_is_watched(const struct history_decision *decision, const struct past_job *jobs,
                              size_t count, const struct next_job *next)
{
    if (decision->run == HISTORY_BETTER || decision->reason == HISTORY_FIRST ||
        decision->reason == HISTORY_TO_KNOW || decision->reason == HISTORY_NO_ORDER)
        return 1;
    for (size_t i = count; i-- > 0 && count - i <= HISTORY_UNWATCHED;)
        if (jobs[i].pattern == next->pattern && jobs[i].machine == next->machine &&
            jobs[i].seconds_in_mpi >= 0)
            return 0;
    return 1;
}

void history_decide(struct history_decision *decision, const struct past_job *jobs, size_t count,
                    const struct next_job *next)
{
    struct history_evidence evidence;
    struct belief belief;
    *decision = (struct history_decision){.job = 1, .wanted = 1};
    history_gather(&evidence, jobs, count, next);
    history_weigh(&belief, &decision->gain, &evidence, next->nodes);
    decision->in_mpi = evidence.in_mpi;
    if (next->pattern == 0)
        history_choose(decision, HISTORY_LAUNCH, HISTORY_FIRST);
    else if (next->order == 0 || next->predicted <= 0)
        history_choose(decision, HISTORY_LAUNCH, HISTORY_NO_ORDER);
    else if (evidence.in_mpi < history_least_in_mpi)
        history_choose(decision, HISTORY_LAUNCH, HISTORY_NO_ROOM);
    else
        history_decide_by(decision, &belief,
                          history_waiting(history_shown_gain(&decision->gain, &belief, &evidence,
                                                             jobs, count, next),
                                          jobs, count, next));
    decision->is_watched = history_is_watched(decision, jobs, count, next);
}

/* Compare the jobs with the latest pattern before job `before` that has jobs in both orders.
 * Returns 1 if there is one. */
static int history_compare_earlier(struct history_gain *gain, const struct past_job *jobs,
                                   size_t before)
{
    struct history_evidence evidence;
    struct history_gain earlier;
    const struct past_job *tried = NULL;
    for (size_t i = before; i-- > 0;) {
        const struct past_job *job = &jobs[i];
        if (job->order == 0 || (tried && job->pattern == tried->pattern &&
                                job->machine == tried->machine && job->order == tried->order))
            continue;
        tried = job;
        history_gather(&evidence, jobs, before,
                       &(struct next_job){job->nodes, job->machine, job->pattern, job->order, NAN});
        history_compare(&earlier, &evidence);
        if (isfinite(earlier.change)) {
            *gain = earlier;
            return 1;
        }
    }
    return 0;
}

void history_summarize(struct history_summary *summary, const struct past_job *jobs, size_t count)
{
    struct history_evidence evidence;
    struct belief belief;
    struct next_job like = {.predicted = NAN};
    *summary = (struct history_summary){.jobs = count, .verdict = HISTORY_FIRST};
    for (size_t i = 0; i < count; i++) {
        const struct past_job *job = &jobs[i];
        summary->failed += job->status != 0;
        summary->better_jobs += job->order != 0;
        summary->first = i == 0 || job->when < summary->first ? job->when : summary->first;
        summary->last = job->when > summary->last ? job->when : summary->last;
        if (job->order != 0 || like.order == 0)
            like = (struct next_job){job->nodes, job->machine, job->pattern, job->order, NAN};
    }
    history_gather(&evidence, jobs, count, &like);
    history_compare(&summary->gain, &evidence);
    summary->in_mpi = evidence.in_mpi;
    belief_form(&belief, evidence.sample, evidence.count, like.nodes);
    if (summary->better_jobs)
        summary->verdict = history_verdict(&summary->gain, &belief);
    if (!isfinite(summary->gain.change))
        summary->is_earlier = history_compare_earlier(&summary->gain, jobs, count);
}
