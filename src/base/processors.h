/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.h - how many processors there are for us. */
#ifndef RESEAT_PROCESSORS_H
#define RESEAT_PROCESSORS_H

#include <errno.h>
#include <sched.h>
#include <stddef.h>

enum { PROCESSORS_MOST = 1 << 20 }; /* no kernel has as many */

/* On how many the calling thread may run; 1 if that cannot be found out. The kernel takes no mask
 * that is smaller than its own (EINVAL), whose size it does not tell. */
static inline int processors_allowed(void)
{
    int is_too_small = 1, count = 1;
    for (size_t most = CPU_SETSIZE; is_too_small && most <= PROCESSORS_MOST; most *= 2) {
        const size_t size = CPU_ALLOC_SIZE(most);
        cpu_set_t *set = CPU_ALLOC(most);
        int failed = !set || sched_getaffinity(0, size, set);
        is_too_small = failed && set && errno == EINVAL;
        if (!failed)
            count = CPU_COUNT_S(size, set);
        CPU_FREE(set);
    }
    return count;
}

#endif
