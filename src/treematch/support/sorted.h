/* SPDX-License-Identifier: BSD-3-Clause */
/* sorted.h - binary search among ascending numbers. */
#ifndef TMAP_SORTED_H
#define TMAP_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* Index of `wanted` among `count` ascending numbers, which differ; `count`: it is none of them. */
static inline size_t tmap_sorted_find(const int32_t *sorted, size_t count, int32_t wanted)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sorted[low] == wanted ? low : count;
}

/* The one of `count` members, in ascending order of their keys, whose key is `wanted`; -1: none. */
static inline int32_t tmap_sorted_member(const int32_t *member, const int32_t *key, int32_t count,
                                         int32_t wanted)
{
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (key[member[middle]] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && key[member[low]] == wanted ? member[low] : -1;
}

#endif
