/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network-table.c - the lengths of the shortest paths between the vertices of a graph, from each
 * vertex in turn. The searches pass through all positions, but only what they find at vertices is
 * kept.
 */
#include "treematch/model/network-search.h"

/* Copy what a search found at the vertices into their row of the tables. */
static enum tmap_status keep_row(struct tmap_network *network,
                                 const struct tmap_network_search *search, int32_t vertex,
                                 struct tmap_error *error)
{
    size_t row = (size_t)vertex * (size_t)network->vertices;
    for (int32_t v = 0; v < network->vertices; v++) {
        int32_t position = network->position[v], hops = search->hops[position];
        if (hops < 0)
            return tmap_fail(error, TMAP_EINVAL, "no path leads from position %ld to position %ld",
                             (long)network->position[vertex], (long)position);
        if (hops > UINT16_MAX)
            return tmap_fail(error, TMAP_EOVERFLOW,
                             "positions %ld and %ld are more than %d hops "
                             "apart",
                             (long)network->position[vertex], (long)position, UINT16_MAX);
        network->hops[row + (size_t)v] = (uint16_t)hops;
        if (network->distance)
            network->distance[row + (size_t)v] = (float)search->length[position];
    }
    return TMAP_OK;
}

enum tmap_status tmap_network_fill_table(struct tmap_network *network, struct tmap_error *error)
{
    struct tmap_network_search search;
    size_t pairs = (size_t)network->vertices * (size_t)network->vertices;
    enum tmap_status status = tmap_network_search_init(&search, network);
    network->hops = tmap_new(pairs, sizeof *network->hops);
    network->distance = network->length ? tmap_new(pairs, sizeof *network->distance) : NULL;
    if (status != TMAP_OK || !network->hops || (network->length && !network->distance))
        status = tmap_fail_memory(error);
    for (int32_t v = 0; v < network->vertices && status == TMAP_OK; v++) {
        tmap_network_search_from(&search, network->position[v]);
        status = keep_row(network, &search, v, error);
    }
    tmap_network_search_fini(&search);
    return status;
}
