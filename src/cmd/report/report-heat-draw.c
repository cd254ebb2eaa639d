/* SPDX-License-Identifier: BSD-3-Clause */
/* report-heat-draw.c - see report-heat.h: maps as a picture of their own. */
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/report/report-heat.h"

/* Cells have sides of whole numbers, so that nothing shines through between them; a map is about as
 * wide as this. */
enum { DRAW_MAP = 600, DRAW_MARGIN = 14, DRAW_HEAD = 78, DRAW_GAP = 24, DRAW_LEGEND = 62 };
enum { DRAW_EDGE = 34, DRAW_LETTER = 6 }; /* to the left of a map; of numbers and names */
enum { DRAW_SWATCH = 56, DRAW_SWATCH_HEIGHT = 12, DRAW_FINE = 400 };

static const char *const draw_soft = "#55606e";

/* As in page/report.css. */
static const char *const draw_colors[HEAT_COLORS] = {"#d5e8b5", "#a9d8a6", "#78c6a3",
                                                     "#48b0a6", "#2596a8", "#1f78a4",
                                                     "#23579b", "#2a3585", "#1c1250"};

static void draw_soft_text(struct picture *picture, double x, double y, double size,
                           const char *text)
{
    picture_text(picture, x, y, size, text);
    if (!picture->is_short)
        strcpy(picture->item[picture->items - 1].stroke, draw_soft);
}

/* The sides of a cell of all maps. */
static double draw_cell_size(const struct heat *h)
{
    double size = (int)(DRAW_MAP / (double)h->side + 0.5);
    return size < 1 ? 1 : size;
}

/* How much larger texts are than usual, as they are of a large map. */
static double draw_text_scale(const struct heat *h)
{
    double scale = draw_cell_size(h) * h->side / DRAW_MAP;
    return scale < 1 ? 1 : scale;
}

static void draw_cells(struct picture *picture, const struct heat *h,
                       const struct heat_cells *cells, double x, double y)
{
    double size = draw_cell_size(h);
    double more = h->side > DRAW_FINE ? 0.35 : 0; /* to be seen if they stand alone */
    for (int color = 0; color < HEAT_COLORS; color++) {
        struct heat_run run;
        for (size_t at = 0; heat_next_run(h, cells, color, &at, &run);) {
            double left = x + run.column * size, top = y + run.row * size;
            picture_box(picture,
                        (double[]){left, top - more, left + run.length * size, top + size + more},
                        draw_colors[color], NULL);
        }
    }
}

/* The middle of a text at x, y. */
static void draw_centered(struct picture *picture, double x, double y, double size,
                          const char *text)
{
    draw_soft_text(picture, x - picture_text_width(text, size) / 2, y, size, text);
}

/* Numbers above and to the left of a map, and the names of nodes above. */
static void draw_edges(struct picture *picture, const struct heat_axis *edges, double x, double y)
{
    struct heat_axis axis = *edges;
    struct heat_label label;
    double cell = draw_cell_size(axis.heat), scale = draw_text_scale(axis.heat), size = 9 * scale;
    while (heat_next_number(&axis, &label)) {
        double width = picture_text_width(label.text, size);
        draw_centered(picture, x + label.at * cell, y - 4 * scale, size, label.text);
        draw_soft_text(picture, x - width - 4 * scale, y + label.at * cell + size / 3, size,
                       label.text);
    }
    if (heat_names_fit(&axis, cell * axis.heat->side / scale, DRAW_LETTER))
        while (heat_next_name(&axis, &label))
            draw_centered(picture, x + label.at * cell, y - 16 * scale, size, label.text);
}

/* From the left edge of a map to that of the next one. */
static double draw_map_step(const struct heat *h)
{
    return draw_cell_size(h) * h->side + DRAW_GAP + (int)(DRAW_EDGE * draw_text_scale(h));
}

static void draw_map(struct picture *picture, const struct heat *h,
                     const struct report_nodes *nodes, const struct heat_drawing *drawing, int map)
{
    double size = draw_cell_size(h), side = size * h->side;
    double scale = draw_text_scale(h), y = (int)(DRAW_HEAD * scale);
    double x = DRAW_MARGIN + (int)(DRAW_EDGE * scale) + (map - drawing->first) * draw_map_step(h);
    const struct heat_axis axis = heat_axis_of(h, nodes, map);
    int32_t border = heat_shows_lines(h, nodes) ? heat_next_border(h, nodes, map, 1) : h->ranks;
    picture_text(picture, x, y - 31 * scale, 12 * scale, h->source[map].name);
    draw_edges(picture, &axis, x, y);
    draw_cells(picture, h, drawing->cells ? &drawing->cells[map] : &h->all[map], x, y);
    for (; border < h->ranks; border = heat_next_border(h, nodes, map, border + 1)) {
        double at = (double)border / h->bin * size;
        picture_line(picture, x + at, y, x + at, y + side, 0.6, "#9aa3ae");
        picture_line(picture, x, y + at, x + side, y + at, 0.6, "#9aa3ae");
    }
    picture_box(picture, (double[]){x - 0.5, y - 0.5, x + side + 0.5, y + side + 0.5}, NULL,
                "#888888");
}

/* What the colors mean, from `y` on. */
static void draw_legend(struct picture *picture, const struct heat *h, double y)
{
    int first = h->most <= h->least ? HEAT_COLORS - 1 : 0;
    char text[96], value[32];
    double scale = draw_text_scale(h), x = DRAW_MARGIN, width = DRAW_SWATCH * scale;
    double below = y + DRAW_SWATCH_HEIGHT * scale;
    for (int color = first; color < HEAT_COLORS; color++, x += width) {
        picture_box(picture, (double[]){x, y, x + width, below}, draw_colors[color], NULL);
        picture_text(picture, x, below + 11 * scale, 9 * scale, heat_print_limit(h, color, value));
    }
    snprintf(text, sizeof text, "up to %s", amount(h->most, "B", value));
    picture_text(picture, x + 4, y + 10 * scale, 9 * scale, text);
    if (h->bin > 1)
        snprintf(text, sizeof text, "bytes of a cell, which is %d places in each direction;",
                 (int)h->bin);
    else
        snprintf(text, sizeof text, "bytes of a cell, which is a pair of ranks;");
    draw_soft_text(picture, DRAW_MARGIN, below + 26 * scale, 10 * scale, text);
    snprintf(text, sizeof text,
             "rows send, columns receive, by their places on the machine; numbers are %s",
             heat_labels_ranks(h) ? "ranks" : "places");
    draw_soft_text(picture, DRAW_MARGIN, below + 39 * scale, 10 * scale, text);
}

void heat_draw(struct picture *picture, const struct heat *h, const struct report_nodes *nodes,
               const struct heat_drawing *drawing)
{
    double side = draw_cell_size(h) * h->side, scale = draw_text_scale(h);
    double legend = (HEAT_COLORS * DRAW_SWATCH + 90) * scale;
    int maps = drawing->last - drawing->first + 1;
    double width = maps * draw_map_step(h) - DRAW_GAP;
    picture_text(picture, DRAW_MARGIN, 22 * scale, 14 * scale, drawing->title);
    for (int map = drawing->first; map <= drawing->last; map++)
        draw_map(picture, h, nodes, drawing, map);
    if (h->most > 0)
        draw_legend(picture, h, DRAW_HEAD * scale + side + 12);
    picture->width = (width > legend ? width : legend) + 2 * DRAW_MARGIN;
    picture->height = (DRAW_HEAD + DRAW_LEGEND) * scale + side + 12;
}
