/* SPDX-License-Identifier: BSD-3-Clause */
/* timed-calls.c - see timed-calls.h. */
#include "interpose/timed-calls.h"

#include <dlfcn.h>
#include <stdio.h>

#include "interpose/interpose.h"

/* A function that MPI declares and does not have is never called. */
static void timed_calls_direct(const struct interpose_wrapper *w)
{
    char name[80];
    snprintf(name, sizeof name, "P%s", w->call->name);
    void *function = w->timed ? dlsym(RTLD_NEXT, name) : NULL;
    if (!function)
        return;
    *w->untimed = function;
    __atomic_store_n(w->real, w->timed, __ATOMIC_RELEASE);
    if (w->straight && *w->next != w->through_tool)
        __atomic_store_n(w->next, w->timed, __ATOMIC_RELEASE);
}

void timed_calls_start(void)
{
    for (int i = 0; i < interpose_wrapper_count; i++)
        timed_calls_direct(&interpose_wrappers[i]);
}
