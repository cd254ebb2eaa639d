/* SPDX-License-Identifier: BSD-3-Clause */
/* chart-frame.c - see chart-frame.h. */
#include "draw/chart-frame.h"

#include <math.h>
#include <string.h>

/* Distances in the picture. */
enum { FRAME_EDGE = 6, FRAME_GAP = 5, FRAME_LEGEND_ROW = 16, FRAME_LEGEND_GAP = 14 };
enum { FRAME_UP_INTERVAL = 40, FRAME_ACROSS_INTERVAL = 60 };
/* Intervals of a small chart, where not all ticks have room for a text. */
enum { FRAME_FEW = 4 };

static const char *const frame_grid = "#dddddd", *const frame_line = "#444444",
                         *const frame_reference = "#888888";

const char *chart_color(int index)
{
    static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#e69f00",
                                         "#cc79a7", "#56b4e9", "#000000", "#f0e442"};
    return colors[index % (int)(sizeof colors / sizeof colors[0])];
}

/* ---- texts ---- */

void chart_text_within(struct picture *picture, double x, double y, double width, double size,
                       const char *text)
{
    char cut[PICTURE_TEXT_SIZE];
    size_t length = strlen(text);
    length = length < sizeof cut ? length : sizeof cut - 1;
    memcpy(cut, text, length);
    do
        cut[length] = '\0';
    while (picture_text_width(cut, size) > width && length-- > 0);
    if (cut[0])
        picture_text(picture, x, y, size, cut);
}

/* A text whose right end is at x. */
static void chart_text_before(struct picture *picture, double x, double y, double size,
                              const char *text)
{
    picture_text(picture, x - picture_text_width(text, size), y, size, text);
}

/* A text whose middle is at x. */
static void chart_text_around(struct picture *picture, double x, double y, double size,
                              const char *text)
{
    picture_text(picture, x - picture_text_width(text, size) / 2, y, size, text);
}

/* ---- values ---- */

int chart_has_place(enum axis_scale scale, double value)
{
    return fabs(value) <= AXIS_LARGEST && (scale == AXIS_LINEAR || value >= AXIS_SMALLEST);
}

void chart_widen(struct chart_range *range, const struct chart_axis *axis, double value)
{
    if (!chart_has_place(axis->scale, value))
        return;
    range->least = fmin(range->least, value);
    range->most = fmax(range->most, value);
}

static double frame_place(const struct draw_axis *axis, double value)
{
    if (!chart_has_place(axis->scale, value))
        return 0;
    return fmin(fmax(axis_place(axis, value), 0), 1);
}

double chart_frame_x(const struct chart_frame *frame, double value)
{
    return frame->left + (frame->right - frame->left) * frame_place(&frame->across, value);
}

double chart_frame_y(const struct chart_frame *frame, double value)
{
    return frame->bottom - (frame->bottom - frame->top) * frame_place(&frame->up, value);
}

/* ---- markers ---- */

void chart_mark(struct picture *picture, int index, double x, double y)
{
    enum { FORMS = 6 };
    static const double r = 3;
    int form = index % FORMS;
    const char *color = chart_color(index);
    struct picture_item item = {.kind = form % 2 ? PICTURE_BOX : PICTURE_CIRCLE, .thickness = 1.2};
    if (form >= 4) { /* a cross that stands, or lies */
        double dx = form == 4 ? r : r * 0.8, dy = form == 4 ? 0 : r * 0.8;
        picture_line(picture, x - dx, y - dy, x + dx, y + dy, 1.4, color);
        picture_line(picture, x + dy, y - dx, x - dy, y + dx, 1.4, color);
        return;
    }
    item.x = form % 2 ? x - r : x;
    item.y = form % 2 ? y - r : y;
    item.to_x = form % 2 ? x + r : r;
    item.to_y = y + r;
    snprintf(item.stroke, sizeof item.stroke, "%s", color);
    snprintf(item.fill, sizeof item.fill, "%s", form < 2 ? color : "#ffffff");
    picture_add(picture, &item);
}

/* ---- legend and axes ---- */

/* Draws the legend from `y` on; returns where it ends. */
static double frame_draw_legend(struct picture *picture, const struct chart *chart,
                                const struct chart_legend *legend, double y)
{
    double x = chart->x + FRAME_EDGE, end = chart->x + chart->width - FRAME_EDGE;
    int entries = 0;
    for (int i = 0; legend && i < legend->count; i++) {
        const char *name = legend->name(legend->things, i);
        double width = name ? 2 * FRAME_GAP + 6 + picture_text_width(name, CHART_TEXT) : 0;
        if (!name)
            continue;
        if (x + width > end && x > chart->x + FRAME_EDGE) {
            x = chart->x + FRAME_EDGE;
            y += FRAME_LEGEND_ROW;
        }
        chart_mark(picture, i, x + 4, y + 8);
        chart_text_within(picture, x + 12, y + 12, end - x - 12, CHART_TEXT, name);
        x += width + FRAME_LEGEND_GAP;
        entries++;
    }
    return entries ? y + FRAME_LEGEND_ROW : y;
}

static void frame_draw_up(const struct chart_frame *frame, const struct chart *chart)
{
    double last = frame->bottom + 2 * CHART_TICK;
    for (int i = 0; i < frame->up.ticks; i++) {
        double y = chart_frame_y(frame, frame->up.at[i]);
        picture_line(frame->picture, frame->left, y, frame->right, y, 0.6, frame_grid);
        if (last - y < CHART_TICK + 1)
            continue;
        chart_text_before(frame->picture, frame->left - FRAME_GAP, y + 0.35 * CHART_TICK,
                          CHART_TICK, frame->up.text[i]);
        last = y;
    }
    if (chart->up.reference != 0) {
        double y = chart_frame_y(frame, chart->up.reference);
        picture_line(frame->picture, frame->left, y, frame->right, y, 1.4, frame_reference);
    }
}

static void frame_draw_across(const struct chart_frame *frame, const struct chart *chart)
{
    double y = frame->bottom + CHART_TICK + 4, last = chart->x - 2 * FRAME_GAP;
    for (int i = 0; i < frame->across.ticks; i++) {
        double x = chart_frame_x(frame, frame->across.at[i]);
        double half = picture_text_width(frame->across.text[i], CHART_TICK) / 2;
        picture_line(frame->picture, x, frame->top, x, frame->bottom, 0.6, frame_grid);
        if (x - half < last + FRAME_GAP)
            continue;
        chart_text_around(frame->picture, x, y, CHART_TICK, frame->across.text[i]);
        last = x + half;
    }
    if (chart->across.reference != 0 && frame->across.ticks) {
        double x = chart_frame_x(frame, chart->across.reference);
        picture_line(frame->picture, x, frame->top, x, frame->bottom, 1.4, frame_reference);
    }
}

static void frame_fit(struct draw_axis *axis, const struct chart_axis *wish,
                      const struct chart_range *values, double length, double interval)
{
    struct chart_range range = *values;
    if (wish->from < wish->to) {
        chart_widen(&range, wish, wish->from);
        chart_widen(&range, wish, wish->to);
    }
    if (wish->reference != 0)
        chart_widen(&range, wish, wish->reference);
    if (isnan(range.most)) /* nothing to show */
        range = (struct chart_range){wish->scale == AXIS_LINEAR ? 0 : 1, wish->scale + 1};
    axis_fit(axis, wish->scale, range.least, range.most, (int)fmax(length / interval, FRAME_FEW),
             wish->text);
}

/* The widest text of the ticks. */
static double frame_tick_width(const struct draw_axis *axis)
{
    double widest = 0;
    for (int i = 0; i < axis->ticks; i++)
        widest = fmax(widest, picture_text_width(axis->text[i], CHART_TICK));
    return widest;
}

void chart_frame_draw(struct chart_frame *frame, struct picture *picture, const struct chart *chart,
                      const struct chart_legend *legend, const struct chart_range *across,
                      const struct chart_range *up)
{
    double y = chart->y + FRAME_EDGE, room = chart->width - 2 * FRAME_EDGE;
    double end = chart->y + chart->height - FRAME_EDGE;
    *frame = (struct chart_frame){.picture = picture};
    if (chart->title) {
        chart_text_within(picture, chart->x + FRAME_EDGE, y + CHART_TITLE - 2, room, CHART_TITLE,
                          chart->title);
        y += CHART_TITLE + FRAME_GAP;
    }
    y = frame_draw_legend(picture, chart, legend, y);
    if (chart->up.label) {
        chart_text_within(picture, chart->x + FRAME_EDGE, y + CHART_TEXT, room, CHART_TEXT,
                          chart->up.label);
        y += CHART_TEXT + FRAME_GAP;
    }
    if (chart->across.label)
        chart_text_around(picture, chart->x + chart->width / 2, end - 1, CHART_TEXT,
                          chart->across.label);
    frame->top = y + FRAME_GAP;
    frame->bottom = end - (chart->across.label ? CHART_TEXT + FRAME_GAP : 0) - CHART_TICK - 6;
    frame->bottom = fmax(frame->bottom, frame->top + 1);
    frame_fit(&frame->up, &chart->up, up, frame->bottom - frame->top, FRAME_UP_INTERVAL);
    frame->left = chart->x + FRAME_EDGE + frame_tick_width(&frame->up) + FRAME_GAP;
    frame->right = chart->x + chart->width - 2 * FRAME_EDGE;
    if (across) {
        frame_fit(&frame->across, &chart->across, across, frame->right - frame->left,
                  FRAME_ACROSS_INTERVAL);
        frame->right -= frame_tick_width(&frame->across) / 2;
    }
    frame->right = fmax(frame->right, frame->left + 1);
    frame_draw_up(frame, chart);
    frame_draw_across(frame, chart);
    picture_line(picture, frame->left, frame->top, frame->left, frame->bottom, 1, frame_line);
    picture_line(picture, frame->left, frame->bottom, frame->right, frame->bottom, 1, frame_line);
}
