/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netloc-view.c - see machine-forms.h. The machine that reseat_netloc_write takes: levels without a
 * shape that follow each other are one element, and each torus or complete graph is one.
 */
#include "draw/machine-forms.h"

#include <stdlib.h>

#include "network/netloc.h"

/* Checks that Netloc can describe the machine. 0, or -1 with *error. */
static int netloc_view_check(const struct draw_view *view, struct reseat_error *error)
{
    char text[DRAW_SHAPE_SIZE];
    if (view->host_level < 0 || !view->host)
        return reseat_fail(error,
                           "Netloc's lines name each host, and the hosts of this machine have "
                           "no names");
    if (!view->first_child[0])
        return reseat_fail(error, "more than %d slots", DRAW_MOST_SLOTS);
    for (int l = 0; l < view->depth; l++) {
        struct tmap_shape shape = {.size = sizeof shape};
        enum tmap_shape_kind kind = tmap_tree_shape(view->tree, l, &shape);
        if (kind != TMAP_SHAPE_NONE)
            draw_shape_text(view, l, text);
        if (kind == TMAP_SHAPE_MESH || (kind == TMAP_SHAPE_GRAPH && !draw_is_alltoall(&shape)))
            return reseat_fail(error, "Netloc knows trees, toruses and alltoall, and no %s", text);
        if (kind != TMAP_SHAPE_NONE && l >= view->host_level && view->depth > view->host_level + 1)
            return reseat_fail(error, "Netloc has no %s inside a host that has other levels", text);
    }
    return 0;
}

/* The most children that an object of a level has, or the positions of its shape. */
static int32_t netloc_view_extent(const struct draw_view *view, int level, int32_t from, int32_t to)
{
    struct tmap_shape shape = {.size = sizeof shape};
    int32_t most = 0;
    if (tmap_tree_shape(view->tree, level, &shape) != TMAP_SHAPE_NONE)
        return (int32_t)draw_positions(&shape);
    for (int32_t o = from; o < to; o++)
        most = draw_children(view, level, o) > most ? draw_children(view, level, o) : most;
    return most;
}

/* The levels above the hosts. 0, or -1. */
static int netloc_view_levels(struct reseat_machine *m, const struct draw_view *view)
{
    for (int l = 0; l < m->host_level; l++) {
        int32_t objects = tmap_tree_objects(view->tree, l + 1);
        m->begins[l] = l == 0 || tmap_tree_shape(view->tree, l, NULL) != TMAP_SHAPE_NONE ||
                       tmap_tree_shape(view->tree, l - 1, NULL) != TMAP_SHAPE_NONE;
        m->extent[l] = netloc_view_extent(view, l, 0, tmap_tree_objects(view->tree, l));
        m->child[l + 1] = malloc((size_t)objects * sizeof *m->child[l + 1]);
        if (!m->child[l + 1])
            return -1;
        for (int32_t o = 0; o < objects; o++)
            m->child[l + 1][o] = tmap_tree_position(view->tree, l + 1, o);
    }
    return 0;
}

/* Fills the levels inside the hosts, and the number of each slot there. 0, or -1. */
static int netloc_view_inside(struct reseat_machine *m, const struct draw_view *view)
{
    int levels = view->depth - m->host_level;
    m->inside = calloc((size_t)m->hosts * (size_t)levels + 1, sizeof *m->inside);
    m->number_of = calloc((size_t)view->slots, sizeof *m->number_of);
    if (!m->inside || !m->number_of)
        return -1;
    for (int32_t h = 0; h < m->hosts; h++)
        for (int i = 0; i < levels; i++) {
            int l = m->host_level + i;
            m->inside[h * levels + i] =
                netloc_view_extent(view, l, draw_first_below(view, m->host_level, h, l),
                                   draw_first_below(view, m->host_level, h + 1, l));
        }
    for (int32_t s = 0; s < view->slots; s++) {
        int32_t h = tmap_tree_ancestor(view->tree, s, m->host_level);
        for (int i = 0; i < levels; i++) {
            int l = m->host_level + i + 1;
            m->number_of[s] =
                m->number_of[s] * m->inside[h * levels + i] +
                tmap_tree_position(view->tree, l, tmap_tree_ancestor(view->tree, s, l));
        }
    }
    return 0;
}

/* The same lines as were read. */
static int netloc_view_again(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    struct reseat_machine machine = *view->described;
    machine.tree = (struct tmap_tree *)(uintptr_t)view->tree;
    return reseat_netloc_write(file, &machine) ? reseat_fail(error, "out of memory") : 0;
}

int draw_netloc(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    struct reseat_machine machine = {.tree = NULL};
    if (view->described)
        return netloc_view_again(file, view, error);
    if (netloc_view_check(view, error))
        return -1;
    machine.tree = (struct tmap_tree *)(uintptr_t)view->tree;
    machine.host_level = view->host_level;
    machine.hosts = tmap_tree_objects(view->tree, view->host_level);
    machine.host = (char **)(uintptr_t)view->host;
    int rc = netloc_view_levels(&machine, view) || netloc_view_inside(&machine, view) ||
                     reseat_netloc_write(file, &machine)
                 ? reseat_fail(error, "out of memory")
                 : 0;
    for (int l = 1; l <= machine.host_level; l++)
        free(machine.child[l]);
    free(machine.inside);
    free(machine.number_of);
    return rc;
}
