/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid-embedding.c - put a pattern that is a grid on a machine that is one.
 *
 * A shuffled torus of 16x16x16 on the torus of the same extents has a mapping in which all
 * neighbors are one hop apart, and no division is likely to find it: it makes cuts, all cuts of
 * equal halves are equally good, and in which dimension of the machine a dimension of the pattern
 * is cut is a matter of luck. But once the pattern is recognized (grid-pattern.h), its dimensions
 * can be put on those of the machine:
 *
 *   1. Blocks. If c roles go to each position, they are a block of the pattern, of one of the
 *      shapes with the smallest surface. The blocks are a grid again, with as many cells as the
 *      machine has positions.
 *   2. Factors. Each dimension of the pattern is written as a product, with one factor for each
 *      dimension of the machine, so that the factors that meet in a dimension of the machine
 *      multiply to its extent. First dimensions of equal extents are paired; then all ways are
 *      tried, up to a limit. As a ring of 4 is a square, it is two dimensions of extent 2 in both
 *      grids.
 *   3. A dimension of the pattern walks through the product of its factors (grid-order.h), where a
 *      step is one hop. Where several dimensions of the pattern share one of the machine, the inner
 *      ones have small steps and the outer ones large ones. A factor s with traffic w costs s - 1
 *      times as much more for each one outside, so those with the largest w / (s - 1) go inside.
 *
 * Example: 8x8x8 on 16x32. 16 = 8 x 1 x 2 and 32 = 1 x 8 x 4: the third dimension of the pattern
 * walks through 2x4 with steps of 1 hop in both dimensions of the machine, so those of the first
 * one are of 2 hops, and of the second one of 4, which is the mean of 2.33 hops where divisions and
 * exchanges found 2.95.
 *
 * Each of the mappings is evaluated on its true cost. Time O(roles + pairs) for each.
 */
#include "treematch/multilevel/grid-embedding.h"
#include "treematch/model/grid-pattern.h"
#include "treematch/model/interconnect.h"
#include "treematch/multilevel/grid-order.h"

#include <math.h>

/* A torus dimension of extent 4 counts twice. */
enum { AXES = 2 * TMAP_MAX_DIMENSIONS };

/* Block shapes that are tried; mappings for each; steps of the search for each. */
enum { MOST_BLOCK_SHAPES = 6, MAPPINGS_PER_SHAPE = 8, STEPS_PER_MAPPING = 20000 };

struct axis {
    int32_t extent, stride; /* of cells: row-major, the last one varying fastest */
    int wraps;
    double length; /* of a hop */
};

struct block {
    int32_t size[TMAP_GRID_DIMENSIONS];
    double surface;
};

struct embedding {
    const struct tmap_problem *problem;
    const struct tmap_grid *grid;
    const struct tmap_interconnect *interconnect;
    int level;
    int32_t each; /* roles at a position */
    int axes;
    struct axis axis[AXES];
    int32_t *slot_of_unit; /* the units of cell a are a * each ... */
    struct block block[MOST_BLOCK_SHAPES];
    int blocks;
    /* The present mapping: */
    const struct block *shape;
    int32_t factor[TMAP_GRID_DIMENSIONS][AXES];
    int paired[TMAP_GRID_DIMENSIONS]; /* with one axis: no search */
    int32_t rest[AXES];               /* of the extent, for other dimensions */
    int32_t *unit; /* by dimension and coordinate: added up, the unit of a role */
    int32_t *tried, *best;
    double best_cost;
    int mappings, steps; /* still allowed */
    enum tmap_status status;
};

/* ---- The machine ---- */

/* The torus or mesh that connects the whole machine; -1: there is none. */
static int find_level(const struct tmap_tree *tree)
{
    int level = 0;
    while (level < tree->depth && tree->count[level] == 1 && !tree->interconnect[level])
        level++;
    if (level == tree->depth || tree->count[level] > 1 ||
        tree->interconnect[level]->shape.kind == TMAP_SHAPE_GRAPH ||
        tree->interconnect[level]->positions != tree->count[level + 1])
        return -1;
    return level;
}

static void add_axis(struct embedding *e, int32_t extent, int wraps, double length)
{
    for (int i = 0; i < e->axes; i++)
        e->axis[i].stride *= extent;
    e->axis[e->axes++] = (struct axis){extent, 1, wraps && extent > 2, length};
}

static int is_square(const struct tmap_shape *shape, int dimension)
{
    return shape->kind == TMAP_SHAPE_TORUS && shape->extent[dimension] == 4;
}

static void find_axes(struct embedding *e)
{
    const struct tmap_shape *shape = &e->interconnect->shape;
    for (int d = 0; d < shape->dimensions; d++)
        if (is_square(shape, d)) {
            add_axis(e, 2, 0, shape->length[d]);
            add_axis(e, 2, 0, shape->length[d]);
        } else if (shape->extent[d] > 1)
            add_axis(e, shape->extent[d], shape->kind == TMAP_SHAPE_TORUS, shape->length[d]);
}

/* The position of a cell: squares have their corners in the order 0 1 3 2. */
static int32_t position_of(const struct embedding *e, int32_t cell)
{
    const struct tmap_shape *shape = &e->interconnect->shape;
    int32_t position = 0, stride = 1;
    for (int d = shape->dimensions - 1; d >= 0; d--) {
        int32_t at = cell % shape->extent[d];
        cell /= shape->extent[d];
        if (is_square(shape, d))
            at ^= at >> 1;
        position += at * stride;
        stride *= shape->extent[d];
    }
    return position;
}

/* 0: the machine has no room for `each` roles at some position. */
static int find_units(struct embedding *e, int32_t *object_at)
{
    const struct tmap_tree *tree = e->problem->tree;
    int32_t cells = tree->count[e->level + 1];
    for (int32_t object = 0; object < cells; object++)
        object_at[tree->position[e->level][object]] = object;
    for (int32_t cell = 0; cell < cells; cell++) {
        int32_t object = object_at[position_of(e, cell)], unit = 0;
        const int32_t *slot = &tree->first_slot[e->level + 1][object];
        for (int32_t s = slot[0]; s < slot[1]; s++)
            for (int32_t u = 0; u < tree->capacity[s] && unit < e->each; u++)
                e->slot_of_unit[cell * e->each + unit++] = s;
        if (unit < e->each)
            return 0;
    }
    return 1;
}

/* ---- Blocks ---- */

/* Keep the best ones, in order. */
static void keep_block(struct embedding *e, const struct block *block)
{
    int at = e->blocks;
    while (at > 0 && e->block[at - 1].surface > block->surface)
        at--;
    e->blocks += e->blocks < MOST_BLOCK_SHAPES;
    for (int i = e->blocks - 1; i > at; i--)
        e->block[i] = e->block[i - 1];
    if (at < MOST_BLOCK_SHAPES)
        e->block[at] = *block;
}

/* The sizes from `dimension` on; their product is `each`. */
static void find_blocks(struct embedding *e, struct block *block, int dimension, int32_t each)
{
    const struct tmap_grid *grid = e->grid;
    if (e->steps-- <= 0)
        return;
    if (dimension == grid->dimensions) {
        if (each == 1)
            keep_block(e, block);
        return;
    }
    int32_t extent = grid->extent[dimension];
    double surface = block->surface;
    for (int32_t size = 1; size <= extent && size <= each; size++) {
        if (extent % size != 0 || each % size != 0)
            continue;
        block->size[dimension] = size;
        block->surface = surface + (size == extent ? 0 : grid->weight[dimension] / size);
        find_blocks(e, block, dimension + 1, each / size);
    }
    block->surface = surface;
}

/* ---- A mapping from its factors ---- */

/* Loss of dimension i if it has larger steps. */
static double worth_of(const struct embedding *e, int i, int axis)
{
    return e->grid->weight[i] / (e->factor[i][axis] - 1);
}

/* Distance in cells of a step of factor (dimension, axis): others that are inside make it
 * larger. */
static int32_t stride_of(const struct embedding *e, int dimension, int axis)
{
    int32_t stride = e->axis[axis].stride;
    for (int i = 0; i < e->grid->dimensions; i++) {
        if (i == dimension || e->factor[i][axis] == 1)
            continue;
        double worth = worth_of(e, i, axis), own = worth_of(e, dimension, axis);
        if (worth > own || (worth >= own && i < dimension))
            stride *= e->factor[i][axis];
    }
    return stride;
}

static void walk_dimension(const struct embedding *e, int dimension, int32_t inside, int32_t *unit)
{
    struct tmap_grid_side side[AXES];
    int32_t block = e->shape->size[dimension];
    int sides = 0;
    for (int j = 0; j < e->axes; j++) {
        const struct axis *axis = &e->axis[j];
        int32_t size = e->factor[dimension][j], stride = stride_of(e, dimension, j);
        int is_outermost = stride * size == axis->stride * axis->extent;
        double cost = stride / axis->stride * axis->length;
        if (size > 1)
            side[sides++] =
                (struct tmap_grid_side){size, axis->wraps && is_outermost, stride, cost};
    }
    enum tmap_grid_walk walk = tmap_grid_plan(side, sides, e->grid->wraps[dimension]);
    for (int32_t x = 0; x < e->grid->extent[dimension]; x++)
        unit[x] = e->each * tmap_grid_cell(side, sides, walk, x / block) + x % block * inside;
}

static void try_factors(struct embedding *e)
{
    const struct tmap_grid *grid = e->grid;
    const struct tmap_problem *problem = e->problem;
    int32_t at[TMAP_GRID_DIMENSIONS], *unit[TMAP_GRID_DIMENSIONS] = {NULL}, inside = 1, before = 0;
    struct tmap_cost cost;
    for (int i = 0; i < grid->dimensions; i++) {
        unit[i] = e->unit + before;
        walk_dimension(e, i, inside, unit[i]);
        before += grid->extent[i];
        inside *= e->shape->size[i];
    }
    for (int32_t role = 0; role < problem->matrix->roles; role++) {
        int32_t sum = 0;
        tmap_grid_coordinates(grid, grid->cell_of[role], at);
        for (int i = 0; i < grid->dimensions; i++)
            sum += unit[i][at[i]];
        e->tried[role] = e->slot_of_unit[sum];
    }
    e->mappings--;
    e->status = tmap_mapping_evaluate(problem->matrix, problem->tree, e->tried, &cost, NULL);
    if (e->status == TMAP_OK && cost.cost < e->best_cost) {
        int32_t *swapped = e->best;
        e->best = e->tried;
        e->tried = swapped;
        e->best_cost = cost.cost;
    }
}

/* ---- Factors ---- */

static int32_t blocks_along(const struct embedding *e, int dimension)
{
    return e->grid->extent[dimension] / e->shape->size[dimension];
}

/* Pair a dimension with an axis of the same extent, if there is one left: better one that wraps as
 * it does, or with shorter hops. */
static void pair_dimension(struct embedding *e, int dimension)
{
    int32_t blocks = blocks_along(e, dimension);
    int best = -1;
    for (int j = 0; j < e->axes; j++) {
        int fits = e->axis[j].wraps == e->grid->wraps[dimension];
        if (blocks == 1 || e->rest[j] != blocks)
            continue;
        if (best >= 0) {
            int best_fits = e->axis[best].wraps == e->grid->wraps[dimension];
            if (fits < best_fits ||
                (fits == best_fits && e->axis[j].length >= e->axis[best].length))
                continue;
        }
        best = j;
    }
    e->paired[dimension] = best >= 0;
    if (best >= 0) {
        e->factor[dimension][best] = blocks;
        e->rest[best] = 1;
    }
}

/* The heaviest dimensions choose first. */
static void pair_dimensions(struct embedding *e)
{
    const double *weight = e->grid->weight;
    int order[TMAP_GRID_DIMENSIONS];
    for (int i = 0; i < e->grid->dimensions; i++) {
        int at = i;
        for (; at > 0 && weight[order[at - 1]] < weight[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < e->grid->dimensions; i++)
        pair_dimension(e, order[i]);
}

/* The factors of `dimension` from `axis` on; their product is `left`. */
static void find_factors(struct embedding *e, int dimension, int axis, int32_t left)
{
    if (e->mappings <= 0 || e->steps-- <= 0 || e->status != TMAP_OK)
        return;
    if (dimension == e->grid->dimensions) {
        try_factors(e);
        return;
    }
    if (axis == e->axes || e->paired[dimension]) {
        int next = dimension + 1;
        if (left == 1 || e->paired[dimension])
            find_factors(e, next, 0, next < e->grid->dimensions ? blocks_along(e, next) : 1);
        return;
    }
    for (int32_t size = left < e->rest[axis] ? left : e->rest[axis]; size >= 1; size--) {
        if (left % size != 0 || e->rest[axis] % size != 0)
            continue;
        e->factor[dimension][axis] = size;
        e->rest[axis] /= size;
        find_factors(e, dimension, axis + 1, left / size);
        e->rest[axis] *= size;
        e->factor[dimension][axis] = 1;
    }
}

static void try_block(struct embedding *e, const struct block *block)
{
    e->shape = block;
    for (int j = 0; j < e->axes; j++) {
        e->rest[j] = e->axis[j].extent;
        for (int i = 0; i < e->grid->dimensions; i++)
            e->factor[i][j] = 1;
    }
    pair_dimensions(e);
    e->mappings = MAPPINGS_PER_SHAPE;
    e->steps = STEPS_PER_MAPPING;
    find_factors(e, 0, 0, blocks_along(e, 0));
}

static enum tmap_status embed_grid(struct embedding *e)
{
    const struct tmap_tree *tree = e->problem->tree;
    size_t roles = (size_t)e->problem->matrix->roles;
    struct block block = {{0}, 0};
    int32_t *object_at = tmap_new((size_t)tree->count[e->level + 1], sizeof *object_at);
    e->slot_of_unit = tmap_new(roles, sizeof *e->slot_of_unit);
    e->unit = tmap_new(roles + 1, sizeof *e->unit);
    e->tried = tmap_new(roles, sizeof *e->tried);
    e->best = tmap_new(roles, sizeof *e->best);
    if (!object_at || !e->slot_of_unit || !e->unit || !e->tried || !e->best)
        e->status = TMAP_ENOMEM;
    find_axes(e);
    if (e->status == TMAP_OK && find_units(e, object_at)) {
        e->steps = STEPS_PER_MAPPING;
        find_blocks(e, &block, 0, e->each);
        for (int i = 0; i < e->blocks; i++)
            try_block(e, &e->block[i]);
    }
    free(object_at);
    return e->status;
}

enum tmap_status tmap_grid_embed(const struct tmap_problem *problem, int32_t *slot_of, int *found)
{
    struct tmap_grid grid;
    struct embedding e = {.problem = problem, .grid = &grid, .best_cost = INFINITY};
    *found = 0;
    e.level = find_level(problem->tree);
    if (e.level < 0 || problem->matrix->roles % problem->tree->count[e.level + 1] != 0)
        return TMAP_OK;
    e.interconnect = problem->tree->interconnect[e.level];
    e.each = problem->matrix->roles / problem->tree->count[e.level + 1];
    e.status = tmap_grid_recognize(&grid, problem->matrix);
    if (e.status == TMAP_OK && grid.dimensions > 0 && embed_grid(&e) == TMAP_OK &&
        e.best_cost < INFINITY) {
        memcpy(slot_of, e.best, sizeof *slot_of * (size_t)problem->matrix->roles);
        *found = 1;
    }
    free(e.slot_of_unit);
    free(e.unit);
    free(e.tried);
    free(e.best);
    tmap_grid_fini(&grid);
    return e.status;
}
