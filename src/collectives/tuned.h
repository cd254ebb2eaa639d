/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned.h - what the choices of Open MPI have in common: tuned.c, tuned-reductions.c, libnbc.c. */
#ifndef RESEAT_TUNED_H
#define RESEAT_TUNED_H

#include <limits.h>

#include "collectives/choices.h"

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

/* Each rank sends straight to the root. */
static inline void tuned_to_root(const struct call *call)
{
    send_to_root(&call->self, call->root, call->bytes);
}

/* The root sends straight to each rank. */
static inline void tuned_from_root(const struct call *call)
{
    send_from_root(&call->self, call->root, call->bytes);
}

/* ---- libnbc.c: nonblocking collectives; contracts as in choices.h ---- */

void libnbc_bcast(const struct call *call);
void libnbc_reduce(const struct call *call);
void libnbc_allreduce(const struct call *call);
void libnbc_allgather(const struct call *call);
void libnbc_reduce_scatter(const struct call *call);

#endif
