/* SPDX-License-Identifier: BSD-3-Clause */
/* sentinel.h - whether a signal was sent to us alone or to our whole process group. */
#ifndef RESEAT_SENTINEL_H
#define RESEAT_SENTINEL_H

#include <sys/types.h>

/* Start a process in our group that does nothing and keeps all signals blocked. To be called with
 * all signals blocked. -1: failed. */
pid_t sentinel_start(void);

/* Returns 1 if it got this signal as well: then it was sent to the group, or to one process after
 * the other. For signal handlers. */
int sentinel_has(pid_t sentinel, int number);

void sentinel_end(pid_t sentinel);

#endif
