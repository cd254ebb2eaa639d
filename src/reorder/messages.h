/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.h - how many messages go between nodes, before and after: an order that saves bytes may
 * send more of them. */
#ifndef RESEAT_MESSAGES_H
#define RESEAT_MESSAGES_H

#include <mpi.h>
#include <stdint.h>

#include "reorder/pattern.h"
#include "reorder/seats.h"

/* between[0] in launch order, between[1] when each process plays `role`, both at rank 0 of `plain`
 * and 0 where it does not know. Collective over plain. */
void messages_count(const struct pattern *pattern, const struct seat *self, int role,
                    MPI_Comm plain, uint64_t between[2]);

#endif
