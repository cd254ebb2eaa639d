/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permutation.c - check and invert permutations.
 */
#include "treematch/model/objects.h"

/* Allocates nothing, so it cannot fail: a bitmap on the stack covers the range window by window. If
 * no number occurs twice in any window, it is a permutation. */
enum { WINDOW = 1 << 15 };

int tmap_permutation_is_valid(const int32_t *image_of, int32_t count)
{
    unsigned char seen[WINDOW / 8];
    for (int32_t base = 0; base < count; base += count - base < WINDOW ? count - base : WINDOW) {
        memset(seen, 0, sizeof seen);
        for (int32_t i = 0; i < count; i++) {
            if (image_of[i] < 0 || image_of[i] >= count)
                return 0;
            int64_t bit = (int64_t)image_of[i] - base;
            if (bit < 0 || bit >= WINDOW)
                continue;
            if (seen[bit / 8] & (1u << (bit % 8)))
                return 0;
            seen[bit / 8] |= (unsigned char)(1u << (bit % 8));
        }
    }
    return 1;
}

void tmap_permutation_invert(const int32_t *image_of, int32_t *preimage_of, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        preimage_of[image_of[i]] = i;
}
