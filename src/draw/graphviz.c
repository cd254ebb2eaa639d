/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graphviz.c - see machine-forms.h. Vertices are named vLEVEL_OBJECT; positions of a network where
 * nothing is, vLEVEL_PARENT_pPOSITION, are points.
 */
#include "draw/machine-forms.h"

#include <stdlib.h>
#include <string.h>

#include "draw/links.h"
#include "text/printable.h"

struct graphviz_writer {
    FILE *file;
    const struct draw_view *view;
    struct draw_loads loads;
    int level, last;   /* of the parent; of the innermost vertices */
    int32_t parent;    /* whose network is written */
    int32_t *child_at; /* by position: the child there, -1: none */
};

/* A text in quotes. */
static void graphviz_quote(FILE *file, const char *text)
{
    char shown[1024];
    printable_copy(shown, sizeof shown, text);
    fputc('"', file);
    for (const char *c = shown; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', file);
        fputc(*c, file);
    }
    fputc('"', file);
}

static void graphviz_vertex(const struct graphviz_writer *w, int level, int32_t object)
{
    char name[DRAW_NAME_SIZE], position[DRAW_POSITION_SIZE], label[512];
    if (level == w->view->host_level && w->view->host)
        snprintf(label, sizeof label, "%.500s", w->view->host[object]);
    else if (level == 0)
        snprintf(label, sizeof label, "machine");
    else {
        draw_position_text(w->view, level, object, position);
        snprintf(label, sizeof label, "%s %s", draw_name(w->view, level, 1, name), position);
    }
    fprintf(w->file, "  v%d_%d [label=", level, (int)object);
    graphviz_quote(w->file, label);
    fputs(level == w->last ? ", shape=box];\n" : "];\n", w->file);
}

/* The end of an edge's line. */
static void graphviz_load(const struct graphviz_writer *w, double load)
{
    double share = w->loads.busiest > 0 ? load / w->loads.busiest : 0;
    if (load > 0)
        fprintf(w->file, " [color=\"%s\", penwidth=%.1f, tooltip=\"%.0f\"]", draw_color(share),
                1 + 5 * share, load);
    else if (w->view->matrix)
        fputs(" [color=\"#cccccc\"]", w->file);
    fputs(";\n", w->file);
}

static void graphviz_end(const struct graphviz_writer *w, int32_t position)
{
    if (w->child_at[position] >= 0)
        fprintf(w->file, "v%d_%d", w->level + 1, (int)w->child_at[position]);
    else
        fprintf(w->file, "v%d_%d_p%d", w->level, (int)w->parent, (int)position);
}

static void graphviz_link(void *context, int32_t from, int32_t to)
{
    const struct graphviz_writer *w = context;
    fputs("  ", w->file);
    graphviz_end(w, from);
    fputs(" -- ", w->file);
    graphviz_end(w, to);
    graphviz_load(w, draw_load_between(&w->loads, w->level, w->parent, from, to));
}

/* The network that connects the children of an object. 0, or -1. */
static int graphviz_network(struct graphviz_writer *w, int level, int32_t object,
                            const struct tmap_shape *shape)
{
    int64_t positions = draw_positions(shape);
    const int32_t *first = w->view->first_child[level];
    w->child_at = malloc((size_t)positions * sizeof *w->child_at);
    if (!w->child_at)
        return -1;
    memset(w->child_at, 0xff, (size_t)positions * sizeof *w->child_at);
    for (int32_t c = first[object]; c < first[object + 1]; c++)
        w->child_at[tmap_tree_position(w->view->tree, level + 1, c)] = c;
    w->level = level;
    w->parent = object;
    for (int32_t p = 0; p < positions; p++)
        if (w->child_at[p] < 0)
            fprintf(w->file, "  v%d_%d_p%d [shape=point, color=\"#999999\"];\n", level, (int)object,
                    (int)p);
    draw_each_link(shape, graphviz_link, w);
    free(w->child_at);
    return 0;
}

/* The vertices of a level and what connects them. 0, or -1. */
static int graphviz_level(struct graphviz_writer *w, int level)
{
    const struct draw_view *view = w->view;
    struct tmap_shape shape = {.size = sizeof shape};
    enum tmap_shape_kind kind = tmap_tree_shape(view->tree, level, &shape);
    int32_t parents = tmap_tree_objects(view->tree, level);
    for (int32_t c = 0; c < view->first_child[level][parents]; c++)
        graphviz_vertex(w, level + 1, c);
    for (int32_t o = 0; o < parents; o++) {
        if (kind != TMAP_SHAPE_NONE && graphviz_network(w, level, o, &shape))
            return -1;
        if (kind != TMAP_SHAPE_NONE && level == 0)
            continue;
        for (int32_t c = view->first_child[level][o]; c < view->first_child[level][o + 1]; c++) {
            fprintf(w->file, "  v%d_%d -- v%d_%d", level, (int)o, level + 1, (int)c);
            graphviz_load(w, draw_load_up(&w->loads, level, c));
        }
    }
    return 0;
}

/* Number of vertices down to a level. */
static int64_t graphviz_count(const struct draw_view *view, int last)
{
    int64_t count = 1;
    for (int l = 0; l < last; l++) {
        struct tmap_shape shape = {.size = sizeof shape};
        int64_t positions =
            tmap_tree_shape(view->tree, l, &shape) == TMAP_SHAPE_NONE ? 0 : draw_positions(&shape);
        int64_t used = tmap_tree_objects(view->tree, l + 1);
        int64_t all = positions * tmap_tree_objects(view->tree, l);
        count += all > used ? all : used;
    }
    return count;
}

int draw_graphviz(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    struct graphviz_writer w = {.file = file, .view = view};
    w.last = view->host_level > 0 ? view->host_level : view->depth;
    int64_t count = graphviz_count(view, w.last);
    if (!view->first_child[0] || count > GRAPHVIZ_MOST_VERTICES)
        return reseat_fail(error,
                           "%lld objects and positions are too many for a graph, which has at "
                           "most %d",
                           (long long)count, GRAPHVIZ_MOST_VERTICES);
    int rc = draw_loads_open(&w.loads, view, error);
    if (rc == 0) {
        fputs("graph machine {\n  overlap=false;\n", file);
        if (view->matrix)
            fprintf(file, "  label=\"busiest link: %.0f\";\n", w.loads.busiest);
        if (tmap_tree_shape(view->tree, 0, NULL) == TMAP_SHAPE_NONE)
            graphviz_vertex(&w, 0, 0);
        for (int l = 0; rc == 0 && l < w.last; l++)
            rc = graphviz_level(&w, l) ? reseat_fail(error, "out of memory") : 0;
        fputs("}\n", file);
    }
    draw_loads_close(&w.loads);
    return rc;
}
