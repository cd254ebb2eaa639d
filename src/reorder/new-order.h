/* SPDX-License-Identifier: BSD-3-Clause */
/* new-order.h - communicators in the order that was found. */
#ifndef RESEAT_NEW_ORDER_H
#define RESEAT_NEW_ORDER_H

#include "reorder/attempt.h"

/* The new order, if all ranks have it; MPI_COMM_NULL on all if something went wrong. Then it is not
 * freed, because that is collective, and not all ranks may have it. */
MPI_Comm new_order_agree(struct attempt *a);

/* The same with the topology of plain. */
MPI_Comm new_order_rebuild(struct attempt *a, MPI_Info info);

#endif
