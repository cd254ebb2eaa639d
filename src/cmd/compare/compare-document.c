/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare-document.c - see compare-forms.h; doc/compare-json.md says what the members mean,
 * src/page/compare.html shows them and those for pages alone (`@').
 */
#include <math.h>

#include "cmd/compare/compare-forms.h"
#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "config.h"

/* ---- the lists ---- */

static void compare_add_patterns(struct document *d, const struct compare_request *r)
{
    document_open(d, "patterns", '[');
    for (size_t i = 0; i < r->patterns.count; i++) {
        const struct reseat_profile *traffic = r->pattern[i].traffic;
        struct profile_summary_amount sum;
        compare_sum_traffic(&sum, traffic);
        document_open(d, NULL, '{');
        document_text(d, "name", r->pattern[i].name);
        document_boolean(d, "is_generated", r->pattern[i].is_generated);
        document_number(d, "ranks", traffic ? traffic->ranks : NAN);
        document_number(d, "messages", traffic ? sum.msgs : NAN);
        document_number(d, "bytes", traffic ? sum.bytes : NAN);
        document_close(d);
    }
    document_close(d);
}

static void compare_add_machines(struct document *d, const struct compare_request *r)
{
    document_open(d, "machines", '[');
    for (size_t i = 0; i < r->machines; i++) {
        const struct compare_machine *machine = &r->machine[i];
        document_open(d, NULL, '{');
        document_text(d, "name", machine->name);
        document_text(d, "tree", machine->tree);
        document_text(d, "topology", machine->topology);
        document_text(d, "costs", machine->costs);
        document_number(d, "room", machine->room ? (double)machine->room : NAN);
        document_close(d);
    }
    document_close(d);
}

static void compare_add_words(struct document *d, const char *key, const struct word_list *words)
{
    document_open(d, key, '(');
    for (size_t i = 0; i < words->count; i++)
        document_text(d, NULL, words->word[i]);
    document_close(d);
}

/* ---- rows ---- */

static void compare_add_row(struct document *d, const struct compare_request *r,
                            const struct compare_row *row)
{
    const size_t index[] = {row->pattern, row->machine, row->method, row->metric, row->effort};
    const double number[] = {row->seconds, row->busiest, row->map_seconds, row->card_seconds};
    document_open(d, NULL, '(');
    for (int i = 0; i < 5; i++)
        document_integer(d, NULL, index[i]);
    document_integer(d, NULL, (uint64_t)row->ranks);
    document_number(d, NULL, row->cost);
    if (isnan(row->cost))
        document_text(d, NULL, NULL);
    else
        document_integer(d, NULL, row->hops);
    for (int i = 0; i < 4; i++)
        document_number(d, NULL, number[i]);
    for (int i = 0; r->job && i < COMPARE_MEASURES; i++)
        document_number(d, NULL, row->measured[i]);
    document_close(d);
}

static void compare_add_rows(struct document *d, const struct compare_findings *f)
{
    static const char *const columns[] = {
        "pattern",        "machine",       "method",   "metric",         "effort",
        "ranks",          "cost",          "hops",     "seconds",        "busiest",
        "map_seconds",    "card_seconds",  "measured", "measured_least", "measured_most",
        "measured_lower", "measured_upper"};
    int count = f->request->job ? 12 + COMPARE_MEASURES : 12;
    document_open(d, "columns", '(');
    for (int i = 0; i < count; i++)
        document_text(d, NULL, columns[i]);
    document_close(d);
    document_open(d, "rows", '[');
    for (size_t i = 0; i < f->rows->count; i++)
        compare_add_row(d, f->request, &f->rows->row[i]);
    document_close(d);
}

/* ---- what follows ---- */

static void compare_add_spread(struct document *d, const struct compare_spread *s)
{
    const double number[] = {s->least, s->lower, s->median, s->upper, s->most};
    static const char *const names[] = {"least", "lower_quartile", "median", "upper_quartile",
                                        "most"};
    for (int i = 0; i < 5; i++)
        document_number(d, names[i], s->count ? number[i] : NAN);
}

/* Where its numbers are on an axis, from 0 to 1, as the format "spread" wants them: what is beyond
 * the axis is at its end. With a line at `reference`, if that is not 0. */
static void compare_add_places(struct document *d, const struct compare_spread *s,
                               const struct draw_axis *axis, double reference)
{
    double number[] = {reference, s->least, s->lower, s->median, s->upper, s->most};
    for (int i = 0; i < 6; i++) {
        double value = number[i] < axis->from ? axis->from
                       : number[i] > axis->to ? axis->to
                                              : number[i];
        number[i] = i || reference > 0 ? axis_place(axis, value) : NAN;
    }
    document_numbers(d, "@spread", s->count ? 6 : 0, number);
}

/* A logarithmic axis on which spreads and 1 have their places. */
static void compare_fit_ratios(struct draw_axis *axis, const struct compare_spread *spread,
                               size_t count)
{
    double least = 1, most = 1;
    for (size_t i = 0; i < count; i++) {
        if (spread[i].count && spread[i].least > 0 && spread[i].least < least)
            least = spread[i].least;
        if (spread[i].count && spread[i].most > most)
            most = spread[i].most;
    }
    axis_fit(axis, AXIS_DECADES, least, most, 6, NULL);
    if (least / 1.02 > axis->from)
        axis->from = least / 1.02;
    if (most * 1.02 < axis->to)
        axis->to = most * 1.02;
}

static void compare_add_methods(struct document *d, const struct compare_findings *f)
{
    struct draw_axis axis;
    compare_fit_ratios(&axis, f->fraction, f->methods);
    document_open(d, "methods", '[');
    for (size_t m = 0; m < f->methods; m++) {
        document_open(d, NULL, '{');
        document_text(d, "name", f->request->method[m].name);
        document_integer(d, "cases", f->fraction[m].count);
        document_integer(d, "lowest_cost_in", f->lowest[m]);
        compare_add_spread(d, &f->fraction[m]);
        document_number(d, "map_seconds", f->map_seconds[m]);
        compare_add_places(d, &f->fraction[m], &axis, 1);
        document_close(d);
    }
    document_close(d);
}

static void compare_add_ratios(struct document *d, const struct compare_findings *f)
{
    const struct listed_method *method = f->request->method;
    struct draw_axis axis;
    compare_fit_ratios(&axis, f->ratio_spread, f->pairs);
    document_open(d, "ratios", '[');
    for (size_t i = 0; i < f->pairs; i++) {
        const struct compare_pair *pair = &f->pair[i];
        double all = pair->ratios.count ? (double)pair->ratios.count : NAN;
        document_open(d, NULL, '{');
        document_integer(d, "method", pair->method);
        document_integer(d, "over", pair->over);
        document_integer(d, "cases", pair->ratios.count);
        document_number(d, "above_1", (double)pair->ratios.above / all);
        document_number(d, "equal_1", (double)pair->ratios.equal / all);
        document_number(d, "mean", pair->ratios.mean);
        compare_add_spread(d, &f->ratio_spread[i]);
        compare_add_places(d, &f->ratio_spread[i], &axis, 1);
        document_print(d, "@names", "%s / %s", method[pair->method].name, method[pair->over].name);
        document_close(d);
    }
    document_close(d);
}

static void compare_add_job(struct document *d, const struct compare_findings *f)
{
    const struct compare_request *r = f->request;
    if (!r->job) {
        document_text(d, "job", NULL);
        return;
    }
    document_open(d, "job", '{');
    document_texts(d, "command", r->job);
    document_text(d, "times_of", r->replays ? "replay" : "job");
    document_integer(d, "runs", (uint64_t)r->runs);
    document_integer(d, "rounds", (uint64_t)f->rows->rounds);
    document_close(d);
}

/* ---- for the page ---- */

/* The rows of a job. */
static void compare_add_measured(struct document *d, const struct compare_findings *f)
{
    const struct compare_request *r = f->request;
    struct draw_axis axis;
    double most = 0;
    for (size_t i = 0; i < f->rows->count; i++)
        if (f->rows->row[i].measured[2] > most)
            most = f->rows->row[i].measured[2];
    axis_fit(&axis, AXIS_LINEAR, 0, most, 6, amount_seconds);
    document_open(d, "@measured", '[');
    for (size_t i = 0; r->job && i < f->rows->count; i++) {
        const struct compare_row *row = &f->rows->row[i];
        const double *m = row->measured;
        const struct compare_spread spread = {!isnan(m[0]), m[1], m[3], m[0], m[4], m[2]};
        document_open(d, NULL, '{');
        document_text(d, "name", r->method[row->method].name);
        document_text(d, "effort", r->efforts.count > 1 ? r->efforts.word[row->effort] : NULL);
        compare_add_places(d, &spread, &axis, 0);
        document_numbers(d, "seconds", COMPARE_MEASURED_SHOWN, m);
        document_number(d, "cost", row->cost);
        document_close(d);
    }
    document_close(d);
    document_text(d, "@measured_to", axis.text[axis.ticks - 1]);
}

static void compare_add_facts(struct document *d, const struct compare_findings *f)
{
    const struct compare_request *r = f->request;
    char date[32], seed[32];
    document_open(d, "@how", '[');
    page_add_fact(d, "started", page_date(f->began, date));
    page_add_fact(d, "on host", f->host);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)r->seed);
    page_add_fact(d, "seed", seed);
    if (r->timings)
        page_add_fact(d, "timings", r->timings);
    if (r->job)
        page_add_fact(d, "run was", r->replays ? "a replay of the profile" : "the job itself");
    document_close(d);
}

/* The columns of the table of cases. */
static void compare_add_columns(struct document *d, const struct compare_request *r)
{
    int names = 0;
    document_open(d, "@columns", '[');
    for (int c = 0; c < COMPARE_COLUMNS; c++) {
        if (!compare_column_is_shown(r, (enum compare_column)c))
            continue;
        names += c <= COMPARE_EFFORT;
        document_text(d, NULL, compare_column_title((enum compare_column)c));
    }
    document_close(d);
    document_integer(d, "@names", (uint64_t)names);
}

static void compare_add_page(struct document *d, const struct compare_findings *f)
{
    const struct compare_request *r = f->request;
    if (r->patterns.count == 1)
        document_text(d, "@title", r->pattern[0].name);
    else
        document_print(d, "@title", "%zu patterns", r->patterns.count);
    document_text(d, "@reference", r->method[f->reference].name);
    document_boolean(d, "@has_efforts", r->efforts.count > 1);
    document_integer(d, "@runs", (uint64_t)r->runs);
    document_boolean(d, "@is_interrupted", f->rows->is_interrupted);
    compare_add_measured(d, f);
    compare_add_facts(d, f);
    compare_add_columns(d, r);
    compare_fill_page(d, f);
}

/* ---- all ---- */

void compare_fill(struct document *d, const struct compare_findings *f)
{
    const struct compare_request *r = f->request;
    char date[32];
    document_integer(d, "reseat_compare", 1);
    document_text(d, "sentence", f->sentence);
    document_text(d, "version", PACKAGE_VERSION);
    document_text(d, "date", page_date(f->began, date));
    document_text(d, "host", f->host);
    document_texts(d, "command", f->words);
    document_integer(d, "seed", r->seed);
    compare_add_patterns(d, r);
    compare_add_machines(d, r);
    compare_add_words(d, "metrics", &r->metrics);
    compare_add_words(d, "efforts", &r->efforts);
    document_integer(d, "reference", f->reference);
    compare_add_methods(d, f);
    compare_add_ratios(d, f);
    document_boolean(d, "@has_spreads", f->cases > 1 && f->pairs); /* of one case others have all */
    compare_add_job(d, f);
    compare_add_rows(d, f);
    compare_add_page(d, f);
}
