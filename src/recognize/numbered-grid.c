/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbered-grid.c - find grids in the numbers of the ranks.
 *
 * In a grid numbered row by row, neighbors in a dimension are a fixed distance apart: the stride,
 * which is the product of the extents of the dimensions that vary faster. So extents are tried from
 * the fastest dimension on, and only such under which nearly all pairs at the distance of the
 * stride talk:
 *
 *      extents 3 x 4      0 -  1 -  2 -  3      stride 1: 9 pairs
 *                         |    |    |    |      stride 4: 8 pairs
 *                         4 -  5 -  6 -  7
 *                         |    |    |    |
 *                         8 -  9 - 10 - 11
 *
 * Few grids are left; hundreds where ranks talk at all distances that are powers of two, and then
 * not all are measured if there are many ranks. For these all pairs are sorted by the vector from
 * one cell to the other, with wrapped steps apart: that tells which dimensions are periodic and
 * which diagonal neighbors talk.
 */
#include <stdlib.h>
#include <string.h>

#include "recognize/numbered.h"

enum { GRID_MASKS = 1 << RECOGNIZE_DIMENSIONS };

/* Wrapped steps must carry this fraction of what others do, a pair; diagonals this share of all. */
static const double GRID_LEAST_WRAP = 0.1, GRID_LEAST_DIAGONALS = 0.02;
/* Diagonals carry so many times what as many other pairs do, or nearly all that is left. */
static const double GRID_LEAST_LIFT = 1.5, GRID_LIFT = 3;

/* The step from a cell to a neighbor: its vector, -1 in the place of +1 if the other way round; or
 * -1. */
struct grid_step {
    int vector;
    unsigned support, wrapped; /* dimensions, a bit each */
};

/* By vector and the dimensions in which the step wraps. */
struct grid_tally {
    double weight[RECOGNIZE_VECTORS][GRID_MASKS];
    double count[RECOGNIZE_VECTORS][GRID_MASKS];
};

/* -1, 0, 1, or 2 for more; *wraps: over the border. */
static int grid_step_along(int32_t from, int32_t to, int32_t extent, int *wraps)
{
    int32_t step = to - from;
    *wraps = extent > 2 && abs(step) == extent - 1;
    if (*wraps)
        step = step > 0 ? -1 : 1;
    if (extent == 2)
        step = abs(step);
    return abs(step) > 1 ? 2 : step;
}

static int grid_vector(const int *step, const int32_t *extent, int dimensions)
{
    int sign = 0, vector = 0;
    for (int d = 0; d < dimensions && sign == 0; d++)
        sign = extent[d] > 2 ? step[d] : 0;
    for (int d = 0; d < dimensions; d++)
        vector = 3 * vector + 1 + (extent[d] > 2 && sign < 0 ? -step[d] : step[d]);
    return vector;
}

static struct grid_step grid_step(const struct recognized_part *grid, int32_t a, int32_t b)
{
    struct grid_step result = {-1, 0, 0};
    int step[RECOGNIZE_DIMENSIONS];
    if (grid->cell_of) {
        a = grid->cell_of[a];
        b = grid->cell_of[b];
    }
    for (int d = grid->dimensions - 1; d >= 0; d--) {
        int32_t extent = grid->extent[d];
        int wraps;
        step[d] = grid_step_along(a % extent, b % extent, extent, &wraps);
        if (step[d] == 2)
            return result;
        result.support |= step[d] != 0 ? 1U << d : 0;
        result.wrapped |= wraps ? 1U << d : 0;
        a /= extent;
        b /= extent;
    }
    result.vector = grid_vector(step, grid->extent, grid->dimensions);
    return result;
}

static unsigned grid_wraps(const struct recognized_part *grid)
{
    unsigned mask = 0;
    for (int d = 0; d < grid->dimensions; d++)
        mask |= grid->wraps[d] ? 1U << d : 0;
    return mask;
}

int numbered_grid_has(const struct recognized_part *grid, int32_t a, int32_t b)
{
    struct grid_step step = grid_step(grid, a, b);
    if (step.vector < 0 || (step.wrapped & ~grid_wraps(grid)))
        return 0;
    return __builtin_popcount(step.support) == 1 || grid->diagonal[step.vector];
}

/* The dimensions in which a vector leads elsewhere. */
static unsigned grid_support(const struct recognized_part *grid, int vector)
{
    unsigned support = 0;
    for (int d = grid->dimensions - 1; d >= 0; d--, vector /= 3)
        support |= vector % 3 != 1 ? 1U << d : 0;
    return support;
}

/* Number of pairs of cells that such a step joins. A step of 1 in an extent of 2 stands for both
 * signs. */
static double grid_expected(const struct recognized_part *grid, unsigned support, unsigned wrapped)
{
    double pairs = 1;
    int twos = 0, others = 0;
    for (int d = 0; d < grid->dimensions; d++) {
        if (!(support >> d & 1))
            pairs *= grid->extent[d];
        else if (!(wrapped >> d & 1))
            pairs *= grid->extent[d] - 1;
        twos += (support >> d & 1) && grid->extent[d] == 2;
        others += (support >> d & 1) && grid->extent[d] > 2;
    }
    return pairs * (1 << twos) / (others == 0 ? 2 : 1);
}

/* Pairs of a vector, wrapped in no other dimensions than the grid is. */
static double grid_all_expected(const struct recognized_part *grid, unsigned support)
{
    unsigned wraps = grid_wraps(grid) & support;
    double pairs = 0;
    for (unsigned wrapped = 0; wrapped < GRID_MASKS; wrapped++)
        if (!(wrapped & ~wraps))
            pairs += grid_expected(grid, support, wrapped);
    return pairs;
}

static int grid_power(int dimensions)
{
    int vectors = 1;
    while (dimensions-- > 0)
        vectors *= 3;
    return vectors;
}

double numbered_grid_pairs(const struct recognized_part *grid)
{
    double pairs = 0;
    for (int d = 0; d < grid->dimensions; d++)
        pairs += grid_all_expected(grid, 1U << d);
    for (int vector = 0; vector < grid_power(grid->dimensions); vector++)
        if (grid->diagonal[vector])
            pairs += grid_all_expected(grid, grid_support(grid, vector));
    return pairs;
}

/* ---- What a grid has ---- */

static int grid_face(const struct recognized_part *grid, int dimension)
{
    int step[RECOGNIZE_DIMENSIONS] = {0};
    step[dimension] = 1;
    return grid_vector(step, grid->extent, grid->dimensions);
}

/* Returns 1 if nearly all neighbors in a dimension talk, and finds whether it wraps. */
static int grid_measure_dimension(struct recognized_part *grid, int d, const struct grid_tally *t)
{
    unsigned bit = 1U << d;
    int vector = grid_face(grid, d);
    double inner = grid_expected(grid, bit, 0), outer = grid_expected(grid, bit, bit);
    if (t->count[vector][0] < RECOGNIZE_NEARLY_ALL * inner)
        return 0;
    grid->wraps[d] =
        grid->extent[d] > 2 && t->count[vector][bit] >= RECOGNIZE_NEARLY_ALL * outer &&
        t->weight[vector][bit] / outer >= GRID_LEAST_WRAP * t->weight[vector][0] / inner;
    grid->weight[d] = t->weight[vector][0] + (grid->wraps[d] ? t->weight[vector][bit] : 0);
    return 1;
}

/* Returns 1 if a vector leads to a diagonal neighbor that is written this way: the first step in an
 * extent above 2 goes ahead, and so do all in an extent of 2. */
static int grid_is_diagonal(const struct recognized_part *grid, int vector)
{
    int step[RECOGNIZE_DIMENSIONS] = {0}, rest = vector;
    for (int d = grid->dimensions - 1; d >= 0; d--, rest /= 3)
        step[d] = rest % 3 - 1;
    for (int d = 0; d < grid->dimensions; d++)
        if (grid->extent[d] == 2 && step[d] < 0)
            return 0;
    return __builtin_popcount(grid_support(grid, vector)) > 1 &&
           grid_vector(step, grid->extent, grid->dimensions) == vector;
}

/* A vector with all its wrapped forms; returns what they carry, 0 unless nearly all such pairs
 * talk. */
static double grid_measure_vector(const struct recognized_part *grid, const struct grid_tally *t,
                                  int vector)
{
    unsigned wraps = grid_wraps(grid);
    double count = 0, weight = 0;
    for (unsigned wrapped = 0; wrapped < GRID_MASKS; wrapped++)
        if (!(wrapped & ~wraps)) {
            count += t->count[vector][wrapped];
            weight += t->weight[vector][wrapped];
        }
    double expected = grid_all_expected(grid, grid_support(grid, vector));
    return count >= RECOGNIZE_NEARLY_ALL * expected ? weight : 0;
}

/* Diagonal neighbors are worth a word if of what is not between direct neighbors they have more
 * than their number explains. */
static void grid_measure_diagonals(struct recognized_part *grid, const struct grid_tally *t,
                                   const struct traffic *traffic)
{
    double weight = 0, rest = traffic->total, ranks = traffic->ranks;
    memset(grid->diagonal, 0, sizeof grid->diagonal);
    grid->diagonals = grid->all_diagonals = 0;
    double plain_pairs = numbered_grid_pairs(grid);
    for (int d = 0; d < grid->dimensions; d++)
        rest -= grid->weight[d];
    for (int vector = 0; vector < grid_power(grid->dimensions); vector++) {
        if (!grid_is_diagonal(grid, vector))
            continue;
        double carried = grid_measure_vector(grid, t, vector);
        grid->all_diagonals++;
        grid->diagonal[vector] = carried > 0;
        grid->diagonals += carried > 0;
        weight += carried;
    }
    double pairs = numbered_grid_pairs(grid) - plain_pairs;
    double other_pairs = ranks * (ranks - 1) / 2 - plain_pairs;
    double lift = weight * other_pairs / (rest * pairs + 1);
    if (weight < GRID_LEAST_DIAGONALS * traffic->total || lift < GRID_LEAST_LIFT ||
        (lift < GRID_LIFT && weight < RECOGNIZE_NEARLY_ALL * rest)) {
        memset(grid->diagonal, 0, sizeof grid->diagonal);
        grid->diagonals = 0;
    }
}

/* Returns 1 if each dimension carries more than its pairs would by chance, of the traffic that
 * those with heavier pairs leave; or if together they carry all. */
static int grid_has_all_dimensions(const struct recognized_part *grid,
                                   const struct traffic *traffic)
{
    double ranks = traffic->ranks, rest = traffic->total, other_pairs = ranks * (ranks - 1) / 2;
    double all = 0;
    unsigned counted = 0;
    for (int d = 0; d < grid->dimensions; d++)
        all += grid->weight[d];
    if (all >= RECOGNIZE_ALL * traffic->total)
        return 1;
    for (int i = 0; i < grid->dimensions; i++) {
        int next = 0;
        double pairs = 0;
        for (int d = 0; d < grid->dimensions; d++) {
            double others = grid_all_expected(grid, 1U << d);
            if (!(counted >> d & 1) &&
                (pairs <= 0 || grid->weight[d] * pairs > grid->weight[next] * others)) {
                next = d;
                pairs = others;
            }
        }
        if (grid->weight[next] * other_pairs < RECOGNIZE_LEAST_LIFT * rest * pairs)
            return 0;
        counted |= 1U << next;
        rest -= grid->weight[next];
        other_pairs -= pairs;
    }
    return 1;
}

int numbered_grid_measure(struct recognized_part *grid, const struct traffic *traffic)
{
    struct grid_tally tally;
    memset(&tally, 0, sizeof tally);
    for (size_t i = 0; i < traffic->count; i++) {
        const struct traffic_edge *edge = &traffic->edge[i];
        struct grid_step step = grid_step(grid, edge->a, edge->b);
        if (step.vector < 0)
            continue;
        tally.weight[step.vector][step.wrapped] += (double)edge->weight;
        tally.count[step.vector][step.wrapped]++;
    }
    for (int d = 0; d < grid->dimensions; d++)
        if (!grid_measure_dimension(grid, d, &tally))
            return 0;
    grid_measure_diagonals(grid, &tally, traffic);
    return grid_has_all_dimensions(grid, traffic);
}

/* ---- Search ---- */

/* Extents of the dimensions from the fastest on: `reversed`, so many, which have `stride` cells;
 * `weight` is what is at their distances at most. Where all are 2 it is a hypercube
 * (numbered-groups.c). */
static void grid_extend(struct traffic *traffic, const int32_t *reversed, int count, int32_t stride,
                        double weight)
{
    int32_t cells = traffic->ranks, longer[RECOGNIZE_DIMENSIONS];
    if (stride == cells) {
        struct recognized_part grid = {.kind = RECOGNIZED_GRID, .dimensions = count};
        int is_cube = count > 2;
        for (int d = 0; d < count; d++) {
            grid.extent[d] = reversed[count - 1 - d];
            is_cube &= grid.extent[d] == 2;
        }
        if (is_cube || weight < RECOGNIZE_LEAST_SHARE * traffic->total || !traffic_may_try(traffic))
            return;
        if (numbered_grid_measure(&grid, traffic))
            traffic_offer(traffic, &grid);
        return;
    }
    if (count == RECOGNIZE_DIMENSIONS)
        return;
    for (int d = 0; d < count; d++)
        longer[d] = reversed[d];
    for (int32_t extent = 2; extent <= cells / stride; extent++) {
        if (cells / stride % extent != 0)
            continue;
        double pairs = (double)cells / extent * (extent - 1);
        if (traffic->count_at[stride] < RECOGNIZE_NEARLY_ALL * pairs)
            break; /* longer ones have more pairs */
        double wrapped = extent > 2 ? traffic->weight_at[stride * (extent - 1)] : 0;
        longer[count] = extent;
        grid_extend(traffic, longer, count + 1, stride * extent,
                    weight + traffic->weight_at[stride] + wrapped);
    }
}

void numbered_grid_search(struct traffic *traffic)
{
    traffic_begin(traffic);
    grid_extend(traffic, NULL, 0, 1, 0);
}
