/* SPDX-License-Identifier: BSD-3-Clause */
/* chart-curves.c - lines, steps and marks of chart.h; distribution functions, which are steps. */
#include <math.h>

#include "draw/chart-frame.h"
#include "draw/distribution.h"

static const double curves_thickness = 1.8;

/* A line that goes on from where the last point was. */
struct curves_pen {
    const struct chart_frame *frame;
    const char *color;
    double x, y;
    double height; /* of steps: to which it goes, at x, before it goes on */
    int is_down;   /* there was a point */
};

static void curves_go(struct curves_pen *pen, double x, double y)
{
    if (pen->is_down)
        picture_line(pen->frame->picture, pen->x, pen->y, x, y, curves_thickness, pen->color);
    pen->x = x;
    pen->y = pen->height = y;
    pen->is_down = 1;
}

/* To a new height at x. Steps that are narrower than a part of a pixel become one, with one
 * line. */
static void curves_step(struct curves_pen *pen, double x, double y)
{
    if (!pen->is_down) {
        curves_go(pen, x, y);
    } else if (x - pen->x >= 0.4) {
        curves_go(pen, pen->x, pen->height);
        curves_go(pen, x, pen->height);
    }
    pen->height = y;
}

static void curves_draw_series(const struct chart_frame *frame, const struct chart_series *series,
                               int index)
{
    struct curves_pen pen = {.frame = frame, .color = chart_color(index)};
    for (size_t i = 0; i < series->count; i++) {
        double x = series->x[i], y = series->y[i];
        if (!chart_has_place(frame->across.scale, x) || !chart_has_place(frame->up.scale, y))
            continue;
        x = chart_frame_x(frame, x);
        y = chart_frame_y(frame, y);
        if (series->style == CHART_LINE)
            curves_go(&pen, x, y);
        else if (series->style == CHART_STEPS)
            curves_step(&pen, x, y);
        if (series->style != CHART_STEPS)
            chart_mark(frame->picture, index, x, y);
    }
    if (series->style == CHART_STEPS && pen.is_down)
        curves_go(&pen, pen.x, pen.height);
}

static const char *curves_series_name(const void *series, int i)
{
    return ((const struct chart_series *)series)[i].name;
}

void chart_draw_lines(struct picture *picture, const struct chart *chart,
                      const struct chart_series *series, int count)
{
    struct chart_frame frame;
    struct chart_range across = {NAN, NAN}, up = {NAN, NAN};
    struct chart_legend legend = {series, curves_series_name, count};
    for (int s = 0; s < count; s++)
        for (size_t i = 0; i < series[s].count; i++)
            if (chart_has_place(chart->across.scale, series[s].x[i]) &&
                chart_has_place(chart->up.scale, series[s].y[i])) {
                chart_widen(&across, &chart->across, series[s].x[i]);
                chart_widen(&up, &chart->up, series[s].y[i]);
            }
    chart_frame_draw(&frame, picture, chart, &legend, &across, &up);
    for (int s = 0; s < count; s++)
        curves_draw_series(&frame, &series[s], s);
}

/* ---- distribution functions ---- */

static const char *curves_sample_name(const void *sample, int i)
{
    return ((const struct chart_sample *)sample)[i].name;
}

/* `is_reaching`: the share that is at least x, otherwise the one that is at most x. */
static void curves_draw_distribution(const struct chart_frame *frame,
                                     const struct chart_sample *sample, int index, int is_reaching)
{
    struct curves_pen pen = {.frame = frame, .color = chart_color(index)};
    double count = (double)sample->count;
    size_t i = 0;
    if (sample->count == 0)
        return;
    while (i < sample->count && !chart_has_place(frame->across.scale, sample->sorted[i]))
        i++; /* left of a logarithmic axis */
    curves_go(&pen, frame->left,
              chart_frame_y(frame, is_reaching ? 1 - (double)i / count : (double)i / count));
    for (; i < sample->count; i++) {
        double share = (double)(i + 1) / count;
        curves_step(&pen, chart_frame_x(frame, sample->sorted[i]),
                    chart_frame_y(frame, is_reaching ? 1 - share : share));
    }
    curves_go(&pen, pen.x, pen.height);
    curves_go(&pen, frame->right, pen.height);
}

void chart_draw_shares(struct picture *picture, const struct chart *chart,
                       const struct chart_sample *sample, int count, int is_reaching)
{
    struct chart_frame frame;
    struct chart shares = *chart;
    struct chart_range across = {NAN, NAN}, up = {0, 1};
    struct chart_legend legend = {sample, curves_sample_name, count};
    shares.up = (struct chart_axis){.label = chart->up.label, .text = axis_percent};
    for (int s = 0; s < count; s++)
        for (size_t i = 0; i < sample[s].count; i++)
            chart_widen(&across, &chart->across, sample[s].sorted[i]);
    chart_frame_draw(&frame, picture, &shares, &legend, &across, &up);
    for (int s = 0; s < count; s++)
        curves_draw_distribution(&frame, &sample[s], s, is_reaching);
}

/* ---- histograms ---- */

/* Edges of 1, 2 and 5 times the powers of ten are at most DISTRIBUTION_MOST_BINS up to here. */
#define MOST_FINE 1e20

/* On a logarithmic axis edges are 1, 2 and 5 times the powers of ten, or its ticks, where those
 * would be too many. */
static void chart_find_bins(struct distribution_bins *bins, const struct chart_sample *sample,
                            enum axis_scale scale)
{
    const double *value = sample->sorted;
    size_t count = sample->count, below = distribution_below(value, count, AXIS_SMALLEST);
    struct draw_axis axis;
    if (scale == AXIS_LINEAR) {
        distribution_bins(value, count, bins);
        return;
    }
    *bins = (struct distribution_bins){.bins = 0};
    if (below == count)
        return;
    axis_fit(&axis, scale, value[below], value[count - 1], AXIS_MOST_TICKS, NULL);
    int is_fine =
        scale == AXIS_DECADES && axis.to <= AXIS_LARGEST && axis.to / axis.from < MOST_FINE;
    bins->edge[0] = axis.from;
    for (int b = 0; bins->edge[b] < axis.to; b++) {
        double next =
            is_fine ? axis_multiple(axis_step_above(1.1 * bins->edge[b]), 1) : axis.at[b + 1];
        size_t end = next < axis.to ? distribution_below(value, count, next) : count;
        bins->edge[++bins->bins] = next;
        bins->count[b] = end - below;
        below = end;
    }
}

/* Draw what chart_draw_histogram draws into a frame whose axis across has places for all values. */
static void chart_fill_histogram(const struct chart_frame *frame, const struct chart_sample *sample,
                                 const struct distribution_bins *bins)
{
    for (int b = 0; b < bins->bins; b++) {
        double share = (double)bins->count[b] / (double)sample->count;
        struct picture_item box = {.kind = PICTURE_BOX,
                                   .x = chart_frame_x(frame, bins->edge[b]),
                                   .y = chart_frame_y(frame, share),
                                   .to_x = chart_frame_x(frame, bins->edge[b + 1]),
                                   .to_y = frame->bottom,
                                   .thickness = 0.6,
                                   .fill = "#a6cbe3",
                                   .stroke = "#ffffff"};
        if (bins->count[b] == 0)
            continue;
        snprintf(box.text, sizeof box.text, "%.6g to %.6g: %zu of %zu", bins->edge[b],
                 bins->edge[b + 1], bins->count[b], sample->count);
        picture_add(frame->picture, &box);
    }
    curves_draw_distribution(frame, sample, 1, 0);
}

void chart_draw_histogram(struct picture *picture, const struct chart *chart,
                          const struct chart_sample *sample)
{
    struct chart_frame frame;
    struct chart shares = *chart;
    struct chart_range across = {NAN, NAN}, up = {0, 1};
    struct distribution_bins bins;
    chart_find_bins(&bins, sample, chart->across.scale);
    shares.up = (struct chart_axis){.label = chart->up.label, .text = axis_percent};
    if (bins.bins) {
        chart_widen(&across, &shares.across, bins.edge[0]);
        chart_widen(&across, &shares.across, bins.edge[bins.bins]);
    }
    chart_frame_draw(&frame, picture, &shares, NULL, &across, &up);
    chart_fill_histogram(&frame, sample, &bins);
}
