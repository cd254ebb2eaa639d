/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.c - see axis.h. */
#include "draw/axis.h"

#include <math.h>
#include <stdio.h>

/* The part of a step that is forgiven at both ends, so that 0.3 / 0.1 is 3. */
static const double axis_slack = 1e-6;

struct axis_step axis_step_above(double least)
{
    static const int digits[] = {1, 2, 5};
    if (!(least > 0))
        least = 1;
    least = fmin(fmax(least, AXIS_SMALLEST), AXIS_LARGEST) * (1 - 1e-9);
    for (int exponent = (int)floor(log10(least)) - 1;; exponent++)
        for (int i = 0; i < 3; i++) {
            struct axis_step step = {digits[i], exponent};
            if (axis_multiple(step, 1) >= least)
                return step;
        }
}

double axis_multiple(struct axis_step step, double times)
{
    double power = 1;
    for (int i = step.exponent < 0 ? -step.exponent : step.exponent; i > 0; i--)
        power *= 10;
    return step.exponent < 0 ? times * step.digit / power : times * step.digit * power;
}

const char *axis_percent(double value, char text[32])
{
    snprintf(text, 32, "%.6g %%", 100 * value);
    return text;
}

static void axis_add(struct draw_axis *axis, double at)
{
    if (axis->ticks < AXIS_MOST_TICKS)
        axis->at[axis->ticks++] = at;
}

static void axis_fit_linear(struct draw_axis *axis, double least, double most, int wanted)
{
    double size = fmax(fabs(least), fabs(most));
    if (most - least <= 1e-9 * size) {
        least -= size / 10;
        most += size > 0 ? size / 10 : 1;
    }
    struct axis_step step = axis_step_above((most - least) / wanted);
    double length = axis_multiple(step, 1);
    double last = ceil(most / length - axis_slack);
    for (double i = floor(least / length + axis_slack); i <= last; i++)
        axis_add(axis, axis_multiple(step, i));
}

/* Of 1, 2 and 5 times the powers of ten: from the last one that is not above `least`, to the first
 * one that is not below `most`. */
static void axis_fit_finely(struct draw_axis *axis, double least, double most)
{
    struct axis_step step = axis_step_above(least);
    if (axis_multiple(step, 1) > least * (1 + axis_slack))
        step = step.digit == 1 ? (struct axis_step){5, step.exponent - 1}
                               : (struct axis_step){step.digit == 2 ? 1 : 2, step.exponent};
    axis_add(axis, axis_multiple(step, 1));
    do {
        step = step.digit == 5 ? (struct axis_step){1, step.exponent + 1}
                               : (struct axis_step){step.digit == 1 ? 2 : 5, step.exponent};
        axis_add(axis, axis_multiple(step, 1));
    } while (axis_multiple(step, 1) < most * (1 - axis_slack));
}

static void axis_fit_powers(struct draw_axis *axis, double least, double most, int wanted)
{
    double base = axis->scale == AXIS_DOUBLINGS ? 2 : 10;
    int first = (int)floor(log(least) / log(base) + axis_slack);
    int last = (int)ceil(log(most) / log(base) - axis_slack);
    if (base == 10 && last - first <= 2) {
        axis_fit_finely(axis, least, most);
        return;
    }
    last = last > first ? last : first + 1;
    int stride = (last - first + wanted - 1) / wanted;
    for (int e = first; e < last + stride; e += stride)
        axis_add(axis, base == 2 ? ldexp(1, e) : axis_multiple((struct axis_step){1, e}, 1));
}

/* Plain numbers. Ticks are at least a step apart, and `step` tells how many decimals that takes. */
static void axis_write_numbers(struct draw_axis *axis)
{
    double step = axis->at[1] - axis->at[0], size = fmax(fabs(axis->from), fabs(axis->to));
    int decimals = (int)ceil(-log10(step) - axis_slack);
    int is_plain = axis->scale == AXIS_LINEAR && decimals <= 6 && size < 1e7;
    for (int i = 0; i < axis->ticks; i++)
        if (is_plain)
            snprintf(axis->text[i], AXIS_TEXT_SIZE, "%.*f", decimals > 0 ? decimals : 0,
                     axis->at[i]);
        else
            snprintf(axis->text[i], AXIS_TEXT_SIZE, "%.7g", axis->at[i]);
}

void axis_fit(struct draw_axis *axis, enum axis_scale scale, double least, double most, int wanted,
              axis_text_fn *text)
{
    char room[32];
    *axis = (struct draw_axis){.scale = scale};
    wanted = wanted < 1 ? 1 : wanted > 12 ? 12 : wanted;
    most = isfinite(most) ? fmin(fmax(most, -AXIS_LARGEST), AXIS_LARGEST) : 0;
    least = isfinite(least) ? fmin(fmax(least, -AXIS_LARGEST), most) : fmin(0, most);
    if (scale == AXIS_LINEAR)
        axis_fit_linear(axis, least, most, wanted);
    else {
        most = most > 0 ? fmax(most, AXIS_SMALLEST) : 1;
        axis_fit_powers(axis, least > 0 ? fmax(least, AXIS_SMALLEST) : most / 1000, most, wanted);
    }
    axis->from = axis->at[0];
    axis->to = axis->at[axis->ticks - 1];
    if (!text)
        axis_write_numbers(axis);
    for (int i = 0; i < axis->ticks && text; i++)
        snprintf(axis->text[i], AXIS_TEXT_SIZE, "%s", text(axis->at[i], room));
}

enum axis_scale axis_scale_of_ratios(double least, double most)
{
    return most > 10 * least ? AXIS_DECADES : AXIS_LINEAR;
}

double axis_place(const struct draw_axis *axis, double value)
{
    if (axis->scale == AXIS_LINEAR)
        return (value - axis->from) / (axis->to - axis->from);
    return log(value / axis->from) / log(axis->to / axis->from);
}
