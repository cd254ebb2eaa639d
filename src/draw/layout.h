/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - where the parts of a machine are in its picture. An object is a box around its
 * children: in rows; on a torus or mesh in planes of its last two dimensions; in another network on
 * a circle.
 *
 * Machines can be larger than pictures. From a level on where there would be too many boxes, either
 * what is built alike is drawn once with its number ("24 x node"), or, inside many small boxes,
 * nothing. A large torus or mesh is drawn in blocks of positions.
 */
#ifndef RESEAT_LAYOUT_H
#define RESEAT_LAYOUT_H

#include "draw/links.h"
#include "draw/outline.h"
#include "draw/picture.h"
#include "draw/view.h"

enum { LAYOUT_MOST_BOXES = 2500, LAYOUT_MOST_FOLDED = 64, LAYOUT_MOST_KINDS = 8 };
/* Characters of a host's name that are shown. */
enum { LAYOUT_LONGEST_NAME = 100 };

struct layout {
    const struct draw_view *view;
    struct draw_outline outline;
    struct draw_loads loads;
    struct picture *picture;
    int last; /* level of the innermost boxes */
    unsigned char
        is_folded[TMAP_MAX_LEVELS]; /* by level: of its children, each kind is drawn once */
    double leaf_width, leaf_height;
    int is_labelled; /* innermost boxes have a text */
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

/* The color and thickness of a link. */
const char *layout_link_style(const struct layout *layout, double load, double *thickness);

#endif
