/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page.c - see report-page.h: the page, and those of its values that JSON has not. */
#include "cmd/report/report-page.h"

#include <string.h>

#include "cmd/shell/page-parts.h"
#include "cmd/report/report-machine.h"
#include "page/frame.h"
#include "page/sources.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

/* Wider pictures than this are not side by side; pictures of so many boxes and lines make a page
 * by half a megabyte larger. */
enum { PAGE_WIDE_MACHINE = 760, PAGE_MOST_ITEMS = 5000 };

/* ---- the head ---- */

const char *page_program_name(const struct reseat_profile *profile, const char *path,
                              char text[ORIGIN_TITLE_SIZE])
{
    if (origin_title(profile, text))
        return text;
    const char *slash = strrchr(path, '/');
    snprintf(text, ORIGIN_TITLE_SIZE, "%s", slash && slash[1] ? slash + 1 : path);
    return text;
}

static void page_add_head(struct document *d, const struct report_page *page)
{
    const struct reseat_profile *profile = page->report->profile;
    char name[ORIGIN_TITLE_SIZE];
    document_text(d, "@program", page_program_name(profile, page->request->path, name));
    page_add_count(d, "@ranks", (size_t)profile->ranks, "rank");
    if (page->nodes->nodes)
        page_add_count(d, "@nodes", (size_t)page->nodes->nodes, "node");
    else
        document_text(d, "@nodes", NULL);
    document_text(d, "@mpi", reseat_profile_header(profile, "mpi"));
    document_text(d, "@date", reseat_profile_header(profile, "date"));
    document_text(d, "@class", page->report->verdict == REPORT_GAIN ? "gain" : "same");
    document_texts(d, "@command", page->words);
}

/* ---- tiles ---- */

static void page_tile(struct document *d, const char *what, const double value[2], const char *unit)
{
    page_add_tile(d, &(struct page_tile){.what = what,
                                         .value = {value[0], value[1]},
                                         .unit = unit,
                                         .is_less = value[1] < value[0]});
}

static void page_add_tiles(struct document *d, const struct report *r)
{
    int level = r->first_change;
    char where[64], what[96];
    if (r->verdict != REPORT_GAIN)
        return;
    const double bytes[2] = {(double)r->bytes.before.weight_at[level],
                             (double)r->bytes.after.weight_at[level]};
    if (level < tmap_tree_depth(r->by_metric.tree) && bytes[0] != bytes[1]) {
        snprintf(what, sizeof what, "bytes %s", level_crossing(r->by_metric.tree, level, where));
        page_tile(d, what, bytes, "B");
    }
    if (r->by_metric.busiest[0] > 0)
        page_tile(d, "on the busiest link", r->by_metric.busiest, r->unit);
    if (r->forecast.timings) {
        const double ns[2] = {1e9 * r->forecast.seconds[0].estimate,
                              1e9 * r->forecast.seconds[1].estimate};
        page_tile(d, "predicted time of the messages", ns, "ns");
    } else {
        const double cost[2] = {r->by_metric.before.cost, r->by_metric.after.cost};
        page_tile(d, "predicted cost (weight x distance)", cost, "");
    }
}

/* ---- machine ---- */

/* What the maps are: those of the report, and the other methods. */
static struct heat_request page_maps(const struct report *r)
{
    struct heat_request request = heat_of_report(r);
    for (int i = 0; r->is_gain && i < r->methods.count && request.maps < HEAT_MOST_MAPS; i++)
        if (i != r->methods.shown)
            request.source[request.maps++] = (struct heat_source){
                r->profile, r->methods.method[i].prediction.best, r->methods.method[i].name};
    return request;
}

/* Pictures of other methods that would make the page too large are left out: all of them, so that
 * there is a choice of all or none. */
static void page_drop_machines(struct report_page *page)
{
    size_t items = 0;
    for (int map = 2; map < HEAT_MOST_MAPS; map++)
        items += page->machine[map].items;
    for (int map = 2; map < HEAT_MOST_MAPS && items > PAGE_MOST_ITEMS; map++)
        picture_free(&page->machine[map]);
}

/* 0, or -1 with *error. */
static int page_draw_machine(struct report_page *page, const struct heat_request *maps,
                             struct reseat_error *error)
{
    const int32_t *slot_of[HEAT_MOST_MAPS];
    struct report_machine machine = {
        .picture = page->machine, .slot_of = slot_of, .orders = maps->maps};
    for (int map = 0; map < maps->maps; map++)
        slot_of[map] = maps->source[map].slot_of;
    int rc = report_machine_draw(&machine, page->report, page->nodes, error);
    page->has_rank_numbers = machine.has_rank_numbers;
    page_drop_machines(page);
    return rc;
}

static int page_draw_picture(FILE *file, const void *picture)
{
    picture_write_svg(file, picture);
    return 0;
}

static void page_add_machine(struct document *d, const struct report_page *page)
{
    document_boolean(d, "@machine", page->machine[0].items > 0);
    document_boolean(d, "@ranks_drawn",
                     page->has_rank_numbers && page->report->profile->ranks <= 512);
    document_boolean(d, "@is_wide", page->machine[0].width > PAGE_WIDE_MACHINE);
    document_drawing(d, "@machine_before", page_draw_picture, &page->machine[0]);
    document_drawing(d, "@machine_after", page_draw_picture, &page->machine[1]);
    document_open(d, "@machine_others", '['); /* for the script to show one of them */
    for (int map = 2; map < page->heat.maps; map++) {
        if (!page->machine[map].items)
            continue;
        document_open(d, NULL, '{');
        document_integer(d, "order", (uint64_t)map);
        document_drawing(d, "picture", page_draw_picture, &page->machine[map]);
        document_close(d);
    }
    document_close(d);
}

/* ---- all ---- */

static void page_add_all(struct document *d, const struct report_page *page,
                         const struct heat_map *map)
{
    page_add_head(d, page);
    document_open(d, "@tiles", '[');
    page_add_tiles(d, page->report);
    document_close(d);
    page_add_next_steps(d, page);
    heat_add_values(d, map);
    page_add_machine(d, page);
    page_add_nodes(d, page);
    page_add_ranks(d, page);
}

int report_finish_page(FILE *file, const struct document *d, const struct frame *frame,
                       struct reseat_error *error)
{
    int rc = d->is_short ? -1 : frame_write(file, frame);
    if (rc == TEMPLATE_WRONG)
        return reseat_fail(error, "a part of the page is missing");
    return rc ? reseat_fail(error, "the page: out of memory") : 0;
}

int report_write_page(FILE *file, struct document *d, const struct report *report,
                      const struct report_request *request, const struct report_nodes *nodes,
                      char **words, struct reseat_error *error)
{
    struct report_page page = {
        .report = report, .request = request, .nodes = nodes, .words = words};
    const struct heat_map map[2] = {{&page.heat, nodes, 0}, {&page.heat, nodes, 1}};
    const struct frame frame = {.kind = "report",
                                .title = "{{@program}} on {{@ranks}}",
                                .heading = "<bdi>{{@program}}</bdi>",
                                .facts = "{{@ranks}}{{?@nodes}} on {{@nodes}}{{/@nodes}}"
                                         "{{?profile.seconds}} &middot; ran for "
                                         "{{profile.seconds|seconds}}{{/profile.seconds}}"
                                         "{{?@mpi}} &middot; {{@mpi}}{{/@mpi}}"
                                         "{{?@date}} &middot; {{@date}}{{/@date}}",
                                .body = page_report_html,
                                .style = {FRAME_SOURCE(report_css)},
                                .script = {FRAME_SOURCE(report_js)},
                                .root = &d->root,
                                .formats = page_formats};
    const struct heat_request maps = page_maps(report);
    int rc = heat_open(&page.heat, &maps, error) || page_draw_machine(&page, &maps, error) ? -1 : 0;
    if (rc == 0)
        page_add_all(d, &page, map);
    if (rc == 0)
        rc = report_finish_page(file, d, &frame, error);
    heat_close(&page.heat);
    for (int i = 0; i < HEAT_MOST_MAPS; i++)
        picture_free(&page.machine[i]);
    return rc;
}
