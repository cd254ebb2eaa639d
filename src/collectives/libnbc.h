/* SPDX-License-Identifier: BSD-3-Clause */
/* libnbc.h - the algorithms that Open MPI takes for nonblocking collectives. Contracts as in
 * choices.h. */
#ifndef RESEAT_LIBNBC_H
#define RESEAT_LIBNBC_H

#include "collectives/choices.h"

void libnbc_bcast(const struct call *call);
void libnbc_reduce(const struct call *call);
void libnbc_allreduce(const struct call *call);
void libnbc_gather(const struct call *call);
void libnbc_scatter(const struct call *call);
void libnbc_allgather(const struct call *call);
void libnbc_reduce_scatter(const struct call *call);

#endif
