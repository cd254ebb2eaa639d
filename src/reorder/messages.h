/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.h - the number of messages between nodes, before and after: an order that saves bytes
 * may send more messages. */
#ifndef RESEAT_MESSAGES_H
#define RESEAT_MESSAGES_H

#include <mpi.h>
#include <stdint.h>

#include "reorder/pattern.h"
#include "reorder/seats.h"

/* At rank 0 of `plain`, between[0] gets the number in launch order, and between[1] if each process
 * plays its `role`; 0: not known. Collective over plain. */
void messages_count(const struct pattern *pattern, const struct seat *self, int role,
                    MPI_Comm plain, uint64_t between[2]);

#endif
