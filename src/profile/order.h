/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - an order of ranks as a file: a line `role rank` for each, every role and every rank
 * once, as `reseat map` writes it for a tree whose leaf r is the place of rank r. */
#ifndef RESEAT_ORDER_H
#define RESEAT_ORDER_H

#include <stdint.h>

#include "text/error.h"

/* Fill rank_of[role], `ranks` entries. 0, or -1 with *error that tells what is wrong, and where. */
int reseat_order_read(int32_t *rank_of, int32_t ranks, const char *path,
                      struct reseat_error *error);

/* The same for roles on a machine of `slots` slots, of which one may hold several. */
int reseat_order_read_slots(int32_t *slot_of, int32_t roles, int32_t slots, const char *path,
                            struct reseat_error *error);

#endif
