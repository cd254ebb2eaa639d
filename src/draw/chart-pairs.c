/* SPDX-License-Identifier: BSD-3-Clause */
/* chart-pairs.c - the ratios of all pairs of methods, as a table of small charts. */
#include <math.h>
#include <stdlib.h>

#include "draw/chart-frame.h"
#include "draw/distribution.h"

/* Ratios that differ from 1 by less are 1: sums of doubles in another order. */
static const double pairs_equal = 1e-9;

struct chart_ratios chart_sum_up_ratios(const double *sorted, size_t count)
{
    struct chart_ratios r = {.count = count, .least = NAN, .most = NAN};
    size_t up_to = distribution_up_to(sorted, count, 1 + pairs_equal);
    r.median = distribution_quantile(sorted, count, 0.5);
    r.mean = distribution_mean(sorted, count);
    r.above = count - up_to;
    r.equal = up_to - distribution_below(sorted, count, 1 - pairs_equal);
    if (count) {
        r.least = sorted[0];
        r.most = sorted[count - 1];
    }
    return r;
}

double *chart_ratios(const double *taken, const double *than, size_t cases, size_t *count)
{
    double *ratio = malloc((cases ? cases : 1) * sizeof *ratio);
    if (!ratio)
        return NULL;
    for (size_t i = 0; i < cases; i++)
        ratio[i] = taken[i] == than[i]            ? (taken[i] >= 0 ? 1 : NAN)
                   : taken[i] >= 0 && than[i] > 0 ? taken[i] / than[i]
                                                  : NAN;
    *count = distribution_sort(ratio, cases);
    return ratio;
}

/* A cell of the table. */
struct pairs_cell {
    struct picture *picture;
    double x, y, width, height;
};

static void pairs_draw_numbers(const struct pairs_cell *cell, const double *sorted, size_t count)
{
    struct chart_ratios r = chart_sum_up_ratios(sorted, count);
    char text[5][64];
    int lines = 0;
    double all = count ? (double)count : 1, y = cell->y + cell->height / 2 - 24;
    snprintf(text[lines++], sizeof text[0], "%.1f %% above 1", 100 * (double)r.above / all);
    if (r.equal)
        snprintf(text[lines++], sizeof text[0], "%.1f %% equal", 100 * (double)r.equal / all);
    snprintf(text[lines++], sizeof text[0], "median %.3f", r.median);
    snprintf(text[lines++], sizeof text[0], "mean %.3f", r.mean);
    snprintf(text[lines++], sizeof text[0], "[%.3f, %.3f]", r.least, r.most);
    for (int i = 0; i < lines && count; i++)
        chart_text_within(cell->picture, cell->x + 8, y + 14 * i, cell->width - 12, CHART_TEXT,
                          text[i]);
}

static void pairs_draw_cell(const struct pairs_cell *cell, const double *sorted, size_t count)
{
    struct chart_sample sample = {.sorted = sorted, .count = count};
    size_t zero = distribution_below(sorted, count, AXIS_SMALLEST);
    enum axis_scale scale =
        zero < count ? axis_scale_of_ratios(sorted[zero], sorted[count - 1]) : AXIS_LINEAR;
    const struct chart chart = {.x = cell->x,
                                .y = cell->y,
                                .width = cell->width,
                                .height = cell->height,
                                .across = {.scale = scale, .reference = 1}};
    chart_draw_histogram(cell->picture, &chart, &sample);
}

/* Both cells of a pair: `row` is above `column`. */
static void pairs_draw_pair(const struct pairs_cell *first, const struct chart_method *method,
                            size_t cases, int row, int column)
{
    size_t count = 0;
    double *ratio = chart_ratios(method[row].taken, method[column].taken, cases, &count);
    struct pairs_cell below = *first, above = *first;
    if (!ratio) {
        first->picture->is_short = 1;
        return;
    }
    below.x += column * first->width;
    below.y += row * first->height;
    above.x += row * first->width;
    above.y += column * first->height;
    pairs_draw_cell(&below, ratio, count);
    pairs_draw_numbers(&above, ratio, count);
    free(ratio);
}

void chart_draw_pairs(struct picture *picture, const struct chart *chart,
                      const struct chart_method *method, int methods, size_t cases)
{
    double edge = 8, head = chart->title ? CHART_TITLE + edge : 0;
    double foot = chart->across.label ? CHART_TEXT + edge : 0;
    int cells = methods > 0 ? methods : 1;
    struct pairs_cell first = {.picture = picture,
                               .x = chart->x + edge,
                               .y = chart->y + edge + head,
                               .width = (chart->width - 2 * edge) / cells,
                               .height = (chart->height - 2 * edge - head - foot) / cells};
    if (chart->title)
        chart_text_within(picture, first.x, chart->y + edge + CHART_TITLE - 2,
                          chart->width - 2 * edge, CHART_TITLE, chart->title);
    if (chart->across.label)
        chart_text_within(picture, first.x, chart->y + chart->height - edge,
                          chart->width - 2 * edge, CHART_TEXT, chart->across.label);
    for (int row = 0; row < methods; row++) {
        double x = first.x + row * first.width, y = first.y + row * first.height;
        double to_y = first.y + (row + 1) * first.height;
        picture_box(picture, (double[]){x, y, first.x + (row + 1) * first.width, to_y}, "#eef3f7",
                    NULL);
        chart_text_within(picture, x + 8, (y + to_y) / 2 + 4, first.width - 12, CHART_TITLE,
                          method[row].name);
        for (int column = 0; column < row; column++)
            pairs_draw_pair(&first, method, cases, row, column);
    }
}
