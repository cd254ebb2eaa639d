/* SPDX-License-Identifier: BSD-3-Clause */
/* group-order.h - the order of each group of processes, found by its leader. */
#ifndef RESEAT_GROUP_ORDER_H
#define RESEAT_GROUP_ORDER_H

#include "reorder/attempt.h"

/* Fill role, and at the leader of each group its decision and its costs; with `twolevel` those of all
 * ranks, at rank 0. Collective over plain; trouble remains to be agreed on. */
void group_order_find(struct attempt *a);

#endif
