/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort.c - a merge sort from the bottom up, over indices.
 */
#include "treematch/internal.h"

static void sort_merge(int32_t *restrict into, const int32_t *from, const int64_t bounds[3],
                       tmap_compare_fn *compare, const void *context)
{
    int64_t left = bounds[0], right = bounds[1];
    for (int64_t at = bounds[0]; at < bounds[2]; at++) {
        int take_left = right >= bounds[2] ||
                        (left < bounds[1] && compare(context, from[left], from[right]) <= 0);
        into[at] = from[take_left ? left++ : right++];
    }
}

void tmap_sort(int32_t *elements, int32_t *scratch, int32_t count, tmap_compare_fn *compare,
               const void *context)
{
    int32_t *from = elements, *into = scratch;
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t begin = 0; begin < count; begin += 2 * width) {
            int64_t middle = begin + width < count ? begin + width : count;
            int64_t end = middle + width < count ? middle + width : count;
            sort_merge(into, from, (const int64_t[3]){begin, middle, end}, compare, context);
        }
        int32_t *swapped = from;
        from = into;
        into = swapped;
    }
    if (from != elements)
        memcpy(elements, from, sizeof *elements * (size_t)count);
}
