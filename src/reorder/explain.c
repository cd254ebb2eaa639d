/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.c - see explain.h. */
#include "reorder/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "profile/gain.h"
#include "text/printable.h"

void timing_open(struct timing *timing, double since)
{
    *timing = (struct timing){.last = since};
}

void timing_add(struct timing *timing, const char *name, double bytes)
{
    double end = clock_now();
    if (timing->count < (int)(sizeof timing->step / sizeof timing->step[0]))
        timing->step[timing->count++] = (struct step){name, end - timing->last, bytes};
    timing->last = end;
}

static double timing_total(const struct timing *timing)
{
    double seconds = 0;
    for (int i = 0; i < timing->count; i++)
        seconds += timing->step[i].seconds;
    return seconds;
}

/* The traffic that a metric weighs: "bytes". */
static const char *explain_weights(enum reseat_metric metric)
{
    return metric == RESEAT_METRIC_MSG   ? "messages"
           : metric == RESEAT_METRIC_AVG ? "mean message sizes"
                                         : "bytes";
}

/* The gain in words: time, or what goes between nodes, or how far it goes at all. */
static void explain_fall(const struct decision_report *report, char *text, size_t size)
{
    const double *seconds = report->worth.seconds, *between = report->between;
    const char *weights = explain_weights(report->metric);
    char change[RESEAT_CHANGE_SIZE];
    int is_time = seconds[0] > 0, is_between = between[0] > 0 && between[1] < between[0];
    const double *both = is_time ? seconds : is_between ? between : report->cost;
    double gain = reseat_gain(both[0], both[1]);
    const char *percent = reseat_change_print(-gain, 0, change);
    percent += strspn(percent, "+-");
    if (is_time)
        snprintf(text, size, "%s %s time for the messages (%.3g s instead of %.3g)", percent,
                 gain < 0 ? "more" : "less", both[1], both[0]);
    else if (is_between)
        snprintf(text, size, "%s %s %s between nodes", percent,
                 report->metric == RESEAT_METRIC_AVG ? "lower" : "fewer", weights);
    else
        snprintf(text, size, "%s go %s %s far", weights, percent, gain < 0 ? "more" : "less");
}

/* Returns 1 if no other order is possible: all roles stay on their nodes, and so do local ranks. */
static int explain_is_fixed(const struct decision_report *report)
{
    const struct local_ranks_summary *local = &report->decision->local;
    return local->kept > 0 && local->kept == local->nodes &&
           (local->nodes == 1 || report->strategy == RESEAT_STRATEGY_NODE);
}

/* With a clause if messages between nodes become many more, since bytes are not everything. */
static void explain_reordered(const struct decision_report *report, char *text, size_t size)
{
    const double *seconds = report->worth.seconds;
    double most = reseat_worth_most(&report->worth);
    double times = reseat_more_messages(report->messages[0], report->messages[1]);
    char fall[128], more[96] = "", links[96] = "", limit[96] = "", change[RESEAT_CHANGE_SIZE];
    explain_fall(report, fall, sizeof fall);
    if (times > 0)
        snprintf(more, sizeof more,
                 "; messages between nodes: %.1f times as many (see RESEAT_METRIC)", times);
    if (report->busiest[1] < report->busiest[0])
        snprintf(
            links, sizeof links, ", %s less on the busiest link",
            reseat_change_print(-reseat_gain(report->busiest[0], report->busiest[1]), 0, change) +
                1);
    if (seconds[0] > 0 && most >= 0 && seconds[0] - seconds[1] > most)
        snprintf(limit, sizeof limit,
                 "; no order saves more than %.3g s, by the time of the job in the profile", most);
    const char *local = local_ranks_words(&report->decision->local);
    snprintf(text, size, "reordered, %s%s, predicted%s%s%s%s", fall, links, limit, more,
             *local ? "; " : "", local);
}

static void explain_kept(const struct decision_report *report, char *text, size_t size)
{
    char of_job[RESEAT_WORTH_SIZE];
    const char *local = local_ranks_words(&report->decision->local);
    if (report->cost[0] <= 0)
        snprintf(text, size, "the pattern is empty");
    else if (report->blind)
        snprintf(text, size, "one node, and no rank is bound to a part of it: no order is better");
    else if (explain_is_fixed(report))
        snprintf(text, size, "%s, and %s: there is no other order",
                 report->decision->local.nodes == 1 ? "one node" : "no rank leaves its node",
                 local);
    else
        snprintf(text, size, "predicted gain %.1f %%%s%s, RESEAT_MIN_GAIN is %.1f %%%s%s",
                 100 * report->worth.gain, report->worth.seconds[0] > 0 ? " of the time" : "",
                 reseat_worth_text(&report->worth, ", ", of_job), 100 * report->worth.min_gain,
                 *local ? "; " : "", local);
}

/* One call, which is one write, because other ranks may be writing there. */
static void explain_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void explain_line(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printable_vsay(format, arguments);
    va_end(arguments);
}

static void explain_verdict(const struct decision_report *report)
{
    char text[512];
    if (report->done)
        explain_reordered(report, text, sizeof text);
    else
        explain_kept(report, text, sizeof text);
    explain_line("%s, %d ranks: %s%s", report->function, report->ranks,
                 report->done ? "" : "launch order kept: ", text);
}

/* The loads of the links of the level above. */
static void explain_loads(const struct loads *loads)
{
    explain_line("  %-14s %10.2f %10.2f", "- mean hops", loads->hops[0], loads->hops[1]);
    explain_line("  %-14s %10.4g %10.4g", "- busiest link", loads->busiest[0], loads->busiest[1]);
    explain_line("  %-14s %10.4g %10.4g", "- mean link", loads->mean[0], loads->mean[1]);
}

/* The numbers behind the words, and how the order was found. */
static void explain_cost(const struct decision_report *report)
{
    int is_time = report->worth.seconds[0] > 0;
    const double *both = is_time ? report->worth.seconds : report->cost;
    char links[80] = "";
    if (report->busiest[0] > 0)
        snprintf(links, sizeof links, ", busiest link %.4g -> %.4g", report->busiest[0],
                 report->busiest[1]);
    explain_line("%s, %d ranks: predicted %s %.4g -> %.4g%s%s (%+.1f %%; %s, %s, pattern from the "
                 "%s, %.1f ms)",
                 report->function, report->ranks, is_time ? "time" : "cost", both[0], both[1],
                 is_time ? " s" : "", links, 0 - 100 * reseat_gain(both[0], both[1]),
                 report->decision->method, reseat_strategy_name(report->strategy),
                 report->source == RESEAT_PATTERN_PROFILE ? "profile" : "call",
                 1e3 * timing_total(report->timing));
}

static void explain_table(const struct decision_report *report)
{
    const struct decision *d = report->decision;
    explain_line("  %-14s %10s",
                 report->strategy == RESEAT_STRATEGY_TWOLEVEL ? "among nodes"
                 : report->strategy == RESEAT_STRATEGY_NODE   ? "node of rank 0"
                                                              : "candidate",
                 "cost");
    for (int i = 0; i < d->candidates; i++)
        explain_line("  %-14s %10.4g", d->candidate[i].name, d->candidate[i].cost);
    explain_line("  %-14s %10s %10s", "between", "launch", "found");
    for (int i = 0; i < d->levels; i++) {
        explain_line("  %-14s %10.4g %10.4g", d->level[i].name, d->level[i].before,
                     d->level[i].after);
        if (d->level[i].has_loads)
            explain_loads(&d->level[i].loads);
    }
    explain_line("  %-22s %10s %12s", "step", "ms", "bytes");
    for (int i = 0; i < report->timing->count; i++) {
        const struct step *step = &report->timing->step[i];
        explain_line("  %-22s %10.2f %12.0f", step->name, 1e3 * step->seconds, step->bytes);
    }
}

/* Nanoseconds and bytes in both orders. */
static void explain_to_verify(const struct decision_report *report)
{
    const char *word = getenv("RESEAT_OUTCOME");
    const double *seconds = report->worth.seconds;
    if (word && report->done && seconds[0] > 0)
        explain_line("outcome %s predicted %.0f %.0f %.0f %.0f", word, 1e9 * seconds[0],
                     1e9 * seconds[1], report->bytes[0], report->bytes[1]);
}

void explain_decision(const struct decision_report *report, int verbose)
{
    explain_to_verify(report);
    if (verbose >= 1)
        explain_verdict(report);
    if (verbose >= 2 && report->done)
        explain_cost(report);
    if (verbose >= 2)
        explain_table(report);
}
