/* SPDX-License-Identifier: BSD-3-Clause */
/* report-change-page.c - see report-change.h: as a page. */
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-change.h"
#include "cmd/report/report-page.h"
#include "page/frame.h"
#include "page/markup.h"
#include "page/sources.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

struct change_page {
    const struct report_change *change;
    const struct report_nodes *nodes;
    char **words;
    struct heat heat;
    struct heat_difference difference;
    int *is_short;
};

/* ---- head ---- */

static void change_page_program(FILE *file, const void *context)
{
    const struct change_page *page = context;
    const char *program = reseat_profile_header(page->change->report[1]->profile, "program");
    if (!program || !*program)
        program = page->change->path[1];
    const char *slash = strrchr(program, '/');
    markup_write(file, slash && slash[1] ? slash + 1 : program);
}

static void change_page_facts(FILE *file, const void *context)
{
    const struct change_page *page = context;
    int ranks = (int)page->change->report[0]->profile->ranks;
    fprintf(file, "what changed between two profiles of %d rank%s", ranks, ranks == 1 ? "" : "s");
}

static void change_page_profiles(FILE *file, const void *context)
{
    static const char *const keys[] = {"program", "arguments", "mpi", "date"};
    const struct change_page *page = context;
    for (int i = 0; i < 2; i++) {
        fprintf(file, "<dt>%s</dt><dd><code>", i ? "second" : "first");
        markup_write(file, page->change->path[i]);
        fputs("</code>", file);
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            const char *value = reseat_profile_header(page->change->report[i]->profile, keys[k]);
            if (!value)
                continue;
            fprintf(file, "<br>%s: ", keys[k]);
            markup_write(file, value);
        }
        fputs("</dd>\n", file);
    }
}

static void change_page_verdict_class(FILE *file, const void *context)
{
    const struct change_page *page = context;
    fputs(page->change->verdict == CHANGE_KEEPS ? "gain" : "same", file);
}

static void change_page_sentence(FILE *file, const void *context)
{
    change_write_verdict(file, context);
}

static void change_page_verdict(FILE *file, const void *context)
{
    const struct change_page *page = context;
    char *text = page_line(change_page_sentence, page->change);
    *page->is_short |= !text;
    if (text)
        markup_write(file, text);
    free(text);
}

static void change_page_command(FILE *file, const void *context)
{
    const struct change_page *page = context;
    *page->is_short |= page_write_words(file, "reseat", page->words) != 0;
}

/* ---- maps ---- */

static int change_page_has_heat(const void *context)
{
    const struct change_page *page = context;
    return page->heat.all[0].count + page->heat.all[1].count > 0;
}

static int change_page_has_lines(const void *context)
{
    const struct change_page *page = context;
    return heat_shows_lines(&page->heat, page->nodes);
}

static void change_page_bins(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_bins(file, &page->heat);
}

static void change_page_first(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_svg(file, &page->heat, page->nodes, 0);
}

static void change_page_second(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_svg(file, &page->heat, page->nodes, 1);
}

static void change_page_difference(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_difference(file, &page->heat, &page->difference, page->nodes);
}

static void change_page_range(FILE *file, const void *context)
{
    const struct change_page *page = context;
    fprintf(file, "data-least=\"%.9g\" data-most=\"%.9g\"", page->difference.least,
            page->difference.most);
}

static void change_page_legend(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_legend(file, &page->heat);
}

static void change_page_difference_legend(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_difference_legend(file, &page->difference);
}

static void change_page_heat_json(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_json(file, &page->heat, page->nodes);
}

/* ---- tables ---- */

static void change_page_row(FILE *file, const char *name, const double value[2], double most)
{
    char text[32];
    fputs("<tr><th scope=\"row\">", file);
    markup_write(file, name);
    fputs("</th><td class=\"wide\">", file);
    page_write_bars(file, 2, value[0], value[1], most);
    fputs("</td>", file);
    for (int i = 0; i < 2; i++)
        fprintf(file, "<td class=\"number\">%s</td>", amount(value[i], "B", text));
    page_write_change(file, value[0], value[1]);
    fputs("</tr>\n", file);
}

static void change_page_levels(FILE *file, const void *context)
{
    static const char *const kinds[] = {"point to point", "collectives", "one-sided"};
    const struct change_page *page = context;
    const struct report *const *r = page->change->report;
    const struct tmap_tree *tree = r[0]->by_metric.tree;
    double most = 0;
    char where[64];
    for (int i = 0; i < 2; i++) { /* also all of a kind within one rank, which crosses no level */
        double all = 0;
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
            struct profile_summary_amount sum;
            profile_summary_sum(&sum, r[i]->profile, -1, kind, -1);
            all += sum.bytes;
        }
        most = all > most ? all : most;
    }
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        const double bytes[2] = {(double)r[0]->bytes.before.weight_at[level],
                                 (double)r[1]->bytes.before.weight_at[level]};
        if (bytes[0] > 0 || bytes[1] > 0)
            change_page_row(file, level_crossing(tree, level, where), bytes, most);
    }
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount sum[2];
        for (int i = 0; i < 2; i++)
            profile_summary_sum(&sum[i], r[i]->profile, -1, kind, -1);
        if (sum[0].msgs > 0 || sum[1].msgs > 0)
            change_page_row(file, kinds[kind], (double[]){sum[0].bytes, sum[1].bytes}, most);
    }
}

static int change_page_has_seconds(const void *context)
{
    const struct change_page *page = context;
    return page->change->report[1]->forecast.timings != NULL;
}

/* One of three values, with its change from that in launch order. */
static void change_page_write_value(FILE *file, const double value[3], int i, const char *text)
{
    fprintf(file, "<td class=\"number\">%s</td>", text);
    if (i)
        page_write_change(file, value[0], value[i]);
    else
        fputs("<td class=\"number\">-</td>", file);
}

static void change_page_orders(FILE *file, const void *context)
{
    static const char *const names[] = {"launch order", "better order for the first",
                                        "its own better order"};
    const struct change_page *page = context;
    const double *cost = page->change->cost, *seconds = page->change->seconds;
    char text[32];
    double most = 0;
    for (int i = 0; i < 3; i++) /* an order for the links, or for time, can cost the most */
        most = cost[i] > most ? cost[i] : most;
    for (int i = 0; i < 3; i++) {
        fprintf(file, "<tr><th scope=\"row\">%s</th><td class=\"wide\">", names[i]);
        page_write_bars(file, 1, cost[i], 0, most);
        fputs("</td>", file);
        snprintf(text, sizeof text, "%.4g", cost[i]);
        change_page_write_value(file, cost, i, text);
        if (change_page_has_seconds(context))
            change_page_write_value(file, seconds, i, amount_seconds(seconds[i], text));
        fputs("</tr>\n", file);
    }
}

static int change_page_has_pairs(const void *context)
{
    const struct change_page *page = context;
    return page->change->grown + page->change->shrunk > 0;
}

static void change_page_list(FILE *file, const struct report_change *c, const char *title,
                             const struct change_pair *pair, int count)
{
    char text[32], where[64];
    if (count)
        fprintf(file, "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"6\">%s</th></tr>\n",
                title);
    for (int i = 0; i < count; i++) {
        fprintf(file, "<tr><td>%d</td><td>%d</td>", (int)pair[i].a, (int)pair[i].b);
        for (int k = 0; k < 2; k++)
            fprintf(file, "<td class=\"number\">%s</td>",
                    amount((double)pair[i].weight[k], c->report[0]->unit, text));
        page_write_change(file, (double)pair[i].weight[0], (double)pair[i].weight[1]);
        fputs("<td>", file);
        markup_write(file, level_crossing(c->report[0]->by_metric.tree, pair[i].level, where));
        fputs("</td></tr>\n", file);
    }
}

static void change_page_pairs(FILE *file, const void *context)
{
    const struct change_page *page = context;
    const struct report_change *c = page->change;
    change_page_list(file, c, "Grew most", c->grew, c->grown);
    change_page_list(file, c, "Shrank most", c->shrank, c->shrunk);
}

static void change_page_json(FILE *file, const void *context)
{
    const struct change_page *page = context;
    *page->is_short |= change_write_json(file, page->change, page->nodes, NULL) != 0;
}

/* ---- all ---- */

static const struct template_part change_page_parts[] = {
    {"program", change_page_program, NULL},
    {"facts", change_page_facts, NULL},
    {"profiles", change_page_profiles, NULL},
    {"verdict_class", change_page_verdict_class, NULL},
    {"verdict", change_page_verdict, NULL},
    {"heat", NULL, change_page_has_heat},
    {"lines", NULL, change_page_has_lines},
    {"bins", change_page_bins, NULL},
    {"heat_first", change_page_first, NULL},
    {"heat_second", change_page_second, NULL},
    {"difference_range", change_page_range, NULL},
    {"heat_difference", change_page_difference, NULL},
    {"legend", change_page_legend, NULL},
    {"difference_legend", change_page_difference_legend, NULL},
    {"heat_json", change_page_heat_json, NULL},
    {"orders", change_page_orders, NULL},
    {"seconds", NULL, change_page_has_seconds},
    {"levels", change_page_levels, NULL},
    {"pairs", NULL, change_page_has_pairs},
    {"pair_rows", change_page_pairs, NULL},
    {"command", change_page_command, NULL},
    {"json", change_page_json, NULL},
};

/* Three maps are static: both, and the difference, which can have as many cells as both together. */
static struct heat_request change_page_maps(const struct report_change *c)
{
    struct heat_request request = {.tree = c->report[0]->by_metric.tree, .maps = 2, .reserve = 2};
    for (int i = 0; i < 2; i++)
        request.source[i] = (struct heat_source){
            c->report[i]->profile, c->report[0]->by_metric.launch, i ? "second" : "first"};
    return request;
}

int change_write_page(FILE *file, const struct report_change *change,
                      const struct report_nodes *nodes, char **words, struct reseat_error *error)
{
    int is_short = 0;
    struct change_page page = {
        .change = change, .nodes = nodes, .words = words, .is_short = &is_short};
    const struct heat_request maps = change_page_maps(change);
    const struct frame frame = {.kind = "comparison",
                                .title = "{{program}}, what changed",
                                .heading = "<bdi>{{program}}</bdi>",
                                .facts = "{{facts}}",
                                .body = page_change_html,
                                .style = {FRAME_SOURCE(report_css)},
                                .script = {FRAME_SOURCE(report_js)},
                                .part = change_page_parts,
                                .parts = sizeof change_page_parts / sizeof change_page_parts[0],
                                .context = &page};
    int rc = heat_open(&page.heat, &maps, error) ||
                     heat_difference_open(&page.difference, &page.heat, error)
                 ? -1
                 : 0;
    if (rc == 0 && frame_write(file, &frame))
        rc = reseat_fail(error, "a part of the page is missing");
    if (rc == 0 && is_short)
        rc = reseat_fail(error, "the page: out of memory");
    free(page.difference.cells.cell);
    heat_close(&page.heat);
    return rc;
}
