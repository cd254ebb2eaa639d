/* SPDX-License-Identifier: BSD-3-Clause */
/* sentinel.h - was a signal sent to us alone, or to all of our process group? */
#ifndef RESEAT_SENTINEL_H
#define RESEAT_SENTINEL_H

#include <sys/types.h>

/* Start a process of our group that does nothing and takes no signal. To be called with all signals
 * blocked. -1: there is none. */
pid_t sentinel_start(void);

/* Whether it has got this signal as well: sent to the group, or to one process after the other. For
 * signal handlers. */
int sentinel_has(pid_t sentinel, int number);

void sentinel_end(pid_t sentinel);

#endif
