/* SPDX-License-Identifier: BSD-3-Clause */
/* interpose.c - the guard's variables, and finding the real functions. */
#include "interpose/interpose.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "text/printable.h"

int interpose_active, interpose_recording;
INTERPOSE_TLS int interpose_depth;
INTERPOSE_TLS struct interpose_outermost interpose_outermost;

void *interpose_next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        printable_say("symbol lookup error: no MPI here has %s", name);
        exit(127);
    }
    return function;
}

void interpose_more(void *words[INTERPOSE_MORE], va_list list)
{
    for (int i = 0; i < INTERPOSE_MORE; i++)
        words[i] = va_arg(list, void *);
}
