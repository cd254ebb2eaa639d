/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail-allocation.c - to be preloaded: the FAIL_AT-th allocation of the program itself, not of its
 * libraries, finds no memory. How many there were is written to the file FAIL_COUNT, if it is set.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static long allocations;

/* Whether the caller is in the executable file. */
static int is_program(const void *caller)
{
    static __thread int inside; /* dladdr may allocate */
    Dl_info info;
    if (inside)
        return 0;
    inside = 1;
    int found = dladdr(caller, &info) && !strstr(info.dli_fname, ".so");
    inside = 0;
    return found;
}

static int fails(const void *caller)
{
    static long at = -1;
    if (!is_program(caller))
        return 0;
    if (at < 0)
        at = getenv("FAIL_AT") ? atol(getenv("FAIL_AT")) : 0;
    if (__atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) != at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", allocations);
    fclose(file);
}
