/* SPDX-License-Identifier: BSD-3-Clause */
/* report-change-write.c - see report-change.h: as text, lines for programs, and a document. */
#include <math.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-change.h"
#include "profile/gain.h"
#include "profile/profile-time.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

static const char *const change_kinds[] = {"point to point", "collectives", "one-sided"};

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

static void change_write_orders(FILE *file, const struct report_change *c)
{
    const double percent[2] = {0 - 100 * c->gain[1], 0 - 100 * c->gain[2]};
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
            "%+.0f %%, its own order by %+.0f %%.",
            change_measure(c), percent[0], percent[1]);
        break;
    case CHANGE_FADES:
        fprintf(
            file,
            " The better order for the first has become worse: it would change the predicted %s "
            "by %+.0f %%, its own order by %+.0f %%.",
            change_measure(c), percent[0], percent[1]);
        break;
    case CHANGE_LOSES:
        fprintf(
            file,
            " %s is no longer good: it would change the predicted %s by %+.0f %%, its own order "
            "by %+.0f %%.",
            c->report[0]->is_gain ? "The better order for the first" : "The launch order",
            change_measure(c), percent[0], percent[1]);
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

void change_write_verdict(FILE *file, const struct report_change *c)
{
    const char *unit = c->report[0]->unit;
    char a[32], b[32];
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
        fprintf(file, " (%+.1f %%)", 100 * (c->total[1] / c->total[0] - 1));
    fprintf(file, ", between %zu and %zu pairs of ranks, of which %zu differ.", c->pairs[0],
            c->pairs[1], c->different);
    change_write_orders(file, c);
    time_forecast_write_lack(file, &c->report[1]->forecast, c->report[1]->metric);
    putc('\n', file);
}

/* ---- text ---- */

static void change_write_percent(FILE *file, double before, double after)
{
    if (before == after)
        fputs("         -\n", file);
    else if (before > 0)
        fprintf(file, " %+7.1f %%\n", 100 * (after / before - 1));
    else
        fputs("       new\n", file);
}

static void change_write_row(FILE *file, const char *name, const double value[2], const char *unit)
{
    char a[32], b[32];
    fprintf(file, "%-24s %14s %14s", name, amount(value[0], unit, a), amount(value[1], unit, b));
    change_write_percent(file, value[0], value[1]);
}

static void change_write_traffic(FILE *file, const struct report_change *c)
{
    const struct tmap_tree *tree = c->report[0]->by_metric.tree;
    char where[64];
    fprintf(file, "\n%-24s %14s %14s\n", "bytes", "first", "second");
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount sum[2];
        for (int i = 0; i < 2; i++)
            profile_summary_sum(&sum[i], c->report[i]->profile, -1, kind, -1);
        if (sum[0].msgs > 0 || sum[1].msgs > 0)
            change_write_row(file, change_kinds[kind], (double[]){sum[0].bytes, sum[1].bytes}, "B");
    }
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        const double bytes[2] = {(double)c->report[0]->bytes.before.weight_at[level],
                                 (double)c->report[1]->bytes.before.weight_at[level]};
        if (bytes[0] > 0 || bytes[1] > 0)
            change_write_row(file, level_crossing(tree, level, where), bytes, "B");
    }
    fputs("(in launch order, on the machine of the first)\n", file);
}

static void change_write_list(FILE *file, const struct report_change *c, const char *title,
                              const struct change_pair *pair, int count)
{
    char a[32], b[32], where[64];
    if (count)
        fprintf(file, "\n%s (both directions)\n", title);
    for (int i = 0; i < count; i++)
        fprintf(file, "  %6d %6d %14s -> %-14s %s\n", (int)pair[i].a, (int)pair[i].b,
                amount((double)pair[i].weight[0], c->report[0]->unit, a),
                amount((double)pair[i].weight[1], c->report[0]->unit, b),
                level_crossing(c->report[0]->by_metric.tree, pair[i].level, where));
}

/* What the second has in each order. */
static void change_write_each_order(FILE *file, const char *what, const double value[3],
                                    int is_time)
{
    static const char *const names[] = {"launch order", "order for the first",
                                        "its own better order"};
    char text[32];
    fprintf(file, "\n%s\n", what);
    for (int i = 0; i < 3; i++) {
        if (is_time)
            amount_seconds(value[i], text);
        else
            snprintf(text, sizeof text, "%.4g", value[i]);
        fprintf(file, "%-24s %14s", names[i], text);
        if (i > 0)
            fprintf(file, " %+7.1f %%", 0 - 100 * reseat_gain(value[0], value[i]));
        putc('\n', file);
    }
}

void change_write_text(FILE *file, const struct report_change *c)
{
    change_write_verdict(file, c);
    change_write_traffic(file, c);
    change_write_each_order(file, "cost of the second", c->cost, 0);
    if (c->report[1]->forecast.timings)
        change_write_each_order(file, "time of the messages of the second", c->seconds, 1);
    fputs("(predicted, not measured)\n", file);
    change_write_list(file, c, "pairs that grew most", c->grew, c->grown);
    change_write_list(file, c, "pairs that shrank most", c->shrank, c->shrunk);
}

/* ---- for programs ---- */

static const char *change_verdict_name(const struct report_change *c)
{
    static const char *const names[] = {"same", "flat", "ends", "keeps", "fades", "loses"};
    return names[c->verdict];
}

void change_write_table(FILE *file, const struct report_change *c)
{
    const struct tmap_tree *tree = c->report[0]->by_metric.tree;
    char where[64];
    fprintf(file,
            "ranks\t%d\nverdict\t%s\ntotal_a\t%.17g\ntotal_b\t%.17g\npairs_a\t%zu\npairs_b\t%zu\n"
            "different\t%zu\napart\t%.17g\n",
            (int)c->report[0]->profile->ranks, change_verdict_name(c), c->total[0], c->total[1],
            c->pairs[0], c->pairs[1], c->different, c->apart);
    fprintf(file, "cost_b\t%.17g\ncost_b_order_a\t%.17g\ncost_b_order_b\t%.17g\n", c->cost[0],
            c->cost[1], c->cost[2]);
    if (c->report[1]->forecast.lack)
        fprintf(file, "timings_lack\t%s\n", c->report[1]->forecast.lack);
    if (c->report[1]->forecast.timings)
        fprintf(file,
                "predicted_seconds_b\t%.9g\npredicted_seconds_b_order_a\t%.9g\n"
                "predicted_seconds_b_order_b\t%.9g\n",
                c->seconds[0], c->seconds[1], c->seconds[2]);
    fprintf(file, "gain_a\t%.6f\ngain_b_order_a\t%.6f\ngain_b_order_b\t%.6f\n", c->gain[0],
            c->gain[1], c->gain[2]);
    for (int level = 0; level <= tmap_tree_depth(tree); level++)
        fprintf(file,
                "level_%d\t%s\nbytes_a_%d\t%llu\nbytes_b_%d\t%llu\nbytes_b_order_a_%d\t%llu\n",
                level, level_crossing(tree, level, where), level,
                (unsigned long long)c->report[0]->bytes.before.weight_at[level], level,
                (unsigned long long)c->report[1]->bytes.before.weight_at[level], level,
                (unsigned long long)c->kept.weight_at[level]);
}

/* ---- as a document ---- */

static void change_add_integers(struct document *d, const char *key, uint64_t a, uint64_t b)
{
    document_open(d, key, '(');
    document_integer(d, NULL, a);
    document_integer(d, NULL, b);
    document_close(d);
}

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

static void change_add_kinds(struct document *d, const struct report_change *c)
{
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount a, b;
        profile_summary_sum(&a, c->report[0]->profile, -1, kind, -1);
        profile_summary_sum(&b, c->report[1]->profile, -1, kind, -1);
        document_open(d, reseat_traffic_name((enum reseat_traffic)kind), '{');
        document_numbers(d, "bytes", 2, (double[]){a.bytes, b.bytes});
        document_numbers(d, "messages", 2, (double[]){a.msgs, b.msgs});
        document_close(d);
    }
}

static void change_add_levels(struct document *d, const struct report_change *c)
{
    const struct report *const *r = c->report;
    const struct tmap_tree *tree = r[0]->by_metric.tree;
    char where[64];
    document_open(d, "levels", '[');
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        document_open(d, NULL, '{');
        document_text(d, "crossing", level_crossing(tree, level, where));
        change_add_integers(d, "bytes", r[0]->bytes.before.weight_at[level],
                            r[1]->bytes.before.weight_at[level]);
        change_add_integers(d, "messages", r[0]->msgs.before.weight_at[level],
                            r[1]->msgs.before.weight_at[level]);
        document_integer(d, "bytes_of_second_by_order_of_first", c->kept.weight_at[level]);
        document_close(d);
    }
    document_close(d);
}

static void change_add_pairs(struct document *d, const struct report_change *c, const char *key,
                             const struct change_pair *pair, int count)
{
    char where[64];
    document_open(d, key, '[');
    for (int i = 0; i < count; i++) {
        document_open(d, NULL, '{');
        change_add_integers(d, "ranks", (uint64_t)pair[i].a, (uint64_t)pair[i].b);
        change_add_integers(d, "weight", pair[i].weight[0], pair[i].weight[1]);
        document_text(d, "crossing",
                      level_crossing(c->report[0]->by_metric.tree, pair[i].level, where));
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

static void change_sentence(FILE *file, const void *context)
{
    change_write_verdict(file, context);
}

void change_fill(struct document *d, const struct report_change *c,
                 const struct report_nodes *nodes)
{
    document_integer(d, "reseat_change", 1);
    document_text(d, "verdict", change_verdict_name(c));
    document_written(d, "sentence", change_sentence, c);
    document_integer(d, "ranks", (uint64_t)c->report[0]->profile->ranks);
    change_add_profiles(d, c);
    document_text(d, "timings_lack", c->report[1]->forecast.lack);
    document_text(d, "unit", c->report[0]->unit);
    document_numbers(d, "total", 2, c->total);
    change_add_integers(d, "pairs", c->pairs[0], c->pairs[1]);
    document_integer(d, "pairs_that_differ", c->different);
    document_number(d, "apart", c->apart);
    change_add_kinds(d, c);
    change_add_levels(d, c);
    document_numbers(d, "cost_of_second", 3, c->cost);
    if (c->report[1]->forecast.timings)
        document_numbers(d, "seconds_of_second", 3, c->seconds);
    else
        document_text(d, "seconds_of_second", NULL);
    document_numbers(d, "gain", 3, c->gain);
    change_add_pairs(d, c, "grew", c->grew, c->grown);
    change_add_pairs(d, c, "shrank", c->shrank, c->shrunk);
    change_add_nodes(d, nodes);
}
