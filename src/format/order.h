/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - an order of ranks as a file: `role rank` a line, each role and each rank once, as
 * `reseat map` writes it for a tree whose leaf r is the place of rank r. */
#ifndef RESEAT_ORDER_H
#define RESEAT_ORDER_H

#include <stdint.h>

#include "format/error.h"

/* rank_of[role], `ranks` entries. 0, or -1 with *error that says what is wrong where. */
int reseat_order_read(int32_t *rank_of, int32_t ranks, const char *path,
                      struct reseat_error *error);

#endif
