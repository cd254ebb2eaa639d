/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout-network.c - networks, see layout.h. A torus or mesh of two dimensions or more is drawn as
 * planes of its last two; links to the next plane, and those that wrap around, are short strokes at
 * both ends. A ring and other graphs are circles, one of groups (a dragonfly) is a circle of
 * circles.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/layout.h"

enum {
    NETWORK_LINK = 12,
    NETWORK_STUB = 5,
    NETWORK_PLANE = 26,
    NETWORK_MOST_CIRCLE = 100,
    NETWORK_MOST_GRAPH = 600,
    NETWORK_HOLE = 9
};
static const double network_pi = 3.14159265358979323846;

static int network_is_grid(const struct tmap_shape *shape)
{
    return shape->kind == TMAP_SHAPE_MESH ||
           (shape->kind == TMAP_SHAPE_TORUS && shape->dimensions > 1);
}

/* ---- cells ---- */

/* Join positions, along the longest dimension first, until there are few enough cells. */
static void network_find_blocks(const struct tmap_shape *shape, struct layout_inside *inside)
{
    int64_t cells = draw_positions(shape);
    int64_t most = network_is_grid(shape) ? LAYOUT_MOST_BOXES : NETWORK_MOST_CIRCLE;
    inside->is_blocks = 0;
    for (int d = 0; d < shape->dimensions; d++) {
        inside->block[d] = 1;
        inside->extent[d] = shape->extent[d];
    }
    while (shape->dimensions && cells > most) {
        int longest = 0;
        for (int d = 1; d < shape->dimensions; d++)
            longest = inside->extent[d] > inside->extent[longest] ? d : longest;
        inside->block[longest]++;
        inside->extent[longest] =
            (shape->extent[longest] + inside->block[longest] - 1) / inside->block[longest];
        inside->is_blocks = 1;
        cells = 1;
        for (int d = 0; d < shape->dimensions; d++)
            cells *= inside->extent[d];
    }
    inside->cells = (int32_t)cells;
}

/* The cell of a position. */
static int32_t network_cell_of(const struct tmap_shape *shape, const struct layout_inside *inside,
                               int32_t position)
{
    int32_t at[TMAP_MAX_DIMENSIONS], cell = 0;
    if (!inside->is_blocks)
        return position;
    draw_coordinates(shape, position, at);
    for (int d = 0; d < shape->dimensions; d++)
        cell = cell * inside->extent[d] + at[d] / inside->block[d];
    return cell;
}

/* Count the children in the cells, and find how large the cells are, and the largest one. */
static void network_fill_cells(struct layout *layout, int level, int32_t object,
                               const struct tmap_shape *shape, struct layout_inside *inside,
                               struct layout_cell *largest)
{
    const int32_t *first = layout->view->first_child[level];
    const double hole = inside->is_blocks ? layout->leaf_width : NETWORK_HOLE;
    *largest = (struct layout_cell){.width = hole, .height = hole};
    for (int32_t c = 0; c < inside->cells; c++)
        inside->cell[c] = (struct layout_cell){.child = -1, .width = hole, .height = hole};
    for (int32_t child = first[object]; child < first[object + 1]; child++) {
        int32_t position = tmap_tree_position(layout->view->tree, level + 1, child);
        struct layout_cell *cell = &inside->cell[network_cell_of(shape, inside, position)];
        cell->child = child;
        cell->count++;
        if (inside->is_blocks)
            continue;
        layout_measure(layout, level + 1, child, &cell->width, &cell->height);
        largest->width = fmax(largest->width, cell->width);
        largest->height = fmax(largest->height, cell->height);
    }
}

/* ---- planes ---- */

/* A plane whose columns and rows are as wide and high as what is in them. Cells get their places in
 * it. */
static void network_place_plane(struct layout_cell *cell, int32_t columns, int32_t rows,
                                struct layout_cell *plane)
{
    *plane = (struct layout_cell){.x = 0};
    for (int32_t c = 0; c < columns; c++) {
        double width = 0;
        for (int32_t r = 0; r < rows; r++)
            width = fmax(width, cell[r * columns + c].width);
        for (int32_t r = 0; r < rows; r++)
            cell[r * columns + c].x =
                plane->width + (width - cell[r * columns + c].width) / 2 + NETWORK_LINK;
        plane->width += width + NETWORK_LINK;
    }
    for (int32_t r = 0; r < rows; r++) {
        double height = 0;
        for (int32_t c = 0; c < columns; c++)
            height = fmax(height, cell[r * columns + c].height);
        for (int32_t c = 0; c < columns; c++)
            cell[r * columns + c].y =
                plane->height + (height - cell[r * columns + c].height) / 2 + NETWORK_PLANE;
        plane->height += height + NETWORK_LINK;
    }
    plane->width += NETWORK_PLANE;
    plane->height += NETWORK_PLANE;
}

/* Planes in rows. 0, or -1. */
static int network_place_grid(const struct tmap_shape *shape, struct layout_inside *inside)
{
    int last = shape->dimensions - 1;
    int32_t columns = inside->extent[last], rows = last ? inside->extent[last - 1] : 1;
    int32_t size = columns * rows, planes = inside->cells / size;
    struct layout_inside all = {.cell = malloc((size_t)planes * sizeof *all.cell), .cells = planes};
    if (!all.cell)
        return -1;
    for (int32_t p = 0; p < planes; p++)
        network_place_plane(inside->cell + p * size, columns, rows, &all.cell[p]);
    layout_rows(&all);
    for (int32_t c = 0; c < inside->cells; c++) {
        inside->cell[c].x += all.cell[c / size].x;
        inside->cell[c].y += all.cell[c / size].y;
    }
    inside->width = all.width - NETWORK_PLANE + NETWORK_LINK;
    inside->height = all.height;
    free(all.cell);
    return 0;
}

/* ---- circles ---- */

/* The radius on which `count` things of this diameter are beside each other. */
static double network_radius(int32_t count, double diameter)
{
    return count < 2 ? 0 : diameter / 2 / sin(network_pi / count);
}

static void network_place_on_circle(struct layout_cell *cell, double x, double y, double radius,
                                    int32_t number, int32_t count)
{
    double angle = 2 * network_pi * number / count - network_pi / 2;
    cell->x = x + radius * cos(angle) - cell->width / 2;
    cell->y = y + radius * sin(angle) - cell->height / 2;
}

static void network_place_circles(const struct tmap_shape *shape, struct layout_inside *inside,
                                  const struct layout_cell *largest)
{
    int32_t routers = shape->group ? shape->group : 1, groups = inside->cells / routers;
    double diameter = hypot(largest->width, largest->height) + NETWORK_LINK;
    double small = network_radius(routers, diameter);
    double large = network_radius(groups, 2 * small + diameter);
    double middle = large + small + diameter / 2;
    inside->width = inside->height = 2 * middle;
    for (int32_t c = 0; c < inside->cells; c++) {
        struct layout_cell center = {.x = 0};
        network_place_on_circle(&center, middle, middle, large, c / routers, groups);
        network_place_on_circle(&inside->cell[c], center.x, center.y, small, c % routers, routers);
    }
}

int layout_arrange_network(struct layout *layout, int level, int32_t object,
                           struct layout_inside *inside)
{
    struct tmap_shape shape = {.size = sizeof shape};
    struct layout_cell largest;
    tmap_tree_shape(layout->view->tree, level, &shape);
    *inside = (struct layout_inside){.cells = 0};
    network_find_blocks(&shape, inside);
    inside->cell = malloc((size_t)inside->cells * sizeof *inside->cell);
    if (!inside->cell)
        return -1;
    network_fill_cells(layout, level, object, &shape, inside, &largest);
    if (network_is_grid(&shape)) {
        if (network_place_grid(&shape, inside) == 0)
            return 0;
        free(inside->cell);
        return -1;
    }
    if (inside->cells <= NETWORK_MOST_GRAPH)
        network_place_circles(&shape, inside, &largest);
    else {
        inside->width = 300;
        inside->height = 20;
    }
    return 0;
}

/* ---- drawing ---- */

/* One link for each cell and dimension: the busiest of those that lead from it. */
struct network_links {
    struct layout *layout;
    const struct tmap_shape *shape;
    const struct layout_inside *inside;
    int level;
    int32_t object;
    double x, y;
    double *load; /* by cell and dimension; negative: no link */
    unsigned char *wraps;
};

static double network_load(const struct network_links *n, int32_t from, int32_t to)
{
    return draw_load_between(&n->layout->loads, n->level, n->object, from, to);
}

/* The dimension in which two neighbors differ. */
static int network_dimension(const struct tmap_shape *shape, int32_t from, int32_t to)
{
    int32_t a[TMAP_MAX_DIMENSIONS], b[TMAP_MAX_DIMENSIONS];
    int d = 0;
    draw_coordinates(shape, from, a);
    draw_coordinates(shape, to, b);
    while (a[d] == b[d])
        d++;
    return d;
}

static void network_note_link(void *context, int32_t from, int32_t to)
{
    struct network_links *n = context;
    int32_t cell = network_cell_of(n->shape, n->inside, from);
    if (cell == network_cell_of(n->shape, n->inside, to))
        return;
    int d = network_dimension(n->shape, from, to);
    size_t at = (size_t)cell * (size_t)n->shape->dimensions + (size_t)d;
    double load = network_load(n, from, to);
    n->load[at] = load > n->load[at] ? load : n->load[at];
    n->wraps[at] = to < from;
}

/* A stroke from the middle of a cell's edge outwards. */
static void network_draw_stub(const struct network_links *n, const struct layout_cell *cell, int dx,
                              int dy, double load)
{
    double x = n->x + cell->x + (1 + dx) * cell->width / 2;
    double y = n->y + cell->y + (1 + dy) * cell->height / 2;
    layout_draw_link(
        n->layout,
        &(struct picture_item){
            .x = x, .y = y, .to_x = x + dx * NETWORK_STUB, .to_y = y + dy * NETWORK_STUB},
        load);
}

/* From the middle of a cell to that of another one. */
static void network_draw_between(const struct network_links *n, const struct layout_cell *a,
                                 const struct layout_cell *b, double load)
{
    layout_draw_link(n->layout,
                     &(struct picture_item){.x = n->x + a->x + a->width / 2,
                                            .y = n->y + a->y + a->height / 2,
                                            .to_x = n->x + b->x + b->width / 2,
                                            .to_y = n->y + b->y + b->height / 2},
                     load);
}

/* The link of a cell along a dimension. */
static void network_draw_link(const struct network_links *n, int32_t cell, int d)
{
    size_t at = (size_t)cell * (size_t)n->shape->dimensions + (size_t)d;
    int last = n->shape->dimensions - 1, is_row = d == last;
    int32_t stride = 1;
    double load = n->load[at];
    for (int i = last; i > d; i--)
        stride *= n->inside->extent[i];
    int32_t other = n->wraps[at] ? cell - (n->inside->extent[d] - 1) * stride : cell + stride;
    const struct layout_cell *a = &n->inside->cell[cell], *b = &n->inside->cell[other];
    if (d < last - 1) { /* to another plane */
        network_draw_stub(n, a, 1, -1, load);
    } else if (n->wraps[at]) {
        network_draw_stub(n, a, is_row, !is_row, load);
        network_draw_stub(n, b, -is_row, -!is_row, load);
    } else
        network_draw_between(n, a, b, load);
}

/* Names the planes: "2,*,*". */
static void network_draw_plane_names(const struct network_links *n)
{
    char text[PICTURE_TEXT_SIZE];
    int32_t at[TMAP_MAX_DIMENSIONS], last = n->shape->dimensions - 1;
    int32_t size = n->inside->extent[last] * (last ? n->inside->extent[last - 1] : 1);
    struct tmap_shape blocks = *n->shape;
    memcpy(blocks.extent, n->inside->extent, sizeof blocks.extent);
    for (int32_t c = 0; n->shape->dimensions > 2 && c < n->inside->cells; c += size) {
        int length = 0;
        draw_coordinates(&blocks, c, at);
        for (int d = 0; d <= last && length < 100; d++)
            length += d < last - 1 ? snprintf(text + length, sizeof text - (size_t)length, "%s%d",
                                              d ? "," : "", (int)(at[d] * n->inside->block[d]))
                                   : snprintf(text + length, sizeof text - (size_t)length, ",*");
        picture_text(n->layout->picture, n->x + n->inside->cell[c].x,
                     n->y + n->inside->cell[c].y - 9, 9, text);
    }
}

static void network_draw_grid(struct network_links *n)
{
    size_t room = (size_t)n->inside->cells * (size_t)n->shape->dimensions;
    n->load = malloc(room * sizeof *n->load);
    n->wraps = calloc(room, 1);
    if (!n->load || !n->wraps)
        n->layout->is_short = 1;
    for (size_t i = 0; n->load && i < room; i++)
        n->load[i] = -1;
    if (!n->layout->is_short) {
        draw_each_link(n->shape, network_note_link, n);
        network_draw_plane_names(n);
    }
    for (int32_t c = 0; !n->layout->is_short && c < n->inside->cells; c++)
        for (int d = 0; d < n->shape->dimensions; d++)
            if (n->load[(size_t)c * (size_t)n->shape->dimensions + (size_t)d] >= 0)
                network_draw_link(n, c, d);
    free(n->load);
    free(n->wraps);
}

static void network_draw_chord(void *context, int32_t from, int32_t to)
{
    const struct network_links *n = context;
    int32_t from_cell = network_cell_of(n->shape, n->inside, from);
    int32_t to_cell = network_cell_of(n->shape, n->inside, to);
    const struct layout_cell *a = &n->inside->cell[from_cell], *b = &n->inside->cell[to_cell];
    if (from_cell != to_cell)
        network_draw_between(n, a, b, network_load(n, from, to));
}

/* Number of positions in a block: at the upper ends there can be fewer. */
static int64_t network_block_size(const struct network_links *n, int32_t cell)
{
    int32_t at[TMAP_MAX_DIMENSIONS];
    int64_t positions = 1;
    struct tmap_shape blocks = *n->shape;
    memcpy(blocks.extent, n->inside->extent, sizeof blocks.extent);
    draw_coordinates(&blocks, cell, at);
    for (int d = 0; d < n->shape->dimensions; d++) {
        int32_t left = n->shape->extent[d] - at[d] * n->inside->block[d];
        positions *= left < n->inside->block[d] ? left : n->inside->block[d];
    }
    return positions;
}

/* A block: how much of it is there, as a shade. */
static void network_draw_block(const struct network_links *n, int32_t number)
{
    static const char *const shades[] = {"#ffffff", "#eaf0f6", "#c9d8e6", "#a3bcd4", "#7d9fc1"};
    const struct layout_cell *cell = &n->inside->cell[number];
    int64_t positions = network_block_size(n, number);
    int64_t shade = cell->count ? 1 + cell->count * 3 / positions : 0;
    struct picture_item box = {.kind = PICTURE_BOX,
                               .x = n->x + cell->x,
                               .y = n->y + cell->y,
                               .to_x = n->x + cell->x + cell->width,
                               .to_y = n->y + cell->y + cell->height,
                               .thickness = 0.6,
                               .stroke = "#667788"};
    snprintf(box.fill, sizeof box.fill, "%s", shades[shade > 4 ? 4 : shade]);
    snprintf(box.text, sizeof box.text, "%d of %lld", (int)cell->count, (long long)positions);
    picture_add(n->layout->picture, &box);
}

/* A position where nothing is. */
static void network_draw_hole(const struct network_links *n, const struct layout_cell *cell)
{
    struct picture_item dot = {.kind = PICTURE_CIRCLE,
                               .x = n->x + cell->x + cell->width / 2,
                               .y = n->y + cell->y + cell->height / 2,
                               .to_x = 2.5,
                               .thickness = 0.6,
                               .fill = "#ffffff",
                               .stroke = "#999999"};
    picture_add(n->layout->picture, &dot);
}

void layout_draw_network(struct layout *layout, int level, int32_t object,
                         const struct layout_inside *inside, double x, double y)
{
    struct tmap_shape shape = {.size = sizeof shape};
    struct network_links n = {.layout = layout,
                              .shape = &shape,
                              .inside = inside,
                              .level = level,
                              .object = object,
                              .x = x,
                              .y = y};
    char text[DRAW_SHAPE_SIZE];
    tmap_tree_shape(layout->view->tree, level, &shape);
    if (network_is_grid(&shape))
        network_draw_grid(&n);
    else if (inside->cells <= NETWORK_MOST_GRAPH)
        draw_each_link(&shape, network_draw_chord, &n);
    else {
        draw_shape_text(layout->view, level, text);
        picture_text(layout->picture, x, y + 14, 10, text);
        return;
    }
    for (int32_t c = 0; c < inside->cells; c++) {
        const struct layout_cell *cell = &inside->cell[c];
        if (inside->is_blocks)
            network_draw_block(&n, c);
        else if (cell->count)
            layout_draw(layout, level + 1, cell->child, 1, x + cell->x, y + cell->y);
        else
            network_draw_hole(&n, cell);
    }
}
