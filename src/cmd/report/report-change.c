/* SPDX-License-Identifier: BSD-3-Clause */
/* report-change.c - see report-change.h: the numbers. */
#include "cmd/report/report-change.h"

#include <math.h>

static const double CHANGE_STILL_GOOD = 0.9, CHANGE_LEAST = 0.005;

/* ---- pairs ---- */

static double change_of(const struct change_pair *pair)
{
    return (double)pair->weight[1] - (double)pair->weight[0];
}

/* Put a pair where it belongs in a list of those that changed most, if it does. Returns how many
 * there are then. */
static int change_offer(struct change_pair *list, int count, const struct change_pair *pair,
                        int sign)
{
    int at = count;
    if (count == CHANGE_PAIRS && sign * change_of(pair) <= sign * change_of(&list[count - 1]))
        return count;
    count += count < CHANGE_PAIRS;
    at = count - 1;
    for (; at > 0 && sign * change_of(pair) > sign * change_of(&list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = *pair;
    return count;
}

static void change_take_pair(void *context, int32_t a, int32_t b, const uint64_t weight[2])
{
    struct report_change *c = context;
    struct change_pair pair = {.a = a, .b = b, .weight = {weight[0], weight[1]}};
    const struct prediction *p = &c->report[0]->by_metric;
    double change = change_of(&pair);
    for (int i = 0; i < 2; i++) {
        c->pairs[i] += weight[i] > 0;
        c->total[i] += (double)weight[i];
        c->square[i] += (double)weight[i] * (double)weight[i];
    }
    c->product += (double)weight[0] * (double)weight[1];
    if (change == 0)
        return;
    c->different++;
    c->apart += change > 0 ? change : -change;
    pair.level = tmap_tree_common_level(p->tree, p->launch[pair.a], p->launch[pair.b]);
    if (change > 0)
        c->grown = change_offer(c->grew, c->grown, &pair, 1);
    else
        c->shrunk = change_offer(c->shrank, c->shrunk, &pair, -1);
}

static void change_find_pairs(struct report_change *c)
{
    const struct tmap_matrix *const matrix[2] = {c->report[0]->by_metric.matrix,
                                                 c->report[1]->by_metric.matrix};
    report_visit_pairs(matrix, change_take_pair, c);
}

double change_correlation(const struct report_change *c)
{
    const double least = 1e-12; /* of a sum of squares: what is less is rounding */
    const double ranks = c->report[0]->profile->ranks, n = ranks * (ranks - 1) / 2;
    const double *total = c->total, *square = c->square;
    double variance[2];
    for (int i = 0; i < 2; i++) {
        variance[i] = n * square[i] - total[i] * total[i];
        if (!(variance[i] > least * n * square[i]))
            return NAN;
    }
    return (n * c->product - total[0] * total[1]) / sqrt(variance[0]) / sqrt(variance[1]);
}

/* ---- orders ---- */

/* Price the second in the better order for the first, as its report prices its own. 0, or -1 with
 * *error. */
static int change_judge_order(struct report_change *c, struct reseat_error *error)
{
    const struct report *a = c->report[0], *b = c->report[1];
    struct prediction kept = b->by_metric;
    struct time_forecast forecast = b->forecast;
    kept.best = a->by_metric.best;
    if (prediction_compare(&kept, kept.matrix, &kept.before, &kept.after, error) ||
        prediction_find_busiest(&kept, error) ||
        prediction_compare(&kept, b->sent, &c->kept, &c->kept, error) ||
        time_forecast_compare(&forecast, &kept, error))
        return -1;
    c->cost[1] = kept.after.cost;
    if (forecast.timings)
        c->seconds[1] = forecast.seconds[1].estimate;
    c->gain[1] = time_forecast_gain_or_loss(&forecast, &kept);
    return 0;
}

static int change_find_orders(struct report_change *c, struct reseat_error *error)
{
    const struct report *a = c->report[0], *b = c->report[1];
    c->cost[0] = c->cost[1] = b->by_metric.before.cost;
    c->cost[2] = b->by_metric.after.cost;
    c->seconds[0] = c->seconds[1] = b->forecast.timings ? b->forecast.seconds[0].estimate : NAN;
    c->seconds[2] = b->forecast.timings ? b->forecast.seconds[1].estimate : NAN;
    c->gain[0] = a->is_gain ? a->worth.gain : 0;
    c->gain[2] = b->is_gain ? b->worth.gain : 0;
    c->kept = b->bytes.before;
    return a->is_gain ? change_judge_order(c, error) : 0;
}

static enum change_verdict change_judge(const struct report_change *c)
{
    if (c->different == 0)
        return CHANGE_NONE;
    if (!c->report[0]->is_gain && !c->report[1]->is_gain)
        return CHANGE_FLAT;
    if (fabs(c->gain[1]) < CHANGE_LEAST && c->gain[2] < CHANGE_LEAST)
        return CHANGE_ENDS;
    if (c->gain[1] < 0 || (c->gain[1] < CHANGE_LEAST && c->gain[2] >= CHANGE_LEAST))
        return CHANGE_LOSES;
    return c->gain[1] >= CHANGE_STILL_GOOD * c->gain[2] ? CHANGE_KEEPS : CHANGE_FADES;
}

int change_find(struct report_change *c, const struct report *a, const struct report *b,
                struct reseat_error *error)
{
    c->report[0] = a;
    c->report[1] = b;
    change_find_pairs(c);
    if (change_find_orders(c, error))
        return -1;
    c->verdict = change_judge(c);
    return 0;
}
