/* SPDX-License-Identifier: BSD-3-Clause */
/* chart-frame.h - what all charts of chart.h have: title, legend, axes, and where values are
 * between them. */
#ifndef RESEAT_CHART_FRAME_H
#define RESEAT_CHART_FRAME_H

#include "draw/chart.h"

/* Sizes of letters. */
enum { CHART_TITLE = 13, CHART_TEXT = 11, CHART_TICK = 10 };

/* The values that have to have a place: from the least to the most. */
struct chart_range {
    double least, most; /* NaN: none so far */
};
void chart_widen(struct chart_range *range, const struct chart_axis *axis, double value);

struct chart_frame {
    struct picture *picture;
    struct draw_axis across, up;
    double left, top, right, bottom; /* of what is between the axes */
};

/* The names of the legend: `name` of the thing number i. */
typedef const char *chart_name_fn(const void *things, int i);
struct chart_legend {
    const void *things;
    chart_name_fn *name; /* NULL: there is no legend */
    int count;
};

/* Draw the frame of a chart. `across`, `up`: the values; `across` NULL: that axis has no ticks. */
void chart_frame_draw(struct chart_frame *frame, struct picture *picture, const struct chart *chart,
                      const struct chart_legend *legend, const struct chart_range *across,
                      const struct chart_range *up);

/* Positions of values; a value that is not on the axis is at its end. */
double chart_frame_x(const struct chart_frame *frame, double value);
double chart_frame_y(const struct chart_frame *frame, double value);

/* Returns 1 if a value has a place on an axis of that scale. */
int chart_has_place(enum axis_scale scale, double value);

/* The marker of the thing number `index`. */
void chart_mark(struct picture *picture, int index, double x, double y);

/* A text, cut where it would be wider than `width`. */
void chart_text_within(struct picture *picture, double x, double y, double width, double size,
                       const char *text);

#endif
