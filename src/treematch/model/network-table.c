/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network-table.c - the lengths of the shortest paths between the vertices of a graph.
 *
 * From each vertex in turn: a breadth-first search if all links are equally long, otherwise
 * Dijkstra's algorithm. The searches pass through all positions, but keep only what they find at
 * vertices.
 */
#include "treematch/model/network.h"
#include "treematch/support/heap.h"

#include <math.h>

/* A search from one position. */
struct search {
    const struct tmap_network *network;
    double *length;        /* by position; INFINITY: not reached */
    int32_t *hops;         /* of that path; -1: not reached */
    int32_t *queue;        /* breadth first */
    struct tmap_heap heap; /* by falling key, so keys are negative */
};

static void search_fini(struct search *search)
{
    free(search->length);
    free(search->hops);
    free(search->queue);
    free(search->heap.vertex);
    free(search->heap.place);
    free(search->heap.key);
}

static enum tmap_status search_init(struct search *search, const struct tmap_network *network)
{
    size_t positions = (size_t)network->positions;
    *search = (struct search){.network = network};
    search->hops = tmap_new(positions, sizeof *search->hops);
    if (!network->length) {
        search->queue = tmap_new(positions, sizeof *search->queue);
        return search->hops && search->queue ? TMAP_OK : TMAP_ENOMEM;
    }
    search->length = tmap_new(positions, sizeof *search->length);
    search->heap.vertex = tmap_new(positions, sizeof(int32_t));
    search->heap.place = tmap_new(positions, sizeof(int32_t));
    search->heap.key = tmap_new(positions, sizeof(int64_t));
    if (!search->hops || !search->length || !search->heap.vertex || !search->heap.place ||
        !search->heap.key)
        return TMAP_ENOMEM;
    memset(search->heap.place, 0xff, positions * sizeof(int32_t));
    return TMAP_OK;
}

static void search_breadth_first(struct search *search, int32_t from)
{
    const struct tmap_network *network = search->network;
    int32_t first = 0, end = 0;
    memset(search->hops, 0xff, (size_t)network->positions * sizeof *search->hops);
    search->hops[from] = 0;
    search->queue[end++] = from;
    while (first < end) {
        int32_t at = search->queue[first++];
        for (size_t i = network->first[at]; i < network->first[at + 1]; i++) {
            int32_t next = network->target[i];
            if (search->hops[next] < 0) {
                search->hops[next] = search->hops[at] + 1;
                search->queue[end++] = next;
            }
        }
    }
}

/* Positive numbers in floating point are ordered like their bits. */
static int64_t key_of(double length)
{
    int64_t bits;
    memcpy(&bits, &length, sizeof bits);
    return -bits;
}

static void search_reach(struct search *search, int32_t position, double length, int32_t hops)
{
    int is_new = search->hops[position] < 0;
    if (!is_new && (length > search->length[position] ||
                    (length == search->length[position] && hops >= search->hops[position])))
        return;
    search->length[position] = length;
    search->hops[position] = hops;
    if (is_new) {
        search->heap.key[position] = key_of(length);
        tmap_heap_add(&search->heap, position);
    } else {
        tmap_heap_set(&search->heap, position, key_of(length));
    }
}

static void search_shortest_first(struct search *search, int32_t from)
{
    const struct tmap_network *network = search->network;
    memset(search->hops, 0xff, (size_t)network->positions * sizeof *search->hops);
    search_reach(search, from, 0, 0);
    while (search->heap.count > 0) {
        int32_t at = search->heap.vertex[0];
        tmap_heap_remove(&search->heap, at);
        for (size_t i = network->first[at]; i < network->first[at + 1]; i++)
            search_reach(search, network->target[i],
                         search->length[at] + (double)network->length[i], search->hops[at] + 1);
    }
}

/* Copy what a search found at the vertices into their row of the tables. */
static enum tmap_status keep_row(struct tmap_network *network, const struct search *search,
                                 int32_t vertex, struct tmap_error *error)
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
    struct search search;
    size_t pairs = (size_t)network->vertices * (size_t)network->vertices;
    enum tmap_status status = search_init(&search, network);
    network->hops = tmap_new(pairs, sizeof *network->hops);
    network->distance = network->length ? tmap_new(pairs, sizeof *network->distance) : NULL;
    if (status != TMAP_OK || !network->hops || (network->length && !network->distance))
        status = tmap_fail_memory(error);
    for (int32_t v = 0; v < network->vertices && status == TMAP_OK; v++) {
        if (network->length)
            search_shortest_first(&search, network->position[v]);
        else
            search_breadth_first(&search, network->position[v]);
        status = keep_row(network, &search, v, error);
    }
    search_fini(&search);
    return status;
}
