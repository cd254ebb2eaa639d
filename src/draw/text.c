/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - see text.h. */
#include "draw/text.h"

#include <stdlib.h>
#include <string.h>

#include "draw/outline.h"

/* Switches and routers that are listed one by one; kinds of the children of an object that are
 * described; characters of a list of hosts. */
enum { TEXT_MOST_LISTED = 24, TEXT_MOST_KINDS = 8, TEXT_LIST_WIDTH = 60 };

struct text_writer {
    FILE *file;
    const struct draw_view *view;
    struct draw_outline outline;
    int listed;                                  /* down to this level, each object has a line */
    int32_t *member;                             /* of a group: objects, by level */
    unsigned char *is_told[TMAP_MAX_LEVELS + 1]; /* by kind: it has been described */
};

/* Objects of a level that are said together. */
struct text_group {
    int level;
    const int32_t *member;
    int32_t count;
};

/* ---- levels ---- */

/* The least and the largest number of children. */
static void text_find_range(const struct draw_view *view, int level, int32_t *least, int32_t *most)
{
    int32_t objects = tmap_tree_objects(view->tree, level);
    *least = *most = tmap_tree_objects(view->tree, level + 1) / objects;
    for (int32_t o = 0; view->first_child[level] && o < objects; o++) {
        int32_t children = draw_children(view, level, o);
        *least = children < *least ? children : *least;
        *most = children > *most ? children : *most;
    }
}

/* Prints the arrangement of a level's children. */
static void text_print_arrangement(FILE *file, const struct draw_view *view, int level)
{
    struct tmap_shape shape = {.size = sizeof shape};
    char text[DRAW_SHAPE_SIZE], name[DRAW_NAME_SIZE];
    int32_t least, most;
    text_find_range(view, level, &least, &most);
    if (tmap_tree_shape(view->tree, level, &shape) != TMAP_SHAPE_NONE) {
        int64_t positions = draw_positions(&shape);
        draw_shape_text(view, level, text);
        fputs(text, file);
        if (most < positions && least == most)
            fprintf(file, ", %d of %lld positions", (int)most, (long long)positions);
        else if (least < positions)
            fprintf(file, ", %d to %d of %lld positions", (int)least, (int)most,
                    (long long)positions);
    } else if (level && least == most)
        fprintf(file, "%d", (int)most);
    else if (level)
        fprintf(file, "%d to %d", (int)least, (int)most);
    if (level)
        fprintf(file, " in each %s", draw_name(view, level, 1, name));
}

static void text_print_costs(FILE *file, const struct draw_view *view, int level)
{
    struct tmap_shape shape = {.size = sizeof shape};
    double cost = tmap_tree_level(view->tree, level)->cost;
    int dimensions = tmap_tree_shape(view->tree, level, &shape) == TMAP_SHAPE_NONE ||
                             shape.kind == TMAP_SHAPE_GRAPH
                         ? 1
                         : shape.dimensions;
    int same = 1;
    for (int d = 1; d < dimensions; d++)
        same &= shape.length[d] == shape.length[0];
    for (int d = 0; d < (same ? 1 : dimensions); d++)
        fprintf(file, "%s%g", d ? ", " : "",
                shape.kind == TMAP_SHAPE_TORUS || shape.kind == TMAP_SHAPE_MESH
                    ? cost * shape.length[d]
                    : cost);
    fputs(shape.kind == TMAP_SHAPE_NONE ? " apart" : " a hop", file);
}

/* The cells of a level's line. */
enum { TEXT_CELLS = 2 };
struct text_row {
    char cell[TEXT_CELLS][DRAW_SHAPE_SIZE + 128];
};

static void text_fill_cell(struct text_row *row, int cell, const struct draw_view *view, int level)
{
    char name[DRAW_NAME_SIZE];
    FILE *file = fmemopen(row->cell[cell], sizeof row->cell[cell], "w");
    row->cell[cell][0] = '\0';
    if (!file)
        return;
    int32_t objects = tmap_tree_objects(view->tree, level + 1);
    if (cell)
        text_print_arrangement(file, view, level);
    else
        fprintf(file, "%d %s", (int)objects, draw_name(view, level + 1, objects, name));
    fclose(file);
}

static int text_print_levels(FILE *file, const struct draw_view *view)
{
    struct text_row *rows = calloc((size_t)view->depth, sizeof *rows);
    int width[TEXT_CELLS] = {0};
    if (!rows)
        return -1;
    for (int l = 0; l < view->depth; l++)
        for (int c = 0; c < TEXT_CELLS; c++) {
            text_fill_cell(&rows[l], c, view, l);
            int length = (int)strlen(rows[l].cell[c]);
            width[c] = length > width[c] ? length : width[c];
        }
    for (int l = 0; l < view->depth; l++) {
        for (int c = 0; c < TEXT_CELLS; c++)
            if (width[c])
                fprintf(file, "%-*s   ", width[c], rows[l].cell[c]);
        text_print_costs(file, view, l);
        fputc('\n', file);
    }
    free(rows);
    return 0;
}

/* "accelerator 0000:02:00.0 near package 0": a line for each device. */
static void text_print_devices(FILE *file, const struct draw_view *view)
{
    char name[DRAW_NAME_SIZE];
    if (view->devices)
        fputc('\n', file);
    for (int32_t d = 0; d < view->devices; d++) {
        const struct draw_device *device = &view->device[d];
        fprintf(file, "%s %s near ", device->is_card ? "network card" : "accelerator",
                device->name);
        if (!device->level) {
            fputs("all slots\n", file);
            continue;
        }
        fprintf(file, "%s %d\n", draw_name(view, device->level, 1, name), (int)device->object);
    }
}

/* ---- the objects ---- */

/* "22 switches x 24 nodes": all levels below a plain object. */
static void text_print_chain(const struct text_writer *w, int level, int32_t object)
{
    const struct draw_view *view = w->view;
    char name[DRAW_NAME_SIZE], shape[DRAW_SHAPE_SIZE];
    const char *between = " ";
    for (int l = level; l < view->depth; l++) {
        int32_t at = draw_first_below(view, level, object, l), count = draw_children(view, l, at);
        if (count == 1 && l + 1 < view->depth && l + 1 != view->host_level)
            continue;
        fputs(between, w->file);
        if (tmap_tree_shape(view->tree, l, NULL) != TMAP_SHAPE_NONE) {
            draw_shape_text(view, l, shape);
            fprintf(w->file, "%s of ", shape);
        } else
            fprintf(w->file, "%d ", (int)count);
        fputs(draw_name(view, l + 1, count, name), w->file);
        between = " x ";
    }
}

/* The hosts of a group, if it is above them or of them. 0, or -1. */
static int text_print_hosts(const struct text_writer *w, const struct text_group *group)
{
    const struct draw_view *view = w->view;
    int32_t count = 0;
    char **names = malloc((size_t)tmap_tree_objects(view->tree, view->host_level) * sizeof *names);
    if (!names)
        return -1;
    for (int32_t m = 0; m < group->count; m++) {
        int32_t end = draw_first_below(view, group->level, group->member[m] + 1, view->host_level);
        for (int32_t h = draw_first_below(view, group->level, group->member[m], view->host_level);
             h < end; h++)
            names[count++] = view->host[h];
    }
    int rc = draw_names(w->file, names, count, TEXT_LIST_WIDTH);
    free(names);
    return rc;
}

/* The ranks below a group. 0, or -1. */
static int text_print_ranks(const struct text_writer *w, const struct text_group *group)
{
    const struct draw_view *view = w->view;
    int32_t count = 0, *ranks = malloc(((size_t)view->slots + 1) * sizeof *ranks);
    if (!ranks)
        return -1;
    for (int32_t m = 0; m < group->count; m++) {
        int32_t end = draw_first_below(view, group->level, group->member[m] + 1, view->depth);
        for (int32_t s = draw_first_below(view, group->level, group->member[m], view->depth);
             s < end; s++)
            ranks[count++] = view->rank_of[s];
    }
    fputs(count == 1 ? ", rank " : ", ranks ", w->file);
    int rc = draw_numbers(w->file, ranks, count, TEXT_LIST_WIDTH);
    free(ranks);
    return rc;
}

/* Prints the label of a group: its hosts, one object and its position, or a number of objects. 0,
 * or -1. */
static int text_print_label(const struct text_writer *w, const struct text_group *group)
{
    char name[DRAW_NAME_SIZE], position[DRAW_POSITION_SIZE];
    draw_name(w->view, group->level, group->count, name);
    if (group->level == w->view->host_level && w->view->host)
        return text_print_hosts(w, group);
    if (group->count == 1 && group->level) {
        draw_position_text(w->view, group->level, group->member[0], position);
        fprintf(w->file, "%s %s", draw_name(w->view, group->level, 1, name), position);
    } else
        fprintf(w->file, "%d %s", (int)group->count,
                draw_name(w->view, group->level, group->count, name));
    return 0;
}

/* The line of a group. 1: its children have to be described below; 0: they are; -1. */
static int text_print_group(struct text_writer *w, const struct text_group *group, int indent)
{
    const struct draw_view *view = w->view;
    int level = group->level;
    int32_t one = group->member[0], kind = w->outline.kind[level][one];
    /* Each host has a line of its own if it has ranks. */
    int is_plain = level == view->depth ||
                   (w->outline.is_plain[level][one] && !(view->rank_of && level < w->listed));
    int is_told = level < view->depth && group->count > 1 && w->is_told[level][kind];
    fprintf(w->file, "%*s", indent, "");
    int rc = text_print_label(w, group);
    if (is_plain && level < view->depth) {
        fputc(':', w->file);
        text_print_chain(w, level, one);
        fputs(group->count > 1 ? " each" : "", w->file);
    }
    if (rc == 0 && view->host && level < view->host_level && (is_plain || group->count > 1)) {
        fputs(is_plain ? "   " : ": ", w->file);
        rc = text_print_hosts(w, group);
    }
    if (rc == 0 && view->rank_of && level >= view->host_level)
        rc = text_print_ranks(w, group);
    fputs(is_plain ? "" : is_told ? ", as above" : group->count > 1 ? ", in each" : "", w->file);
    fputc('\n', w->file);
    if (level < view->depth)
        w->is_told[level][kind] = 1;
    return rc ? -1 : !is_plain && !is_told;
}

static int text_print_children(struct text_writer *w, int level, int32_t object, int indent);

static int text_print_with_children(struct text_writer *w, const struct text_group *group,
                                    int indent)
{
    int32_t one = group->member[0]; /* what member points to is written over below */
    int rc = text_print_group(w, group, indent);
    return rc > 0 ? text_print_children(w, group->level, one, indent + 2) : rc;
}

/* Bring the children of kind `kind` together, from the object `first` on. Returns their number. */
static int32_t text_gather(const struct text_writer *w, int level, int32_t first, int32_t end,
                           int32_t *member)
{
    int32_t count = 0;
    for (int32_t c = first; c < end; c++)
        if (w->outline.kind[level][c] == w->outline.kind[level][first])
            member[count++] = c;
    return count;
}

/* Kinds that have been described. */
struct text_kinds {
    int32_t kind[TEXT_MOST_KINDS];
    int count;
};

static int text_is_among(const struct text_kinds *kinds, int32_t kind)
{
    int k = 0;
    while (k < kinds->count && kinds->kind[k] != kind)
        k++;
    return k < kinds->count;
}

/* Prints the parts of an object: each child, or the kinds of them. 0, or -1. */
static int text_print_children(struct text_writer *w, int level, int32_t object, int indent)
{
    const struct draw_view *view = w->view;
    int32_t first = view->first_child[level][object], end = view->first_child[level][object + 1];
    struct text_kinds kinds = {.count = 0};
    int is_listed = level + 1 <= w->listed, rc = 0;
    for (int32_t c = first; rc == 0 && c < end; c++) {
        int32_t kind = w->outline.kind[level + 1][c];
        if (!is_listed && text_is_among(&kinds, kind))
            continue;
        if (!is_listed && kinds.count == TEXT_MOST_KINDS) {
            fprintf(w->file, "%*sand other kinds\n", indent, "");
            break;
        }
        if (!is_listed)
            kinds.kind[kinds.count++] = kind;
        /* Inside other groups: what their members were is not needed any more. */
        int32_t *member = w->member + draw_first_below(view, level + 1, first, view->depth);
        int32_t count = 1;
        if (is_listed)
            member[0] = c;
        else
            count = text_gather(w, level + 1, c, end, member);
        const struct text_group group = {level + 1, member, count};
        rc = text_print_with_children(w, &group, indent);
    }
    return rc;
}

/* Returns the innermost level that has a line for each object: hosts have one if they differ in
 * their ranks. */
static int text_find_listed(const struct draw_view *view)
{
    int64_t lines = 0;
    int most = view->host_level < 0           ? view->depth - 1
               : view->host_level == 0        ? 0
               : view->rank_of || !view->host ? view->host_level
                                              : view->host_level - 1;
    int level = 0;
    while (level < most && (lines += tmap_tree_objects(view->tree, level + 1)) <= TEXT_MOST_LISTED)
        level++;
    return level;
}

static int text_open(struct text_writer *w)
{
    const struct draw_view *view = w->view;
    if (draw_outline_open(&w->outline, view))
        return -1;
    w->listed = text_find_listed(view);
    w->member = malloc(((size_t)view->slots + 1) * sizeof *w->member);
    for (int l = 0; l <= view->depth; l++)
        if (!(w->is_told[l] = calloc((size_t)tmap_tree_objects(view->tree, l) + 1, 1)))
            return -1;
    return w->member ? 0 : -1;
}

static void text_close(struct text_writer *w)
{
    draw_outline_close(&w->outline);
    free(w->member);
    for (int l = 0; l <= w->view->depth; l++)
        free(w->is_told[l]);
}

int draw_text(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    static const int32_t root = 0;
    struct text_writer w = {.file = file, .view = view};
    int rc = text_print_levels(file, view);
    if (rc == 0 && view->first_child[0] && (rc = text_open(&w)) == 0) {
        const struct text_group group = {0, &root, 1};
        int is_named = view->host || view->rank_of;
        if (is_named || !w.outline.is_plain[0][0])
            fputc('\n', file);
        if (is_named && view->host_level == 0)
            rc = text_print_with_children(&w, &group, 0);
        else if (is_named || !w.outline.is_plain[0][0])
            rc = text_print_children(&w, 0, 0, 0);
    }
    text_close(&w);
    if (rc == 0)
        text_print_devices(file, view);
    return rc ? reseat_fail(error, "out of memory") : 0;
}
