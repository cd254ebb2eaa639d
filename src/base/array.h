/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array.h - arrays that grow by one item at a time. The room is always the next power of two, so it
 * need not be stored, and an item costs constant time on average:
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

/* `array` (NULL if empty) with room for one more than its `count` items of `size` bytes. NULL: out
 * of memory, and the array is unchanged. Only for arrays that have always grown by this
 * function. */
static inline void *array_grow(void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    return realloc(array, (count ? 2 * count : 1) * size);
}

#endif
