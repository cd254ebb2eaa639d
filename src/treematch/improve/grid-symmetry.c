/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid-symmetry.c - see grid-symmetry.h.
 *
 * Along each dimension, with the coordinates a of `from` and b of `to`, two maps lead from a to b
 * and keep all distances:
 *   shift        x -> x + b - a, around a torus; in a mesh only if that is nothing, for a = b
 *   reflection   x -> a + b - x, around a torus; in a mesh it must not leave the mesh
 * All combinations are tried, shifts first, until one leads from each child to a child. In a full
 * torus that is the first one. Example: mesh:4x3, from (3,1) to (0,1): reflection along the first
 * dimension, x -> 3 - x, and nothing along the second.
 */
#include "treematch/improve/grid-symmetry.h"

#include "treematch/model/interconnect.h"

/* Dimensions in which both maps are tried; in the others the first that is possible. */
enum { SYMMETRY_BOTH_WAYS = 8 };

struct symmetry_map {
    int32_t sign[TMAP_MAX_DIMENSIONS], offset[TMAP_MAX_DIMENSIONS];
};

/* Returns the image of a position; -1: outside. */
static int32_t symmetry_apply(const struct symmetry_map *map,
                              const struct tmap_interconnect *interconnect, int32_t position)
{
    const struct tmap_shape *shape = &interconnect->shape;
    int32_t at[TMAP_MAX_DIMENSIONS], result = 0;
    tmap_interconnect_coordinates(interconnect, position, at);
    for (int d = 0; d < shape->dimensions; d++) {
        int64_t extent = shape->extent[d], x = (int64_t)map->sign[d] * at[d] + map->offset[d];
        if (shape->kind == TMAP_SHAPE_TORUS)
            x = (x % extent + extent) % extent;
        if (x < 0 || x >= extent)
            return -1;
        result = (int32_t)(result * extent + x);
    }
    return result;
}

/* The map with reflections in the dimensions of the bits `reflected`, counting only those with a
 * choice. */
static int symmetry_make(struct symmetry_map *map, const struct tmap_shape *shape, const int32_t *a,
                         const int32_t *b, unsigned reflected)
{
    int choices = 0;
    for (int d = 0; d < shape->dimensions; d++) {
        int can_shift = shape->kind == TMAP_SHAPE_TORUS || a[d] == b[d], reflects = !can_shift;
        if (can_shift && shape->extent[d] > 2 && choices < SYMMETRY_BOTH_WAYS)
            reflects = reflected >> choices++ & 1;
        map->sign[d] = reflects ? -1 : 1;
        map->offset[d] = reflects ? a[d] + b[d] : b[d] - a[d];
    }
    return choices;
}

/* Returns 1 if the map leads from each child to one that is like it. */
static int symmetry_try(const struct tmap_grid_symmetry *s, const struct symmetry_map *map,
                        int32_t children)
{
    int32_t first = s->tree->first_child[s->level][s->parent];
    const int32_t *position = s->tree->position[s->level] + first, *class_of = s->class_of + first;
    for (int32_t i = 0; i < children; i++) {
        int32_t mapped = symmetry_apply(map, s->tree->interconnect[s->level], position[i]);
        int32_t image =
            mapped < 0 ? -1 : tmap_sorted_member(s->scratch, position, children, mapped);
        if (image < 0 || class_of[image] != class_of[i])
            return 0;
        s->image[i] = image;
    }
    return 1;
}

int tmap_find_grid_symmetry(const struct tmap_grid_symmetry *s)
{
    const struct tmap_interconnect *interconnect = s->tree->interconnect[s->level];
    const int32_t *first = s->tree->first_child[s->level], *position = s->tree->position[s->level];
    int32_t a[TMAP_MAX_DIMENSIONS], b[TMAP_MAX_DIMENSIONS];
    int32_t children = first[s->parent + 1] - first[s->parent];
    struct symmetry_map map;
    if (interconnect->vertex)
        return 0;
    tmap_interconnect_coordinates(interconnect, position[s->from], a);
    tmap_interconnect_coordinates(interconnect, position[s->to], b);
    for (int32_t i = 0; i < children; i++)
        s->scratch[i] = i;
    tmap_sort(s->scratch, s->scratch + children, children, tmap_by_number,
              position + first[s->parent]);
    for (unsigned reflected = 0;; reflected++) {
        int choices = symmetry_make(&map, &interconnect->shape, a, b, reflected);
        if (reflected >> choices)
            return 0;
        if (symmetry_try(s, &map, children))
            return 1;
    }
}
