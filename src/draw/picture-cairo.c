/* SPDX-License-Identifier: BSD-3-Clause */
/* picture-cairo.c - a picture as PNG: the module reseat-cairo.so, the only thing that needs
 * cairo. */
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

#include "draw/picture.h"

/* Pixels for each unit; fewer where a picture would have more than MOST in a direction, or more
 * than CAIRO_MOST_PIXELS, of 4 bytes, in all. */
enum { CAIRO_SCALE = 2, CAIRO_MOST = 16000, CAIRO_MOST_PIXELS = 50000000 };

static cairo_status_t cairo_module_write(void *file, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                   : CAIRO_STATUS_WRITE_ERROR;
}

static void cairo_module_color(cairo_t *cairo, const char *color)
{
    unsigned long rgb = strtoul(color + (*color == '#'), NULL, 16);
    cairo_set_source_rgb(cairo, (double)(rgb >> 16 & 255) / 255, (double)(rgb >> 8 & 255) / 255,
                         (double)(rgb & 255) / 255);
}

/* Cairo refuses the whole picture if a text is not UTF-8, as a character that is cut: as in SVG
 * (picture.c). */
static void cairo_module_text(cairo_t *cairo, const struct picture_item *item)
{
    char text[PICTURE_TEXT_SIZE];
    size_t length = 0;
    for (; item->text[length]; length++)
        text[length] =
            item->text[length] >= ' ' && item->text[length] < 0x7f ? item->text[length] : '?';
    text[length] = '\0';
    cairo_module_color(cairo, item->stroke);
    cairo_set_font_size(cairo, item->to_x);
    cairo_move_to(cairo, item->x, item->y);
    cairo_show_text(cairo, text);
}

static void cairo_module_draw(cairo_t *cairo, const struct picture_item *item)
{
    cairo_new_path(cairo);
    switch (item->kind) {
    case PICTURE_BOX:
        cairo_rectangle(cairo, item->x, item->y, item->to_x - item->x, item->to_y - item->y);
        break;
    case PICTURE_CIRCLE:
        cairo_arc(cairo, item->x, item->y, item->to_x, 0, 6.2831853071795865);
        break;
    case PICTURE_LINE:
        cairo_move_to(cairo, item->x, item->y);
        cairo_line_to(cairo, item->to_x, item->to_y);
        break;
    case PICTURE_TEXT:
        cairo_module_text(cairo, item);
        return;
    }
    if (item->fill[0]) {
        cairo_module_color(cairo, item->fill);
        cairo_fill_preserve(cairo);
    }
    if (item->thickness > 0) {
        cairo_module_color(cairo, item->stroke);
        cairo_set_line_width(cairo, item->thickness);
        cairo_stroke(cairo);
    }
}

static double cairo_module_scale(const struct picture *picture)
{
    double scale = CAIRO_SCALE, pixels = CAIRO_MOST_PIXELS / (picture->width * picture->height);
    scale = fmin(scale, CAIRO_MOST / fmax(picture->width, picture->height));
    return fmin(scale, sqrt(pixels));
}

__attribute__((visibility("default"))) int picture_write_png(FILE *file,
                                                             const struct picture *picture)
{
    double scale = cairo_module_scale(picture);
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)(picture->width * scale) + 1, (int)(picture->height * scale) + 1);
    cairo_t *cairo = cairo_create(surface);
    cairo_scale(cairo, scale, scale);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    for (size_t i = 0; i < picture->items; i++)
        cairo_module_draw(cairo, &picture->item[i]);
    int rc = cairo_status(cairo) == CAIRO_STATUS_SUCCESS &&
                     cairo_surface_write_to_png_stream(surface, cairo_module_write, file) ==
                         CAIRO_STATUS_SUCCESS
                 ? 0
                 : -1;
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return rc;
}
