/* SPDX-License-Identifier: BSD-3-Clause */
/* report-text.c - see report-sentences.h: the verdict. */
#include "cmd/report/report-numbers.h"

#include <string.h>

#include "cmd/shell/amount.h"
#include "profile/gain.h"
#include "text/printable.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

/* ---- the sentence ---- */

/* What changes first: an amount, or how far the same amount goes in a network. */
static void text_write_change(FILE *file, const struct report *r, int level)
{
    char a[32], b[32], where[64], change[RESEAT_CHANGE_SIZE];
    const char *crosses = level_crossing(r->by_metric.tree, level, where);
    uint64_t before = r->by_metric.before.weight_at[level];
    uint64_t after = r->by_metric.after.weight_at[level];
    if (!report_amount_changes(r, level))
        fprintf(file, "the links that a %s takes %s from %.2f to %.2f",
                strcmp(r->unit, "B") == 0 ? "byte" : "message", crosses,
                r->metric_on[level].hops[0], r->metric_on[level].hops[1]);
    else
        fprintf(file, "%s %s from %s to %s",
                r->metric == RESEAT_METRIC_AVG ? "the sum of mean message sizes" : "what goes",
                crosses, amount((double)before, r->unit, a), amount((double)after, r->unit, b));
    if (before && before != after)
        fprintf(file, " (%s)", reseat_change_print((double)after / (double)before - 1, 0, change));
}

/* What the busiest link carries; `before` precedes it. */
static void text_write_relief(FILE *file, const struct report *r, const char *before)
{
    const double *busiest = r->by_metric.busiest;
    char a[32], b[32], change[RESEAT_CHANGE_SIZE];
    fprintf(file, "%s%s from %s to %s (%s)", before,
            r->metric == RESEAT_METRIC_AVG ? "the same sum on the busiest link"
                                           : "what the busiest link carries",
            amount(busiest[0], r->unit, a), amount(busiest[1], r->unit, b),
            reseat_change_print(-report_relief(r), 0, change));
}

static void text_write_gain(FILE *file, const struct report *r)
{
    const struct prediction *p = &r->by_metric;
    int has_change = r->first_change < tmap_tree_depth(p->tree);
    char of_job[RESEAT_WORTH_SIZE], change[RESEAT_CHANGE_SIZE];
    fprintf(file, "A better order of the %d ranks would change ", (int)r->profile->ranks);
    if (has_change)
        text_write_change(file, r, r->first_change);
    if (p->busiest[0] > 0)
        text_write_relief(file, r, has_change ? ", " : "");
    if (r->forecast.timings)
        time_forecast_write_gain(file, &r->forecast,
                                 has_change || p->busiest[0] > 0 ? ", and " : "",
                                 reseat_worth_most(&r->worth));
    else
        fprintf(file, ", and the predicted cost by %s",
                reseat_change_print(-reseat_gain(p->before.cost, p->after.cost), 0, change));
    double times = report_more_messages(r);
    if (times > 0)
        fprintf(file, "; but in %.1f times as many messages (see --metric)", times);
    if (!reseat_worth_suffices(&r->worth))
        fprintf(file, "%s; too little for run (RESEAT_MIN_GAIN, %g %%)",
                reseat_worth_text(&r->worth, ", ", of_job), 100 * r->worth.min_gain);
    fprintf(file, ".");
}

/* With fewer than three ranks no order can matter. */
static void text_write_flat(FILE *file, int ranks)
{
    int nodes = ranks < 8 ? 2 : 4;
    fprintf(file,
            "All %d ranks are equally far from each other here (bound to nothing, or all on one "
            "small node, or one on each node): no order is better than another.",
            ranks);
    if (ranks > 2)
        fprintf(file, " For another machine try --tree \"node:%d core:%d\".", nodes,
                (ranks + nodes - 1) / nodes);
}

/* Nothing better was found by timings that have less than the machine. */
static void text_write_borrowed(FILE *file, const struct report *r)
{
    char where[64];
    fprintf(file, "Whether another order of the %d ranks is better is not known, because ",
            (int)r->profile->ranks);
    printable_print(file, r->forecast.path);
    fprintf(file, " has no timings of its own for what goes %s; for the rest none was found.",
            level_crossing(r->by_metric.tree, r->borrows, where));
}

void report_write_verdict(FILE *file, const void *context)
{
    const struct report *r = context;
    int ranks = (int)r->profile->ranks;
    switch (r->verdict) {
    case REPORT_NO_TRAFFIC:
        fprintf(file, "The profile holds no traffic between ranks.");
        break;
    case REPORT_FLAT:
        text_write_flat(file, ranks);
        break;
    case REPORT_LAUNCH_ORDER:
        if (r->borrows >= 0)
            text_write_borrowed(file, r);
        else
            fprintf(file, "The launch order of the %d ranks is as good as any that was found.",
                    ranks);
        break;
    case REPORT_GAIN:
        text_write_gain(file, r);
        break;
    }
    if (r->verdict != REPORT_NO_TRAFFIC && !r->has_seats && !r->machine_option)
        fputs(" The profile does not say where its ranks ran: this is for the machine of this "
              "report.",
              file);
    if (r->verdict != REPORT_NO_TRAFFIC && r->verdict != REPORT_FLAT)
        time_forecast_write_lack(file, &r->forecast, r->metric);
    const char *local = local_ranks_words(&r->by_metric.local.of_all);
    if (*local && r->verdict != REPORT_NO_TRAFFIC)
        fprintf(file, " In that order %s.", local);
    putc('\n', file);
}

void report_write_machine(FILE *file, const void *context)
{
    const struct report *r = context;
    if (r->machine_option && report_run_finds(r))
        fprintf(file,
                "The order is for the machine of %s; run finds one for the nodes that the job "
                "gets.\n",
                r->machine_option);
}
