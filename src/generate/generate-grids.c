/* SPDX-License-Identifier: BSD-3-Clause */
/* generate-grids.c - see generate-builder.h: regular patterns. */
#include "generate/generate-builder.h"

enum { GENERATE_DIMENSIONS = 4 }; /* of a stencil */

/* The largest f with f^power <= n that divides n. */
static int32_t generate_even_factor(int32_t n, int power)
{
    int32_t best = 1;
    for (int64_t f = 1; f <= n; f++) {
        int64_t product = 1;
        for (int i = 0; i < power && product <= n; i++)
            product *= f;
        if (product > n)
            break;
        if (n % f == 0)
            best = (int32_t)f;
    }
    return best;
}

/* The extents of the text, or the most even factors of the number of roles, largest first. */
static void generate_sides(const struct generate_builder *b, int dimensions, int32_t *side)
{
    int32_t n = b->roles;
    if (b->extents == dimensions) {
        memcpy(side, b->extent, sizeof *side * (size_t)dimensions);
        return;
    }
    for (int d = dimensions; d > 1; d--) {
        side[d - 1] = generate_even_factor(n, d);
        n /= side[d - 1];
    }
    side[0] = n;
}

/* Number `n` of the neighbors of rank i in a grid, as digits to the base 3. *distance: along how
 * many dimensions it is off. -1: it is outside, or the rank itself. */
static int64_t generate_neighbor(const int32_t *side, int dimensions, int32_t i, int n,
                                 int *distance)
{
    int64_t neighbor = 0, stride = 1;
    *distance = 0;
    for (int d = dimensions - 1; d >= 0; d--) {
        int off = n % 3 - 1;
        int32_t at = i % side[d] + off;
        if (at < 0 || at >= side[d])
            return -1;
        neighbor += at * stride;
        *distance += off != 0;
        stride *= side[d];
        i /= side[d];
        n /= 3;
    }
    return *distance ? neighbor : -1;
}

void generate_stencil(struct generate_builder *b, int parameter)
{
    static const uint64_t weight[] = {0, 1000, 100, 10, 1};
    int dimensions = parameter < 0 ? -parameter : parameter, cells = 1, distance;
    int32_t side[GENERATE_DIMENSIONS] = {1, 1, 1, 1};
    generate_sides(b, dimensions, side);
    for (int d = 0; d < dimensions; d++)
        cells *= 3;
    for (int32_t i = 0; i < b->roles; i++) {
        for (int n = 0; n < cells; n++) {
            int64_t j = generate_neighbor(side, dimensions, i, n, &distance);
            if (j >= 0 && (distance == 1 || parameter < 0))
                generate_add(b, i, j, weight[distance]);
        }
    }
}

void generate_torus(struct generate_builder *b, int parameter)
{
    int32_t whole[1] = {b->roles}, stride = b->roles;
    const int32_t *side = b->extents ? b->extent : whole;
    (void)parameter;
    for (int d = 0; d < (b->extents ? b->extents : 1); d++) {
        int32_t extent = side[d];
        stride /= extent;
        for (int32_t i = 0; i < b->roles; i++) {
            int32_t at = i / stride % extent;
            if (at + 1 < extent)
                generate_add(b, i, i + stride, 1000);
            else if (extent > 2)
                generate_add(b, i, i - at * stride, 1000);
        }
    }
}

void generate_ring(struct generate_builder *b, int parameter)
{
    (void)parameter;
    for (int32_t i = 0; i < b->roles; i++)
        generate_add(b, i, (i + 1) % b->roles, 1000);
}

void generate_hypercube(struct generate_builder *b, int parameter)
{
    for (int32_t i = 0; i < b->roles; i++) {
        uint64_t weight = parameter ? 1 << 20 : 100;
        for (int64_t bit = 1; bit < b->roles; bit *= 2) {
            if ((i ^ bit) < b->roles)
                generate_add(b, i, i ^ bit, weight);
            if (parameter && weight > 1)
                weight /= 2;
        }
    }
}

void generate_all(struct generate_builder *b, int parameter)
{
    for (int32_t i = 0; i < b->roles && b->status == TMAP_OK; i++) {
        for (int32_t j = 0; j < i; j++)
            generate_add(b, i, j, parameter ? 1000 : 1 + tmap_random_below(&b->random, 1000));
    }
}

void generate_cliques(struct generate_builder *b, int parameter)
{
    int32_t size = b->extents == 2 ? b->extent[1] : parameter;
    for (int32_t i = 0; i < b->roles && b->status == TMAP_OK; i++) {
        for (int32_t j = i / size * size; j < i; j++)
            generate_add(b, i, j, 1000);
        generate_add(b, i, (i + size) % b->roles, 10);
    }
}
