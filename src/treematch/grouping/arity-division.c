/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arity-division.c - divide levels of high arity into several (TreeMatch 2014, 4.1.1).
 *
 * Choosing k of p takes C(p, k) groups; choosing k/d of p, and then d of the results, takes about d
 * C(p, k/d), which is less from some p* on. The best d is the largest proper divisor d* = k/q,
 * where q is the smallest prime factor of k, and the first p that gains is p* = k + q + 2. (The
 * paper's table 2 lists p* for k up to 128; the formula agrees with a direct search for all of
 * them.) A level is divided if the number of its processes, the product of the arities down to it,
 * is at least p*.
 *
 * Example: 22 4 6 -> 22 2 2 3 2; the first level stays, since p* of 22 is 26.
 */
#include "treematch/grouping/treematch.h"

static int32_t smallest_prime_factor(int32_t number)
{
    for (int32_t q = 2; (int64_t)q * q <= number; q++) {
        if (number % q == 0)
            return q;
    }
    return number;
}

int64_t tmap_division_threshold(int32_t arity)
{
    int32_t q = smallest_prime_factor(arity);
    return q == arity ? 0 : (int64_t)arity + q + 2;
}

int tmap_divide_arities(const int32_t *arity, int depth, int32_t *divided)
{
    int64_t above = 1;
    int count = 0;
    for (int l = 0; l < depth; l++) {
        int32_t part[32];
        int parts = 0;
        int32_t k = arity[l];
        /* Split off arity q below, and go on with d* above, whose product is smaller. */
        for (;;) {
            int64_t threshold = tmap_division_threshold(k);
            if (threshold == 0 || above * k < threshold)
                break;
            int32_t q = smallest_prime_factor(k);
            part[parts++] = q;
            k /= q;
        }
        divided[count++] = k;
        while (parts > 0)
            divided[count++] = part[--parts];
        above *= arity[l];
    }
    return count;
}
