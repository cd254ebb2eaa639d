/* SPDX-License-Identifier: BSD-3-Clause */
/* report-change-page.c - see report-change.h: as a page. */
#include <stdlib.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-change.h"
#include "cmd/report/report-page.h"
#include "page/frame.h"
#include "page/sources.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

struct change_page {
    const struct report_nodes *nodes;
    struct heat heat;
    struct heat_difference difference;
};

/* ---- head ---- */

static void change_add_head(struct document *d, const struct report_change *c, char **words)
{
    static const char *const keys[] = {"program", "arguments", "mpi", "date"};
    document_text(d, "@program", page_program_name(c->report[1]->profile, c->path[1]));
    page_add_count(d, "@ranks", (size_t)c->report[0]->profile->ranks, "rank");
    document_text(d, "@class", c->verdict == CHANGE_KEEPS ? "gain" : "same");
    document_texts(d, "@command", words);
    document_open(d, "@profiles", '[');
    for (int i = 0; i < 2; i++) {
        document_open(d, NULL, '{');
        document_text(d, "name", i ? "second" : "first");
        document_text(d, "path", c->path[i]);
        document_open(d, "facts", '[');
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            const char *value = reseat_profile_header(c->report[i]->profile, keys[k]);
            if (value)
                page_add_fact(d, keys[k], value);
        }
        document_close(d);
        document_close(d);
    }
    document_close(d);
}

/* ---- maps ---- */

static int change_draw_difference(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_difference(file, &page->heat, &page->difference, page->nodes);
    return 0;
}

static int change_draw_legend(FILE *file, const void *context)
{
    const struct change_page *page = context;
    heat_write_difference_legend(file, &page->difference);
    return 0;
}

static void change_add_maps(struct document *d, const struct change_page *page,
                            const struct heat_map map[2])
{
    heat_add_values(d, map);
    document_drawing(d, "@difference", change_draw_difference, page);
    document_drawing(d, "@difference_legend", change_draw_legend, page);
    document_number(d, "@difference_least", page->difference.least);
    document_number(d, "@difference_most", page->difference.most);
}

/* ---- tables ---- */

static void change_add_row(struct document *d, const char *name, const double value[2], double most)
{
    document_open(d, NULL, '{');
    document_text(d, "name", name);
    document_numbers(d, "bars", 3, (double[]){most, value[0], value[1]});
    document_numbers(d, "bytes", 2, value);
    document_close(d);
}

/* Bytes of a kind in both. Returns 1 unless there are no messages. */
static int change_sum_kind(const struct report_change *c, int kind, double bytes[2])
{
    double messages = 0;
    for (int i = 0; i < 2; i++) {
        struct profile_summary_amount sum;
        profile_summary_sum(&sum, c->report[i]->profile, -1, kind, -1);
        bytes[i] = sum.bytes;
        messages += sum.msgs;
    }
    return messages > 0;
}

static void change_add_rows(struct document *d, const struct report_change *c)
{
    static const char *const kinds[] = {"point to point", "collectives", "one-sided"};
    const struct report *const *r = c->report;
    const struct tmap_tree *tree = r[0]->by_metric.tree;
    double all[2] = {0, 0}, bytes[2];
    char where[64];
    /* also all of a kind within one rank, which crosses no level */
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        change_sum_kind(c, kind, bytes);
        all[0] += bytes[0];
        all[1] += bytes[1];
    }
    const double most = all[0] > all[1] ? all[0] : all[1];
    document_open(d, "@rows", '[');
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        bytes[0] = (double)r[0]->bytes.before.weight_at[level];
        bytes[1] = (double)r[1]->bytes.before.weight_at[level];
        if (bytes[0] > 0 || bytes[1] > 0)
            change_add_row(d, level_crossing(tree, level, where), bytes, most);
    }
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
        if (change_sum_kind(c, kind, bytes))
            change_add_row(d, kinds[kind], bytes, most);
    document_close(d);
}

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
        document_number(d, "seconds", seconds[i]);
        document_numbers(d, "seconds_change", i ? 2 : 0, (double[]){seconds[0], seconds[i]});
        document_close(d);
    }
    document_close(d);
}

/* Pairs that changed most, below a title. */
static void change_add_list(struct document *d, const struct report_change *c, const char *title,
                            const struct change_pair *pair, int count)
{
    const struct report *first = c->report[0];
    char text[64];
    document_open(d, NULL, '{');
    document_text(d, "title", count ? title : NULL);
    document_open(d, "pairs", '[');
    for (int i = 0; i < count; i++) {
        const double weight[2] = {(double)pair[i].weight[0], (double)pair[i].weight[1]};
        document_open(d, NULL, '{');
        document_integer(d, "a", (uint64_t)pair[i].a);
        document_integer(d, "b", (uint64_t)pair[i].b);
        document_text(d, "first", amount(weight[0], first->unit, text));
        document_text(d, "second", amount(weight[1], first->unit, text));
        document_numbers(d, "weight", 2, weight);
        document_text(d, "where", level_crossing(first->by_metric.tree, pair[i].level, text));
        document_close(d);
    }
    document_close(d);
    document_close(d);
}

/* ---- all ---- */

/* Three maps are static: both, and the difference, which can have as many cells as both together.
 * */
static struct heat_request change_page_maps(const struct report_change *c)
{
    struct heat_request request = {.tree = c->report[0]->by_metric.tree, .maps = 2, .reserve = 2};
    for (int i = 0; i < 2; i++)
        request.source[i] = (struct heat_source){
            c->report[i]->profile, c->report[0]->by_metric.launch, i ? "second" : "first"};
    return request;
}

static void change_add_page(struct document *d, const struct report_change *c,
                            const struct change_page *page, const struct heat_map map[2])
{
    change_add_maps(d, page, map);
    change_add_rows(d, c);
    change_add_orders(d, c);
    document_boolean(d, "@has_pairs", c->grown + c->shrunk > 0);
    document_open(d, "@lists", '[');
    change_add_list(d, c, "Grew most", c->grew, c->grown);
    change_add_list(d, c, "Shrank most", c->shrank, c->shrunk);
    document_close(d);
}

int change_write_page(FILE *file, struct document *d, const struct report_change *change,
                      const struct report_nodes *nodes, char **words, struct reseat_error *error)
{
    struct change_page page = {.nodes = nodes};
    const struct heat_map map[2] = {{&page.heat, nodes, 0}, {&page.heat, nodes, 1}};
    const struct heat_request maps = change_page_maps(change);
    const struct frame frame = {.kind = "comparison",
                                .title = "{{@program}}, what changed",
                                .heading = "<bdi>{{@program}}</bdi>",
                                .facts = "what changed between two profiles of {{@ranks}}",
                                .body = page_change_html,
                                .style = {FRAME_SOURCE(report_css)},
                                .script = {FRAME_SOURCE(report_js)},
                                .root = &d->root,
                                .formats = page_formats};
    int rc = heat_open(&page.heat, &maps, error) ||
                     heat_difference_open(&page.difference, &page.heat, error)
                 ? -1
                 : 0;
    if (rc == 0) {
        change_add_head(d, change, words);
        change_add_page(d, change, &page, map);
    }
    if (rc == 0)
        rc = report_finish_page(file, d, &frame, error);
    free(page.difference.cells.cell);
    heat_close(&page.heat);
    return rc;
}
