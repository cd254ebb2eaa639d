/* SPDX-License-Identifier: BSD-3-Clause */
/* diagram.c - see diagram.h: how much of the machine is drawn, title and legend. */
#include "draw/diagram.h"

#include <string.h>

#include "draw/layout.h"

enum { DIAGRAM_MARGIN = 10, DIAGRAM_TITLE = 13, DIAGRAM_LEGEND = 40, DIAGRAM_SWATCH = 74 };
enum { DIAGRAM_SMALL = 440 }; /* narrower machines are drawn larger, up to twice */

/* The most boxes that a level adds if all children are drawn, or each kind of them. */
static int64_t diagram_children(const struct draw_view *view, int level, int64_t drawn,
                                int is_complete)
{
    int32_t most = 0, objects = tmap_tree_objects(view->tree, level);
    if (is_complete)
        return tmap_tree_objects(view->tree, level + 1);
    for (int32_t o = 0; o < objects; o++)
        most = draw_children(view, level, o) > most ? draw_children(view, level, o) : most;
    return most * drawn;
}

/* Chooses the levels to draw, and which of them to fold. Returns the number of boxes of the last
 * one. */
static int64_t diagram_choose_levels(struct layout *layout)
{
    const struct draw_view *view = layout->view;
    int64_t drawn = 1;
    int is_complete = 1, level = 0;
    for (; level < view->depth; level++) {
        struct tmap_shape shape = {.size = sizeof shape};
        int64_t next = diagram_children(view, level, drawn, is_complete);
        if (tmap_tree_shape(view->tree, level, &shape) != TMAP_SHAPE_NONE) {
            int64_t all = draw_positions(&shape) * drawn;
            next = all > next ? all : next;
            if (next > LAYOUT_MOST_BOXES && drawn == 1) { /* in blocks */
                layout->last = level + 1;
                return LAYOUT_MOST_BOXES;
            }
        } else if (view->matrix && is_complete && drawn > 1 && next >= LAYOUT_MANY_LOADS) {
            layout->is_summed = tmap_tree_shape(view->tree, level - 1, NULL) == TMAP_SHAPE_NONE;
            break;
        }
        if (next > LAYOUT_MOST_BOXES && drawn > LAYOUT_MOST_FOLDED)
            break;
        if (next > LAYOUT_MOST_BOXES) {
            layout->is_folded[level] = 1;
            is_complete = 0;
            next = drawn * LAYOUT_MOST_KINDS;
        }
        drawn = next;
    }
    layout->last = level;
    return drawn;
}

/* Boxes that have room for what they say. */
static void diagram_fit_sums(struct layout *layout)
{
    char line[LAYOUT_LINES][PICTURE_TEXT_SIZE];
    layout->leaf_height = 44;
    for (int32_t o = 0; o < tmap_tree_objects(layout->view->tree, layout->last); o++) {
        layout_sum(layout, layout->last, o, line);
        for (int i = 0; i < LAYOUT_LINES; i++) {
            double width = picture_text_width(line[i], 9) + 10;
            layout->leaf_width = width > layout->leaf_width ? width : layout->leaf_width;
        }
    }
}

/* Boxes that have room for the number of objects for which each stands. */
static void diagram_fit_counts(struct layout *layout)
{
    const struct draw_view *view = layout->view;
    char name[DRAW_NAME_SIZE], text[PICTURE_TEXT_SIZE];
    int32_t most = 1;
    for (int32_t o = 0; o < tmap_tree_objects(view->tree, layout->last - 1); o++) {
        int32_t children = draw_children(view, layout->last - 1, o);
        most = children > most ? children : most;
    }
    snprintf(text, sizeof text, "%d x %s", (int)most, draw_name(view, layout->last, 1, name));
    double width = picture_text_width(text, 9) + 6;
    layout->leaf_width = width > layout->leaf_width ? width : layout->leaf_width;
}

/* The size of the innermost boxes, by how many there are, and by the names of hosts. */
static void diagram_choose_sizes(struct layout *layout, int64_t boxes)
{
    const struct draw_view *view = layout->view;
    layout->is_labelled = boxes <= 512;
    layout->leaf_width = boxes <= 32 ? 56 : boxes <= 128 ? 34 : boxes <= 512 ? 26 : 9;
    layout->leaf_height = boxes <= 32 ? 30 : boxes <= 512 ? 18 : 9;
    if (layout->is_summed)
        diagram_fit_sums(layout);
    if (!layout->is_labelled)
        return;
    if (layout->last && tmap_tree_shape(view->tree, layout->last - 1, NULL) != TMAP_SHAPE_NONE) {
        char text[DRAW_POSITION_SIZE];
        draw_position_text(view, layout->last, tmap_tree_objects(view->tree, layout->last) - 1,
                           text);
        double width = picture_text_width(text, 9) + 2;
        layout->leaf_width = width > layout->leaf_width ? width : layout->leaf_width;
    }
    if (layout->last && layout->is_folded[layout->last - 1])
        diagram_fit_counts(layout);
    for (int32_t h = 0; view->host && layout->last == view->host_level &&
                        h < tmap_tree_objects(view->tree, view->host_level);
         h++) {
        char name[PICTURE_TEXT_SIZE];
        snprintf(name, sizeof name, "%.*s", LAYOUT_LONGEST_NAME, view->host[h]);
        double width = picture_text_width(name, 9) + 6;
        layout->leaf_width = width > layout->leaf_width ? width : layout->leaf_width;
    }
}

/* "torus 4x4x4: 64 routers, 256 nodes, 4096 cores". */
static void diagram_title(const struct draw_view *view, char *text, size_t size)
{
    char name[DRAW_NAME_SIZE], shape[DRAW_SHAPE_SIZE];
    size_t length = 0;
    text[0] = '\0';
    for (int l = 0; l < view->depth && length < size - 1; l++, length = strlen(text)) {
        int32_t objects = tmap_tree_objects(view->tree, l + 1);
        shape[0] = '\0';
        if (tmap_tree_shape(view->tree, l, NULL) != TMAP_SHAPE_NONE) {
            draw_shape_text(view, l, shape);
            strncat(shape, ": ", sizeof shape - strlen(shape) - 1);
        }
        snprintf(text + length, size - length, "%s%.100s%d %s", l ? ", " : "", shape, (int)objects,
                 draw_name(view, l + 1, objects, name));
    }
}

/* Tells what the innermost boxes are, if they are not the slots. */
static void diagram_remark(const struct layout *layout, char *text, size_t size)
{
    const struct draw_view *view = layout->view;
    struct tmap_shape shape = {.size = sizeof shape};
    char name[DRAW_NAME_SIZE];
    int32_t objects = tmap_tree_objects(view->tree, layout->last);
    int64_t positions =
        layout->last && tmap_tree_shape(view->tree, layout->last - 1, &shape) != TMAP_SHAPE_NONE
            ? draw_positions(&shape)
            : 0;
    text[0] = '\0';
    if (positions > LAYOUT_MOST_BOXES)
        snprintf(text, size, "a box is several positions; the darker, the more are used");
    else if (layout->last < view->depth && !layout->is_summed)
        snprintf(text, size, "a small box is a %s of %d slots",
                 draw_name(view, layout->last, 1, name), (int)(view->slots / objects));
}

static void diagram_legend(struct picture *picture, const struct layout *layout, double y)
{
    char value[32];
    picture_text(picture, DIAGRAM_MARGIN, y + 10, 10, "traffic of a link, up to");
    for (int i = 0; i < DRAW_COLORS; i++) {
        double load = layout->loads.busiest * (i + 1) / DRAW_COLORS;
        double x = DIAGRAM_MARGIN + i * DIAGRAM_SWATCH;
        picture_box(picture, (double[]){x, y + 15, x + DIAGRAM_SWATCH - 4, y + 23},
                    draw_color((i + 0.5) / DRAW_COLORS), NULL);
        picture_text(picture, x, y + 34, 9, layout->amount(load, "", value));
    }
}

/* Draw the machine itself, its upper left corner at `y` below that of the picture. Its size
 * becomes that of the picture. */
static void diagram_draw_machine(struct picture *picture, struct layout *layout, double y)
{
    struct picture machine = {.items = 0};
    double width, height;
    layout_measure(layout, 0, 0, &width, &height);
    double scale = width < DIAGRAM_SMALL ? DIAGRAM_SMALL / width : 1;
    scale = scale < 2 ? scale : 2;
    layout->picture = &machine;
    layout_draw(layout, 0, 0, 1, 0, 0);
    layout->picture = NULL;
    picture_put(picture, &machine, DIAGRAM_MARGIN, y, scale);
    picture_free(&machine);
    picture->width = scale * width;
    picture->height = y + scale * height;
}

static void diagram_draw(struct picture *picture, struct layout *layout)
{
    char title[512], remark[PICTURE_TEXT_SIZE];
    double y = DIAGRAM_MARGIN + DIAGRAM_TITLE + 4;
    diagram_title(layout->view, title, sizeof title);
    diagram_remark(layout, remark, sizeof remark);
    title[PICTURE_TEXT_SIZE - 1] = '\0';
    picture_text(picture, DIAGRAM_MARGIN, DIAGRAM_MARGIN + 10, DIAGRAM_TITLE - 1, title);
    if (remark[0]) {
        picture_text(picture, DIAGRAM_MARGIN, y + 8, 10, remark);
        y += 14;
    }
    diagram_draw_machine(picture, layout, y);
    double width = picture->width;
    y = picture->height + DIAGRAM_MARGIN;
    if (layout->loads.busiest > 0) {
        diagram_legend(picture, layout, y);
        y += DIAGRAM_LEGEND;
        width = width < DRAW_COLORS * DIAGRAM_SWATCH ? DRAW_COLORS * DIAGRAM_SWATCH : width;
    }
    double title_width = picture_text_width(title, DIAGRAM_TITLE - 1);
    double remark_width = picture_text_width(remark, 10);
    width = width < title_width ? title_width : width;
    picture->width = (width < remark_width ? remark_width : width) + 2 * DIAGRAM_MARGIN;
    picture->height = y;
}

int draw_diagram(struct picture *picture, const struct draw_view *view, diagram_amount_fn *amount,
                 struct reseat_error *error)
{
    struct layout layout = {.view = view, .amount = amount};
    *picture = (struct picture){.items = 0};
    if (!view->first_child[0])
        return reseat_fail(error, "a machine of %d slots cannot be drawn; %d can be",
                           (int)view->slots, DRAW_MOST_SLOTS);
    int rc = draw_outline_open(&layout.outline, view) ? reseat_fail(error, "out of memory")
                                                      : draw_loads_open(&layout.loads, view, error);
    if (rc == 0) {
        diagram_choose_sizes(&layout, diagram_choose_levels(&layout));
        diagram_draw(picture, &layout);
        if (layout.is_short || picture->is_short)
            rc = reseat_fail(error, "out of memory");
    }
    draw_loads_close(&layout.loads);
    draw_outline_close(&layout.outline);
    if (rc)
        picture_free(picture);
    return rc;
}
