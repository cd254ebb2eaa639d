/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-heat-axis.c - see report-heat.h: numbers and names at the edges of maps. Up to
 * HEAT_MOST_LABELLED places each has the number of its rank; of more there are some numbers of
 * places: where nodes begin, if all are of one size. In SVG, places are percents of the edge, so
 * that texts keep their size.
 */
#include "cmd/report/report-heat.h"

#include <string.h>

#include "page/markup.h"

enum { HEAT_MOST_LABELLED = 20, HEAT_MOST_TICKS = 8, HEAT_LEAST_TICKS = 4 };

/* A name at the edge of a map of so many pixels. */
enum { HEAT_LETTER = 7, HEAT_NAME_GAP = 10, HEAT_EDGE = 460, HEAT_NARROW_EDGE = 200 };

/* ---- nodes ---- */

int32_t heat_node_at(const struct heat *h, const struct report_nodes *nodes, int map, int32_t place)
{
    int32_t role = h->role_at[map][place];
    return tmap_tree_ancestor(h->tree, h->source[map].slot_of[role], nodes->level);
}

int32_t heat_next_border(const struct heat *h, const struct report_nodes *nodes, int map,
                         int32_t position)
{
    while (position < h->ranks &&
           heat_node_at(h, nodes, map, position) == heat_node_at(h, nodes, map, position - 1))
        position++;
    return position;
}

/* ---- numbers ---- */

int heat_labels_ranks(const struct heat *h)
{
    return h->bin == 1 && h->ranks <= HEAT_MOST_LABELLED;
}

int32_t heat_node_size(const struct heat *h, const struct report_nodes *nodes)
{
    if (nodes->nodes < 2 || h->ranks % nodes->nodes)
        return 0;
    int32_t size = h->ranks / nodes->nodes;
    for (int32_t begin = 0; begin < h->ranks; begin += size)
        if (heat_next_border(h, nodes, 0, begin + 1) != begin + size)
            return 0;
    return size;
}

/* From number to number. */
static int32_t axis_step(const struct heat *h, int32_t node_size)
{
    static const int32_t round[] = {2, 5, 10};
    int32_t step = node_size ? node_size : 1, ten = 1;
    for (int i = 0; !node_size && h->ranks / step > HEAT_MOST_TICKS; i = (i + 1) % 3) {
        step = ten * round[i];
        ten *= i == 2 ? 10 : 1;
    }
    while (h->ranks / step > HEAT_MOST_TICKS)
        step *= 2;
    while (node_size && step % 2 == 0 && h->ranks / step < HEAT_LEAST_TICKS)
        step /= 2;
    return step;
}

struct heat_axis heat_axis_of(const struct heat *h, const struct report_nodes *nodes, int map)
{
    int32_t size = heat_node_size(h, nodes);
    return (struct heat_axis){.heat = h,
                              .nodes = nodes,
                              .map = map,
                              .step = heat_labels_ranks(h) ? 1 : axis_step(h, size)};
}

int heat_next_number(struct heat_axis *axis, struct heat_label *label)
{
    const struct heat *h = axis->heat;
    int32_t place = axis->place;
    if (place >= h->ranks)
        return 0;
    axis->place += axis->step;
    if (heat_labels_ranks(h)) {
        label->at = place + 0.5;
        snprintf(label->text, sizeof label->text, "%d", (int)h->role_at[axis->map][place]);
    } else {
        label->at = (double)place / h->bin;
        snprintf(label->text, sizeof label->text, "%d", (int)place);
    }
    return 1;
}

/* ---- names of nodes ---- */

int heat_next_name(struct heat_axis *axis, struct heat_label *label)
{
    const struct heat *h = axis->heat;
    char text[32];
    int32_t begin = axis->node_place;
    if (axis->nodes->nodes < 2 || begin >= h->ranks)
        return 0;
    int32_t end = axis->node_place = heat_next_border(h, axis->nodes, axis->map, begin + 1);
    label->at = (double)(begin + end) / 2 / h->bin;
    snprintf(label->text, sizeof label->text, "%.*s", HEAT_LABEL_SIZE - 1,
             report_node_name(axis->nodes, heat_node_at(h, axis->nodes, axis->map, begin), text));
    label->share = (double)(end - begin) / h->ranks;
    return 1;
}

int heat_names_fit(const struct heat_axis *axis, double edge, double letter)
{
    struct heat_axis names = *axis;
    struct heat_label label;
    int count = 0;
    while (heat_next_name(&names, &label)) {
        if (letter * (double)strlen(label.text) + HEAT_NAME_GAP > edge * label.share)
            return 0;
        count++;
    }
    return count > 0;
}

/* ---- SVG ---- */

static void axis_write_names(FILE *file, const struct heat_axis *axis, int is_down)
{
    struct heat_axis names = *axis;
    struct heat_label label;
    while (heat_next_name(&names, &label)) {
        double percent = 100 * label.at / axis->heat->side;
        if (is_down)
            fprintf(file,
                    "<svg y=\"%.6g%%\" overflow=\"visible\"><text class=\"name\" x=\"0\" y=\"11\" "
                    "transform=\"rotate(-90)\">",
                    percent);
        else
            fprintf(file, "<text class=\"name\" x=\"%.6g%%\" y=\"11\">", percent);
        markup_write(file, label.text);
        fputs(is_down ? "</text></svg>" : "</text>", file);
    }
}

static void axis_write_numbers(FILE *file, const struct heat_axis *axis, int is_down)
{
    struct heat_axis numbers = *axis;
    struct heat_label label;
    while (heat_next_number(&numbers, &label)) {
        double percent = 100 * label.at / axis->heat->side;
        const char *edge = percent > 0 ? "" : " class=\"first\"";
        if (is_down)
            fprintf(file, "<text%s x=\"100%%\" dx=\"-5\" y=\"%.6g%%\">%s</text>", edge, percent,
                    label.text);
        else
            fprintf(file, "<text%s x=\"%.6g%%\" y=\"100%%\" dy=\"-4\">%s</text>", edge, percent,
                    label.text);
    }
}

void heat_write_axes(FILE *file, const struct heat *h, const struct report_nodes *nodes, int map)
{
    const struct heat_axis axis = heat_axis_of(h, nodes, map);
    int is_named = heat_names_fit(&axis, HEAT_EDGE, HEAT_LETTER);
    const char *named = !is_named                                              ? ""
                        : heat_names_fit(&axis, HEAT_NARROW_EDGE, HEAT_LETTER) ? " named"
                                                                               : " named long";
    for (int is_down = 0; is_down < 2; is_down++) {
        fprintf(file, "<svg class=\"axis %s%s\" aria-hidden=\"true\">", is_down ? "down" : "across",
                named);
        if (is_named)
            axis_write_names(file, &axis, is_down);
        axis_write_numbers(file, &axis, is_down);
        fputs("</svg>\n", file);
    }
}
