/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.h - random numbers for simulations, from splitmix64 (Steele, Lea, Flood 2014): the same
 * sequence on every machine, and therefore without the logarithm of libm, of which each version and
 * processor may have its own last bit. */
#ifndef RESEAT_SAMPLE_H
#define RESEAT_SAMPLE_H

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

/* The natural logarithm for 0 < x <= 1, to some 1e-16: x is m x 2^exponent with m about 1, and
 * log m = 2 artanh ((m - 1) / (m + 1)), by its series. */
static inline double draw_log(double x)
{
    int exponent;
    double m = frexp(x, &exponent), sum = 0;
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    double s = (m - 1) / (m + 1);
    for (int odd = 21; odd >= 1; odd -= 2)
        sum = sum * s * s + 1.0 / odd;
    return exponent * 0.69314718055994531 + 2 * s * sum;
}

/* Exponential, with mean 1; less than 37. */
static inline double draw_exponential(struct draw *draw)
{
    return -draw_log(1 - draw_uniform(draw));
}

#endif
