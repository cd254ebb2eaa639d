/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.h - the number of messages between nodes, before and after: an order that saves bytes
 * may send more messages. */
#ifndef RESEAT_MESSAGES_H
#define RESEAT_MESSAGES_H

#include <stdint.h>

#include "reorder/pattern.h"
#include "reorder/seats.h"

/* At rank 0: between[0] is the number in launch order, and between[1] if process r plays roles[r]; 0:
 * not known. */
void messages_count(const struct pattern *pattern, const struct seats *seats, const int *roles,
                    uint64_t between[2]);

#endif
