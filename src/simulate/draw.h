/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.h - random numbers for simulations, from splitmix64 (Steele, Lea, Flood 2014): the same
 * sequence on every machine. */
#ifndef RESEAT_DRAW_H
#define RESEAT_DRAW_H

#include <math.h>
#include <stdint.h>

struct draw {
    uint64_t state; /* the seed, before the first number */
};

static inline uint64_t draw_bits(struct draw *draw)
{
    uint64_t z = draw->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform, 0 <= x < 1. */
static inline double draw_uniform(struct draw *draw)
{
    return (double)(draw_bits(draw) >> 11) * 0x1p-53;
}

/* Exponential, with mean 1. */
static inline double draw_exponential(struct draw *draw)
{
    return -log1p(-draw_uniform(draw));
}

#endif
