/* SPDX-License-Identifier: BSD-3-Clause */
/* report-heat-write.c - see report-heat.h: the maps as SVG and JSON. */
#include "cmd/report/report-heat.h"

#include <math.h>

#include "cmd/shell/amount.h"
#include "page/json.h"
#include "page/markup.h"

/* Up to so many ranks a page says which rank is where; between up to so many nodes are lines, and
 * from so many on they would hide the cells: then they are only shown in a part of the map. */
enum { HEAT_MOST_NAMED = 4096, HEAT_MOST_LINES = 512, HEAT_MANY_LINES = 32 };

int heat_color(const struct heat *h, double bytes)
{
    if (h->most <= h->least)
        return HEAT_COLORS - 1;
    if (bytes <= h->least)
        return 0;
    int color = (int)(HEAT_COLORS * log(bytes / h->least) / log(h->most / h->least));
    return color < HEAT_COLORS ? color : HEAT_COLORS - 1;
}

int heat_next_run(const struct heat *h, const struct heat_cells *cells, int color, size_t *at,
                  struct heat_run *run)
{
    size_t i = *at;
    while (i < cells->count && heat_color(h, cells->cell[i].bytes) != color)
        i++;
    *at = i;
    if (i == cells->count)
        return 0;
    int32_t first = cells->cell[i].at, length = 0;
    while (i < cells->count && cells->cell[i].at == first + length &&
           (length == 0 || (first + length) % h->side) &&
           heat_color(h, cells->cell[i].bytes) == color) {
        length++;
        i++;
    }
    *run = (struct heat_run){first % h->side, first / h->side, length};
    *at = i;
    return length;
}

/* The cells of a color, those that are next to each other in one stroke. */
static void heat_write_color(FILE *file, const struct heat *h, const struct heat_cells *cells,
                             int color)
{
    struct heat_run run;
    int32_t x = 0, y = 0;
    int any = 0;
    for (size_t at = 0; heat_next_run(h, cells, color, &at, &run);) {
        if (!any++)
            fprintf(file, "<path class=\"h%d\" d=\"M0 0", color);
        fprintf(file, "m%d %dh%d", (int)(run.column - x), (int)(run.row - y), (int)run.length);
        x = run.column + run.length;
        y = run.row;
    }
    if (any)
        fputs("\"/>\n", file);
}

static int heat_has_lines(const struct heat *h, const struct report_nodes *nodes)
{
    return nodes->nodes > 1 && nodes->nodes <= HEAT_MOST_LINES && nodes->nodes * 2 <= h->side;
}

int heat_shows_lines(const struct heat *h, const struct report_nodes *nodes)
{
    return nodes->nodes <= HEAT_MANY_LINES && heat_has_lines(h, nodes);
}

static void heat_write_lines(FILE *file, const struct heat *h, const struct report_nodes *nodes,
                             int map)
{
    int32_t border = heat_next_border(h, nodes, map, 1);
    if (!heat_has_lines(h, nodes) || border >= h->ranks)
        return;
    fprintf(file, "<path class=\"between%s\" d=\"", nodes->nodes > HEAT_MANY_LINES ? " many" : "");
    for (; border < h->ranks; border = heat_next_border(h, nodes, map, border + 1)) {
        double at = (double)border / h->bin;
        fprintf(file, "M%.6g 0V%dM0 %.6gH%d", at, (int)h->side, at, (int)h->side);
    }
    fputs("\"/>\n", file);
}

/* A map as SVG, with lines between nodes. */
static void heat_write_svg(FILE *file, const struct heat *h, const struct report_nodes *nodes,
                           int map)
{
    heat_write_axes(file, h, nodes, map);
    fprintf(file,
            "<svg class=\"heat\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Map of the bytes "
            "between %d places: ",
            (int)h->side, (int)h->side, (int)h->ranks);
    markup_write(file, h->source[map].name);
    fprintf(file, "\">\n<g class=\"cells%s\" transform=\"translate(0 .5)\">\n",
            h->side > 400 ? " fine" : "");
    for (int color = 0; color < HEAT_COLORS; color++)
        heat_write_color(file, h, &h->all[map], color);
    fputs("</g>\n", file);
    heat_write_lines(file, h, nodes, map);
    fputs("</svg>\n", file);
}

/* ---- difference ---- */

void heat_write_difference(FILE *file, const struct heat *h, const struct heat_difference *d,
                           const struct report_nodes *nodes)
{
    heat_write_axes(file, h, nodes, 0);
    fprintf(
        file,
        "<svg class=\"heat\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Map of what changed "
        "between %d places\">\n<g class=\"cells%s\" transform=\"translate(0 .5)\">\n",
        (int)h->side, (int)h->side, (int)h->ranks, h->side > 400 ? " fine" : "");
    for (int color = 0; color < 2 * HEAT_STEPS; color++) {
        fprintf(file, "<path class=\"d%d\" d=\"", color);
        for (size_t i = 0; i < d->cells.count; i++) {
            const struct heat_cell *cell = &d->cells.cell[i];
            if (heat_difference_color(d, cell->bytes) == color)
                fprintf(file, "M%d %dh1", (int)(cell->at % h->side), (int)(cell->at / h->side));
        }
        fputs("\"/>\n", file);
    }
    fputs("</g>\n", file);
    heat_write_lines(file, h, nodes, 0);
    fputs("</svg>\n", file);
}

/* ---- what colors mean ---- */

/* A sentence about what a cell is. */
static void heat_write_bins(FILE *file, const void *heat)
{
    const struct heat *h = heat;
    if (h->bin > 1)
        fprintf(file, "A cell is %d places in each direction, all their messages added up.",
                (int)h->bin);
    else
        fputs("A cell is one pair of ranks.", file);
    fprintf(file, " The numbers at the edges are %s.", heat_labels_ranks(h) ? "ranks" : "places");
}

static void heat_write_swatch(FILE *file, const char *class, int color)
{
    fprintf(file,
            "<svg viewBox=\"0 0 22 13\" aria-hidden=\"true\"><line class=\"%s%d\" x2=\"22\" "
            "y1=\"6.5\" y2=\"6.5\"/></svg>",
            class, color);
}

/* The meaning of the colors, for a page. */
static int heat_write_legend(FILE *file, const void *heat)
{
    const struct heat *h = heat;
    int same = h->most <= h->least;
    char text[32];
    fprintf(file, "<span>a cell<span class=\"several\"%s> from</span></span>",
            same ? " hidden" : "");
    /* The script shows all colors where cells have the same bytes, but not as many messages. */
    for (int color = 0; color < HEAT_COLORS; color++) {
        fprintf(file, "<span class=\"color\"%s>", same && color + 1 < HEAT_COLORS ? " hidden" : "");
        heat_write_swatch(file, "h", color);
        fprintf(file, "<span class=\"limit\">%s</span></span>", heat_print_limit(h, color, text));
    }
    fprintf(file, "<span class=\"several\"%s>up to <span class=\"limit\">%s</span></span>",
            same ? " hidden" : "", amount(h->most, "B", text));
    return 0;
}

void heat_write_difference_legend(FILE *file, const struct heat_difference *d)
{
    char text[32];
    fputs(d->cells.count ? "<span>what changed, less</span>" : "<span>nothing changed</span>",
          file);
    for (int color = 0; d->cells.count && color < 2 * HEAT_STEPS; color++) {
        int step = color < HEAT_STEPS ? HEAT_STEPS - 1 - color : color - HEAT_STEPS;
        double limit = d->least * pow(d->most / d->least, (double)step / HEAT_STEPS);
        fputs(color == HEAT_STEPS ? "<span>and more</span><span>" : "<span>", file);
        heat_write_swatch(file, "d", color);
        fprintf(file, "by <span class=\"step\">%s</span></span>", amount(limit, "B", text));
    }
    if (d->cells.count)
        fprintf(file, "<span>up to <span class=\"step\">%s</span></span>",
                amount(d->most, "B", text));
}

/* ---- JSON ---- */

/* Four digits are enough to look at. */
static void heat_write_number(FILE *file, double value)
{
    int zeros = 0;
    for (; value >= 10000; value /= 10)
        zeros++;
    fprintf(file, zeros ? "%.0fe%d" : "%.0f", value, zeros);
}

static void heat_write_cells(FILE *file, const struct heat_cells *cells)
{
    int32_t last = 0;
    putc('[', file);
    for (size_t i = 0; i < cells->count; i++) {
        fprintf(file, i ? ",%d," : "%d,", (int)(cells->cell[i].at - last));
        last = cells->cell[i].at;
        heat_write_number(file, cells->cell[i].bytes);
        putc(',', file);
        heat_write_number(file, cells->cell[i].msgs);
    }
    putc(']', file);
}

static void heat_write_numbers(FILE *file, const char *key, const int32_t *number, int32_t count)
{
    fprintf(file, "%s[", key);
    for (int32_t i = 0; i < count; i++)
        fprintf(file, i ? ",%d" : "%d", (int)number[i]);
    fputs("]", file);
}

/* Where each node begins, in launch order; and, if there are few enough ranks, who is where. */
static void heat_write_places(FILE *file, const struct heat *h, const struct report_nodes *nodes)
{
    fputs(",\n\"nodes\":[", file);
    for (int32_t position = 0, node = -1; nodes->nodes && position < h->ranks; position++) {
        int32_t here = heat_node_at(h, nodes, 0, position);
        if (here != node)
            fprintf(file, "%s[%d,%d]", node < 0 ? "" : ",", (int)position, (int)here);
        node = here;
    }
    fputs("],\n\"rank_at\":[", file);
    for (int order = 0; order < h->maps && h->ranks <= HEAT_MOST_NAMED; order++)
        heat_write_numbers(file, order ? ",\n" : "", h->role_at[order], h->ranks);
    fputs("]", file);
}

static void heat_write_layer(FILE *file, const struct heat *h, const struct heat_layer *layer)
{
    fprintf(file, "{\"kind\":%d,\"phase\":%d,\"group\":%d,\"cells\":[", layer->kind, layer->phase,
            layer->group);
    for (int order = 0; order < h->maps; order++) {
        fputs(order ? ",\n" : "", file);
        heat_write_cells(file, &layer->cells[order]);
    }
    fputs("]}", file);
}

/* The communicators by name, as far as they are told apart. */
static void heat_write_groups(FILE *file, const struct reseat_profile *profile)
{
    char text[2 * RESEAT_FUNCTION_SIZE];
    size_t all = profile->domains_count;
    fputs(",\n\"groups\":[", file);
    for (size_t d = 0; d < all && d < HEAT_GROUPS; d++) {
        snprintf(text, sizeof text, "%s, %d ranks", profile->domains[d].function,
                 (int)profile->domains[d].size);
        if (d + 1 == HEAT_GROUPS && all > HEAT_GROUPS)
            snprintf(text, sizeof text, "%zu others", all - d);
        fputs(d ? "," : "", file);
        json_write_text(file, text);
    }
    fputs("]\n", file);
}

/* What the maps are called. */
static void heat_write_names(FILE *file, const struct heat *h)
{
    fputs(",\n\"maps\":[", file);
    for (int map = 0; map < h->maps; map++) {
        fputs(map ? "," : "", file);
        json_write_text(file, h->source[map].name);
    }
    fputs("]\n", file);
}

/* All of it as JSON, for the script of the page. */
static void heat_write_json(FILE *file, const struct heat *h, const struct report_nodes *nodes)
{
    fprintf(file, "{\"ranks\":%d,\"bin\":%d,\"side\":%d,\"unit\":%d,\"least\":%.9g,\"most\":%.9g",
            (int)h->ranks, (int)h->bin, (int)h->side, (int)heat_node_size(h, nodes), h->least,
            h->most);
    heat_write_names(file, h);
    heat_write_places(file, h, nodes);
    heat_write_groups(file, h->source[0].profile);
    fputs(",\n\"layers\":[", file);
    for (size_t i = 0; i < h->layers; i++) {
        fputs(i ? ",\n" : "\n", file);
        heat_write_layer(file, h, &h->layer[i]);
    }
    fputs("]}\n", file);
}

/* ---- values of a page ---- */

static int heat_draw_map(FILE *file, const void *context)
{
    const struct heat_map *map = context;
    heat_write_svg(file, map->heat, map->nodes, map->map);
    return 0;
}

static int heat_draw_json(FILE *file, const void *context)
{
    const struct heat_map *map = context;
    heat_write_json(file, map->heat, map->nodes);
    return 0;
}

void heat_add_values(struct document *d, const struct heat_map map[2])
{
    const struct heat *h = map[0].heat;
    document_boolean(d, "@heat", h->all[0].count + (h->maps > 1 ? h->all[1].count : 0) > 0);
    document_boolean(d, "@has_lines", heat_shows_lines(h, map[0].nodes));
    document_written(d, "@bins", heat_write_bins, h);
    document_drawing(d, "@map_0", heat_draw_map, &map[0]);
    document_drawing(d, "@map_1", heat_draw_map, &map[1]);
    document_drawing(d, "@legend", heat_write_legend, h);
    document_drawing(d, "@heat_json", heat_draw_json, &map[0]);
}
