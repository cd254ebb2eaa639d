/* SPDX-License-Identifier: BSD-3-Clause */
/* chart-bars.c - bars of chart.h: groups from top to bottom, a bar for each thing. */
#include <math.h>

#include "draw/chart-frame.h"

enum { BARS_EDGE = 6, BARS_GAP = 8, BARS_LEGEND = 20 };

/* Positions of the parts of the chart. */
struct bars_place {
    double left, right, top, row; /* a row is as high as a group, with its gap */
};

/* Returns where it ends. */
static double bars_draw_head(struct picture *picture, const struct chart *chart,
                             const struct chart_bars *bars)
{
    double x = chart->x + BARS_EDGE, y = chart->y + BARS_EDGE, end = chart->x + chart->width;
    if (chart->title) {
        chart_text_within(picture, x, y + CHART_TITLE - 2, chart->width - 2 * BARS_EDGE,
                          CHART_TITLE, chart->title);
        y += CHART_TITLE + 5;
    }
    for (int b = 0; b < bars->count && bars->name && bars->count > 1; b++) {
        if (x + 14 > end - BARS_EDGE)
            break;
        picture_box(picture, (double[]){x, y + 3, x + 10, y + 13}, chart_bar_color(bars, b), NULL);
        chart_text_within(picture, x + 14, y + 12, end - BARS_EDGE - x - 14, CHART_TEXT,
                          bars->name[b]);
        x += 14 + picture_text_width(bars->name[b], CHART_TEXT) + 2 * BARS_GAP;
    }
    return bars->name && bars->count > 1 ? y + BARS_LEGEND : y;
}

const char *chart_bar_color(const struct chart_bars *bars, int bar)
{
    return bars->color ? bars->color[bar] : chart_color(bar);
}

/* The widest of the names of the groups, at most two fifths of the chart. */
static double bars_name_width(const struct chart *chart, const struct chart_bars *bars)
{
    double widest = 0;
    for (int g = 0; g < bars->groups; g++)
        widest = fmax(widest, picture_text_width(bars->group[g], CHART_TEXT));
    return fmin(widest, 0.4 * chart->width);
}

static double bars_most(const struct chart_bars *bars)
{
    double most = 0;
    for (int i = 0; i < bars->groups * bars->count; i++)
        if (chart_has_place(AXIS_LINEAR, bars->value[i]))
            most = fmax(most, bars->value[i]);
    return most;
}

static const char *bars_text(const struct chart *chart, double value, char text[32])
{
    if (chart->across.text)
        return chart->across.text(value, text);
    snprintf(text, 32, "%.4g", value);
    return text;
}

static void bars_draw_group(struct picture *picture, const struct chart *chart,
                            const struct chart_bars *bars, const struct bars_place *place, int g)
{
    double top = place->top + g * place->row, most = bars_most(bars);
    double height = (place->row - BARS_GAP) / bars->count;
    chart_text_within(picture, chart->x + BARS_EDGE, top + (place->row - BARS_GAP) / 2 + 4,
                      place->left - chart->x - 2 * BARS_EDGE, CHART_TEXT, bars->group[g]);
    for (int b = 0; b < bars->count; b++) {
        double value = bars->value[g * bars->count + b], y = top + b * height;
        char text[32];
        if (!chart_has_place(AXIS_LINEAR, value))
            continue;
        double end =
            place->left + (most > 0 ? fmax(value, 0) / most : 0) * (place->right - place->left);
        if (value > 0)
            picture_box(picture, (double[]){place->left, y, end, y + height - 1.5},
                        chart_bar_color(bars, b), NULL);
        picture_text(picture, end + 5, y + height / 2 + 3, CHART_TICK,
                     bars_text(chart, value, text));
    }
}

double chart_bars_height(const struct chart *chart, const struct chart_bars *bars)
{
    return 2 * BARS_EDGE + (chart->title ? CHART_TITLE + 5 : 0) +
           (bars->name && bars->count > 1 ? BARS_LEGEND : 0) + 6 +
           bars->groups * (14.0 * bars->count + BARS_GAP);
}

void chart_draw_bars(struct picture *picture, const struct chart *chart,
                     const struct chart_bars *bars)
{
    struct bars_place place = {.top = bars_draw_head(picture, chart, bars) + 6};
    double widest = 0;
    char text[32];
    for (int i = 0; i < bars->groups * bars->count; i++)
        widest =
            fmax(widest, picture_text_width(bars_text(chart, bars->value[i], text), CHART_TICK));
    if (bars->groups == 0 || bars->count == 0)
        return;
    place.left = chart->x + 2 * BARS_EDGE + bars_name_width(chart, bars) + BARS_EDGE;
    place.right = fmax(chart->x + chart->width - BARS_EDGE - widest - 5, place.left + 1);
    place.row = (chart->y + chart->height - BARS_EDGE - place.top) / bars->groups;
    for (int g = 0; g < bars->groups; g++)
        bars_draw_group(picture, chart, bars, &place, g);
    picture_line(picture, place.left, place.top - 3, place.left,
                 place.top + bars->groups * place.row - BARS_GAP + 3, 1, "#444444");
}
