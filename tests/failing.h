/* SPDX-License-Identifier: BSD-3-Clause */
/* failing.h - allocations that fail: for a test program linked with -Wl,--wrap=malloc and its like
 * for calloc, realloc, strdup. */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <stdlib.h>

static long fail_at = -1; /* how many allocations succeed before one fails; -1: all */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

static int fails(void)
{
    return fail_at >= 0 && fail_at-- == 0;
}

/* Of all that may fail, the one to be tried after the k-th: the next; where TEST_QUICK is set and a
 * hundred have been tried, one of so many. */
static inline long next_to_fail(long k)
{
    const char *quick = getenv("TEST_QUICK");
    return k + (k >= 100 && quick && atoi(quick) > 0 ? atoi(quick) : 1);
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

#endif
