/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array.h - arrays that grow by one item at a time. The room is always the next power of two, so it
 * need not be stored, and an item costs constant time on average:
 *
 *   if (array_add(&list->items, &list->count, &item, sizeof item))
 *       return -1;
 */
#ifndef RESEAT_ARRAY_H
#define RESEAT_ARRAY_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* `array` (NULL if empty) with room for one more than its `count` items of `size` bytes. NULL: out
 * of memory, and the array is unchanged. Only for arrays that have always grown by this
 * function. */
static inline void *array_grow(void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    return realloc(array, (count ? 2 * count : 1) * size);
}

/* Puts an item of `size` bytes, which is none of the array's own, before item `at`. `array` is the
 * address of the pointer to the items. 0, or -1: out of memory, and nothing has changed. */
static inline int array_insert(void *array, size_t *count, size_t at, const void *item, size_t size)
{
    char *items;
    memcpy(&items, array, sizeof items);
    items = array_grow(items, *count, size);
    if (!items)
        return -1;
    memmove(items + (at + 1) * size, items + at * size, (*count - at) * size);
    memcpy(items + at * size, item, size);
    memcpy(array, &items, sizeof items);
    ++*count;
    return 0;
}

/* The same at the end. */
static inline int array_add(void *array, size_t *count, const void *item, size_t size)
{
    return array_insert(array, count, *count, item, size);
}

#endif
