/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.c - see picture.h. */
#include "draw/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void picture_free(struct picture *picture)
{
    free(picture->item);
    *picture = (struct picture){.items = 0};
}

void picture_add(struct picture *picture, const struct picture_item *item)
{
    if (array_add(&picture->item, &picture->items, item, sizeof *item)) {
        picture->is_short = 1;
        return;
    }
}

void picture_line(struct picture *picture, double x, double y, double to_x, double to_y,
                  double thickness, const char *color)
{
    struct picture_item line = {
        .kind = PICTURE_LINE, .x = x, .y = y, .to_x = to_x, .to_y = to_y, .thickness = thickness};
    snprintf(line.stroke, sizeof line.stroke, "%s", color);
    picture_add(picture, &line);
}

void picture_text(struct picture *picture, double x, double y, double size, const char *text)
{
    struct picture_item item = {
        .kind = PICTURE_TEXT, .x = x, .y = y, .to_x = size, .stroke = "#222222"};
    snprintf(item.text, sizeof item.text, "%s", text);
    picture_add(picture, &item);
}

void picture_box(struct picture *picture, const double corner[4], const char *fill,
                 const char *stroke)
{
    struct picture_item box = {.kind = PICTURE_BOX,
                               .x = corner[0],
                               .y = corner[1],
                               .to_x = corner[2],
                               .to_y = corner[3],
                               .thickness = stroke ? 1 : 0};
    snprintf(box.fill, sizeof box.fill, "%s", fill ? fill : "");
    snprintf(box.stroke, sizeof box.stroke, "%s", stroke ? stroke : "");
    picture_add(picture, &box);
}

void picture_put(struct picture *picture, const struct picture *other, double x, double y,
                 double scale)
{
    for (size_t i = 0; i < other->items; i++) {
        struct picture_item item = other->item[i];
        int has_end = item.kind == PICTURE_BOX || item.kind == PICTURE_LINE;
        item.x = x + scale * item.x;
        item.y = y + scale * item.y;
        item.to_x = (has_end ? x : 0) + scale * item.to_x; /* or a radius, or a size of letters */
        item.to_y = (has_end ? y : 0) + scale * item.to_y;
        item.thickness *= scale;
        picture_add(picture, &item);
    }
    picture->is_short |= other->is_short;
}

static int picture_is_plain_box(const struct picture_item *item)
{
    return item->kind == PICTURE_BOX && item->fill[0] && item->thickness <= 0 && !item->text[0];
}

/* Number of items from number `first` on that are boxes of one color without outline and text,
 * which can be written as one form; 0: it is no such box. */
static size_t picture_same_boxes(const struct picture *picture, size_t first)
{
    size_t count = 0;
    const struct picture_item *item = &picture->item[first];
    while (first + count < picture->items && picture_is_plain_box(&item[count]) &&
           strcmp(item[count].fill, item->fill) == 0)
        count++;
    return count;
}

double picture_text_width(const char *text, double size)
{
    return 0.58 * size * (double)strlen(text);
}

/* ---- SVG ---- */

static void picture_escape(FILE *file, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '&' || *text == '>')
            fprintf(file, "&#%d;", *text);
        else if ((unsigned char)*text >= ' ' && (unsigned char)*text < 0x7f)
            fputc(*text, file);
        else
            fputc('?', file);
}

static void picture_svg_style(FILE *file, const struct picture_item *item)
{
    fprintf(file, " fill=\"%s\"", item->fill[0] ? item->fill : "none");
    if (item->thickness > 0)
        fprintf(file, " stroke=\"%s\" stroke-width=\"%.6g\"", item->stroke, item->thickness);
}

/* The end of an element: what a pointer that rests on it is told. */
static void picture_svg_end(FILE *file, const struct picture_item *item, const char *element)
{
    if (!item->text[0]) {
        fputs("/>\n", file);
        return;
    }
    fputs("><title>", file);
    picture_escape(file, item->text);
    fprintf(file, "</title></%s>\n", element);
}

static void picture_svg_item(FILE *file, const struct picture_item *item)
{
    switch (item->kind) {
    case PICTURE_BOX:
        fprintf(file, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"", item->x,
                item->y, item->to_x - item->x, item->to_y - item->y);
        picture_svg_style(file, item);
        picture_svg_end(file, item, "rect");
        break;
    case PICTURE_CIRCLE:
        fprintf(file, "<circle cx=\"%.6g\" cy=\"%.6g\" r=\"%.6g\"", item->x, item->y, item->to_x);
        picture_svg_style(file, item);
        fputs("/>\n", file);
        break;
    case PICTURE_LINE:
        fprintf(file,
                "<line x1=\"%.6g\" y1=\"%.6g\" x2=\"%.6g\" y2=\"%.6g\" stroke=\"%s\" "
                "stroke-width=\"%.6g\"",
                item->x, item->y, item->to_x, item->to_y, item->stroke, item->thickness);
        picture_svg_end(file, item, "line");
        break;
    case PICTURE_TEXT:
        fprintf(file, "<text x=\"%.6g\" y=\"%.6g\" font-size=\"%.6g\" fill=\"%s\">", item->x,
                item->y, item->to_x, item->stroke);
        picture_escape(file, item->text);
        fputs("</text>\n", file);
        break;
    }
}

static void picture_svg_boxes(FILE *file, const struct picture_item *item, size_t count)
{
    fprintf(file, "<path fill=\"%s\" d=\"", item->fill);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "M%.6g %.6gH%.6gV%.6gH%.6gz", item[i].x, item[i].y, item[i].to_x,
                item[i].to_y, item[i].x);
    fputs("\"/>\n", file);
}

void picture_write_svg(FILE *file, const struct picture *picture)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            picture->width, picture->height, picture->width, picture->height);
    for (size_t i = 0, same; i < picture->items; i += same ? same : 1) {
        same = picture_same_boxes(picture, i);
        if (same > 1)
            picture_svg_boxes(file, &picture->item[i], same);
        else
            picture_svg_item(file, &picture->item[i]);
    }
    fputs("</svg>\n", file);
}
