/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - see layout.h: boxes in rows, and what is in a box. */
#include "draw/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAYOUT_PADDING = 6, LAYOUT_GAP = 4, LAYOUT_HEADER = 14, LAYOUT_TEXT = 10 };
enum { LAYOUT_LINE = 12 };
static const double layout_aspect = 1.6;

/* Fills of the levels from the outside in; the innermost boxes have the last. */
static const char *layout_fill(const struct layout *layout, int level)
{
    static const char *const fills[] = {"#ffffff", "#f2f4f7", "#e3e8ee", "#f7f3e8", "#ece4cf"};
    return level == layout->last ? "#d9e2ec" : fills[level % 5];
}

/* The color and thickness of a link. */
static const char *layout_link_style(const struct layout *layout, double load, double *thickness)
{
    *thickness = 1;
    if (load <= 0 || layout->loads.busiest <= 0)
        return layout->view->matrix ? "#dddddd" : "#888888";
    *thickness = 1.2 + 2.8 * load / layout->loads.busiest;
    return draw_color(load / layout->loads.busiest);
}

void layout_draw_link(struct layout *layout, const struct picture_item *line, double load)
{
    struct picture_item item = *line;
    char value[32];
    item.kind = PICTURE_LINE;
    snprintf(item.stroke, sizeof item.stroke, "%s",
             layout_link_style(layout, load, &item.thickness));
    if (load > 0)
        snprintf(item.text, sizeof item.text, "%s", layout->amount(load, "", value));
    picture_add(layout->picture, &item);
}

/* ---- texts ---- */

static int layout_has_shape(const struct layout *layout, int level)
{
    return tmap_tree_shape(layout->view->tree, level, NULL) != TMAP_SHAPE_NONE;
}

/* The bytes that a box exchanges with the others; 0: they are not known. */
static double layout_load(const struct layout *layout, int level, int32_t object)
{
    return layout->view->matrix && level && !layout_has_shape(layout, level - 1)
               ? draw_load_up(&layout->loads, level - 1, object)
               : 0;
}

/* The label of a box: the host's name, or its kind and number: of hosts that of all of them, as in
 * tables, of others their position. */
static void layout_label(const struct layout *layout, int level, int32_t object, int32_t count,
                         char text[PICTURE_TEXT_SIZE])
{
    const struct draw_view *view = layout->view;
    char name[DRAW_NAME_SIZE], position[DRAW_POSITION_SIZE];
    if (count > 1)
        snprintf(text, PICTURE_TEXT_SIZE, "%d x %s", (int)count, draw_name(view, level, 1, name));
    else if (level == view->host_level && view->host)
        snprintf(text, PICTURE_TEXT_SIZE, "%.*s", LAYOUT_LONGEST_NAME, view->host[object]);
    else if (level == 0)
        text[0] = '\0';
    else if (level == view->depth && view->rank_of)
        snprintf(text, PICTURE_TEXT_SIZE, "%d", (int)view->rank_of[object]);
    else if (level == view->host_level && !layout_has_shape(layout, level - 1))
        snprintf(text, PICTURE_TEXT_SIZE, "%s %d", draw_name(view, level, 1, name), (int)object);
    else {
        draw_position_text(view, level, object, position);
        snprintf(text, PICTURE_TEXT_SIZE, "%s %.80s", draw_name(view, level, 1, name), position);
    }
}

/* The same, with the devices near the object. */
static void layout_header(const struct layout *layout, int level, int32_t object, int32_t count,
                          char text[PICTURE_TEXT_SIZE])
{
    char devices[DRAW_DEVICES_SIZE];
    layout_label(layout, level, object, count, text);
    draw_devices_text(layout->view, level, object, devices);
    if (devices[0] && count == 1)
        snprintf(text + strlen(text), PICTURE_TEXT_SIZE - strlen(text), "%s%s", text[0] ? ": " : "",
                 devices);
}

void layout_sum(const struct layout *layout, int level, int32_t object,
                char line[LAYOUT_LINES][PICTURE_TEXT_SIZE])
{
    const struct draw_view *view = layout->view;
    char name[DRAW_NAME_SIZE], value[32];
    double load = layout_load(layout, level, object);
    layout_label(layout, level, object, 1, line[0]);
    line[1][0] = line[2][0] = '\0';
    if (level < view->depth) {
        int32_t inside = draw_children(view, level, object);
        snprintf(line[1], PICTURE_TEXT_SIZE, "%d %s", (int)inside,
                 draw_name(view, level + 1, inside, name));
    }
    if (load > 0)
        snprintf(line[2], PICTURE_TEXT_SIZE, "%s", layout->amount(load, "", value));
}

/* Tell a pointer that rests on a box: "rank 3: 1.5 MB", "switch 3: 16 nodes, 13.1 GB". */
static void layout_describe(const struct layout *layout, int level, int32_t object, int32_t count,
                            char text[PICTURE_TEXT_SIZE])
{
    char line[LAYOUT_LINES][PICTURE_TEXT_SIZE];
    layout_sum(layout, level, object, line);
    if (count > 1 || !level) {
        layout_label(layout, level, object, count, text);
        return;
    }
    snprintf(text, PICTURE_TEXT_SIZE, "%s%.60s%s%.30s%s%.24s",
             level == layout->view->depth && layout->view->rank_of ? "rank " : "", line[0],
             line[1][0] || line[2][0] ? ": " : "", line[1], line[1][0] && line[2][0] ? ", " : "",
             line[2]);
}

/* The same in few characters, for small boxes. */
static void layout_short_label(const struct layout *layout, int level, int32_t object,
                               int32_t count, char text[PICTURE_TEXT_SIZE])
{
    const struct draw_view *view = layout->view;
    int is_named = (level == view->host_level && view->host) || count > 1 ||
                   (level == view->depth && view->rank_of);
    char position[DRAW_POSITION_SIZE];
    layout_label(layout, level, object, count, text);
    if (is_named || !level)
        return;
    if (level == view->host_level && !layout_has_shape(layout, level - 1)) {
        snprintf(text, PICTURE_TEXT_SIZE, "%d", (int)object);
        return;
    }
    draw_position_text(view, level, object, position);
    snprintf(text, PICTURE_TEXT_SIZE, "%.100s", position);
}

/* ---- rows ---- */

/* About this width, in which rows of cells, of `step` at most, are about as long as each other. */
static double layout_even(double limit, double step, int32_t cells)
{
    int32_t columns = limit > step ? (int32_t)(limit / step + 0.5) : 1;
    int32_t rows = (cells + columns - 1) / columns;
    return (cells + rows - 1) / rows * step;
}

void layout_rows(struct layout_inside *inside)
{
    double area = 0, widest = 0, x = 0, y = 0, high = 0;
    inside->width = 0;
    for (int32_t c = 0; c < inside->cells; c++) {
        const struct layout_cell *cell = &inside->cell[c];
        area += (cell->width + LAYOUT_GAP) * (cell->height + LAYOUT_GAP);
        widest = cell->width > widest ? cell->width : widest;
    }
    double limit = sqrt(area * layout_aspect);
    limit = layout_even(limit, widest + LAYOUT_GAP, inside->cells);
    for (int32_t c = 0; c < inside->cells; c++) {
        struct layout_cell *cell = &inside->cell[c];
        if (x > 0 && x + cell->width > limit + 1) {
            x = 0;
            y += high + LAYOUT_GAP;
            high = 0;
        }
        cell->x = x;
        cell->y = y;
        x += cell->width + LAYOUT_GAP;
        high = cell->height > high ? cell->height : high;
        inside->width = x - LAYOUT_GAP > inside->width ? x - LAYOUT_GAP : inside->width;
    }
    inside->height = y + high;
}

/* The cell that stands for a kind; NULL: none yet. */
static struct layout_cell *layout_find_kind(const struct layout *layout, int level,
                                            const struct layout_inside *inside, int32_t child)
{
    for (int32_t c = 0; c < inside->cells; c++)
        if (layout->outline.kind[level][inside->cell[c].child] ==
            layout->outline.kind[level][child])
            return &inside->cell[c];
    return NULL;
}

int layout_arrange(struct layout *layout, int level, int32_t object, struct layout_inside *inside)
{
    const struct draw_view *view = layout->view;
    int32_t first = view->first_child[level][object], end = view->first_child[level][object + 1];
    if (layout_has_shape(layout, level))
        return layout_arrange_network(layout, level, object, inside);
    *inside = (struct layout_inside){.cell = malloc((size_t)(end - first) * sizeof *inside->cell)};
    if (!inside->cell)
        return -1;
    for (int32_t child = first; child < end; child++) {
        struct layout_cell *alike =
            layout->is_folded[level] ? layout_find_kind(layout, level + 1, inside, child) : NULL;
        if (alike)
            alike->count++;
        else if (!layout->is_folded[level] || inside->cells < LAYOUT_MOST_KINDS)
            inside->cell[inside->cells++] = (struct layout_cell){.child = child, .count = 1};
    }
    for (int32_t c = 0; c < inside->cells; c++)
        layout_measure(layout, level + 1, inside->cell[c].child, &inside->cell[c].width,
                       &inside->cell[c].height);
    layout_rows(inside);
    return 0;
}

/* ---- boxes ---- */

/* Returns 1 if a box has a line of text above its contents. */
static int layout_has_header(const struct layout *layout, int level)
{
    char devices[DRAW_DEVICES_SIZE];
    if (level > 0 || (layout->view->host_level == 0 && layout->view->host))
        return 1;
    draw_devices_text(layout->view, 0, 0, devices);
    return devices[0] != '\0';
}

void layout_measure(struct layout *layout, int level, int32_t object, double *width, double *height)
{
    struct layout_inside inside;
    char text[PICTURE_TEXT_SIZE];
    *width = layout->leaf_width;
    *height = layout->leaf_height;
    if (level == layout->last)
        return;
    if (layout_arrange(layout, level, object, &inside)) {
        layout->is_short = 1;
        return;
    }
    free(inside.cell);
    layout_header(layout, level, object, 1, text);
    double header = picture_text_width(text, LAYOUT_TEXT) + (layout->outline.depth ? 40 : 0);
    int folded_above = level && layout->is_folded[level - 1];
    *width = inside.width;
    if (layout_has_header(layout, level) && header - (folded_above ? 0 : 40) > *width)
        *width = header - (folded_above ? 0 : 40);
    *width += 2 * LAYOUT_PADDING;
    *height =
        inside.height + 2 * LAYOUT_PADDING + (layout_has_header(layout, level) ? LAYOUT_HEADER : 0);
}

/* The lines of a summed box. */
static void layout_draw_sum(struct layout *layout, const struct picture_item *box, int level,
                            int32_t object)
{
    char line[LAYOUT_LINES][PICTURE_TEXT_SIZE];
    layout_sum(layout, level, object, line);
    for (int i = 0; i < LAYOUT_LINES; i++)
        if (line[i][0])
            picture_text(layout->picture, box->x + 5, box->y + (i + 1) * LAYOUT_LINE,
                         LAYOUT_TEXT - 1, line[i]);
}

/* The text of an innermost box. */
static void layout_draw_text(struct layout *layout, const struct picture_item *box, int level,
                             int32_t object, int32_t count)
{
    char label[PICTURE_TEXT_SIZE];
    layout_short_label(layout, level, object, count, label);
    double width = picture_text_width(label, LAYOUT_TEXT - 1);
    double middle = (box->x + box->to_x) / 2;
    if (width < box->to_x - box->x + 2)
        picture_text(layout->picture, middle - width / 2, (box->y + box->to_y) / 2 + 3.5,
                     LAYOUT_TEXT - 1, label);
}

/* The box itself and its text. */
static void layout_draw_box(struct layout *layout, int level, int32_t object, int32_t count,
                            const struct picture_item *place)
{
    struct picture_item box = *place;
    char label[PICTURE_TEXT_SIZE];
    box.kind = PICTURE_BOX;
    box.thickness = 1.2;
    snprintf(box.stroke, sizeof box.stroke, "#667788");
    snprintf(box.fill, sizeof box.fill, "%s", layout_fill(layout, level));
    if (layout->view->matrix && level && !layout_has_shape(layout, level - 1))
        snprintf(box.stroke, sizeof box.stroke, "%s",
                 layout_link_style(layout, layout_load(layout, level, object), &box.thickness));
    box.thickness *= 0.7; /* neighbors are close */
    layout_describe(layout, level, object, count, box.text);
    picture_add(layout->picture, &box);
    if (level < layout->last && layout_has_header(layout, level)) {
        layout_header(layout, level, object, count, label);
        picture_text(layout->picture, box.x + LAYOUT_PADDING, box.y + LAYOUT_HEADER, LAYOUT_TEXT,
                     label);
    }
    if (level == layout->last && layout->is_summed)
        layout_draw_sum(layout, &box, level, object);
    else if (level == layout->last && layout->is_labelled)
        layout_draw_text(layout, &box, level, object, count);
}

void layout_draw(struct layout *layout, int level, int32_t object, int32_t count, double x,
                 double y)
{
    struct picture_item place = {.x = x, .y = y};
    struct layout_inside inside;
    double width, height;
    layout_measure(layout, level, object, &width, &height);
    place.to_x = x + width;
    place.to_y = y + height;
    layout_draw_box(layout, level, object, count, &place);
    if (level == layout->last)
        return;
    if (layout_arrange(layout, level, object, &inside)) {
        layout->is_short = 1;
        return;
    }
    x += LAYOUT_PADDING;
    y += LAYOUT_PADDING + (layout_has_header(layout, level) ? LAYOUT_HEADER : 0);
    if (layout_has_shape(layout, level))
        layout_draw_network(layout, level, object, &inside, x, y);
    else
        for (int32_t c = 0; c < inside.cells; c++)
            layout_draw(layout, level + 1, inside.cell[c].child, inside.cell[c].count,
                        x + inside.cell[c].x, y + inside.cell[c].y);
    free(inside.cell);
}
