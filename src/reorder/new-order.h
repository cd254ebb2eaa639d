/* SPDX-License-Identifier: BSD-3-Clause */
/* new-order.h - communicators in the order that was found. */
#ifndef RESEAT_NEW_ORDER_H
#define RESEAT_NEW_ORDER_H

#include "reorder/attempt.h"

/* Rank 0 tells all the roles that it has found, if the order is worth it. Collective. Returns
 * whether it is; 0 also if a rank is in trouble. */
int new_order_broadcast(struct attempt *a, int is_worth_it);

/* Then: the communicator, if all ranks have it; MPI_COMM_NULL on all if something went wrong. Then
 * it is not freed, because that is collective, and not all ranks may have it. */
MPI_Comm new_order_agree(struct attempt *a);

/* The same with the topology of plain. */
MPI_Comm new_order_rebuild(struct attempt *a, MPI_Info info);

#endif
