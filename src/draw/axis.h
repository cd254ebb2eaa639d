/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.h - the axis of a chart: what it covers, and ticks at numbers that people like. */
#ifndef RESEAT_AXIS_H
#define RESEAT_AXIS_H

enum axis_scale {
    AXIS_LINEAR,   /* ticks at multiples of 1, 2 or 5 times a power of ten */
    AXIS_DECADES,  /* logarithmic: at powers of ten, and 2 and 5 times these where there are few */
    AXIS_DOUBLINGS /* logarithmic: at powers of two, as of numbers of ranks */
};

/* Numbers beyond these limits do not occur in charts, and have no place on an axis. */
#define AXIS_LARGEST 1e280
#define AXIS_SMALLEST 1e-280

/* digit x 10^exponent; digit is 1, 2 or 5. */
struct axis_step {
    int digit, exponent;
};

/* The smallest step that is not below `least` (by more than a billionth), which is taken as 1 if it
 * is not above 0. */
struct axis_step axis_step_above(double least);

/* `times` steps, as near as a double can be: 3 x 0.1 is the number that is written 0.3. */
double axis_multiple(struct axis_step step, double times);

/* Names a value: returns `text`, or a text that stays valid. */
typedef const char *axis_text_fn(double value, char text[32]);

/* A fraction as percent: 0.25 is "25 %". */
const char *axis_percent(double value, char text[32]);

enum { AXIS_MOST_TICKS = 16, AXIS_TEXT_SIZE = 32 };

struct draw_axis {
    enum axis_scale scale;
    double from, to; /* the first tick and the last one */
    int ticks;       /* 2 or more, ascending */
    double at[AXIS_MOST_TICKS];
    char text[AXIS_MOST_TICKS][AXIS_TEXT_SIZE];
};

/*
 * An axis from `least` to `most`, rounded outwards to ticks; about `wanted` (1 to 12) intervals,
 * and at least as long as one tick, also if there is only one value. Numbers that are not finite
 * are taken as 0, and on a logarithmic axis those that are not above 0 as a thousandth of `most`,
 * or 1. `text` NULL: ticks are plain numbers, with as many decimals as tell them apart.
 */
void axis_fit(struct draw_axis *axis, enum axis_scale scale, double least, double most, int wanted,
              axis_text_fn *text);

/* The scale for ratios: AXIS_DECADES if `most` is more than ten times `least`. On a linear axis
 * most of them would be one line beside one that is large. */
enum axis_scale axis_scale_of_ratios(double least, double most);

/* Position of a value: 0 at `from`, 1 at `to`. On a logarithmic axis it has to be above 0. */
double axis_place(const struct draw_axis *axis, double value);

#endif
