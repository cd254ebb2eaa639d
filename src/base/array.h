/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array.h - arrays that grow by one item at a time. Their room is the next power of two, so that it need not be kept,
 * and an item costs constant time on average:
 *
 *   struct item *items = array_grow(list->items, list->count, sizeof *items);
 *   if (!items)
 *       return -1;
 *   list->items = items;
 *   list->items[list->count++] = item;
 */
#ifndef RESEAT_ARRAY_H
#define RESEAT_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* `array` with room for one more than its `count` items of `size` bytes; NULL if empty. NULL: out of memory, and the
 * array is as it was. Only for arrays that have grown in this way from the beginning. */
static inline void *array_grow(void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    return realloc(array, (count ? 2 * count : 1) * size);
}

#endif
