/* SPDX-License-Identifier: BSD-3-Clause */
/* test-chart.c - what can be computed of charts: ticks, quantiles, shares, bins, ratios; that all of a chart is
 * inside of its part of the picture, whatever the numbers are; and that its colors can be told apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "draw/chart.h"
#include "draw/distribution.h"

/* ---- axes ---- */

static void axis_ticks_are_round(void **state)
{
    static const struct {
        enum axis_scale scale;
        double least, most;
        int wanted;
        const char *ticks;
    } cases[] = {
        {AXIS_LINEAR, 0, 1, 5, "0.0 0.2 0.4 0.6 0.8 1.0"},
        {AXIS_LINEAR, 0.93, 2.232, 5, "0.5 1.0 1.5 2.0 2.5"},
        {AXIS_LINEAR, -3.6, 33.6, 8, "-5 0 5 10 15 20 25 30 35"},
        {AXIS_LINEAR, 0.1, 0.3, 2, "0.1 0.2 0.3"},
        {AXIS_LINEAR, 1, 1, 5, "0.90 0.95 1.00 1.05 1.10"},
        {AXIS_LINEAR, 0, 0, 1, "0 1"},
        {AXIS_LINEAR, -1e-5, 1e-5, 4, "-0.000010 -0.000005 0.000000 0.000005 0.000010"},
        {AXIS_LINEAR, 3e9, 7e9, 4, "3e+09 4e+09 5e+09 6e+09 7e+09"},
        {AXIS_LINEAR, NAN, NAN, 1, "0 1"},
        {AXIS_LINEAR, 5, INFINITY, 1, "0 1"},
        {AXIS_DECADES, 0.01, 957, 6, "0.01 0.1 1 10 100 1000"},
        {AXIS_DECADES, 1e-6, 3550, 5, "1e-06 0.0001 0.01 1 100 10000"},
        {AXIS_DECADES, 3, 40, 5, "2 5 10 20 50"},
        {AXIS_DECADES, 20, 20, 5, "20 50"},
        {AXIS_DECADES, 0.5, 1, 5, "0.5 1"},
        {AXIS_DECADES, -1, 100, 3, "0.1 1 10 100"},
        {AXIS_DECADES, 0, 0, 3, "0.001 0.01 0.1 1"},
        {AXIS_DOUBLINGS, 64, 16384, 8, "64 128 256 512 1024 2048 4096 8192 16384"},
        {AXIS_DOUBLINGS, 16, 36, 8, "16 32 64"},
        {AXIS_DOUBLINGS, 64, 65536, 5, "64 256 1024 4096 16384 65536"},
        {AXIS_DOUBLINGS, 64, 64, 5, "64 128"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct draw_axis axis;
        char ticks[AXIS_MOST_TICKS * (AXIS_TEXT_SIZE + 1)] = "";
        axis_fit(&axis, cases[i].scale, cases[i].least, cases[i].most, cases[i].wanted, NULL);
        for (int t = 0; t < axis.ticks; t++) {
            strcat(strcat(ticks, t ? " " : ""), axis.text[t]);
            assert_true(axis.at[t] == axis.from + 0 || axis.at[t] > axis.from);
        }
        if (strcmp(ticks, cases[i].ticks) != 0)
            fail_msg("%g to %g: ticks %s, expected %s", cases[i].least, cases[i].most, ticks,
                     cases[i].ticks);
    }
}

/* Whatever the values are: they are on the axis, and there are not too many ticks. */
static void axes_have_all_values(void **state)
{
    uint64_t random = 7;
    (void)state;
    for (int i = 0; i < 30000; i++) {
        struct draw_axis axis;
        double value[2];
        for (int k = 0; k < 2; k++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            value[k] = ldexp((double)(int64_t)random / 0x1p63, (int)(random >> 40) % 200 - 100);
        }
        enum axis_scale scale = (enum axis_scale)(i % 3);
        double least = fmin(value[0], value[1]), most = fmax(value[0], value[1]);
        if (scale != AXIS_LINEAR) {
            least = fmin(fabs(value[0]), fabs(value[1]));
            most = fmax(fabs(value[0]), fabs(value[1]));
        }
        axis_fit(&axis, scale, least, most, 1 + i % 12, NULL);
        double low = axis_place(&axis, least), high = axis_place(&axis, most);
        if (axis.ticks < 2 || low < -1e-5 || high > 1 + 1e-5 || low > high)
            fail_msg("scale %d, %g to %g: %d ticks from %g to %g, places %g and %g", scale, least,
                     most, axis.ticks, axis.from, axis.to, low, high);
        for (int t = 1; t < axis.ticks; t++)
            assert_true(axis.at[t] > axis.at[t - 1]);
    }
}

static void places_on_an_axis(void **state)
{
    struct draw_axis axis;
    char text[32];
    (void)state;
    axis_fit(&axis, AXIS_LINEAR, 0, 4, 4, NULL);
    assert_float_equal(axis_place(&axis, 1), 0.25, 1e-12);
    axis_fit(&axis, AXIS_DECADES, 0.01, 1000, 5, NULL);
    assert_float_equal(axis_place(&axis, 0.1), 0.2, 1e-12);
    axis_fit(&axis, AXIS_DOUBLINGS, 64, 1024, 8, NULL);
    assert_float_equal(axis_place(&axis, 128), 0.25, 1e-12);
    axis_fit(&axis, AXIS_LINEAR, 0, 1, 5, axis_percent);
    assert_string_equal(axis.text[1], "20 %");
    assert_string_equal(axis_percent(0.125, text), "12.5 %");
    assert_true(axis_multiple((struct axis_step){1, -1}, 3) == 0.3);
    assert_true(axis_multiple((struct axis_step){5, -2}, 23) == 1.15);
}

/* ---- distributions ---- */

static void quantiles_are_those_of_type_7(void **state)
{
    double value[] = {7, NAN, 1, 3, INFINITY, 2};
    (void)state;
    size_t count = distribution_sort(value, 6);
    assert_int_equal(count, 4); /* 1 2 3 7 */
    /* R: quantile(c(1, 2, 3, 7)) is 1.00 1.75 2.50 4.00 7.00 */
    assert_true(distribution_quantile(value, count, 0) == 1);
    assert_true(distribution_quantile(value, count, 0.25) == 1.75);
    assert_true(distribution_quantile(value, count, 0.5) == 2.5);
    assert_true(distribution_quantile(value, count, 0.75) == 4);
    assert_true(distribution_quantile(value, count, 1) == 7);
    assert_true(distribution_mean(value, count) == 3.25);
    assert_true(isnan(distribution_quantile(value, 0, 0.5)));
    assert_true(isnan(distribution_mean(value, 0)));
}

static void shares_below_and_up_to(void **state)
{
    static const double value[] = {0.9, 1, 1, 1.2, 2};
    (void)state;
    assert_int_equal(distribution_below(value, 5, 0), 0);
    assert_int_equal(distribution_below(value, 5, 1), 1);
    assert_int_equal(distribution_up_to(value, 5, 1), 3);
    assert_int_equal(distribution_up_to(value, 5, 1.1), 3);
    assert_int_equal(distribution_below(value, 5, 2), 4);
    assert_int_equal(distribution_up_to(value, 5, 2), 5);
    assert_int_equal(distribution_up_to(value, 0, 2), 0);
}

static void boxes_have_whiskers_and_outliers(void **state)
{
    static const double value[] = {-20, 10, 11, 12, 13, 14, 15, 16, 40, 41};
    static const double one[] = {3};
    (void)state;
    /* R: quantile() has 11.25 and 15.75; 1.5 x 4.5 beyond these are 4.5 and 22.5 */
    struct distribution_box box = distribution_box(value, 10);
    assert_true(box.lower_quartile == 11.25 && box.median == 13.5 && box.upper_quartile == 15.75);
    assert_true(box.lower_whisker == 10 && box.upper_whisker == 16);
    assert_int_equal(box.inside, 1);
    assert_int_equal(box.outside, 8);
    box = distribution_box(one, 1);
    assert_true(box.lower_whisker == 3 && box.median == 3 && box.upper_whisker == 3);
    box = distribution_box(one, 0);
    assert_true(isnan(box.median) && box.inside == 0 && box.outside == 0);
}

static void bins_are_round_and_have_all_values(void **state)
{
    static const double value[] = {0.95, 0.999999, 1, 1, 1.05, 1.1, 1.15, 1.3};
    static const double same[] = {1, 1, 1};
    struct distribution_bins bins;
    double many[1000];
    size_t sum = 0;
    (void)state;
    distribution_bins(value, 8, &bins); /* 0.35 / 5 / 2 = 0.035: 0.05 wide */
    assert_int_equal(bins.bins, 8);
    static const size_t counts[] = {2, 2, 1, 1, 1, 0, 0, 1};
    static const double edges[] = {0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35};
    for (int i = 0; i < 8; i++)
        if (bins.count[i] != counts[i] || bins.edge[i] != edges[i])
            fail_msg("bin %d begins at %.17g and has %zu", i, bins.edge[i], bins.count[i]);
    distribution_bins(same, 3, &bins);
    assert_int_equal(bins.bins, 1);
    assert_true(bins.edge[0] == 1 && bins.count[0] == 3);
    distribution_bins(same, 0, &bins);
    assert_int_equal(bins.bins, 0);
    for (int i = 0; i < 1000; i++)
        many[i] = i * i / 1000.0 - 300;
    distribution_bins(many, 1000, &bins);
    for (int i = 0; i < bins.bins; i++)
        sum += bins.count[i];
    assert_int_equal(sum, 1000);
    assert_true(bins.bins >= 15 && bins.bins <= 41); /* Rice's rule: 20 */
}

/* What papers of this field print: share above 1, share equal, median, mean, and the range. */
static void ratios_of_two_methods(void **state)
{
    static const double taken[] = {12, 10, 30, 8, NAN, 0, 5, 0};
    static const double than[] = {10, 10, 20, 10, 10, 0, 0, 5};
    size_t count;
    (void)state;
    double *ratio = chart_ratios(taken, than, 8, &count); /* 0 0.8 1 1 1.2 1.5; not 5 / 0 */
    assert_non_null(ratio);
    struct chart_ratios r = chart_sum_up_ratios(ratio, count);
    free(ratio);
    assert_int_equal(r.count, 6);
    assert_int_equal(r.above, 2);
    assert_int_equal(r.equal, 2);
    assert_true(r.median == 1 && r.least == 0 && r.most == 1.5);
    assert_float_equal(r.mean, 5.5 / 6, 1e-12);
    r = chart_sum_up_ratios(NULL, 0);
    assert_true(r.count == 0 && isnan(r.median) && isnan(r.least));
}

/* ---- charts ---- */

static void check_inside(const struct picture *picture, const struct chart *chart, const char *what)
{
    for (size_t i = 0; i < picture->items; i++) {
        const struct picture_item *item = &picture->item[i];
        double x = item->x, y = item->y, to_x = item->to_x, to_y = item->to_y;
        if (item->kind == PICTURE_CIRCLE) {
            x -= item->to_x;
            y -= item->to_x;
            to_x = item->x + item->to_x;
            to_y = item->y + item->to_x;
        } else if (item->kind == PICTURE_TEXT) {
            to_x = x + picture_text_width(item->text, item->to_x);
            to_y = y;
            y -= item->to_x;
        }
        if (!(fmin(x, to_x) >= chart->x - 4) || !(fmin(y, to_y) >= chart->y - 4) ||
            !(fmax(x, to_x) <= chart->x + chart->width + 4) ||
            !(fmax(y, to_y) <= chart->y + chart->height + 4))
            fail_msg("%s: item %zu (kind %d, '%s') from %g, %g to %g, %g is outside", what, i,
                     item->kind, item->text, x, y, to_x, to_y);
    }
}

enum { NUMBERS = 40 };

/* All kinds of charts of the same numbers, which may be anything. */
static void draw_all(const double *numbers, double width, double height, const char *what)
{
    double sorted[NUMBERS], x[NUMBERS];
    memcpy(sorted, numbers, sizeof sorted);
    size_t count = distribution_sort(sorted, NUMBERS);
    static const char *const groups[] = {"BT", "a kernel whose name is long, as names can be",
                                         "CG"};
    for (int i = 0; i < NUMBERS; i++)
        x[i] = ldexp(1, i / 4) + i % 4;
    for (int scale = 0; scale < 3; scale++) {
        const struct chart chart = {
            .x = 30,
            .y = 50,
            .width = width,
            .height = height,
            .title = "A title that says what the chart is about, at length",
            .across = {.label = "number of ranks, or of anything else",
                       .scale = (enum axis_scale)scale,
                       .reference = 1},
            .up = {.label = "seconds", .scale = (enum axis_scale)(2 - scale), .from = 1, .to = 2}};
        const struct chart_series series[] = {
            {"multilevel", x, numbers, NUMBERS, CHART_LINE},
            {"treematch", x, sorted, count, CHART_STEPS},
            {NULL, x, numbers, NUMBERS, CHART_MARKS},
            {"a name that is longer than the others", x, x, 0, CHART_LINE}};
        const struct chart_sample sample[] = {
            {"packed", sorted, count},      {"none", sorted, 0},
            {"few", sorted, count / 4},     {"half", sorted, count / 2},
            {"one", sorted, count ? 1 : 0}, {"again", sorted, count}};
        const struct chart_method method[] = {
            {"multilevel", x}, {"packed", numbers}, {"scotch", sorted}, {"treematch", x}};
        struct picture picture = {.width = 800, .height = 600};
        chart_draw_lines(&picture, &chart, series, 4);
        chart_draw_shares(&picture, &chart, sample, 6, 0);
        chart_draw_shares(&picture, &chart, sample, 6, 1);
        chart_draw_histogram(&picture, &chart, sample);
        chart_draw_boxes(&picture, &chart, sample, 2, groups, 3);
        chart_draw_pairs(&picture, &chart, method, 4, count);
        chart_draw_lines(&picture, &chart, series, 0);
        chart_draw_shares(&picture, &chart, sample, 0, 0);
        chart_draw_boxes(&picture, &chart, sample, 0, groups, 0);
        chart_draw_pairs(&picture, &chart, method, 0, 0);
        assert_int_equal(picture.is_short, 0);
        assert_true(picture.items > 50);
        check_inside(&picture, &chart, what);
        picture_free(&picture);
    }
}

static void charts_stay_inside(void **state)
{
    static const char *const kinds[] = {"ratios", "wide", "one value", "no values", "negative"};
    double numbers[NUMBERS];
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        for (int i = 0; i < NUMBERS; i++) {
            const double value[] = {0.8 + i * 7 % 11 / 10.0,
                                    ldexp(i % 3 ? 1 : -1, 40 * (i % 47) - 900), 1,
                                    i % 2 ? NAN : -INFINITY, -i};
            numbers[i] = value[kind];
        }
        draw_all(numbers, 640, 400, kinds[kind]);
        draw_all(numbers, 240, 160, kinds[kind]);
    }
}

/* The curve of an empirical distribution passes where its values say. */
static void distribution_functions_are_steps(void **state)
{
    static const double value[] = {1, 2, 2, 4};
    const struct chart chart = {.width = 400, .height = 300, .across = {.from = 0, .to = 5}};
    const struct chart_sample sample = {"a", value, 4};
    struct picture picture = {.width = 400, .height = 300};
    double low = 0, high = 0, before = -1;
    int heights = 0;
    (void)state;
    chart_draw_shares(&picture, &chart, &sample, 1, 0);
    for (size_t i = 0; i < picture.items; i++) {
        const struct picture_item *item = &picture.item[i];
        if (item->kind != PICTURE_LINE || strcmp(item->stroke, chart_color(0)) != 0)
            continue;
        if (before < 0)
            low = item->y;                                           /* no value is so small */
        assert_true(item->to_y <= item->y && item->to_x >= item->x); /* never falls */
        heights += item->y == item->to_y && item->y != before;
        before = item->y;
        high = item->to_y;
    }
    assert_int_equal(heights, 4); /* 0, 1/4, 3/4, 1 */
    assert_true(high < low);
    picture_free(&picture);
}

/* Of a histogram on a logarithmic axis bars are about as wide everywhere, and have all values. */
static void histograms_on_logarithmic_axes(void **state)
{
    static const double value[] = {0.05, 0.3, 0.9, 1, 1, 1.2, 8, 40, 1000};
    const struct chart chart = {
        .width = 400, .height = 300, .across = {.scale = AXIS_DECADES, .reference = 1}};
    const struct chart_sample sample = {"a", value, sizeof value / sizeof *value};
    struct picture picture = {.width = 400, .height = 300};
    size_t values = 0, bars = 0, count, of;
    double from, to;
    (void)state;
    chart_draw_histogram(&picture, &chart, &sample);
    for (size_t i = 0; i < picture.items; i++) {
        const struct picture_item *item = &picture.item[i];
        if (item->kind != PICTURE_BOX ||
            sscanf(item->text, "%lf to %lf: %zu of %zu", &from, &to, &count, &of) != 4)
            continue;
        values += count;
        bars++;
        assert_true(to / from > 1.9 && to / from < 2.6);
        assert_true(item->to_x - item->x > 15 && item->to_x - item->x < 45);
        assert_true(from >= 1 || to <= 1);
    }
    assert_int_equal(values, of);
    assert_int_equal(bars, 7);
    picture_free(&picture);
}

/* Values of 0 have no place on a logarithmic axis, and count; large ones end it. */
static void shares_with_values_of_0(void **state)
{
    static const double value[] = {0, 0, 1, 10}, large[] = {1e266, 1e280};
    const struct chart chart = {.width = 400, .height = 300, .across = {.scale = AXIS_DECADES}};
    const struct chart_sample sample = {"a", value, 4}, end = {"b", large, 2};
    struct picture picture = {.width = 400, .height = 300};
    double first = 0, last = 0;
    (void)state;
    chart_draw_shares(&picture, &chart, &sample, 1, 0);
    for (size_t i = 0; i < picture.items; i++) {
        const struct picture_item *item = &picture.item[i];
        if (item->kind != PICTURE_LINE || strcmp(item->stroke, chart_color(0)) != 0)
            continue;
        first = first > 0 ? first : item->y;
        last = item->to_y;
    }
    assert_true(first - last > 100 && first - last < 150); /* from a half to all */
    chart_draw_histogram(&picture, &chart, &end);
    picture_free(&picture);
}

/* ---- colors ---- */

/* CIE Lab of a color as somebody sees it whose cones for red, green or blue are missing (Machado, Oliveira and
 * Fernandes 2009, severity 1); `kind` 0: nothing is missing. */
static void seen_color(const char *color, int kind, double lab[3])
{
    static const double seen[4][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                         {{0.152286, 1.052583, -0.204868},
                                          {0.114503, 0.786281, 0.099216},
                                          {-0.003882, -0.048116, 1.051998}},
                                         {{0.367322, 0.860646, -0.227968},
                                          {0.280085, 0.672501, 0.047413},
                                          {-0.011820, 0.042940, 0.968881}},
                                         {{1.255528, -0.076749, -0.178779},
                                          {-0.078411, 0.930809, 0.147602},
                                          {0.004733, 0.691367, 0.303900}}};
    static const double xyz[3][3] = {
        {0.4339, 0.3762, 0.1899}, {0.2126, 0.7152, 0.0722}, {0.0178, 0.1095, 0.8727}};
    unsigned long rgb = strtoul(color + 1, NULL, 16);
    double linear[3], f[3];
    for (int c = 0; c < 3; c++) {
        double s = (double)(rgb >> (16 - 8 * c) & 255) / 255;
        linear[c] = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
    }
    for (int i = 0; i < 3; i++) {
        f[i] = 0;
        for (int j = 0; j < 3; j++)
            for (int c = 0; c < 3; c++)
                f[i] += xyz[i][j] * seen[kind][j][c] * linear[c];
        f[i] = f[i] > 0.008856 ? cbrt(f[i]) : 7.787 * f[i] + 16.0 / 116;
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

static void colors_can_be_told_apart(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < i; j++) {
                double a[3], b[3];
                seen_color(chart_color(i), kind, a);
                seen_color(chart_color(j), kind, b);
                double apart =
                    sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
                if (apart < 10) /* about 2 can be seen side by side */
                    fail_msg("kind %d: %s and %s are %.1f apart", kind, chart_color(i),
                             chart_color(j), apart);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_ticks_are_round),
        cmocka_unit_test(axes_have_all_values),
        cmocka_unit_test(places_on_an_axis),
        cmocka_unit_test(quantiles_are_those_of_type_7),
        cmocka_unit_test(shares_below_and_up_to),
        cmocka_unit_test(boxes_have_whiskers_and_outliers),
        cmocka_unit_test(bins_are_round_and_have_all_values),
        cmocka_unit_test(ratios_of_two_methods),
        cmocka_unit_test(charts_stay_inside),
        cmocka_unit_test(distribution_functions_are_steps),
        cmocka_unit_test(histograms_on_logarithmic_axes),
        cmocka_unit_test(shares_with_values_of_0),
        cmocka_unit_test(colors_can_be_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
