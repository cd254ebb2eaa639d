/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scotch-text.c - see machine-forms.h. Scotch's numbers are integers, so costs are multiplied by a
 * power of ten, if that makes integers of them, or else by 1000 and rounded; all are at least 1.
 */
#include "draw/machine-forms.h"

#include <math.h>
#include <stdlib.h>

enum {
    SCOTCH_TEXT_TORUS = 5,
    SCOTCH_TEXT_MESH = 3
}; /* dimensions; meshes of more are wrong in 7.0.3 */

/* ---- trees ---- */

/* The factor that makes the costs whole numbers. */
static double scotch_text_scale(const struct draw_view *view)
{
    double scale = 1;
    for (int l = 0; l < view->depth; l++) {
        double cost = tmap_tree_level(view->tree, l)->cost;
        while (scale < 1000 && fabs(cost * scale - nearbyint(cost * scale)) > 1e-9 * scale)
            scale *= 10;
    }
    return scale;
}

static long scotch_text_number(double value)
{
    return value < 1 ? 1 : value > 1e6 ? 1000000 : lround(value);
}

/* Scotch adds up the weights from a level down to the leaves, so costs have to fall. */
static int scotch_text_is_tleaf(const struct draw_view *view)
{
    double below = 0, scale = scotch_text_scale(view);
    if (!tmap_tree_is_uniform(view->tree))
        return 0;
    for (int l = view->depth - 1; l >= 0; l--) {
        double cost = tmap_tree_level(view->tree, l)->cost;
        if (tmap_tree_objects(view->tree, l + 1) == tmap_tree_objects(view->tree, l))
            continue;
        if ((cost - below) * scale < 1 || cost * scale > 1e6)
            return 0;
        below = cost;
    }
    return view->slots > 1;
}

static void scotch_text_tleaf(FILE *file, const struct draw_view *view)
{
    double scale = scotch_text_scale(view);
    int level[TMAP_MAX_LEVELS + 1], count = 0;
    for (int l = 0; l < view->depth; l++) /* Scotch takes no level that branches nowhere */
        if (tmap_tree_objects(view->tree, l + 1) > tmap_tree_objects(view->tree, l))
            level[count++] = l;
    fprintf(file, "tleaf\n%d", count);
    for (int i = 0; i < count; i++) {
        double below = i + 1 < count ? tmap_tree_level(view->tree, level[i + 1])->cost : 0;
        fprintf(file, " %d %ld",
                (int)(tmap_tree_objects(view->tree, level[i] + 1) /
                      tmap_tree_objects(view->tree, level[i])),
                scotch_text_number((tmap_tree_level(view->tree, level[i])->cost - below) * scale));
    }
    fputc('\n', file);
}

/* ---- torus and mesh ---- */

/* The extents that matter, in Scotch's order, in which the first varies fastest. Returns how many;
 * 0: it is not one of Scotch's. */
static int scotch_text_extents(const struct draw_view *view, int32_t *extent, int *is_cube,
                               enum tmap_shape_kind *kind)
{
    struct tmap_shape shape = {.size = sizeof shape};
    int count = 0, length_of = -1;
    *kind = tmap_tree_shape(view->tree, 0, &shape);
    *is_cube = *kind == TMAP_SHAPE_MESH;
    if (view->depth != 1 || (*kind != TMAP_SHAPE_TORUS && *kind != TMAP_SHAPE_MESH))
        return 0;
    for (int32_t s = 0; s < view->slots; s++)
        if (tmap_tree_slot_capacity(view->tree, s) != 1)
            return 0;
    for (int d = shape.dimensions - 1; d >= 0; d--) {
        if (shape.extent[d] == 1)
            continue;
        if (length_of >= 0 && shape.length[d] != shape.length[length_of])
            return 0;
        length_of = d;
        *is_cube &= shape.extent[d] == 2;
        extent[count++] = shape.extent[d];
    }
    int most = *kind == TMAP_SHAPE_TORUS ? SCOTCH_TEXT_TORUS : SCOTCH_TEXT_MESH;
    return count > most && !*is_cube ? 0 : count;
}

/* 0; 1: the machine is not of this kind. */
static int scotch_text_grid(FILE *file, const struct draw_view *view)
{
    int32_t extent[TMAP_MAX_DIMENSIONS];
    struct tmap_shape shape = {.size = sizeof shape};
    enum tmap_shape_kind kind;
    int is_cube, count = scotch_text_extents(view, extent, &is_cube, &kind);
    if (count == 0 || view->slots < 2)
        return 1;
    tmap_tree_shape(view->tree, 0, &shape);
    if (view->slots < draw_positions(&shape)) {
        fprintf(file, "sub\n%d", (int)view->slots);
        for (int32_t s = 0; s < view->slots; s++)
            fprintf(file, " %d", (int)tmap_tree_position(view->tree, 1, s));
        fputc('\n', file);
    }
    if (is_cube && count > 1) {
        fprintf(file, "hcub\n%d\n", count);
        return 0;
    }
    if (kind == TMAP_SHAPE_TORUS)
        fprintf(file, "torusXD\n%d", count);
    else
        fprintf(file, "mesh%dD\n%d", count < 3 ? 2 : 3, (int)extent[0]);
    for (int d = kind == TMAP_SHAPE_TORUS ? 0 : 1; d < count; d++)
        fprintf(file, " %d", (int)extent[d]);
    fputs(count == 1 && kind == TMAP_SHAPE_MESH ? " 1\n" : "\n", file);
    return 0;
}

/* ---- everything else ---- */

/* The outermost level whose objects two slots do not share. */
static int scotch_text_parting(const struct draw_view *view, int32_t a, int32_t b)
{
    int level = 1;
    while (level < view->depth &&
           tmap_tree_ancestor(view->tree, a, level) == tmap_tree_ancestor(view->tree, b, level))
        level++;
    return level;
}

/* Returns where to cut slots in two: between the largest objects if possible, for Scotch decides
 * first on which side of a cut a role is; else in the middle. Neither side gets more than the
 * numbers of its domains have room for: Scotch's tables grow with the square of the largest
 * number. */
static int32_t scotch_text_cut(const struct draw_view *view, const int32_t *slot, int32_t count)
{
    int32_t room = 1, best = 0;
    int outermost = view->depth + 1;
    while (2 * room < count)
        room *= 2;
    for (int32_t c = count - room; c <= room; c++) {
        int level = scotch_text_parting(view, slot[c - 1], slot[c]);
        int is_nearer = abs(2 * c - count) < abs(2 * best - count);
        if (level < outermost || (level == outermost && is_nearer)) {
            outermost = level;
            best = c;
        }
    }
    return best;
}

/* Number the domains: 1 is all of them, and 2n and 2n+1 the parts of n. Returns the largest
 * number. */
static int32_t scotch_text_domains(const struct draw_view *view, const int32_t *slot,
                                   int32_t *domain, int32_t count, int32_t number)
{
    if (count == 1) {
        *domain = number;
        return number;
    }
    int32_t cut = scotch_text_cut(view, slot, count);
    int32_t left = scotch_text_domains(view, slot, domain, cut, 2 * number);
    int32_t right =
        scotch_text_domains(view, slot + cut, domain + cut, count - cut, 2 * number + 1);
    return left > right ? left : right;
}

/* Distances become integers of at most a million. */
static double scotch_text_table_scale(const struct draw_view *view, const int32_t *slot,
                                      int32_t count)
{
    double most = 0, scale = 1;
    int fits = 0;
    while (!fits && scale < 1000) {
        fits = 1;
        for (int32_t i = 0; i < count; i++)
            for (int32_t j = 0; j < i; j++) {
                double d = tmap_tree_distance(view->tree, slot[i], slot[j]) * scale;
                most = d / scale > most ? d / scale : most;
                fits &= fabs(d - nearbyint(d)) <= 1e-9 * scale;
            }
        scale *= fits ? 1 : 10;
    }
    return most * scale > 1e6 ? 1e6 / most : scale;
}

static void scotch_text_table(FILE *file, const struct draw_view *view, const int32_t *slot,
                              const int32_t *domain, int32_t count)
{
    double scale = scotch_text_table_scale(view, slot, count);
    for (int32_t i = 0; i < count; i++)
        fprintf(file, "%d %d %d\n", (int)slot[i], (int)tmap_tree_slot_capacity(view->tree, slot[i]),
                (int)domain[i]);
    for (int32_t i = 1; i < count; i++)
        for (int32_t j = 0; j < i; j++)
            fprintf(file, "%ld%c",
                    scotch_text_number(tmap_tree_distance(view->tree, slot[i], slot[j]) * scale),
                    j + 1 < i ? ' ' : '\n');
}

static int scotch_text_deco(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    if (view->slots > SCOTCH_TEXT_MOST_SLOTS)
        return reseat_fail(
            error,
            "Scotch has no architecture for this machine but a table of the distances "
            "of all slots, of which there are %d; %d can be",
            (int)view->slots, SCOTCH_TEXT_MOST_SLOTS);
    int32_t slot[SCOTCH_TEXT_MOST_SLOTS], domain[SCOTCH_TEXT_MOST_SLOTS];
    int32_t count = 0;
    for (int32_t s = 0; s < view->slots; s++)
        if (tmap_tree_slot_capacity(view->tree, s) > 0)
            slot[count++] = s;
    if (count < 1)
        return reseat_fail(error, "no slot of this machine can hold anything");
    int32_t largest = scotch_text_domains(view, slot, domain, count, 1);
    fprintf(file, "deco 0\n%d %d\n", (int)count, (int)largest);
    scotch_text_table(file, view, slot, domain, count);
    return 0;
}

int draw_scotch(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    if (scotch_text_is_tleaf(view)) {
        scotch_text_tleaf(file, view);
        return 0;
    }
    return scotch_text_grid(file, view) ? scotch_text_deco(file, view, error) : 0;
}
