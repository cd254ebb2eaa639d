/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page.c - see report-page.h: what the parts of the page's source are. */
#include "cmd/report/report-page.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-json.h"
#include "cmd/report/report-machine.h"
#include "cmd/report/report-text.h"
#include "profile/profile-time.h"
#include "page/frame.h"
#include "page/markup.h"
#include "page/sources.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

/* Wider pictures than this are not side by side; pictures of so many boxes and lines make a page by half a megabyte
 * larger. */
enum { PAGE_WIDE_MACHINE = 760, PAGE_MOST_ITEMS = 5000 };

/* ---- texts of others, escaped ---- */

void page_escape(FILE *file, const struct report_page *page, page_text_fn *write)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        write(memory, page);
    *page->is_short |= !memory || fclose(memory) != 0;
    if (!*page->is_short)
        markup_write_lines(file, text);
    free(text);
}

static void page_text_verdict(FILE *file, const struct report_page *page)
{
    report_write_verdict(file, page->report);
}

static void page_text_option(FILE *file, const struct report_page *page)
{
    report_options_write(file, &page->report->options);
}

static void page_text_pattern(FILE *file, const struct report_page *page)
{
    report_pattern_write(file, &page->report->pattern, page->report->profile->ranks);
}

static void page_text_tile(FILE *file, const struct report_page *page)
{
    report_pattern_write_tile(file, &page->report->pattern);
}

static void page_text_time(FILE *file, const struct report_page *page)
{
    profile_summary_write_time(file, page->report->profile);
}

static void page_text_seconds(FILE *file, const struct report_page *page)
{
    time_forecast_write(file, &page->report->forecast);
}

static void page_text_warnings(FILE *file, const struct report_page *page)
{
    profile_summary_warn_of_variables(file, page->report->profile);
}

/* ---- the head ---- */

/* The program that was watched; where the profile does not say, the file. */
static void page_program(FILE *file, const void *context)
{
    const struct report_page *page = context;
    const char *program = reseat_profile_header(page->report->profile, "program");
    if (!program || !*program)
        program = page->request->path;
    const char *slash = strrchr(program, '/');
    markup_write(file, slash && slash[1] ? slash + 1 : program);
}

static void page_ranks(FILE *file, const void *context)
{
    const struct report_page *page = context;
    int ranks = (int)page->report->profile->ranks;
    fprintf(file, "%d rank%s", ranks, ranks == 1 ? "" : "s");
}

static void page_facts(FILE *file, const void *context)
{
    const struct report_page *page = context;
    static const char *const keys[] = {"mpi", "date"};
    const struct reseat_profile *profile = page->report->profile;
    char text[32];
    page_ranks(file, page);
    if (page->nodes->nodes)
        fprintf(file, " on %d node%s", (int)page->nodes->nodes, page->nodes->nodes == 1 ? "" : "s");
    if (profile->microseconds)
        fprintf(file, " &middot; ran for %s",
                amount_seconds(reseat_profile_seconds(profile), text));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *value = reseat_profile_header(profile, keys[i]);
        if (!value)
            continue;
        fputs(" &middot; ", file);
        markup_write(file, value);
    }
}

/* ---- the verdict ---- */

static int page_has_gain(const void *context)
{
    const struct report_page *page = context;
    return page->report->is_gain;
}

static void page_verdict_class(FILE *file, const void *context)
{
    const struct report_page *page = context;
    fputs(page->report->verdict == REPORT_GAIN ? "gain" : "same", file);
}

static void page_verdict(FILE *file, const void *context)
{
    page_escape(file, context, page_text_verdict);
}

static int page_has_option(const void *context)
{
    const struct report_page *page = context;
    return page->report->options.own.share > 0 || page->report->options.srun.share > 0;
}

static void page_option(FILE *file, const void *context)
{
    page_escape(file, context, page_text_option);
}

static void page_method(FILE *file, const void *context)
{
    const struct report_page *page = context;
    markup_write(file, page->report->by_metric.method);
}

static void page_tile_bars(FILE *file, const double value[2], double most)
{
    page_write_bars(file, 2, value[0], value[1], most);
}

static void page_tile(FILE *file, const char *what, const double value[2], const char *unit)
{
    page_write_tile(file, &(struct page_tile){.what = what,
                                              .value = {value[0], value[1]},
                                              .unit = unit,
                                              .is_less = value[1] < value[0],
                                              .bars = page_tile_bars});
}

static void page_tiles(FILE *file, const void *context)
{
    const struct report_page *page = context;
    const struct report *r = page->report;
    int level = r->first_change;
    char where[64], what[96];
    if (r->verdict != REPORT_GAIN)
        return;
    const double bytes[2] = {(double)r->bytes.before.weight_at[level],
                             (double)r->bytes.after.weight_at[level]};
    if (level < tmap_tree_depth(r->by_metric.tree) && bytes[0] != bytes[1]) {
        snprintf(what, sizeof what, "bytes %s", level_crossing(r->by_metric.tree, level, where));
        page_tile(file, what, bytes, "B");
    }
    if (r->by_metric.busiest[0] > 0)
        page_tile(file, "on the busiest link", r->by_metric.busiest, r->unit);
    if (r->forecast.timings) {
        const double ns[2] = {1e9 * r->forecast.seconds[0].estimate,
                              1e9 * r->forecast.seconds[1].estimate};
        page_tile(file, "predicted time of the messages", ns, "ns");
    } else {
        const double cost[2] = {r->by_metric.before.cost, r->by_metric.after.cost};
        page_tile(file, "predicted cost (weight x distance)", cost, "");
    }
}

static int page_has_warnings(const void *context)
{
    const struct report_page *page = context;
    return reseat_profile_header(page->report->profile, "rank_variable") != NULL;
}

static void page_warnings(FILE *file, const void *context)
{
    page_escape(file, context, page_text_warnings);
}

/* ---- maps ---- */

static int page_has_heat(const void *context)
{
    const struct report_page *page = context;
    return page->heat.all[0].count > 0;
}

static int page_has_lines(const void *context)
{
    const struct report_page *page = context;
    return heat_shows_lines(&page->heat, page->nodes);
}

static void page_bins(FILE *file, const void *context)
{
    const struct report_page *page = context;
    heat_write_bins(file, &page->heat);
}

static void page_heat_before(FILE *file, const void *context)
{
    const struct report_page *page = context;
    heat_write_svg(file, &page->heat, page->nodes, 0);
}

static void page_heat_after(FILE *file, const void *context)
{
    const struct report_page *page = context;
    heat_write_svg(file, &page->heat, page->nodes, 1);
}

static void page_heat_json(FILE *file, const void *context)
{
    const struct report_page *page = context;
    heat_write_json(file, &page->heat, page->nodes);
}

static void page_legend(FILE *file, const void *context)
{
    const struct report_page *page = context;
    heat_write_legend(file, &page->heat);
}

/* ---- machine ---- */

static int page_has_machine(const void *context)
{
    const struct report_page *page = context;
    return page->machine[0].items > 0;
}

static int page_has_rank_numbers(const void *context)
{
    const struct report_page *page = context;
    return page->has_rank_numbers && page->report->profile->ranks <= 512;
}

static void page_machine_class(FILE *file, const void *context)
{
    const struct report_page *page = context;
    fputs(page->machine[0].width > PAGE_WIDE_MACHINE ? " stacked" : "", file);
}

static void page_machine_before(FILE *file, const void *context)
{
    const struct report_page *page = context;
    picture_write_svg(file, &page->machine[0]);
}

static void page_machine_after(FILE *file, const void *context)
{
    const struct report_page *page = context;
    picture_write_svg(file, &page->machine[1]);
}

/* The machine by the other methods, for the script to show one of them. */
static void page_machine_others(FILE *file, const void *context)
{
    const struct report_page *page = context;
    for (int map = 2; map < page->heat.maps; map++) {
        if (!page->machine[map].items)
            continue;
        fprintf(file, "<div class=\"other\" data-order=\"%d\" hidden>", map);
        picture_write_svg(file, &page->machine[map]);
        fputs("</div>\n", file);
    }
}

static int page_has_methods(const void *context)
{
    const struct report_page *page = context;
    return page->report->methods.count > 0;
}

/* ---- the rest ---- */

static void page_seconds(FILE *file, const void *context)
{
    const struct report_page *page = context;
    if (!page->report->forecast.timings)
        return;
    fputs("<p id=\"seconds\">", file);
    page_escape(file, page, page_text_seconds);
    fputs(".</p>\n", file);
}

static int page_has_nodes(const void *context)
{
    const struct report_page *page = context;
    return page->nodes->nodes > 1 && page->nodes->links > 0;
}

static int page_has_pairs(const void *context)
{
    const struct report_page *page = context;
    return page->report->pairs > 0;
}

static void page_pattern(FILE *file, const void *context)
{
    const struct report_page *page = context;
    if (page->report->pattern.recognized.parts)
        page_escape(file, page, page_text_pattern);
    else
        fputs("The traffic has no pattern that is recognized: no grid, hypercube, ring, tree, or "
              "groups that exchange everything.",
              file);
}

static int page_has_tile(const void *context)
{
    const struct report_page *page = context;
    return page->report->pattern.has_tile;
}

static void page_tile_text(FILE *file, const void *context)
{
    page_escape(file, context, page_text_tile);
}

static int page_has_time(const void *context)
{
    const struct report_page *page = context;
    return page->report->profile->times_count > 0;
}

static void page_time(FILE *file, const void *context)
{
    page_escape(file, context, page_text_time);
}

static int page_has_phases(const void *context)
{
    const struct report_page *page = context;
    char has[RESEAT_PHASES];
    return profile_summary_phases(page->report->profile, has);
}

static void page_not_seen(FILE *file, const void *context)
{
    const struct report_page *page = context;
    const struct reseat_profile *profile = page->report->profile;
    int any = 0;
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "not_seen") == 0) {
            fputs(any++ ? "; " : "", file);
            markup_write(file, profile->headers[i].value);
        }
    fputs(any ? "." : "The program used nothing that is not recorded.", file);
}

static void page_made_by(FILE *file, const void *context)
{
    const struct report_page *page = context;
    *page->is_short |= page_write_words(file, "reseat", page->words) != 0;
}

static void page_json(FILE *file, const void *context)
{
    const struct report_page *page = context;
    *page->is_short |= report_write_json(file, page->report, page->nodes, NULL) != 0;
}

/* ---- all ---- */

static const struct template_part page_parts[] = {
    {"program", page_program, NULL},
    {"ranks", page_ranks, NULL},
    {"facts", page_facts, NULL},
    {"gain", NULL, page_has_gain},
    {"verdict_class", page_verdict_class, NULL},
    {"verdict", page_verdict, NULL},
    {"option", page_option, page_has_option},
    {"tiles", page_tiles, NULL},
    {"method", page_method, NULL},
    {"warnings", page_warnings, page_has_warnings},
    {"next", page_write_next, NULL},
    {"heat", NULL, page_has_heat},
    {"lines", NULL, page_has_lines},
    {"bins", page_bins, NULL},
    {"heat_before", page_heat_before, NULL},
    {"heat_after", page_heat_after, NULL},
    {"heat_json", page_heat_json, NULL},
    {"legend", page_legend, NULL},
    {"machine", NULL, page_has_machine},
    {"ranks_drawn", NULL, page_has_rank_numbers},
    {"machine_class", page_machine_class, NULL},
    {"machine_before", page_machine_before, NULL},
    {"machine_after", page_machine_after, NULL},
    {"machine_others", page_machine_others, NULL},
    {"levels", page_write_levels, NULL},
    {"methods", page_write_methods, page_has_methods},
    {"methods_head", page_write_methods_head, NULL},
    {"seconds", page_seconds, NULL},
    {"nodes", NULL, page_has_nodes},
    {"node_matrix", page_write_node_matrix, NULL},
    {"links_caption", page_write_links_caption, NULL},
    {"links", page_write_links, NULL},
    {"pairs", NULL, page_has_pairs},
    {"pair_rows", page_write_pairs, NULL},
    {"pattern", page_pattern, NULL},
    {"tile", page_tile_text, page_has_tile},
    {"time", page_time, page_has_time},
    {"phases", NULL, page_has_phases},
    {"communicators", page_write_communicators, NULL},
    {"not_seen", page_not_seen, NULL},
    {"headers", page_write_headers, NULL},
    {"command", page_made_by, NULL},
    {"json", page_json, NULL},
};

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

/* Pictures of other methods that would make the page too large are left out: all of them, so that there is a choice of
 * all or none. */
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

int report_write_page(FILE *file, const struct report *report, const struct report_request *request,
                      const struct report_nodes *nodes, char **words, struct reseat_error *error)
{
    int is_short = 0;
    struct report_page page = {.report = report,
                               .request = request,
                               .nodes = nodes,
                               .words = words,
                               .is_short = &is_short};
    const struct frame frame = {.kind = "report",
                                .title = "{{program}} on {{ranks}}",
                                .heading = "<bdi>{{program}}</bdi>",
                                .facts = "{{facts}}",
                                .body = page_report_html,
                                .style = {FRAME_SOURCE(report_css)},
                                .script = {FRAME_SOURCE(report_js)},
                                .part = page_parts,
                                .parts = sizeof page_parts / sizeof page_parts[0],
                                .context = &page};
    const struct heat_request maps = page_maps(report);
    int rc = heat_open(&page.heat, &maps, error) || page_draw_machine(&page, &maps, error) ? -1 : 0;
    if (rc == 0 && frame_write(file, &frame))
        rc = reseat_fail(error, "a part of the page is missing");
    if (rc == 0 && is_short)
        rc = reseat_fail(error, "the page: out of memory");
    heat_close(&page.heat);
    for (int map = 0; map < HEAT_MOST_MAPS; map++)
        picture_free(&page.machine[map]);
    return rc;
}
