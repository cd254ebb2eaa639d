/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - see view.h. */
#include "draw/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int draw_view_open(struct draw_view *view, struct reseat_error *error)
{
    const struct tmap_tree *tree = view->tree;
    view->depth = tmap_tree_depth(tree);
    view->slots = tmap_tree_slots(tree);
    for (int l = 0; l < view->depth; l++)
        view->first_child[l] = NULL;
    for (int l = 0; l < view->depth && view->slots <= DRAW_MOST_SLOTS; l++) {
        size_t objects = (size_t)tmap_tree_objects(tree, l);
        view->first_child[l] = malloc((objects + 1) * sizeof *view->first_child[l]);
        if (!view->first_child[l])
            return reseat_fail(error, "out of memory");
        view->first_child[l][objects] = tmap_tree_objects(tree, l + 1);
        /* Objects are numbered from left to right, so going backwards the last one seen is the
         * first. */
        for (int32_t s = view->slots - 1; s >= 0; s--)
            view->first_child[l][tmap_tree_ancestor(tree, s, l)] =
                tmap_tree_ancestor(tree, s, l + 1);
    }
    return 0;
}

void draw_view_close(struct draw_view *view)
{
    for (int l = 0; l < view->depth; l++)
        free(view->first_child[l]);
    view->depth = 0;
}

int32_t draw_first_below(const struct draw_view *view, int from, int32_t object, int to)
{
    for (; from < to; from++)
        object = view->first_child[from][object];
    return object;
}

int draw_node_level(const struct draw_view *view)
{
    char kind[TMAP_NAME_SIZE];
    for (int level = 0; level < view->depth; level++) {
        reseat_timings_kind(view->tree, level, kind);
        if (!reseat_timings_is_network(kind))
            return level;
    }
    return view->depth;
}

int32_t draw_cores(const struct draw_view *view, int node_level, int32_t node)
{
    int32_t cores = draw_first_below(view, node_level, node + 1, view->depth) -
                    draw_first_below(view, node_level, node, view->depth);
    return cores > 0 ? cores : 1;
}

const char *draw_host_name(const struct draw_view *view, int node_level, int32_t node,
                           char text[DRAW_HOST_SIZE])
{
    int is_named = view->host && view->host_level == node_level && view->host[node];
    if (is_named)
        snprintf(text, DRAW_HOST_SIZE, "%s", view->host[node]);
    else
        snprintf(text, DRAW_HOST_SIZE, "node%d", (int)node);
    return text;
}

const char *draw_plural_end(const char *name)
{
    size_t length = strlen(name);
    if (length < 2)
        return "s";
    char last = name[length - 1], before = name[length - 2];
    if (last == 's' && !strchr("su", before))
        return ""; /* cores, chassis */
    return strchr("shx", last) ? "es" : "s";
}

const char *draw_name(const struct draw_view *view, int level, int64_t count,
                      char text[DRAW_NAME_SIZE])
{
    static const char *const others[][3] = {{"numa", "NUMA node", "NUMA nodes"},
                                            {"l3", "L3 cache", "L3 caches"},
                                            {"l2", "L2 cache", "L2 caches"},
                                            {"pu", "PU", "PUs"},
                                            {"process", "process", "processes"}};
    const char *name = level ? tmap_tree_level(view->tree, level - 1)->name : "machine";
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i][0]) == 0)
            return others[i][count == 1 ? 1 : 2];
    if (strncmp(name, "level", 5) == 0) /* it has no name */
        name = level == view->depth ? "slot" : "part";
    snprintf(text, DRAW_NAME_SIZE, "%.40s%s", name, count == 1 ? "" : draw_plural_end(name));
    return text;
}

int64_t draw_positions(const struct tmap_shape *shape)
{
    int64_t positions = 1;
    if (shape->kind == TMAP_SHAPE_NONE)
        return 0;
    if (shape->kind == TMAP_SHAPE_GRAPH)
        return shape->positions;
    for (int d = 0; d < shape->dimensions; d++)
        positions *= shape->extent[d];
    return positions;
}

/* Readers have united the links between the same two. */
int draw_is_alltoall(const struct tmap_shape *shape)
{
    int64_t n = shape->positions;
    int is_alltoall =
        shape->kind == TMAP_SHAPE_GRAPH && n > 1 && (int64_t)shape->links == n * (n - 1) / 2;
    for (size_t i = 0; is_alltoall && i < shape->links; i++)
        is_alltoall = shape->link[i].length == 1;
    return is_alltoall;
}

/* A graph of groups is a dragonfly if it has the links of one; SimGrid's has fewer. */
static void draw_graph_text(const struct tmap_shape *shape, char text[DRAW_SHAPE_SIZE])
{
    int32_t routers = shape->group, groups = routers ? shape->positions / routers : 0;
    if (draw_is_alltoall(shape))
        snprintf(text, DRAW_SHAPE_SIZE, "alltoall of %d", (int)shape->positions);
    else if (groups && tmap_shape_dragonfly(groups, routers, NULL) == (int64_t)shape->links)
        snprintf(text, DRAW_SHAPE_SIZE, "dragonfly %dx%d", (int)groups, (int)routers);
    else
        snprintf(text, DRAW_SHAPE_SIZE, "graph of %d vertices and %zu links", (int)shape->positions,
                 shape->links);
}

void draw_shape_text(const struct draw_view *view, int level, char text[DRAW_SHAPE_SIZE])
{
    struct tmap_shape shape = {.size = sizeof shape};
    int is_cube = 1;
    tmap_tree_shape(view->tree, level, &shape);
    for (int d = 0; d < shape.dimensions; d++)
        is_cube &= shape.extent[d] == 2;
    if (shape.kind == TMAP_SHAPE_GRAPH)
        draw_graph_text(&shape, text);
    else if (shape.dimensions == 1 && shape.kind == TMAP_SHAPE_TORUS)
        snprintf(text, DRAW_SHAPE_SIZE, "ring of %d", (int)shape.extent[0]);
    else if (is_cube && shape.dimensions > 1 && shape.kind == TMAP_SHAPE_MESH)
        snprintf(text, DRAW_SHAPE_SIZE, "hypercube of %d dimensions", shape.dimensions);
    else {
        int length =
            snprintf(text, DRAW_SHAPE_SIZE, shape.kind == TMAP_SHAPE_TORUS ? "torus" : "mesh");
        for (int d = 0; d < shape.dimensions; d++)
            length += snprintf(text + length, (size_t)(DRAW_SHAPE_SIZE - length), "%c%d",
                               d ? 'x' : ' ', (int)shape.extent[d]);
    }
}

void draw_coordinates(const struct tmap_shape *shape, int32_t position,
                      int32_t at[TMAP_MAX_DIMENSIONS])
{
    for (int d = shape->dimensions - 1; d >= 0; d--) {
        at[d] = position % shape->extent[d];
        position /= shape->extent[d];
    }
}

void draw_position_text(const struct draw_view *view, int level, int32_t object,
                        char text[DRAW_POSITION_SIZE])
{
    struct tmap_shape shape = {.size = sizeof shape};
    int32_t at[TMAP_MAX_DIMENSIONS], position = tmap_tree_position(view->tree, level, object);
    tmap_tree_shape(view->tree, level - 1, &shape);
    if (shape.dimensions < 2) {
        snprintf(text, DRAW_POSITION_SIZE, "%d", (int)position);
        return;
    }
    int length = 0;
    draw_coordinates(&shape, position, at);
    for (int d = 0; d < shape.dimensions; d++)
        length += snprintf(text + length, (size_t)(DRAW_POSITION_SIZE - length), "%c%d",
                           d ? ',' : '(', (int)at[d]);
    snprintf(text + length, (size_t)(DRAW_POSITION_SIZE - length), ")");
}

void draw_devices_text(const struct draw_view *view, int level, int32_t object,
                       char text[DRAW_DEVICES_SIZE])
{
    int count[2] = {0, 0}, length = 0;
    for (int32_t d = 0; d < view->devices; d++)
        if (view->device[d].level == level && view->device[d].object == object)
            count[view->device[d].is_card]++;
    text[0] = '\0';
    for (int is_card = 0; is_card < 2; is_card++)
        if (count[is_card])
            length +=
                snprintf(text + length, (size_t)(DRAW_DEVICES_SIZE - length), "%s%d %s%s",
                         length ? ", " : "", count[is_card],
                         is_card ? "network card" : "accelerator", count[is_card] == 1 ? "" : "s");
}
