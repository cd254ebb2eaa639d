/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - where the parts of a machine are in its picture. An object is a box around its
 * children: in rows; on a torus or mesh in planes of its last two dimensions; in another network on
 * a circle.
 *
 * Machines can be larger than pictures. From a level on where there would be too many boxes, either
 * what is built alike is drawn once with its number ("24 x node"), or, inside many small boxes,
 * nothing. A large torus or mesh is drawn in blocks of positions. Of traffic fewer boxes can be
 * compared: the innermost ones say what is in them and what they exchange with the others.
 */
#ifndef RESEAT_LAYOUT_H
#define RESEAT_LAYOUT_H

#include "draw/diagram.h"
#include "draw/links.h"
#include "draw/outline.h"
#include "draw/picture.h"
#include "draw/view.h"

enum { LAYOUT_MOST_BOXES = 2500, LAYOUT_MOST_FOLDED = 64, LAYOUT_MOST_KINDS = 8 };
/* From so many boxes on what carries traffic is summed up. */
enum { LAYOUT_MANY_LOADS = 256 };
/* Characters of a host's name that are shown. */
enum { LAYOUT_LONGEST_NAME = 100 };

struct layout {
    const struct draw_view *view;
    struct draw_outline outline;
    struct draw_loads loads;
    struct picture *picture;
    diagram_amount_fn *amount;
    int last; /* level of the innermost boxes */
    unsigned char
        is_folded[TMAP_MAX_LEVELS]; /* by level: of its children, each kind is drawn once */
    double leaf_width, leaf_height;
    int is_labelled; /* innermost boxes have a text */
    int is_summed;   /* ... of several lines: what is in them, and their traffic */
    int is_short;    /* out of memory */
};

/* A child of an object, relative to what is inside the object's box. */
struct layout_cell {
    int32_t child;
    int32_t count; /* how many it stands for; 0: none, and child -1: a position where nothing is */
    double x, y, width, height;
};

/* The contents of a box. */
struct layout_inside {
    struct layout_cell *cell;
    int32_t cells;
    double width, height;
    /* Torus and mesh: the extents of blocks of positions (all 1: each position is a cell), and how
     * many blocks there are. Cells are row-major; in other networks, one for each position. */
    int32_t block[TMAP_MAX_DIMENSIONS];
    int32_t extent[TMAP_MAX_DIMENSIONS];
    int is_blocks;
};

/* The children of an object; the caller frees `cell`. 0, or -1 if out of memory. */
int layout_arrange(struct layout *layout, int level, int32_t object, struct layout_inside *inside);
/* Put cells, which have their sizes, into rows, and find the size of all. */
void layout_rows(struct layout_inside *inside);
/* As layout_arrange, for a level with a shape (layout-network.c). */
int layout_arrange_network(struct layout *layout, int level, int32_t object,
                           struct layout_inside *inside);

/* The size of an object's box. */
void layout_measure(struct layout *layout, int level, int32_t object, double *width,
                    double *height);

/* Draw a network and what is at its positions; its inside begins at x, y. */
void layout_draw_network(struct layout *layout, int level, int32_t object,
                         const struct layout_inside *inside, double x, double y);

/* Draw an object's box with its upper left corner at x, y. `count` as in layout_cell. */
void layout_draw(struct layout *layout, int level, int32_t object, int32_t count, double x,
                 double y);

/* Draw a link that carries `load` between the ends of `line`. */
void layout_draw_link(struct layout *layout, const struct picture_item *line, double load);

/* The texts of a summed box: its label, what is in it, its traffic (empty: none). */
enum { LAYOUT_LINES = 3 };
void layout_sum(const struct layout *layout, int level, int32_t object,
                char line[LAYOUT_LINES][PICTURE_TEXT_SIZE]);

#endif
