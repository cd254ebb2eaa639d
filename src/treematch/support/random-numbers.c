/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random-numbers.c - splitmix64 (Steele, Lea, Flood 2014): one 64-bit state and integers only, so
 * every machine and compiler gives the same numbers.
 */
#include "treematch/support/support.h"

void tmap_random_init(struct tmap_random *random, uint64_t seed)
{
    random->state = seed;
}

uint64_t tmap_random_next(struct tmap_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t tmap_random_below(struct tmap_random *random, uint32_t bound)
{
    return (uint32_t)(((tmap_random_next(random) >> 32) * bound) >> 32);
}

void tmap_random_shuffle(struct tmap_random *random, int32_t *array, int32_t count)
{
    for (int32_t i = count - 1; i > 0; i--) {
        uint32_t j = tmap_random_below(random, (uint32_t)i + 1);
        int32_t swapped = array[i];
        array[i] = array[j];
        array[j] = swapped;
    }
}
