/* SPDX-License-Identifier: BSD-3-Clause */
/* yield-while-waiting.c - preloaded into a program of MPICH over UCX: a rank that waits yields its
 * processor. MPICH never does, so a program with one-sided communication takes minutes when there
 * are more ranks than processors. */
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    if (!real)
        real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned events = real(worker);
    if (!events)
        sched_yield();
    return events;
}
