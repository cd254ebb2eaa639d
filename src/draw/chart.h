/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chart.h - charts of numbers in a part of a picture: lines, empirical distributions, histograms,
 * box plots, bars, and the ratios of all pairs of several things.
 *
 *   struct picture picture = {.width = 640, .height = 400};
 *   struct chart chart = {.width = 640, .height = 400, .title = "Time to map",
 *                         .across = {.label = "ranks", .scale = AXIS_DOUBLINGS},
 *                         .up = {.label = "seconds", .scale = AXIS_DECADES, .text =
 *                         amount_seconds}};
 *   chart_draw_lines(&picture, &chart, series, count);
 *   picture_write_svg(file, &picture);
 *   picture_free(&picture);
 *
 * All that is drawn is inside the chart's part, whatever the numbers are. Where there are none,
 * only the axes are drawn. Numbers that have no place on an axis (not finite, beyond AXIS_LARGEST,
 * on a logarithmic one not above 0) are left out. If memory runs out, picture->is_short is set.
 *
 * Colors are those of Okabe and Ito (2008), which people can tell apart who see red and green
 * alike; and each thing has a marker of its own form, too.
 */
#ifndef RESEAT_CHART_H
#define RESEAT_CHART_H

#include <stddef.h>

#include "draw/axis.h"
#include "draw/picture.h"

struct chart_axis {
    const char *label; /* NULL: none */
    enum axis_scale scale;
    axis_text_fn *text; /* of the ticks; NULL: plain numbers */
    double from, to;    /* what it has at least; equal: what the values need */
    double reference;   /* a value that gets a line across the chart; 0: none */
};

struct chart {
    double x, y, width, height; /* its part of the picture; at least 120 x 90 */
    const char *title;          /* NULL: none */
    struct chart_axis across, up;
};

/* Of the thing number `index`, "#rrggbb"; there are eight. */
const char *chart_color(int index);

/* ---- lines ---- */

enum chart_style {
    CHART_LINE,  /* from point to point, each with a marker */
    CHART_STEPS, /* at the height of a point until the next one */
    CHART_MARKS  /* only markers */
};

/* Points, in ascending order of x. */
struct chart_series {
    const char *name; /* in the legend; NULL: not there */
    const double *x, *y;
    size_t count;
    enum chart_style style;
};

void chart_draw_lines(struct picture *picture, const struct chart *chart,
                      const struct chart_series *series, int count);

/* ---- distributions ---- */

/* Numbers that distribution_sort has sorted. */
struct chart_sample {
    const char *name;
    const double *sorted;
    size_t count;
};

/* The empirical distribution functions: at x, which share of the values is at most x, or
 * (`is_reaching`) at least x: "30 % of the cases gain 20 % or more". The axis up is the share, from
 * 0 to 1, and only its label counts. */
void chart_draw_shares(struct picture *picture, const struct chart *chart,
                       const struct chart_sample *sample, int count, int is_reaching);

/* The histogram of one sample, as shares of all values, and its empirical distribution function
 * over it. Axes as above; on a logarithmic one bins end at 1, 2 and 5 times powers of ten. */
void chart_draw_histogram(struct picture *picture, const struct chart *chart,
                          const struct chart_sample *sample);

/* Box plots (distribution.h), in groups from left to right: box b of group g is that of sample[g *
 * boxes + b]. The names of the first group are the legend; of the axis across only the label
 * counts. */
void chart_draw_boxes(struct picture *picture, const struct chart *chart,
                      const struct chart_sample *sample, int boxes, const char *const *group,
                      int groups);

/* ---- bars ---- */

/* Bars from left to right, in groups from top to bottom: that of thing b in group g is value[g *
 * count + b]. Values that are not finite have none, and of those below 0 only the number is
 * there. */
struct chart_bars {
    const char *const *group; /* their names */
    int groups;
    const char *const *name; /* of the things, for the legend; NULL: none */
    int count;               /* of them */
    const double *value;
    const char *const *color; /* of the things, "#rrggbb"; NULL: chart_color */
};

/* Of the axis across only `text` counts: what is written behind each bar. */
void chart_draw_bars(struct picture *picture, const struct chart *chart,
                     const struct chart_bars *bars);

/* A height at which the chart is easy to read. */
double chart_bars_height(const struct chart *chart, const struct chart_bars *bars);

const char *chart_bar_color(const struct chart_bars *bars, int bar);

/* ---- pairs ---- */

/* The figures of one of several methods in each of `cases` cases (NaN: not known). */
struct chart_method {
    const char *name;
    const double *taken;
};

/*
 * The ratios of all pairs of methods, as a table with the methods on its diagonal (Jeannot and
 * Mercier 2010, figure 3). Below it, in row r and column c: the histogram and the distribution of
 * taken[r] / taken[c], so that above 1 the method of the column is better. Above it, for the same
 * pair: which share of the ratios is above 1, and equal to it (within a billionth) if any is;
 * median, mean, least and most. Cases with a ratio that is not a number are left out. Of the axes
 * only the label across counts; ratios that differ by more than ten times have a logarithmic one.
 */
void chart_draw_pairs(struct picture *picture, const struct chart *chart,
                      const struct chart_method *method, int methods, size_t cases);

/* The numbers above: of the ratios, sorted. */
struct chart_ratios {
    size_t count, above, equal; /* all; above 1; 1 */
    double median, mean, least, most;
};
struct chart_ratios chart_sum_up_ratios(const double *sorted, size_t count);

/* taken[i] / than[i] of each case where that is a number and neither is 0 or less, sorted; *count
 * are how many. Allocated; NULL: out of memory. If both are 0, the ratio is 1. */
double *chart_ratios(const double *taken, const double *than, size_t cases, size_t *count);

#endif
