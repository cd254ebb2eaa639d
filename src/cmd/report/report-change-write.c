/* SPDX-License-Identifier: BSD-3-Clause */
/* report-change-write.c - see report-change.h: its sentence, and the document. */
#include <math.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-change.h"
#include "profile/gain.h"
#include "profile/profile-time.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

/* ---- the sentence ---- */

/* What the gains are of. */
static const char *change_measure(const struct report_change *c)
{
    if (c->report[1]->forecast.timings)
        return "time of the second";
    return c->report[1]->by_metric.busiest[0] > 0
               ? "cost of the second, or what its busiest link carries,"
               : "cost of the second";
}

/* Write a change to be read after `by': "-19 %", "a factor of 51296". Returns text. */
static const char *change_by(double gain, char text[32])
{
    const double percent = 0 - 100 * gain;
    snprintf(text, 32, percent < RESEAT_MOST_PERCENT ? "%+.0f %%" : "a factor of %.0f",
             percent < RESEAT_MOST_PERCENT ? percent : 1 - gain);
    return text;
}

static void change_write_orders(FILE *file, const struct report_change *c)
{
    char text[2][32];
    const char *const by[2] = {change_by(c->gain[1], text[0]), change_by(c->gain[2], text[1])};
    switch (c->verdict) {
    case CHANGE_NONE:
    case CHANGE_FLAT:
        fputs(" No order gains anything for either of them.", file);
        break;
    case CHANGE_ENDS:
        fputs(" No order gains anything for the second any more.", file);
        break;
    case CHANGE_KEEPS:
        fprintf(
            file,
            " The better order for the first is still good: it would change the predicted %s by "
            "%s, its own order by %s.",
            change_measure(c), by[0], by[1]);
        break;
    case CHANGE_FADES:
        fprintf(
            file,
            " The better order for the first has become worse: it would change the predicted %s "
            "by %s, its own order by %s.",
            change_measure(c), by[0], by[1]);
        break;
    case CHANGE_LOSES:
        fprintf(file,
                " %s is no longer good: it would change the predicted %s by %s, its own order "
                "by %s.",
                c->report[0]->is_gain ? "The better order for the first" : "The launch order",
                change_measure(c), by[0], by[1]);
        break;
    }
}

/* What pairs have by a metric. */
static const char *change_amount(enum reseat_metric metric)
{
    switch (metric) {
    case RESEAT_METRIC_MSG:
        return "messages";
    case RESEAT_METRIC_AVG:
        return "mean message size";
    case RESEAT_METRIC_TIME:
        return "time";
    default:
        return "bytes";
    }
}

static void change_write_verdict(FILE *file, const void *context)
{
    const struct report_change *c = context;
    const char *unit = c->report[0]->unit;
    char a[32], b[32], change[RESEAT_CHANGE_SIZE];
    if (c->different == 0) {
        fprintf(file,
                "No pair of ranks differs in its %s: %s between %zu pairs, in both profiles.\n",
                change_amount(c->report[0]->metric), amount(c->total[0], unit, a), c->pairs[0]);
        return;
    }
    fprintf(file, "The %s from %s to %s",
            c->report[0]->metric == RESEAT_METRIC_AVG ? "sum of mean message sizes changes"
                                                      : "traffic changes",
            amount(c->total[0], unit, a), amount(c->total[1], unit, b));
    if (c->total[0] > 0)
        fprintf(file, " (%s)", reseat_change_print(c->total[1] / c->total[0] - 1, 1, change));
    fprintf(file, ", and from %zu pairs of ranks to %zu; %zu pairs differ.", c->pairs[0],
            c->pairs[1], c->different);
    change_write_orders(file, c);
    time_forecast_write_lack(file, &c->report[1]->forecast, c->report[1]->metric);
    putc('\n', file);
}

/* ---- as a document ---- */

static void change_add_profiles(struct document *d, const struct report_change *c)
{
    document_open(d, "profiles", '[');
    for (int i = 0; i < 2; i++) {
        const struct reseat_profile *profile = c->report[i]->profile;
        document_open(d, NULL, '{');
        document_text(d, "file", c->path[i]);
        document_text(d, "program", reseat_profile_header(profile, "program"));
        document_text(d, "date", reseat_profile_header(profile, "date"));
        document_number(d, "seconds",
                        profile->microseconds ? reseat_profile_seconds(profile) : NAN);
        document_close(d);
    }
    document_close(d);
}

/* As numbers, and as bars beside `most`. */
static void change_add_bytes(struct document *d, double first, double second, double most)
{
    document_numbers(d, "@bytes", 2, (double[]){first, second});
    document_numbers(d, "@bars", 3, (double[]){most, first, second});
}

/* Returns the bytes of all kinds, of the profile that has more: also within one rank, which crosses
 * no level. */
static double change_add_kinds(struct document *d, const struct report_change *c)
{
    static const char *const names[] = {"point to point", "collectives", "one-sided"};
    struct profile_summary_amount sum[RESEAT_TRAFFIC_KINDS][2];
    double all[2] = {0, 0};
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        for (int i = 0; i < 2; i++) {
            profile_summary_sum(&sum[kind][i], c->report[i]->profile, -1, kind, -1);
            all[i] += sum[kind][i].bytes;
        }
        document_open(d, reseat_traffic_name((enum reseat_traffic)kind), '{');
        document_numbers(d, "bytes", 2, (double[]){sum[kind][0].bytes, sum[kind][1].bytes});
        document_numbers(d, "messages", 2, (double[]){sum[kind][0].msgs, sum[kind][1].msgs});
        document_close(d);
    }
    const double most = all[0] > all[1] ? all[0] : all[1];
    document_open(d, "@kinds", '[');
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        if (sum[kind][0].msgs <= 0 && sum[kind][1].msgs <= 0)
            continue;
        document_open(d, NULL, '{');
        document_text(d, "name", names[kind]);
        change_add_bytes(d, sum[kind][0].bytes, sum[kind][1].bytes, most);
        document_close(d);
    }
    document_close(d);
    return most;
}

static void change_add_levels(struct document *d, const struct report_change *c, double most)
{
    const struct report *const *r = c->report;
    const struct tmap_tree *tree = r[0]->by_metric.tree;
    char where[64];
    document_open(d, "levels", '[');
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        const uint64_t bytes[2] = {r[0]->bytes.before.weight_at[level],
                                   r[1]->bytes.before.weight_at[level]};
        document_open(d, NULL, '{');
        document_text(d, "crossing", level_crossing(tree, level, where));
        document_integers(d, "bytes", 2, bytes);
        document_integers(
            d, "messages", 2,
            (uint64_t[]){r[0]->msgs.before.weight_at[level], r[1]->msgs.before.weight_at[level]});
        document_integer(d, "bytes_of_second_by_order_of_first", c->kept.weight_at[level]);
        document_boolean(d, "@is_shown", bytes[0] || bytes[1]);
        change_add_bytes(d, (double)bytes[0], (double)bytes[1], most);
        document_close(d);
    }
    document_close(d);
}

static void change_add_pairs(struct document *d, const struct report_change *c, const char *key,
                             const struct change_pair *pair, int count)
{
    const struct report *first = c->report[0];
    char text[64];
    document_open(d, key, '[');
    for (int i = 0; i < count; i++) {
        document_open(d, NULL, '{');
        document_integers(d, "ranks", 2, (uint64_t[]){(uint64_t)pair[i].a, (uint64_t)pair[i].b});
        document_integers(d, "weight", 2, pair[i].weight);
        document_text(d, "crossing", level_crossing(first->by_metric.tree, pair[i].level, text));
        document_text(d, "@first", amount((double)pair[i].weight[0], first->unit, text));
        document_text(d, "@second", amount((double)pair[i].weight[1], first->unit, text));
        document_close(d);
    }
    document_close(d);
}

/* What the second has by each order, for its text and page. */
static void change_add_orders(struct document *d, const struct report_change *c)
{
    static const char *const names[] = {"launch order", "better order for the first",
                                        "its own better order"};
    const double *cost = c->cost, *seconds = c->seconds;
    double most = 0;
    for (int i = 0; i < 3; i++) /* an order for the links, or for time, can cost the most */
        most = cost[i] > most ? cost[i] : most;
    document_open(d, "@orders", '[');
    for (int i = 0; i < 3; i++) {
        document_open(d, NULL, '{');
        document_text(d, "name", names[i]);
        document_numbers(d, "bars", 2, (double[]){most, cost[i]});
        document_number(d, "cost", cost[i]);
        document_numbers(d, "cost_change", i ? 2 : 0, (double[]){cost[0], cost[i]});
        document_number(d, "cost_rise", 0 - reseat_gain(cost[0], cost[i]));
        document_number(d, "seconds", seconds[i]);
        document_numbers(d, "seconds_change", i ? 2 : 0, (double[]){seconds[0], seconds[i]});
        document_number(d, "seconds_rise", 0 - reseat_gain(seconds[0], seconds[i]));
        document_close(d);
    }
    document_close(d);
}

static void change_add_nodes(struct document *d, const struct report_nodes *nodes)
{
    char text[32];
    document_open(d, "nodes", '[');
    for (int32_t n = 0; n < nodes->nodes; n++) {
        document_open(d, NULL, '(');
        document_text(d, NULL, report_node_name(nodes, n, text));
        document_close(d);
    }
    document_close(d);
}

void change_fill(struct document *d, const struct report_change *c,
                 const struct report_nodes *nodes)
{
    static const char *const verdicts[] = {"same", "flat", "ends", "keeps", "fades", "loses"};
    document_integer(d, "reseat_change", 1);
    document_text(d, "verdict", verdicts[c->verdict]);
    document_written(d, "sentence", change_write_verdict, c);
    document_integer(d, "ranks", (uint64_t)c->report[0]->profile->ranks);
    change_add_profiles(d, c);
    document_text(d, "timings_lack", c->report[1]->forecast.lack);
    document_text(d, "unit", c->report[0]->unit);
    document_numbers(d, "total", 2, c->total);
    document_integers(d, "pairs", 2, (uint64_t[]){c->pairs[0], c->pairs[1]});
    document_integer(d, "pairs_that_differ", c->different);
    document_number(d, "apart", c->apart);
    document_number(d, "correlation", change_correlation(c));
    change_add_levels(d, c, change_add_kinds(d, c));
    document_numbers(d, "cost_of_second", 3, c->cost);
    document_numbers(d, "seconds_of_second", 3, c->report[1]->forecast.timings ? c->seconds : NULL);
    document_numbers(d, "gain", 3, c->gain);
    change_add_pairs(d, c, "grew", c->grew, c->grown);
    change_add_pairs(d, c, "shrank", c->shrank, c->shrunk);
    change_add_orders(d, c);
    change_add_nodes(d, nodes);
}
