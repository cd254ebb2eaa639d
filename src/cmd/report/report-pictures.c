/* SPDX-License-Identifier: BSD-3-Clause */
/* report-pictures.c - see report-pictures.h. */
#include "cmd/report/report-pictures.h"

#include <stdlib.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-heat.h"
#include "cmd/report/report-machine.h"
#include "draw/chart.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/machine-load.h"
#include "profile/origin.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

enum { PICTURES_HEAD = 30, PICTURES_LEVELS_WIDTH = 720 };

struct pictures {
    const struct picture_folders *folders;
    const struct report *report;
    const struct report_nodes *nodes;
    struct heat heat;
};

/* "Communication matrix: lmp on 64 ranks". */
static void pictures_title(const struct pictures *p, const char *what, char *text, size_t size)
{
    const struct reseat_profile *profile = p->report->profile;
    char name[ORIGIN_TITLE_SIZE];
    const char *program = origin_title(profile, name);
    snprintf(text, size, "%s: %.40s%s%d rank%s", what, program ? program : "",
             program ? " on " : "", (int)profile->ranks, profile->ranks == 1 ? "" : "s");
}

/* ---- maps ---- */

static int pictures_save_maps(struct pictures *p, const char *name,
                              const struct heat_drawing *drawing)
{
    struct reseat_error error;
    struct picture picture = {.items = 0};
    heat_draw(&picture, &p->heat, p->nodes, drawing);
    return cli_status(picture_folders_save(p->folders, name, &picture, &error), &error);
}

static int pictures_save_kind(struct pictures *p, int kind)
{
    static const char *const titles[] = {"Point to point", "Collectives", "One-sided"};
    struct heat_cells cells[HEAT_MOST_MAPS] = {{NULL, 0}};
    struct reseat_error error;
    char name[32], title[128];
    struct heat_drawing drawing = {title, 0, p->heat.maps - 1, cells};
    int status = 0;
    for (int map = 0; map < p->heat.maps && !status; map++)
        if (heat_find_kind(&p->heat, kind, map, &cells[map], &error))
            status = cli_status(-1, &error);
    snprintf(name, sizeof name, "heat-%s", reseat_traffic_name((enum reseat_traffic)kind));
    pictures_title(p, titles[kind], title, sizeof title);
    if (!status)
        status = pictures_save_maps(p, name, &drawing);
    for (int map = 0; map < p->heat.maps; map++)
        free(cells[map].cell);
    return status;
}

static int pictures_save_kinds(struct pictures *p)
{
    int has[RESEAT_TRAFFIC_KINDS], kinds = 0, status = 0;
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount sum;
        profile_summary_sum(&sum, p->report->profile, -1, kind, -1);
        has[kind] = sum.msgs > 0;
        kinds += has[kind];
    }
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS && kinds > 1 && !status; kind++)
        if (has[kind])
            status = pictures_save_kind(p, kind);
    return status;
}

static int pictures_save_heat(struct pictures *p)
{
    static const char *const names[] = {"heat-launch", "heat-better"};
    char title[128];
    int status = 0;
    pictures_title(p, "Communication matrix", title, sizeof title);
    if (p->heat.maps > 1)
        status = pictures_save_maps(p, "heat", &(struct heat_drawing){title, 0, 1, NULL});
    for (int map = 0; map < p->heat.maps && !status; map++)
        status = pictures_save_maps(p, names[map], &(struct heat_drawing){title, map, map, NULL});
    return status ? status : pictures_save_kinds(p);
}

/* ---- machine ---- */

/* With a title above it; frees the machine. */
static int pictures_save_machine(struct pictures *p, const char *name, const char *order,
                                 struct picture *machine)
{
    struct reseat_error error;
    struct picture picture = {.items = 0};
    char what[64], title[128];
    snprintf(what, sizeof what, "Traffic on the links, %s", order);
    pictures_title(p, what, title, sizeof title);
    picture_text(&picture, 10, 20, 14, title);
    picture_put(&picture, machine, 0, PICTURES_HEAD, 1);
    picture.width = picture_text_width(title, 14) + 20;
    picture.width = picture.width > machine->width ? picture.width : machine->width;
    picture.height = machine->height + PICTURES_HEAD;
    picture_free(machine);
    return cli_status(picture_folders_save(p->folders, name, &picture, &error), &error);
}

static int pictures_save_machines(struct pictures *p)
{
    static const char *const names[] = {"machine-launch", "machine-better"}, *const orders[] = {
                                                                                 "launch order",
                                                                                 "better order"};
    const int32_t *const slot_of[] = {report_slot_of(p->report, 0), report_slot_of(p->report, 1)};
    struct picture picture[2] = {{.items = 0}, {.items = 0}};
    struct report_machine machine = {
        .picture = picture, .slot_of = slot_of, .orders = p->report->is_gain ? 2 : 1};
    struct reseat_error error;
    int status =
        report_machine_draw(&machine, p->report, p->nodes, &error) ? cli_status(-1, &error) : 0;
    for (int i = 0; i < machine.orders && !status; i++)
        if (picture[i].items)
            status = pictures_save_machine(p, names[i], orders[i], &picture[i]);
    picture_free(&picture[0]);
    picture_free(&picture[1]);
    return status;
}

/* ---- levels ---- */

static const char *pictures_bytes(double value, char text[32])
{
    return amount(value, "B", text);
}

static int pictures_save_levels(struct pictures *p)
{
    struct reseat_error error;
    static const char *const names[] = {"launch order", "better order"}, *const colors[] = {
                                                                             "#b06a12", "#0b7a75"};
    const struct report *r = p->report;
    char where[TMAP_MAX_LEVELS + 1][64], title[128];
    const char *group[TMAP_MAX_LEVELS + 1];
    double value[2 * (TMAP_MAX_LEVELS + 1)];
    struct chart_bars bars = {group, 0, names, r->is_gain ? 2 : 1, value, colors};
    struct chart chart = {
        .width = PICTURES_LEVELS_WIDTH, .title = title, .across = {.text = pictures_bytes}};
    for (int level = 0; level <= tmap_tree_depth(r->by_metric.tree); level++) {
        const double bytes[2] = {(double)r->bytes.before.weight_at[level],
                                 (double)r->bytes.after.weight_at[level]};
        if (bytes[0] <= 0 && bytes[1] <= 0)
            continue;
        group[bars.groups] = level_crossing(r->by_metric.tree, level, where[level]);
        for (int i = 0; i < bars.count; i++)
            value[bars.groups * bars.count + i] = bytes[i];
        bars.groups++;
    }
    if (bars.groups == 0)
        return 0;
    pictures_title(p, "Bytes by level", title, sizeof title);
    chart.height = chart_bars_height(&chart, &bars);
    struct picture picture = {.width = chart.width, .height = chart.height};
    chart_draw_bars(&picture, &chart, &bars);
    return cli_status(picture_folders_save(p->folders, "levels", &picture, &error), &error);
}

int report_write_pictures(const struct picture_folders *folders, const struct report *report,
                          const struct report_nodes *nodes)
{
    struct pictures p = {.folders = folders, .report = report, .nodes = nodes};
    const struct heat_request maps = heat_of_report(report);
    struct reseat_error error;
    int status = heat_open(&p.heat, &maps, &error) ? cli_status(-1, &error) : 0;
    if (!status && p.heat.all[0].count > 0)
        status = pictures_save_heat(&p);
    if (!status)
        status = pictures_save_machines(&p);
    if (!status)
        status = pictures_save_levels(&p);
    heat_close(&p.heat);
    return status;
}

int report_write_map(const char *path, picture_form_fn *form, const struct report *report,
                     const struct report_nodes *nodes)
{
    struct pictures p = {.report = report, .nodes = nodes};
    const struct heat_request maps = heat_of_report(report);
    struct picture picture = {.items = 0};
    struct reseat_error error;
    char title[128];
    if (heat_open(&p.heat, &maps, &error)) {
        heat_close(&p.heat);
        return cli_status(-1, &error);
    }
    pictures_title(&p, "Communication matrix", title, sizeof title);
    heat_draw(&picture, &p.heat, nodes, &(struct heat_drawing){title, 0, p.heat.maps - 1, NULL});
    heat_close(&p.heat);
    int status = cli_status(save_picture(path, form, &picture, &error), &error);
    picture_free(&picture);
    return status;
}
