/* SPDX-License-Identifier: BSD-3-Clause */
/* group-order.h - the order of each group of processes, found by its leader. */
#ifndef RESEAT_GROUP_ORDER_H
#define RESEAT_GROUP_ORDER_H

#include "reorder/attempt.h"

/* At rank 0: fill roles, and the decision and the costs of all traffic. Collective over plain;
 * trouble remains to be told. */
void group_order_find(struct attempt *a);

#endif
