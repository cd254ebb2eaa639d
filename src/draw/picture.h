/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.h - a picture as a list of boxes, lines and texts, which one can write in any form. */
#ifndef RESEAT_PICTURE_H
#define RESEAT_PICTURE_H

#include <stddef.h>
#include <stdio.h>

enum picture_kind {
    PICTURE_BOX,    /* x, y: upper left corner; to_x, to_y: lower right one */
    PICTURE_CIRCLE, /* x, y: center; to_x: radius */
    PICTURE_LINE,   /* from x, y to to_x, to_y */
    PICTURE_TEXT    /* x, y: left end of the line on which it stands; to_x: size of letters */
};

enum { PICTURE_COLOR_SIZE = 8, PICTURE_TEXT_SIZE = 128 };

struct picture_item {
    enum picture_kind kind;
    double x, y, to_x, to_y;
    double thickness;              /* of the outline, or the line; 0: none */
    char fill[PICTURE_COLOR_SIZE]; /* "#rrggbb"; empty: none. Texts have the color of `stroke` */
    char stroke[PICTURE_COLOR_SIZE];
    char text[PICTURE_TEXT_SIZE]; /* of a text; else what it is, for a pointer that rests on it */
};

/* Later items cover earlier ones. All zeros: an empty picture. */
struct picture {
    struct picture_item *item;
    size_t items;
    double width, height;
    int is_short; /* out of memory: something is missing */
};

void picture_free(struct picture *picture);
void picture_add(struct picture *picture, const struct picture_item *item);

/* The items that every picture has. */
void picture_line(struct picture *picture, double x, double y, double to_x, double to_y,
                  double thickness, const char *color);
void picture_text(struct picture *picture, double x, double y, double size, const char *text);
/* A box by its upper left and lower right corners; NULL: no `fill`, or no outline. */
void picture_box(struct picture *picture, const double corner[4], const char *fill,
                 const char *stroke);

/* Add all of another picture, `scale` times as large, with its upper left corner at x, y. */
void picture_put(struct picture *picture, const struct picture *other, double x, double y,
                 double scale);

/* About how wide a text is. */
double picture_text_width(const char *text, double size);

/* As SVG; the caller checks `file` for write errors. */
void picture_write_svg(FILE *file, const struct picture *picture);

/* As PNG, by cairo: in a module of its own, reseat-cairo.so, which is found by this name. 0, or
 * -1. */
int picture_write_png(FILE *file, const struct picture *picture);
typedef int picture_write_png_fn(FILE *file, const struct picture *picture);

#endif
