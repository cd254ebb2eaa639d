/* SPDX-License-Identifier: BSD-3-Clause */
/* search.h - binary search where bsearch(3) does not do: for the place of what may not be there. */
#ifndef RESEAT_SEARCH_H
#define RESEAT_SEARCH_H

#include <stddef.h>

/* Returns 1 if number `at` of what is searched comes before what is sought. */
typedef int search_before_fn(const void *sought, size_t at);

/* Returns the first number from 0 to `count` - 1 that does not come before what is sought, or
 * `count`; all that come before it precede all others. */
static inline size_t search_first(size_t count, search_before_fn *is_before, const void *sought)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(sought, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
