/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-findings.c - see compare-forms.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/shell/amount.h"
#include "cmd/compare/compare-forms.h"
#include "draw/distribution.h"

static struct compare_spread compare_spread_of(const double *sorted, size_t count)
{
    struct compare_spread spread = {.count = count};
    if (count) {
        spread.least = sorted[0];
        spread.lower = distribution_quantile(sorted, count, 0.25);
        spread.median = distribution_quantile(sorted, count, 0.5);
        spread.upper = distribution_quantile(sorted, count, 0.75);
        spread.most = sorted[count - 1];
    }
    return spread;
}

/* ---- ratios ---- */

/* The costs by a method of all cases in turn, allocated. NULL: out of memory. */
static double *compare_costs(const struct compare_rows *rows, size_t methods, size_t method)
{
    size_t cases = rows->count / methods;
    double *costs = malloc((cases + 1) * sizeof *costs);
    for (size_t i = 0; costs && i < cases; i++)
        costs[i] = rows->row[i * methods + method].cost;
    return costs;
}

/* Of the costs by `method` over those by `over`, sorted, allocated: of cases in which both are
 * known. NULL: out of memory. */
static double *compare_ratios(const struct compare_rows *rows, size_t methods, size_t method,
                              size_t over, size_t *count)
{
    double *taken = compare_costs(rows, methods, method);
    double *than = compare_costs(rows, methods, over);
    double *sorted = taken && than ? chart_ratios(taken, than, rows->count / methods, count) : NULL;
    free(taken);
    free(than);
    return sorted;
}

/* Of the costs by a method over those by another one; `ratios` may be NULL. 0, or -1: out of
 * memory. */
static int compare_find_spread(const struct compare_findings *f, size_t method, size_t over,
                               struct compare_spread *spread, struct chart_ratios *ratios)
{
    size_t count = 0;
    double *sorted = compare_ratios(f->rows, f->methods, method, over, &count);
    if (!sorted)
        return -1;
    *spread = compare_spread_of(sorted, count);
    if (ratios)
        *ratios = chart_sum_up_ratios(sorted, count);
    free(sorted);
    return 0;
}

/* All pairs, in the order of the summary. Returns as above. */
static int compare_find_pairs(struct compare_findings *f)
{
    int rc = 0;
    for (size_t later = 1; later < f->methods; later++)
        for (size_t first = 0; first < later && rc == 0; first++) {
            struct compare_pair *pair = &f->pair[f->pairs];
            *pair = (struct compare_pair){.method = later, .over = first};
            rc = compare_find_spread(f, later, first, &f->ratio_spread[f->pairs], &pair->ratios);
            f->pairs += rc == 0;
        }
    return rc;
}

/* ---- methods ---- */

static const struct compare_row *compare_row_at(const struct compare_findings *f, size_t at,
                                                size_t method)
{
    return &f->rows->row[at * f->methods + method];
}

/* Returns 1 if a method has the lowest cost in a case, to a billionth. */
static int compare_is_lowest(const struct compare_findings *f, size_t at, size_t method)
{
    double lowest = INFINITY;
    for (size_t m = 0; m < f->methods; m++)
        lowest = fmin(lowest, compare_row_at(f, at, m)->cost);
    return compare_row_at(f, at, method)->cost <= lowest * (1 + 1e-9);
}

/* In which cases each method has the lowest cost. */
static void compare_find_lowest(struct compare_findings *f)
{
    for (size_t i = 0; i < f->cases; i++)
        for (size_t m = 0; m < f->methods; m++)
            f->lowest[m] += compare_is_lowest(f, i, m);
}

/* Returns as above. */
static int compare_find_map_seconds(struct compare_findings *f)
{
    double *seconds = malloc((f->cases + 1) * sizeof *seconds);
    for (size_t m = 0; seconds && m < f->methods; m++) {
        for (size_t i = 0; i < f->cases; i++)
            seconds[i] = compare_row_at(f, i, m)->map_seconds;
        size_t count = distribution_sort(seconds, f->cases);
        f->map_seconds[m] = count ? distribution_quantile(seconds, count, 0.5) : NAN;
    }
    free(seconds);
    return seconds ? 0 : -1;
}

/* ---- the sentence ---- */

/* In how many cases another method has the lowest cost as well as `best`; `text` gets the names of
 * those that do. */
static size_t compare_name_ties(const struct compare_findings *f, size_t best, char text[256])
{
    const size_t room = 190;
    size_t ties = 0, length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < f->cases; i++) {
        int is_tie = 0;
        for (size_t m = 0; m < f->methods; m++)
            is_tie |= m != best && compare_is_lowest(f, i, best) && compare_is_lowest(f, i, m);
        ties += (size_t)is_tie;
    }
    for (size_t m = 0; m < f->methods; m++) {
        int ties_once = 0;
        for (size_t i = 0; i < f->cases && m != best && !ties_once; i++)
            ties_once = compare_is_lowest(f, i, best) && compare_is_lowest(f, i, m);
        if (ties_once && length < room)
            length += (size_t)snprintf(text + length, 256 - length, "%s%.40s", length ? ", " : "",
                                       f->request->method[m].name);
    }
    return ties;
}

/* Who has the lowest cost: where it is never one method alone, that comes first. */
static void compare_say_costs(struct compare_findings *f)
{
    size_t best = 0;
    char than[128] = "", in[64] = "", names[256], also[256] = "";
    for (size_t m = 1; m < f->methods; m++)
        if (f->lowest[m] > f->lowest[best])
            best = m;
    const struct compare_request *r = f->request;
    const struct compare_spread *s = &f->fraction[best];
    const char *name = r->method[best].name;
    const int is_one = f->cases == 1;
    if (!is_one)
        snprintf(in, sizeof in, " in %zu of %zu cases", f->lowest[best], f->cases);
    if (best != f->reference && s->count)
        snprintf(than, sizeof than, "%s %.3f times that by %.80s",
                 is_one ? "," : "; in the median it is", s->median, r->method[f->reference].name);
    size_t tied = compare_name_ties(f, best, names);
    if (tied)
        snprintf(also, sizeof also, ", and in %zu of these another is as low (%.190s)", tied,
                 names);
    if (tied && tied == f->lowest[best])
        snprintf(f->sentence, sizeof f->sentence,
                 "No method alone has the lowest cost: %.200s has it%s%s together with %s of %zu "
                 "(%.190s)",
                 name, in, is_one ? "" : ", each time",
                 strchr(names, ',') ? "others" : "another one", f->methods, names);
    else
        snprintf(f->sentence, sizeof f->sentence,
                 "The cost by %.200s is the lowest of %zu method%s%s%s%s", name, f->methods,
                 f->methods == 1 ? "" : "s", in, also, than);
}

/* The row with the shortest median, and the one of the launch order. */
static void compare_say_measured(struct compare_findings *f)
{
    const struct compare_request *r = f->request;
    const struct compare_row *best = NULL, *launch = NULL;
    char text[2][32], than[200] = "";
    for (size_t i = 0; i < f->rows->count; i++) {
        const struct compare_row *row = &f->rows->row[i];
        if (isnan(row->measured[0]))
            continue;
        if (!best || row->measured[0] < best->measured[0])
            best = row;
        if (strcmp(r->method[row->method].name, METHOD_LAUNCH) == 0)
            launch = row;
    }
    if (!best)
        return;
    const char *what = r->replays ? "replay" : "job", *runs = f->rows->rounds == 1 ? "" : "s";
    if (launch == best) {
        snprintf(f->sentence, sizeof f->sentence,
                 "No order was faster than the launch order, in which the %s took %s in the median "
                 "of %d run%s",
                 what, amount_seconds(best->measured[0], text[0]), f->rows->rounds, runs);
        return;
    }
    if (launch)
        snprintf(than, sizeof than, ", %s in the launch order%s",
                 amount_seconds(launch->measured[0], text[1]),
                 best->measured[2] < launch->measured[1]
                     ? ", and none of its runs took as long as one of those"
                     : ", but the times of their runs overlap");
    snprintf(f->sentence, sizeof f->sentence,
             "By %.200s the %s took %s in the median of %d run%s%s", r->method[best->method].name,
             what, amount_seconds(best->measured[0], text[0]), f->rows->rounds, runs, than);
}

/* ---- all ---- */

int compare_find(struct compare_findings *f, const struct compare_request *request,
                 const struct compare_rows *rows)
{
    size_t methods = request->methods.count;
    f->request = request;
    f->rows = rows;
    f->methods = methods;
    f->cases = rows->count / methods;
    f->reference = compare_reference(request);
    gethostname(f->host, sizeof f->host - 1);
    f->fraction = calloc(methods, sizeof *f->fraction);
    f->lowest = calloc(methods, sizeof *f->lowest);
    f->map_seconds = calloc(methods, sizeof *f->map_seconds);
    f->pair = calloc(methods * methods, sizeof *f->pair);
    f->ratio_spread = calloc(methods * methods, sizeof *f->ratio_spread);
    if (!f->fraction || !f->lowest || !f->map_seconds || !f->pair || !f->ratio_spread)
        return -1;
    for (size_t m = 0; m < methods; m++)
        if (compare_find_spread(f, m, f->reference, &f->fraction[m], NULL))
            return -1;
    if (compare_find_pairs(f) || compare_find_map_seconds(f))
        return -1;
    compare_find_lowest(f);
    compare_say_costs(f);
    if (request->job)
        compare_say_measured(f);
    return 0;
}

void compare_free_findings(struct compare_findings *f)
{
    free(f->fraction);
    free(f->lowest);
    free(f->map_seconds);
    free(f->pair);
    free(f->ratio_spread);
    *f = (struct compare_findings){.request = NULL};
}

/* ---- patterns ---- */

void compare_sum_traffic(struct profile_summary_amount *sum, const struct reseat_profile *traffic)
{
    *sum = (struct profile_summary_amount){.bytes = 0};
    for (int kind = 0; traffic && kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount part;
        profile_summary_sum(&part, traffic, -1, kind, -1);
        sum->bytes += part.bytes;
        sum->msgs += part.msgs;
    }
}
