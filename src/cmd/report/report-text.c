/* SPDX-License-Identifier: BSD-3-Clause */
/* report-text.c - see report-text.h: the sentence that matters, then the details. */
#include "cmd/report/report-text.h"

#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/profile-summary.h"
#include "profile/gain.h"
#include "text/printable.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

/* ---- the sentence ---- */

/* What changes first: an amount, or how far the same amount goes in a network. */
static void text_write_change(FILE *file, const struct report *r, int level)
{
    char a[32], b[32], where[64];
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
        fprintf(file, " (%+.0f %%)", 100 * ((double)after / (double)before - 1));
}

/* What the busiest link carries; `before` precedes it. */
static void text_write_relief(FILE *file, const struct report *r, const char *before)
{
    const double *busiest = r->by_metric.busiest;
    char a[32], b[32];
    fprintf(file, "%s%s from %s to %s (%+.0f %%)", before,
            r->metric == RESEAT_METRIC_AVG ? "the same sum on the busiest link"
                                           : "what the busiest link carries",
            amount(busiest[0], r->unit, a), amount(busiest[1], r->unit, b),
            0 - 100 * report_relief(r));
}

static void text_write_gain(FILE *file, const struct report *r)
{
    const struct prediction *p = &r->by_metric;
    int has_change = r->first_change < tmap_tree_depth(p->tree);
    char of_job[RESEAT_WORTH_SIZE];
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
        fprintf(file, ", and the predicted cost by %+.0f %%",
                0 - 100 * reseat_gain(p->before.cost, p->after.cost));
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

void report_write_verdict(FILE *file, const struct report *r)
{
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
    putc('\n', file);
}

void report_write_machine(FILE *file, const struct report *r)
{
    if (r->machine_option && report_run_finds(r))
        fprintf(file,
                "The order is for the machine of %s; run finds one for the nodes that the job "
                "gets.\n",
                r->machine_option);
}

/* ---- the details ---- */

/* How far the bytes of a level go in its network, and what its links carry. */
static void text_write_loads(FILE *file, const struct loads *loads)
{
    char text[80];
    if (loads->hops[0] == loads->hops[1])
        fprintf(file, "%-24s %.2f\n", "  hops a byte", loads->hops[0]);
    else
        fprintf(file, "%-24s %.2f -> %.2f\n", "  hops a byte", loads->hops[0], loads->hops[1]);
    fprintf(file, "%-24s %s\n", "  on the busiest link",
            amount_change(loads->busiest[0], loads->busiest[1], "B", text));
    fprintf(file, "%-24s %s\n", "  on a link, mean",
            amount_change(loads->mean[0], loads->mean[1], "B", text));
}

static void text_write_levels(FILE *file, const struct report *r)
{
    const struct prediction *p = &r->by_metric;
    char bytes[80], msgs[80], where[64];
    fprintf(file, "\n%-24s %-24s %-24s\n", "level", "bytes", "messages");
    for (int level = 0; level <= tmap_tree_depth(p->tree); level++) {
        const uint64_t b[2] = {r->bytes.before.weight_at[level], r->bytes.after.weight_at[level]};
        const uint64_t m[2] = {r->msgs.before.weight_at[level], r->msgs.after.weight_at[level]};
        if (!b[0] && !b[1] && !m[0] && !m[1])
            continue;
        fprintf(file, "%-24s %-24s %-24s\n", level_crossing(p->tree, level, where),
                amount_change((double)b[0], (double)b[1], "B", bytes),
                amount_change((double)m[0], (double)m[1], "", msgs));
        if (tmap_tree_shape(p->tree, level, NULL) != TMAP_SHAPE_NONE)
            text_write_loads(file, &r->bytes_on[level]);
    }
    time_forecast_write(file, &r->forecast);
    fprintf(file, "%-24s %.4g", "weight x distance", p->before.cost);
    if (r->is_gain)
        fprintf(file, " -> %.4g\n(launch order -> order by %s; predicted, not measured)\n",
                p->after.cost, p->method);
    else
        fprintf(file, "\n(launch order)\n");
}

static void text_write_pairs(FILE *file, const struct report *r)
{
    char text[32], where[64];
    if (r->pairs)
        fprintf(file, "\nheaviest pairs (both directions)\n");
    for (int i = 0; i < r->pairs; i++)
        fprintf(file, "  %6d %6d %14s   %s\n", (int)r->heaviest[i].a, (int)r->heaviest[i].b,
                amount((double)r->heaviest[i].weight, r->unit, text),
                level_crossing(r->by_metric.tree, r->heaviest[i].level, where));
}

void report_write_text(FILE *file, const struct report *r, const struct report_blocks *blocks)
{
    report_write_verdict(file, r);
    report_options_write(file, &r->options);
    report_pattern_write(file, &r->pattern, r->profile->ranks);
    report_pattern_write_tile(file, &r->pattern);
    profile_summary_write_time(file, r->profile);
    profile_summary_warn_of_variables(file, r->profile);
    blocks_write_maps(file, blocks, r);
    text_write_levels(file, r);
    report_write_machine(file, r);
    blocks_write_bars(file, blocks, r);
    report_methods_write(file, &r->methods, &r->by_metric);
    profile_summary_write_domains(file, r->profile);
    profile_summary_write_phases(file, r->profile);
    text_write_pairs(file, r);
    profile_summary_write_headers(file, r->profile);
}

/* ---- for programs ---- */

void report_write_table(FILE *file, const struct report *r)
{
    static const char *const verdicts[] = {"no_traffic", "flat", "launch_order", "gain"};
    const struct prediction *p = &r->by_metric;
    char where[64];
    fprintf(file, "ranks\t%d\nverdict\t%s\nmethod\t%s\n", (int)r->profile->ranks,
            verdicts[r->verdict], r->is_gain ? p->method : "launch order");
    fprintf(file, "cost\t%.17g\nidentity_cost\t%.17g\n", p->after.cost, p->before.cost);
    for (int level = 0; level <= tmap_tree_depth(p->tree); level++)
        fprintf(
            file,
            "level_%d\t%s\nidentity_bytes_%d\t%llu\nbytes_%d\t%llu\nidentity_messages_%d\t%llu\n"
            "messages_%d\t%llu\n",
            level, level_crossing(p->tree, level, where), level,
            (unsigned long long)r->bytes.before.weight_at[level], level,
            (unsigned long long)r->bytes.after.weight_at[level], level,
            (unsigned long long)r->msgs.before.weight_at[level], level,
            (unsigned long long)r->msgs.after.weight_at[level]);
    time_forecast_write_table(file, &r->forecast);
    report_options_write_table(file, &r->options);
    report_methods_write_table(file, &r->methods, tmap_tree_depth(p->tree));
}
