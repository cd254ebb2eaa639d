/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned.h - what the tables of tuned.c and tuned-reductions.c have in common. */
#ifndef RESEAT_TUNED_H
#define RESEAT_TUNED_H

#include <limits.h>

#include "collectives/libnbc.h"

#define ANY_RANKS INT_MAX
#define ANY_BYTES UINT64_MAX
enum { KiB = 1024, MiB = 1024 * KiB };

/* The first row that fits. */
static inline void choice_apply(const struct choice *choice, const struct call *call)
{
    while (call->self.size >= choice->ranks || call->bytes >= choice->bytes)
        choice++;
    choice->send(call);
}

#endif
