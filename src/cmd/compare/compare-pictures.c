/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-pictures.c - see compare.h: the rows as charts, in the ways in which papers show them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/compare/compare.h"
#include "cmd/shell/picture-file.h"
#include "draw/chart.h"
#include "draw/distribution.h"
#include "cmd/shell/complain.h"

enum { COMPARE_WIDTH = 720, COMPARE_HEIGHT = 450, COMPARE_PAIR = 190, COMPARE_GROUP = 90 };

int compare_check_pictures(const struct compare_request *r)
{
    struct reseat_error error;
    const char *const output[] = {r->summary, r->html, r->json};
    const size_t outputs = sizeof output / sizeof output[0];
    size_t inputs = 0;
    const char **other = compare_list_inputs(r, outputs, &inputs);
    if (!other)
        return cli_no_memory();
    memcpy(other + inputs, output, sizeof output);
    int status =
        cli_status(picture_folders_make(
                       &(struct picture_folders){r->svg, r->png, other, inputs + outputs}, &error),
                   &error);
    free(other);
    return status;
}

/* Write a picture in the forms that are requested, and free it. */
static int compare_save_picture(const struct compare_request *r, const char *name,
                                struct picture *picture)
{
    struct reseat_error error;
    return cli_status(picture_folders_save(&(struct picture_folders){.svg = r->svg, .png = r->png},
                                           name, picture, &error),
                      &error);
}

/* ---- numbers ---- */

/* A number of each method, in each case. */
struct compare_numbers {
    size_t methods, cases;
    double *of; /* by method, then case */
};

/* Where the numbers of a method are; `skipped` cases after the first. */
static double *compare_numbers_of(const struct compare_numbers *n, size_t method, size_t skipped)
{
    return n->of + method * n->cases + skipped;
}

static int compare_new_numbers(struct compare_numbers *n, const struct compare_request *r,
                               const struct compare_rows *rows)
{
    *n = (struct compare_numbers){.methods = r->methods.count,
                                  .cases = rows->count / r->methods.count};
    n->of = malloc((n->methods * n->cases + 1) * sizeof *n->of);
    return n->of ? 0 : cli_no_memory();
}

static const struct compare_row *compare_row_of(const struct compare_rows *rows, size_t methods,
                                                size_t method, size_t at)
{
    return &rows->row[at * methods + method];
}

size_t compare_reference(const struct compare_request *r)
{
    static const char *const usual[] = {METHOD_LAUNCH, "packed"};
    for (size_t u = 0; u < sizeof usual / sizeof *usual; u++)
        for (size_t m = 0; m < r->methods.count; m++)
            if (strcmp(r->method[m].name, usual[u]) == 0)
                return m;
    return r->methods.count - 1;
}

/* Costs as fractions of those of the reference. */
static void compare_find_fractions(struct compare_numbers *n, const struct compare_rows *rows,
                                   size_t reference)
{
    for (size_t m = 0; m < n->methods; m++)
        for (size_t i = 0; i < n->cases; i++) {
            double cost = compare_row_of(rows, n->methods, m, i)->cost;
            double than = compare_row_of(rows, n->methods, reference, i)->cost;
            compare_numbers_of(n, m, 0)[i] = cost == than ? (isnan(cost) ? NAN : 1) : cost / than;
        }
}

/* ---- charts ---- */

/* The scale of gains and boxes: logarithmic if the costs of a case differ by enough for that. */
static enum axis_scale compare_scale(const struct compare_request *r,
                                     const struct compare_rows *rows)
{
    for (size_t i = 0; i + r->methods.count <= rows->count; i += r->methods.count) {
        double least = INFINITY, most = 0;
        for (size_t m = i; m < i + r->methods.count; m++)
            if (rows->row[m].cost > 0) {
                least = fmin(least, rows->row[m].cost);
                most = fmax(most, rows->row[m].cost);
            }
        if (axis_scale_of_ratios(least, most) == AXIS_DECADES)
            return AXIS_DECADES;
    }
    return AXIS_LINEAR;
}

/* The ratios of all pairs. */
static int compare_draw_pairs(struct picture *picture, const struct compare_request *r,
                              const struct compare_rows *rows)
{
    struct compare_numbers n = {.of = NULL};
    double side = COMPARE_PAIR * (double)(r->methods.count < 3 ? 3 : r->methods.count);
    *picture = (struct picture){.width = side + 40, .height = side + 60};
    const struct chart chart = {.width = picture->width,
                                .height = picture->height,
                                .title =
                                    "Ratios of costs: method of the row / method of the column",
                                .across = {.label = "above 1 the method of the column is better"}};
    struct chart_method *methods = calloc(r->methods.count, sizeof *methods);
    int status = methods ? compare_new_numbers(&n, r, rows) : cli_no_memory();
    if (status) {
        free(methods);
        return status;
    }
    for (size_t m = 0; m < n.methods; m++) {
        double *costs = compare_numbers_of(&n, m, 0);
        for (size_t i = 0; i < n.cases; i++)
            costs[i] = compare_row_of(rows, n.methods, m, i)->cost;
        methods[m] = (struct chart_method){r->method[m].name, costs};
    }
    chart_draw_pairs(picture, &chart, methods, (int)n.methods, n.cases);
    free(methods);
    free(n.of);
    return 0;
}

/* What share of the cases gains at least so much over the reference; or, on a logarithmic axis,
 * costs at most so many times as much. */
static int compare_draw_gains(struct picture *picture, const struct compare_request *r,
                              const struct compare_rows *rows)
{
    size_t reference = compare_reference(r);
    struct compare_numbers n = {.of = NULL};
    char title[256], label[160];
    const enum axis_scale scale = compare_scale(r, rows);
    const int is_gain = scale == AXIS_LINEAR;
    *picture = (struct picture){.width = COMPARE_WIDTH, .height = COMPARE_HEIGHT};
    snprintf(title, sizeof title,
             is_gain ? "Cases whose cost is lower than by %s by so much or more"
                     : "Cases whose cost is at most so many times that by %s",
             r->method[reference].name);
    snprintf(label, sizeof label, is_gain ? "gain" : "cost / cost by %s",
             r->method[reference].name);
    const struct chart chart = {
        .width = COMPARE_WIDTH,
        .height = COMPARE_HEIGHT,
        .title = title,
        .across = {.label = label, .scale = scale, .text = is_gain ? axis_percent : NULL},
        .up = {.label = "share of the cases"}};
    struct chart_sample *sample = calloc(r->methods.count, sizeof *sample);
    int status = sample ? compare_new_numbers(&n, r, rows) : cli_no_memory();
    if (status) {
        free(sample);
        return status;
    }
    compare_find_fractions(&n, rows, reference);
    for (size_t m = 0; m < n.methods; m++) {
        double *value = compare_numbers_of(&n, m, 0);
        if (m == reference) /* no curve, but the others have their colors */
            continue;
        for (size_t i = 0; i < n.cases && is_gain; i++)
            value[i] = 1 - value[i];
        sample[m] =
            (struct chart_sample){r->method[m].name, value, distribution_sort(value, n.cases)};
    }
    chart_draw_shares(picture, &chart, sample, (int)n.methods, is_gain);
    free(sample);
    free(n.of);
    return 0;
}

/* Rows of a pattern follow each other: how many cases of it there are from `first` on. */
static size_t compare_cases_of_pattern(const struct compare_rows *rows, size_t methods,
                                       size_t first)
{
    size_t count = 0, cases = rows->count / methods;
    while (first + count < cases && compare_row_of(rows, methods, 0, first + count)->pattern ==
                                        compare_row_of(rows, methods, 0, first)->pattern)
        count++;
    return count;
}

/* Box plots for each pattern, of costs as fractions of the reference. */
static int compare_draw_patterns(struct picture *picture, const struct compare_request *r,
                                 const struct compare_rows *rows)
{
    size_t reference = compare_reference(r);
    struct compare_numbers n = {.of = NULL};
    char label[256];
    int groups = 0;
    struct chart_sample *sample = calloc(r->patterns.count * r->methods.count, sizeof *sample);
    const char **group = calloc(r->patterns.count, sizeof *group);
    int status = sample && group ? compare_new_numbers(&n, r, rows) : cli_no_memory();
    for (size_t first = 0, count; !status && first < n.cases; first += count, groups++) {
        if (first == 0)
            compare_find_fractions(&n, rows, reference);
        count = compare_cases_of_pattern(rows, n.methods, first);
        group[groups] = r->pattern[compare_row_of(rows, n.methods, 0, first)->pattern].name;
        for (size_t m = 0; m < n.methods; m++) {
            double *part = compare_numbers_of(&n, m, first);
            sample[(size_t)groups * n.methods + m] =
                (struct chart_sample){r->method[m].name, part, distribution_sort(part, count)};
        }
    }
    snprintf(label, sizeof label, "cost / cost by %s", r->method[reference].name);
    *picture = (struct picture){.width = COMPARE_WIDTH / 4 + COMPARE_GROUP * (double)(groups + 6),
                                .height = COMPARE_HEIGHT};
    const struct chart chart = {
        .width = picture->width,
        .height = picture->height,
        .title = "Costs by pattern",
        .across = {.label = "pattern"},
        .up = {.label = label, .scale = compare_scale(r, rows), .reference = 1}};
    if (!status) {
        chart_draw_boxes(picture, &chart, sample, (int)n.methods, group, groups);
        free(n.of);
    }
    free(sample);
    free(group);
    return status;
}

/* ---- time to map, by the number of ranks ---- */

static int compare_by_ranks(const void *a, const void *b)
{
    const struct compare_row *const *x = a, *const *y = b;
    if ((*x)->ranks != (*y)->ranks)
        return ((*x)->ranks > (*y)->ranks) - ((*x)->ranks < (*y)->ranks);
    return ((*x)->map_seconds > (*y)->map_seconds) - ((*x)->map_seconds < (*y)->map_seconds);
}

/* The medians of a method: points at x and y. `row` is room for a pointer to each case. Returns how
 * many. */
static size_t compare_find_times(const struct compare_rows *rows, size_t methods, size_t method,
                                 const struct compare_row **row, double *x, double *y)
{
    size_t count = 0, points = 0, size;
    for (size_t i = 0; i < rows->count / methods; i++) {
        const struct compare_row *found = compare_row_of(rows, methods, method, i);
        if (!isnan(found->map_seconds))
            row[count++] = found;
    }
    qsort(row, count, sizeof *row, compare_by_ranks);
    for (size_t first = 0; first < count; first += size) {
        for (size = 1; first + size < count && row[first + size]->ranks == row[first]->ranks;)
            size++;
        x[points] = row[first]->ranks;
        y[points++] =
            (row[first + (size - 1) / 2]->map_seconds + row[first + size / 2]->map_seconds) / 2;
    }
    return points;
}

static int compare_draw_times(struct picture *picture, const struct compare_request *r,
                              const struct compare_rows *rows)
{
    size_t methods = r->methods.count;
    struct compare_numbers x = {.of = NULL}, y = {.of = NULL};
    *picture = (struct picture){.width = COMPARE_WIDTH, .height = COMPARE_HEIGHT};
    const struct chart chart = {
        .width = COMPARE_WIDTH,
        .height = COMPARE_HEIGHT,
        .title = "Processor time to map (medians)",
        .across = {.label = "ranks", .scale = AXIS_DOUBLINGS},
        .up = {.label = "time", .scale = AXIS_DECADES, .text = amount_seconds}};
    struct chart_series *series = calloc(methods, sizeof *series);
    const struct compare_row **row = malloc((rows->count + 1) * sizeof *row);
    int status = series && row ? compare_new_numbers(&x, r, rows) : cli_no_memory();
    if (!status && (status = compare_new_numbers(&y, r, rows)))
        free(x.of);
    for (size_t m = 0; !status && m < methods; m++) {
        double *across = compare_numbers_of(&x, m, 0), *up = compare_numbers_of(&y, m, 0);
        series[m] = (struct chart_series){.name = r->method[m].name, .x = across, .y = up};
        series[m].count = compare_find_times(rows, methods, m, row, across, up);
    }
    if (!status) {
        chart_draw_lines(picture, &chart, series, (int)methods);
        free(x.of);
        free(y.of);
    }
    free(series);
    free(row);
    return status;
}

/* Returns 1 if there is more than a point of each method to show: several cases, or for `by_ranks`
 * several numbers of ranks. */
static int compare_varies(const struct compare_request *r, const struct compare_rows *rows,
                          int by_ranks)
{
    for (size_t i = r->methods.count; i < rows->count; i++)
        if (!by_ranks || rows->row[i].ranks != rows->row[0].ranks)
            return 1;
    return 0;
}

const struct compare_chart *compare_chart(const struct compare_request *r,
                                          const struct compare_rows *rows, int index)
{
    static const struct compare_chart charts[] = {
        {"ratios",
         "The ratios of costs of each pair of methods; the table of pairs has the numbers", 0, 1,
         COMPARE_BY_CASE, compare_draw_pairs},
        {"gains", "What share of the cases has so low a cost; the table of methods has the numbers",
         0, 1, COMPARE_BY_CASE, compare_draw_gains},
        {"patterns", "Costs by pattern as boxes; the table of all cases has the numbers", 1, 0,
         COMPARE_ALWAYS, compare_draw_patterns},
        {"times", "Processor time to map by ranks; the table of all cases has the numbers", 0, 0,
         COMPARE_BY_RANKS, compare_draw_times}};
    for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++)
        if ((!charts[i].is_of_several || r->methods.count > 1) &&
            (charts[i].varies == COMPARE_ALWAYS ||
             compare_varies(r, rows, charts[i].varies == COMPARE_BY_RANKS)) &&
            index-- == 0)
            return &charts[i];
    return NULL;
}

int compare_draw(const struct compare_request *r, const struct compare_rows *rows)
{
    const struct compare_chart *chart;
    int status = 0;
    if (!r->svg && !r->png)
        return 0;
    for (int i = 0; !status && (chart = compare_chart(r, rows, i)); i++) {
        struct picture picture = {.width = 0};
        status = chart->draw(&picture, r, rows);
        if (!status)
            status = compare_save_picture(r, chart->name, &picture);
        else
            picture_free(&picture);
    }
    return status;
}
