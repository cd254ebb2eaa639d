/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-json.c - see compare-forms.h, and doc/compare-json.md for what the members mean. */
#include <math.h>

#include "cmd/compare/compare-forms.h"
#include "cmd/shell/page-parts.h"
#include "config.h"

/* ---- the lists ---- */

static void compare_json_patterns(struct json *json, const struct compare_request *r)
{
    json_open(json, "patterns", '[');
    for (size_t i = 0; i < r->patterns.count; i++) {
        const struct reseat_profile *traffic = r->pattern[i].traffic;
        struct profile_summary_amount sum;
        compare_sum_traffic(&sum, traffic);
        json_open(json, NULL, '{');
        json_text(json, "name", r->pattern[i].name);
        json_boolean(json, "is_generated", r->pattern[i].is_generated);
        json_number(json, "ranks", traffic ? traffic->ranks : NAN);
        json_number(json, "messages", traffic ? sum.msgs : NAN);
        json_number(json, "bytes", traffic ? sum.bytes : NAN);
        json_close(json);
    }
    json_close(json);
}

static void compare_json_machines(struct json *json, const struct compare_request *r)
{
    json_open(json, "machines", '[');
    for (size_t i = 0; i < r->machines.count; i++) {
        const struct compare_machine *machine = &r->machine[i];
        json_open(json, NULL, '{');
        json_text(json, "name", machine->name);
        json_text(json, "tree", machine->tree);
        json_text(json, "topology", machine->topology);
        json_text(json, "costs", machine->costs);
        json_number(json, "room", machine->room ? (double)machine->room : NAN);
        json_close(json);
    }
    json_close(json);
}

static void compare_json_words(struct json *json, const char *key, const struct word_list *words)
{
    json_open(json, key, '(');
    for (size_t i = 0; i < words->count; i++)
        json_text(json, NULL, words->word[i]);
    json_close(json);
}

/* ---- rows ---- */

static void compare_json_row(struct json *json, const struct compare_request *r,
                             const struct compare_row *row)
{
    const size_t index[] = {row->pattern, row->machine, row->method, row->metric, row->effort};
    const double number[] = {row->seconds, row->busiest, row->map_seconds, row->card_seconds};
    json_open(json, NULL, '(');
    for (int i = 0; i < 5; i++)
        json_integer(json, NULL, index[i]);
    json_integer(json, NULL, (uint64_t)row->ranks);
    json_number(json, NULL, row->cost);
    if (isnan(row->cost))
        json_text(json, NULL, NULL);
    else
        json_integer(json, NULL, row->hops);
    for (int i = 0; i < 4; i++)
        json_number(json, NULL, number[i]);
    for (int i = 0; r->job && i < COMPARE_MEASURES; i++)
        json_number(json, NULL, row->measured[i]);
    json_close(json);
}

static void compare_json_rows(struct json *json, const struct compare_findings *f)
{
    static const char *const columns[] = {
        "pattern",        "machine",       "method",   "metric",         "effort",
        "ranks",          "cost",          "hops",     "seconds",        "busiest",
        "map_seconds",    "card_seconds",  "measured", "measured_least", "measured_most",
        "measured_lower", "measured_upper"};
    int count = f->request->job ? 12 + COMPARE_MEASURES : 12;
    json_open(json, "columns", '(');
    for (int i = 0; i < count; i++)
        json_text(json, NULL, columns[i]);
    json_close(json);
    json_open(json, "rows", '[');
    for (size_t i = 0; i < f->rows->count; i++)
        compare_json_row(json, f->request, &f->rows->row[i]);
    json_close(json);
}

/* ---- what follows ---- */

static void compare_json_spread(struct json *json, const struct compare_spread *s)
{
    const double number[] = {s->least, s->lower, s->median, s->upper, s->most};
    static const char *const names[] = {"least", "lower_quartile", "median", "upper_quartile",
                                        "most"};
    for (int i = 0; i < 5; i++)
        json_number(json, names[i], s->count ? number[i] : NAN);
}

static void compare_json_methods(struct json *json, const struct compare_findings *f)
{
    json_open(json, "methods", '[');
    for (size_t m = 0; m < f->methods; m++) {
        json_open(json, NULL, '{');
        json_text(json, "name", f->request->method[m].name);
        json_integer(json, "cases", f->fraction[m].count);
        json_integer(json, "lowest_cost_in", f->lowest[m]);
        compare_json_spread(json, &f->fraction[m]);
        json_number(json, "map_seconds", f->map_seconds[m]);
        json_close(json);
    }
    json_close(json);
}

static void compare_json_ratios(struct json *json, const struct compare_findings *f)
{
    json_open(json, "ratios", '[');
    for (size_t i = 0; i < f->pairs; i++) {
        const struct compare_pair *pair = &f->pair[i];
        double all = pair->ratios.count ? (double)pair->ratios.count : NAN;
        json_open(json, NULL, '{');
        json_integer(json, "method", pair->method);
        json_integer(json, "over", pair->over);
        json_integer(json, "cases", pair->ratios.count);
        json_number(json, "above_1", (double)pair->ratios.above / all);
        json_number(json, "equal_1", (double)pair->ratios.equal / all);
        json_number(json, "mean", pair->ratios.mean);
        compare_json_spread(json, &f->ratio_spread[i]);
        json_close(json);
    }
    json_close(json);
}

static void compare_json_job(struct json *json, const struct compare_findings *f)
{
    const struct compare_request *r = f->request;
    if (!r->job) {
        json_text(json, "job", NULL);
        return;
    }
    json_open(json, "job", '{');
    page_json_words(json, "command", r->job);
    json_text(json, "times_of", r->replays ? "replay" : "job");
    json_integer(json, "runs", (uint64_t)r->runs);
    json_integer(json, "rounds", (uint64_t)f->rows->rounds);
    json_close(json);
}

int compare_write_json(FILE *file, const void *findings)
{
    const struct compare_findings *f = findings;
    const struct compare_request *r = f->request;
    struct json json = {.file = file};
    char date[32];
    json_open(&json, NULL, '{');
    json_integer(&json, "reseat_compare", 1);
    json_text(&json, "sentence", f->sentence);
    json_text(&json, "version", PACKAGE_VERSION);
    json_text(&json, "date", page_date(f->began, date));
    json_text(&json, "host", f->host);
    page_json_words(&json, "command", f->words);
    json_integer(&json, "seed", r->seed_number);
    compare_json_patterns(&json, r);
    compare_json_machines(&json, r);
    compare_json_words(&json, "metrics", &r->metrics);
    compare_json_words(&json, "efforts", &r->efforts);
    json_integer(&json, "reference", f->reference);
    compare_json_methods(&json, f);
    compare_json_ratios(&json, f);
    compare_json_job(&json, f);
    compare_json_rows(&json, f);
    json_close(&json);
    return 0;
}
