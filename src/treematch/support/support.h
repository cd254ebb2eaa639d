/* SPDX-License-Identifier: BSD-3-Clause */
/* support.h - what all of libtmap uses: memory, errors, structs of callers, random numbers,
 * sorting. */
#ifndef TMAP_SUPPORT_H
#define TMAP_SUPPORT_H

#include <stdlib.h>
#include <string.h>

#include "treematch/tmap.h"

/* Check the options of a caller (NULL: the defaults) and copy them. */
enum tmap_status tmap_options_read(struct tmap_options *options, const struct tmap_options *given,
                                   struct tmap_error *error);

/*
 * Convert a struct filled by a caller, who may have been compiled with an older or newer header, to
 * the one of this version. `known` has `size` bytes and holds the defaults; `given` begins with its
 * own size, a size_t. `least` is the size of the struct in the first version that had it; `what`
 * names it. TMAP_EINVAL: an impossible size. TMAP_ENOTSUP: members that this version does not know
 * are set. grow.c
 */
enum tmap_status tmap_struct_read(void *known, size_t size, size_t least, const void *given,
                                  const char *what, struct tmap_error *error);

/* Fill *error (may be NULL) with a formatted line and return `status`. */
enum tmap_status tmap_fail(struct tmap_error *error, enum tmap_status status, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));
/* The same with the status' own text for TMAP_ENOMEM. */
enum tmap_status tmap_fail_memory(struct tmap_error *error);

/* An uninitialized array, and one of zeros; at least one byte, so NULL always means out of
 * memory. */
static inline void *tmap_new(size_t count, size_t size)
{
    if (size != 0 && count > PTRDIFF_MAX / size)
        return NULL;
    return malloc(count * size > 0 ? count * size : 1);
}

static inline void *tmap_new_zero(size_t count, size_t size)
{
    if (size != 0 && count > PTRDIFF_MAX / size)
        return NULL;
    return calloc(count > 0 ? count : 1, size);
}

/* ---- Pseudo-random numbers: the same on every machine. ---- */

struct tmap_random {
    uint64_t state;
};
void tmap_random_init(struct tmap_random *random, uint64_t seed);
uint64_t tmap_random_next(struct tmap_random *random);
/* Uniform in 0 .. bound-1, bound >= 1. */
uint32_t tmap_random_below(struct tmap_random *random, uint32_t bound);
void tmap_random_shuffle(struct tmap_random *random, int32_t *array, int32_t count);

/* ---- Sorting: stable, and the same on every machine (qsort is neither). ---- */

/* < 0, 0, > 0 as elements a and b are in order, equal, out of order. */
typedef int tmap_compare_fn(const void *context, int32_t a, int32_t b);
/* By an int32_t of each element, which `context` is an array of. */
tmap_compare_fn tmap_by_number;
/* Sort `elements`; `scratch` has the same size. Time O(count log count). */
void tmap_sort(int32_t *elements, int32_t *scratch, int32_t count, tmap_compare_fn *compare,
               const void *context);
/* Sort entries by falling weight; `scratch` has the same size. Time O(count) for each byte in which
 * weights differ. */
void tmap_sort_falling(struct tmap_entry *entries, struct tmap_entry *scratch, size_t count);
/* A weight by which numbers are sorted so: larger for a larger number, the same for 0 and -0. Not
 * for NaN. */
uint64_t tmap_weight_of_number(double number);

#endif
