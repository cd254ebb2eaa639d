/* SPDX-License-Identifier: BSD-3-Clause */
/* ascending.h - orders for qsort(3) and bsearch(3): numbers, which may be the first member of a
 * struct, and texts by their bytes, from the lowest on. */
#ifndef RESEAT_ASCENDING_H
#define RESEAT_ASCENDING_H

#include <stdint.h>
#include <string.h>

static inline int ascending_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline int ascending_int32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static inline int ascending_uint64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline int ascending_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

#endif
