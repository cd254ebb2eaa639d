/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-page.c - see compare-forms.h: what the parts of src/page/compare.html are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/compare/compare-forms.h"
#include "cmd/shell/page-parts.h"
#include "page/frame.h"
#include "page/markup.h"
#include "page/sources.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"

/* So many rows are in the table of cases, and so many patterns have boxes of their own. */
enum { COMPARE_PAGE_ROWS = 10000, COMPARE_PAGE_PATTERNS = 40, COMPARE_PAGE_METHODS = 10 };

static const struct compare_findings *compare_of(const void *context)
{
    return ((const struct compare_page *)context)->findings;
}

/* ---- the head ---- */

static void compare_title(FILE *file, const void *context)
{
    const struct compare_request *r = compare_of(context)->request;
    if (r->patterns.count == 1)
        markup_write(file, r->pattern[0].name);
    else
        fprintf(file, "%zu patterns", r->patterns.count);
}

static void compare_facts(FILE *file, const void *context)
{
    const struct compare_findings *f = compare_of(context);
    char date[32];
    fprintf(file, "%zu method%s &middot; %zu case%s &middot; %s", f->methods,
            f->methods == 1 ? "" : "s", f->cases, f->cases == 1 ? "" : "s",
            page_date(f->began, date));
}

/* ---- the sentence ---- */

static void compare_sentence(FILE *file, const void *context)
{
    markup_write(file, compare_of(context)->sentence);
    putc('.', file);
}

static int compare_is_partial(const void *context)
{
    return compare_of(context)->rows->is_interrupted;
}

static void compare_partial(FILE *file, const void *context)
{
    const struct compare_rows *rows = compare_of(context)->rows;
    fprintf(file, "Interrupted after %d of %d rounds: this page has these.", rows->rounds,
            compare_of(context)->request->runs);
}

static void compare_remark(FILE *file, const void *context)
{
    const struct compare_request *r = compare_of(context)->request;
    fputs(r->job ? "Measured by running the job in the order of each method, in turn. Costs are "
                   "weight x distance of the recorded traffic."
                 : "Costs are weight x distance of the traffic on these machines, predicted, not "
                   "measured; <code>reseat compare PROFILE -- LAUNCHER ...</code> runs the orders.",
          file);
}

/* ---- cells ---- */

static void compare_write_name(FILE *file, const char *name)
{
    fputs("<tr><th scope=\"row\">", file);
    markup_write(file, name);
    fputs("</th>", file);
}

static void compare_write_number(FILE *file, const char *format, double value)
{
    fputs("<td class=\"number\">", file);
    if (isnan(value))
        putc('-', file);
    else
        fprintf(file, format, value);
    fputs("</td>", file);
}

static void compare_write_seconds(FILE *file, double seconds)
{
    char text[32];
    fprintf(file, "<td class=\"number\">%s</td>",
            isnan(seconds) ? "-" : amount_seconds(seconds, text));
}

/* What is beyond the axis is at its end. */
static double compare_clamp(const struct draw_axis *axis, double value)
{
    return value < axis->from ? axis->from : value > axis->to ? axis->to : value;
}

/* Range, middle half and median; with a line at `reference`, if that is not 0. */
static void compare_write_spread(FILE *file, const struct draw_axis *axis,
                                 const struct compare_spread *s, double reference)
{
    fputs("<td class=\"wide\">", file);
    if (s->count) {
        double at[] = {s->least, s->lower, s->median, s->upper, s->most};
        for (int i = 0; i < 5; i++)
            at[i] = compare_clamp(axis, at[i]);
        page_begin_bars(file);
        if (reference > 0)
            page_write_line(file, axis,
                            &(struct page_bar){"one", compare_clamp(axis, reference), 0, 0, 20});
        page_write_bar(file, axis, &(struct page_bar){"range", at[0], at[4], 8, 4});
        page_write_bar(file, axis, &(struct page_bar){"half", at[1], at[3], 5, 10});
        page_write_line(file, axis, &(struct page_bar){"mean", at[2], 0, 2, 16});
        fputs("</svg>", file);
    }
    fputs("</td>", file);
}

/* ---- what was measured ---- */

static int compare_is_measured(const void *context)
{
    return compare_of(context)->request->job != NULL;
}

static int compare_has_efforts(const void *context)
{
    return compare_of(context)->request->efforts.count > 1;
}

static void compare_runs(FILE *file, const void *context)
{
    int rounds = compare_of(context)->rows->rounds;
    fprintf(file, "%d run%s", rounds, rounds == 1 ? "" : "s");
}

static void compare_measured_axis(struct draw_axis *axis, const struct compare_rows *rows)
{
    double most = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->row[i].measured[2] > most)
            most = rows->row[i].measured[2];
    axis_fit(axis, AXIS_LINEAR, 0, most, 6, amount_seconds);
}

static void compare_measured_rows(FILE *file, const void *context)
{
    const struct compare_findings *f = compare_of(context);
    const struct compare_request *r = f->request;
    struct draw_axis axis;
    compare_measured_axis(&axis, f->rows);
    for (size_t i = 0; i < f->rows->count; i++) {
        const struct compare_row *row = &f->rows->row[i];
        const double *m = row->measured;
        const struct compare_spread spread = {!isnan(m[0]), m[1], m[3], m[0], m[4], m[2]};
        compare_write_name(file, r->method[row->method].name);
        if (r->efforts.count > 1) {
            fputs("<td>", file);
            markup_write(file, r->efforts.word[row->effort]);
            fputs("</td>", file);
        }
        compare_write_spread(file, &axis, &spread, 0);
        for (int k = 0; k < COMPARE_MEASURED_SHOWN; k++)
            compare_write_seconds(file, m[k]);
        compare_write_number(file, "%.5g", row->cost);
        fputs("</tr>\n", file);
    }
}

static void compare_write_measured_axis(FILE *file, const void *context)
{
    const struct compare_findings *f = compare_of(context);
    struct draw_axis axis;
    compare_measured_axis(&axis, f->rows);
    fprintf(file, "<p class=\"key\">The bars are from 0 to %s.</p>", axis.text[axis.ticks - 1]);
}

/* ---- methods, and pairs of them ---- */

static void compare_reference_name(FILE *file, const void *context)
{
    const struct compare_findings *f = compare_of(context);
    markup_write(file, f->request->method[f->reference].name);
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

static void compare_method_rows(FILE *file, const void *context)
{
    const struct compare_findings *f = compare_of(context);
    struct draw_axis axis;
    compare_fit_ratios(&axis, f->fraction, f->methods);
    for (size_t m = 0; m < f->methods; m++) {
        const struct compare_spread *s = &f->fraction[m];
        compare_write_name(file, f->request->method[m].name);
        fprintf(file, "<td class=\"number\">%zu</td><td class=\"number\">%zu</td>", s->count,
                f->lowest[m]);
        compare_write_spread(file, &axis, s, 1);
        compare_write_number(file, "%.3f", s->count ? s->median : NAN);
        compare_write_number(file, "%.3f", s->count ? s->least : NAN);
        compare_write_number(file, "%.3f", s->count ? s->most : NAN);
        compare_write_seconds(file, f->map_seconds[m]);
        fputs("</tr>\n", file);
    }
}

static int compare_has_pairs(const void *context)
{
    return compare_of(context)->pairs > 0;
}

static void compare_ratio_rows(FILE *file, const void *context)
{
    const struct compare_findings *f = compare_of(context);
    struct draw_axis axis;
    compare_fit_ratios(&axis, f->ratio_spread, f->pairs);
    for (size_t i = 0; i < f->pairs; i++) {
        const struct compare_pair *pair = &f->pair[i];
        const struct chart_ratios *s = &pair->ratios;
        double all = s->count ? (double)s->count : NAN;
        fputs("<tr><th scope=\"row\">", file);
        markup_write(file, f->request->method[pair->method].name);
        fputs(" / ", file);
        markup_write(file, f->request->method[pair->over].name);
        fprintf(file, "</th><td class=\"number\">%zu</td>", s->count);
        compare_write_number(file, "%.1f %%", 100 * (double)s->above / all);
        compare_write_number(file, "%.1f %%", 100 * (double)s->equal / all);
        compare_write_spread(file, &axis, &f->ratio_spread[i], 1);
        compare_write_number(file, "%.3f", s->median);
        compare_write_number(file, "%.3f", s->mean);
        compare_write_number(file, "%.3f", s->least);
        compare_write_number(file, "%.3f", s->most);
        fputs("</tr>\n", file);
    }
}

/* ---- charts ---- */

static int compare_has_charts(const void *context)
{
    const struct compare_findings *f = compare_of(context);
    return f->cases > 1 && f->methods <= COMPARE_PAGE_METHODS; /* of one the tables have all */
}

/* The charts of --svg, but for those that would be too large for a page. */
static void compare_charts(FILE *file, const void *context)
{
    const struct compare_page *page = context;
    const struct compare_findings *f = page->findings;
    const struct compare_chart *chart;
    for (int i = 0; (chart = compare_chart(f->request, i)); i++) {
        struct picture picture = {.width = 0};
        if (chart->is_by_pattern && f->request->patterns.count > COMPARE_PAGE_PATTERNS) {
            fprintf(file,
                    "<p>Boxes by pattern: %zu patterns are too many for a page; --svg has "
                    "them.</p>\n",
                    f->request->patterns.count);
            continue;
        }
        *page->is_short |= chart->draw(&picture, f->request, f->rows) != 0 || picture.is_short;
        fprintf(file,
                "<figure><div class=\"scroll\" tabindex=\"0\" role=\"img\" aria-label=\"%s\">",
                chart->label);
        picture_write_svg(file, &picture);
        fputs("</div></figure>\n", file);
        picture_free(&picture);
    }
}

/* ---- all cases ---- */

static void compare_cases_class(FILE *file, const void *context)
{
    const struct compare_request *r = compare_of(context)->request;
    int names = 0;
    for (int c = COMPARE_PATTERN; c <= COMPARE_EFFORT; c++)
        names += compare_column_is_shown(r, (enum compare_column)c) != 0;
    fprintf(file, "names-%d", names);
}

static void compare_cases_caption(FILE *file, const void *context)
{
    size_t rows = compare_of(context)->rows->count;
    if (rows > COMPARE_PAGE_ROWS)
        fprintf(file, "The first %d of %zu rows; --tsv and --json have all.", COMPARE_PAGE_ROWS,
                rows);
    else
        fprintf(file, "%zu row%s", rows, rows == 1 ? "" : "s");
}

static void compare_cases_head(FILE *file, const void *context)
{
    const struct compare_request *r = compare_of(context)->request;
    for (int c = 0; c < COMPARE_COLUMNS; c++)
        if (compare_column_is_shown(r, (enum compare_column)c))
            fprintf(file, "<th scope=\"col\">%s</th>",
                    compare_column_title((enum compare_column)c));
}

/* Ends of rows and cells are left out, as HTML allows: they would be half of the page. */
static void compare_case_rows(FILE *file, const void *context)
{
    const struct compare_findings *f = compare_of(context);
    char cell[COMPARE_CELL_SIZE];
    for (size_t i = 0; i < f->rows->count && i < COMPARE_PAGE_ROWS; i++) {
        fputs("<tr>", file);
        for (int c = 0; c < COMPARE_COLUMNS; c++) {
            if (!compare_column_is_shown(f->request, (enum compare_column)c))
                continue;
            compare_format_cell(cell, f->request, &f->rows->row[i], (enum compare_column)c);
            fputs("<td>", file);
            markup_write(file, cell);
        }
        putc('\n', file);
    }
}

/* ---- what was compared ---- */

static void compare_write_fact(FILE *file, const char *key, const char *value)
{
    fprintf(file, "<dt>%s</dt><dd>", key);
    markup_write(file, value);
    fputs("</dd>\n", file);
}

static void compare_pattern_rows(FILE *file, const void *context)
{
    const struct compare_request *r = compare_of(context)->request;
    char text[32], messages[32];
    for (size_t i = 0; i < r->patterns.count; i++) {
        const struct reseat_profile *traffic = r->pattern[i].traffic;
        struct profile_summary_amount sum;
        compare_sum_traffic(&sum, traffic);
        compare_write_name(file, r->pattern[i].name);
        fprintf(file, "<td>%s</td>",
                r->pattern[i].is_generated ? "generated" : "recorded, or read from a file");
        if (traffic)
            fprintf(file,
                    "<td class=\"number\">%d</td><td class=\"number\">%s</td><td "
                    "class=\"number\">%s</td></tr>\n",
                    (int)traffic->ranks, amount(sum.msgs, "", messages),
                    amount(sum.bytes, "B", text));
        else
            fputs("<td class=\"number\">as each machine</td><td class=\"number\">-</td><td "
                  "class=\"number\">-</td></tr>\n",
                  file);
    }
}

static void compare_machine_rows(FILE *file, const void *context)
{
    const struct compare_request *r = compare_of(context)->request;
    for (size_t i = 0; i < r->machines.count; i++) {
        const struct compare_machine *machine = &r->machine[i];
        compare_write_name(file, r->job ? "the places that the job gets" : machine->name);
        fputs("<td>", file);
        markup_write(file, machine->costs ? machine->costs : "the usual ones");
        if (machine->room)
            fprintf(file, "</td><td class=\"number\">%lld</td></tr>\n", (long long)machine->room);
        else
            fputs("</td><td class=\"number\">those of the traffic</td></tr>\n", file);
    }
}

static void compare_how(FILE *file, const void *context)
{
    const struct compare_findings *f = compare_of(context);
    const struct compare_request *r = f->request;
    char date[32];
    compare_write_fact(file, "started", page_date(f->began, date));
    compare_write_fact(file, "on host", f->host);
    compare_write_fact(file, "seed", r->seed ? r->seed : "0");
    if (names_timings(r->costs))
        compare_write_fact(file, "timings", r->costs);
    if (r->job)
        compare_write_fact(file, "run was",
                           r->replays ? "a replay of the profile" : "the job itself");
}

static void compare_page_command(FILE *file, const void *context)
{
    const struct compare_page *page = context;
    *page->is_short |= page_write_words(file, "reseat", page->findings->words) != 0;
}

/* ---- all ---- */

static const struct template_part compare_parts[] = {
    {"title", compare_title, NULL},
    {"facts", compare_facts, NULL},
    {"sentence", compare_sentence, NULL},
    {"partial", compare_partial, compare_is_partial},
    {"remark", compare_remark, NULL},
    {"measured", NULL, compare_is_measured},
    {"efforts", NULL, compare_has_efforts},
    {"runs", compare_runs, NULL},
    {"measured_rows", compare_measured_rows, NULL},
    {"measured_axis", compare_write_measured_axis, NULL},
    {"reference", compare_reference_name, NULL},
    {"method_rows", compare_method_rows, NULL},
    {"pairs", NULL, compare_has_pairs},
    {"ratio_rows", compare_ratio_rows, NULL},
    {"charts", compare_charts, compare_has_charts},
    {"cases_class", compare_cases_class, NULL},
    {"cases_caption", compare_cases_caption, NULL},
    {"cases_head", compare_cases_head, NULL},
    {"case_rows", compare_case_rows, NULL},
    {"pattern_rows", compare_pattern_rows, NULL},
    {"machine_rows", compare_machine_rows, NULL},
    {"how", compare_how, NULL},
    {"command", compare_page_command, NULL},
};

int compare_write_page(FILE *file, const void *findings)
{
    int is_short = 0;
    const struct compare_page page = {findings, &is_short};
    const struct frame frame = {.kind = "comparison",
                                .title = "Mapping methods on {{title}}",
                                .heading = "Mapping methods on <bdi>{{title}}</bdi>",
                                .facts = "{{facts}}",
                                .body = page_compare_html,
                                .style = {FRAME_SOURCE(results_css)},
                                .script = {FRAME_SOURCE(tables_js)},
                                .part = compare_parts,
                                .parts = sizeof compare_parts / sizeof compare_parts[0],
                                .context = &page};
    return frame_write(file, &frame) || is_short ? -1 : 0;
}
