/* SPDX-License-Identifier: BSD-3-Clause */
/* route.c - see route.h. */
#include "simulate/route.h"

int32_t route_first_server(const struct reseat_rates *rates, int kind)
{
    int32_t cards = rates->card_directions * rates->nodes;
    const int32_t first[] = {0, rates->nodes, cards, cards + rates->packages * rates->nodes};
    return first[kind];
}

struct route route_find(const struct reseat_rates *r, int32_t from, int32_t to, double length)
{
    int32_t node_cores = r->packages * r->cores, package = to / r->cores;
    int32_t in = r->card_directions == 2 ? r->nodes : 0;
    int is_inside = from / r->cores == package;
    if (from / node_cores != to / node_cores) {
        double seconds = r->card_seconds + length / r->card_bytes_per_second;
        return (struct route){2, {from / node_cores, in + to / node_cores}, {seconds, seconds}};
    }
    if (is_inside && length <= r->cache_longest_bytes)
        return (struct route){1, {-1, -1}, {length / r->cache_bytes_per_second, 0}};
    double seconds = r->memory_seconds + length / r->memory_bytes_per_second;
    return (struct route){1,
                          {route_first_server(r, ROUTE_MEMORY) + package, -1},
                          {seconds * (is_inside ? 1 : r->remote_memory_factor), 0}};
}
