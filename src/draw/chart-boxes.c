/* SPDX-License-Identifier: BSD-3-Clause */
/* chart-boxes.c - box plots of chart.h. */
#include <math.h>

#include "draw/chart-frame.h"
#include "draw/distribution.h"

static const char *boxes_name(const void *sample, int i)
{
    return ((const struct chart_sample *)sample)[i].name;
}

static void boxes_draw_outlier(const struct chart_frame *frame, double x, double value,
                               const char *color)
{
    struct picture_item dot = {.kind = PICTURE_CIRCLE,
                               .x = x,
                               .y = chart_frame_y(frame, value),
                               .to_x = 1.8,
                               .thickness = 1};
    snprintf(dot.stroke, sizeof dot.stroke, "%s", color);
    if (chart_has_place(frame->up.scale, value))
        picture_add(frame->picture, &dot);
}

/* A box around x, `width` wide. */
static void boxes_draw_one(const struct chart_frame *frame, const struct chart_sample *sample,
                           double x, double width, const char *color)
{
    struct picture *picture = frame->picture;
    struct distribution_box box = distribution_box(sample->sorted, sample->count);
    if (sample->count == 0)
        return;
    double low = chart_frame_y(frame, box.lower_quartile);
    double high = chart_frame_y(frame, box.upper_quartile);
    double median = chart_frame_y(frame, box.median);
    struct picture_item item = {.kind = PICTURE_BOX,
                                .x = x - width / 2,
                                .y = high,
                                .to_x = x + width / 2,
                                .to_y = low,
                                .thickness = 1.4,
                                .fill = "#ffffff"};
    snprintf(item.stroke, sizeof item.stroke, "%s", color);
    snprintf(item.text, sizeof item.text, "%s: median %.4g, quartiles %.4g and %.4g, %zu values",
             sample->name ? sample->name : "", box.median, box.lower_quartile, box.upper_quartile,
             sample->count);
    picture_line(picture, x, low, x, chart_frame_y(frame, box.lower_whisker), 1.2, color);
    picture_line(picture, x, high, x, chart_frame_y(frame, box.upper_whisker), 1.2, color);
    picture_add(picture, &item);
    picture_line(picture, x - width / 2, median, x + width / 2, median, 2.4, color);
    for (size_t i = 0; i < box.inside; i++)
        boxes_draw_outlier(frame, x, sample->sorted[i], color);
    for (size_t i = box.outside; i < sample->count; i++)
        boxes_draw_outlier(frame, x, sample->sorted[i], color);
}

void chart_draw_boxes(struct picture *picture, const struct chart *chart,
                      const struct chart_sample *sample, int boxes, const char *const *group,
                      int groups)
{
    struct chart_frame frame;
    struct chart_range up = {NAN, NAN};
    struct chart_legend legend = {sample, boxes_name, groups > 0 ? boxes : 0};
    for (int s = 0; s < boxes * groups; s++)
        for (size_t i = 0; i < sample[s].count; i++)
            chart_widen(&up, &chart->up, sample[s].sorted[i]);
    chart_frame_draw(&frame, picture, chart, &legend, NULL, &up);
    double group_width = (frame.right - frame.left) / (groups > 0 ? groups : 1);
    double place = 0.8 * group_width / (boxes > 0 ? boxes : 1);
    for (int g = 0; g < groups; g++) {
        double left = frame.left + g * group_width, middle = left + group_width / 2;
        double text = picture_text_width(group[g], CHART_TICK);
        chart_text_within(picture, fmax(middle - text / 2, left), frame.bottom + CHART_TICK + 4,
                          group_width, CHART_TICK, group[g]);
        for (int b = 0; b < boxes; b++)
            boxes_draw_one(&frame, &sample[g * boxes + b],
                           left + 0.1 * group_width + (b + 0.5) * place, fmin(0.7 * place, 40),
                           chart_color(b));
    }
}
