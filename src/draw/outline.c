/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outline.c - see outline.h. From the leaves up: an object is what kinds of children it has. These
 * are sorted for each object, and then the objects by them; equal neighbors are of one kind.
 */
#include "draw/outline.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"

struct outline_row {
    const int32_t *child; /* kinds, ascending */
    int32_t children;
    int32_t object;
};

static int outline_by_children(const void *a, const void *b)
{
    const struct outline_row *x = a, *y = b;
    for (int32_t i = 0; i < x->children && i < y->children; i++)
        if (x->child[i] != y->child[i])
            return x->child[i] > y->child[i] ? 1 : -1;
    return (x->children > y->children) - (x->children < y->children);
}

static void outline_set_leaves(struct draw_outline *outline, const struct draw_view *view)
{
    for (int32_t s = 0; s < view->slots; s++) {
        outline->kind[view->depth][s] = tmap_tree_slot_capacity(view->tree, s);
        outline->is_plain[view->depth][s] = 1;
    }
}

static int outline_is_plain(const struct draw_outline *outline, const struct draw_view *view,
                            int level, int32_t object)
{
    struct tmap_shape shape = {.size = sizeof shape};
    int32_t first = view->first_child[level][object], end = view->first_child[level][object + 1];
    tmap_tree_shape(view->tree, level, &shape);
    if (shape.kind != TMAP_SHAPE_NONE && draw_positions(&shape) != end - first)
        return 0;
    for (int32_t c = first; c < end; c++)
        if (!outline->is_plain[level + 1][c] ||
            outline->kind[level + 1][c] != outline->kind[level + 1][first])
            return 0;
    return 1;
}

/* The kinds of a level, from those of the next one. 0, or -1. */
static int outline_set_level(struct draw_outline *outline, const struct draw_view *view, int level)
{
    const int32_t *first = view->first_child[level];
    size_t objects = (size_t)tmap_tree_objects(view->tree, level);
    size_t below = (size_t)tmap_tree_objects(view->tree, level + 1);
    struct outline_row *rows = malloc(objects * sizeof *rows);
    int32_t *children = malloc(below * sizeof *children), kind = 0;
    if (rows && children) {
        memcpy(children, outline->kind[level + 1], below * sizeof *children);
        for (int32_t o = 0; o < (int32_t)objects; o++) {
            int32_t count = first[o + 1] - first[o];
            qsort(children + first[o], (size_t)count, sizeof *children, ascending_int32);
            rows[o] = (struct outline_row){children + first[o], count, o};
            outline->is_plain[level][o] = (unsigned char)outline_is_plain(outline, view, level, o);
        }
        qsort(rows, objects, sizeof *rows, outline_by_children);
        for (size_t r = 0; r < objects; r++) {
            kind += r && outline_by_children(&rows[r - 1], &rows[r]) != 0;
            outline->kind[level][rows[r].object] = kind;
        }
    }
    int rc = rows && children ? 0 : -1;
    free(rows);
    free(children);
    return rc;
}

int draw_outline_open(struct draw_outline *outline, const struct draw_view *view)
{
    *outline = (struct draw_outline){.depth = view->depth};
    for (int l = 0; l <= view->depth; l++) {
        size_t objects = (size_t)tmap_tree_objects(view->tree, l);
        outline->kind[l] = malloc(objects * sizeof *outline->kind[l]);
        outline->is_plain[l] = malloc(objects);
        if (!outline->kind[l] || !outline->is_plain[l])
            return -1;
    }
    outline_set_leaves(outline, view);
    for (int l = view->depth - 1; l >= 0; l--)
        if (outline_set_level(outline, view, l))
            return -1;
    return 0;
}

void draw_outline_close(struct draw_outline *outline)
{
    for (int l = 0; l <= outline->depth; l++) {
        free(outline->kind[l]);
        free(outline->is_plain[l]);
    }
}
