/* SPDX-License-Identifier: BSD-3-Clause */
/* route.h - which servers of a cluster a message passes, and how long they serve it. Servers are
 * numbered: the cards out, the cards in (unless they are the same), the memories. */
#ifndef RESEAT_ROUTE_H
#define RESEAT_ROUTE_H

#include <stdint.h>

#include "simulate/rates.h"

enum route_kind { ROUTE_CARD_OUT, ROUTE_CARD_IN, ROUTE_MEMORY, ROUTE_KINDS };

/* The first server of a kind; ROUTE_KINDS: the number of all. */
int32_t route_first_server(const struct reseat_rates *rates, int kind);

struct route {
    int32_t stages;    /* 2: between nodes; after the first, switch_seconds pass */
    int32_t server[2]; /* -1: none, nobody waits */
    double seconds[2];
};

/* From a core to another one, or the same. */
struct route route_find(const struct reseat_rates *rates, int32_t from, int32_t to, double length);

#endif
