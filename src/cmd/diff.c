/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c - `reseat diff`: how the traffic of two runs, or of two observations of one run,
 * differs. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/shell/options.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/commands.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

enum { DIFF_MOST_PAIRS = 10 };

/* A pair in both lists; 0 where it is missing. */
struct diff_pair {
    int32_t source, target;
    double a, b;
};

struct diff_sums {
    size_t pairs[2];
    double total[2];
    double apart; /* sum of |a - b| */
    double correlation;
    size_t different;
};

/* Pearson's correlation over all pairs of different ranks; 1 if neither varies. */
static double diff_correlate(const struct diff_pair *pairs, size_t count, double n)
{
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < count; i++) {
        a += pairs[i].a;
        b += pairs[i].b;
        aa += pairs[i].a * pairs[i].a;
        bb += pairs[i].b * pairs[i].b;
        ab += pairs[i].a * pairs[i].b;
    }
    double varies = (n * aa - a * a) * (n * bb - b * b);
    return varies > 0 ? (n * ab - a * b) / sqrt(varies) : 1;
}

/* `all`: how many pairs there can be. */
static void diff_add_up(const struct diff_pair *pairs, size_t count, double all,
                        struct diff_sums *s)
{
    for (size_t i = 0; i < count; i++) {
        s->pairs[0] += pairs[i].a > 0;
        s->pairs[1] += pairs[i].b > 0;
        s->total[0] += pairs[i].a;
        s->total[1] += pairs[i].b;
        s->apart += fabs(pairs[i].a - pairs[i].b);
        s->different += pairs[i].a != pairs[i].b;
    }
    s->correlation = diff_correlate(pairs, count, all);
}

static int diff_by_difference(const void *x, const void *y)
{
    const struct diff_pair *p = x, *q = y;
    double a = fabs(p->a - p->b), b = fabs(q->a - q->b);
    if (a != b)
        return a > b ? -1 : 1;
    return p->source != q->source ? p->source - q->source : p->target - q->target;
}

static int diff_precedes(const struct tmap_entry *x, const struct tmap_entry *y)
{
    return x->source != y->source ? x->source < y->source : x->target < y->target;
}

/* Join two ascending lists, without traffic of a rank with itself. */
static size_t diff_join(const struct tmap_entry *a, size_t na, const struct tmap_entry *b,
                        size_t nb, struct diff_pair *result)
{
    size_t i = 0, j = 0, n = 0;
    while (i < na || j < nb) {
        int left = j == nb || (i < na && !diff_precedes(&b[j], &a[i]));
        int right = i == na || (j < nb && !diff_precedes(&a[i], &b[j]));
        const struct tmap_entry *e = left ? &a[i] : &b[j];
        struct diff_pair pair = {e->source, e->target, left ? (double)a[i].weight : 0,
                                 right ? (double)b[j].weight : 0};
        i += left;
        j += right;
        if (pair.source != pair.target)
            result[n++] = pair;
    }
    return n;
}

static void diff_print(const struct diff_pair *pairs, size_t count, const struct diff_sums *s,
                       enum reseat_metric metric)
{
    const char *unit = metric == RESEAT_METRIC_SIZE  ? "bytes"
                       : metric == RESEAT_METRIC_MSG ? "messages"
                                                     : "bytes per message";
    if (!s->different) {
        printf("equal: %zu pairs, %.0f %s\n", s->pairs[0], s->total[0], unit);
        return;
    }
    printf("%.0f and %.0f %s (%+.2f %%) in %zu and %zu pairs; %zu pairs differ, correlation %.4f\n",
           s->total[0], s->total[1], unit,
           s->total[0] > 0 ? 100 * (s->total[1] / s->total[0] - 1) : 100, s->pairs[0], s->pairs[1],
           s->different, s->correlation);
    for (size_t i = 0; i < count && i < DIFF_MOST_PAIRS && pairs[i].a != pairs[i].b; i++)
        printf("  %6" PRId32 " %6" PRId32 " %16.0f %16.0f\n", pairs[i].source, pairs[i].target,
               pairs[i].a, pairs[i].b);
}

static void diff_print_tsv(const struct diff_sums *s)
{
    printf("pairs_a\t%zu\npairs_b\t%zu\ntotal_a\t%.17g\ntotal_b\t%.17g\ndifferent\t%zu\n"
           "apart\t%.17g\ncorrelation\t%.6f\n",
           s->pairs[0], s->pairs[1], s->total[0], s->total[1], s->different, s->apart,
           s->correlation);
}

static int diff_compare(struct reseat_profile *const profiles[2], enum reseat_metric metric,
                        int tsv)
{
    struct tmap_entry *list[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    struct reseat_error error = {"out of memory"};
    int failed = 0;
    for (int i = 0; i < 2 && !failed; i++)
        failed = reseat_profile_weights(profiles[i], 0, 1, metric, &list[i], &count[i], &error);
    struct diff_pair *pairs = failed ? NULL : malloc((count[0] + count[1] + 1) * sizeof *pairs);
    if (pairs) {
        struct diff_sums sums = {0};
        size_t n = diff_join(list[0], count[0], list[1], count[1], pairs);
        double ranks = profiles[0]->ranks, directions = metric == RESEAT_METRIC_AVG ? 1 : 2;
        diff_add_up(pairs, n, directions * ranks * (ranks - 1) / 2, &sums);
        qsort(pairs, n, sizeof *pairs, diff_by_difference);
        tsv ? diff_print_tsv(&sums) : diff_print(pairs, n, &sums, metric);
    }
    failed = !pairs;
    free(pairs);
    free(list[0]);
    free(list[1]);
    return cli_status(failed, &error);
}

int cmd_diff(int argc, char **argv)
{
    struct reseat_error error;
    struct reseat_profile *profiles[2] = {NULL, NULL};
    enum reseat_metric metric = RESEAT_METRIC_SIZE;
    int kind = -1, tsv = 0;
    const struct option_target targets[] = {
        {"metric", &metric, NULL}, {"kind", &kind, NULL}, {"tsv", &tsv, NULL}, {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (status)
        return status;
    if (optind + 2 != argc)
        return cli_fail(EXIT_USAGE, "two files are needed: reseat diff FILE FILE");
    for (int i = 0; i < 2 && !status; i++)
        status = cli_status(load_traffic(&profiles[i], (const char *const *)argv + optind + i, 1,
                                         NULL, metric, 0, &error),
                            &error);
    for (int i = 0; i < 2 && !status; i++)
        reseat_profile_keep_kind(profiles[i], kind);
    if (!status && profiles[0]->ranks != profiles[1]->ranks)
        status = cli_fail(EXIT_TROUBLE, "%s has %d ranks, %s has %d", argv[optind],
                          (int)profiles[0]->ranks, argv[optind + 1], (int)profiles[1]->ranks);
    if (!status)
        status = diff_compare(profiles, metric, tsv);
    reseat_profile_destroy(profiles[0]);
    reseat_profile_destroy(profiles[1]);
    return status;
}
