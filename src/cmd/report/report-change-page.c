/* SPDX-License-Identifier: BSD-3-Clause */
/* report-change-page.c - see report-change.h: as a page. */
#include <stdlib.h>

#include "cmd/shell/page-parts.h"
#include "cmd/report/report-change.h"
#include "cmd/report/report-page.h"
#include "page/frame.h"
#include "page/sources.h"
#include "profile/profile.h"

struct change_page {
    const struct report_nodes *nodes;
    struct heat heat;
    struct heat_difference difference;
};

/* ---- head ---- */

static void change_add_head(struct document *d, const struct report_change *c, char **words)
{
    static const char *const keys[] = {"program", "arguments", "mpi", "date"};
    char name[ORIGIN_TITLE_SIZE];
    document_text(d, "@program", page_program_name(c->report[1]->profile, c->path[1], name));
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
        change_add_maps(d, &page, map);
        document_boolean(d, "@has_pairs", change->grown + change->shrunk > 0);
    }
    if (rc == 0)
        rc = report_finish_page(file, d, &frame, error);
    free(page.difference.cells.cell);
    heat_close(&page.heat);
    return rc;
}
