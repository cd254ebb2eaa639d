/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interconnect-table.c - the lengths of the shortest paths between the vertices of a graph, from
 * each vertex in turn. The searches pass through all positions, but only what they find at vertices
 * is kept.
 */
#include "treematch/model/interconnect-search.h"

/* Copy what a search found at the vertices into their row of the tables. */
static enum tmap_status keep_row(struct tmap_interconnect *interconnect,
                                 const struct tmap_interconnect_search *search, int32_t vertex,
                                 struct tmap_error *error)
{
    size_t row = (size_t)vertex * (size_t)interconnect->vertices;
    for (int32_t v = 0; v < interconnect->vertices; v++) {
        int32_t position = interconnect->position[v], hops = search->hops[position];
        if (hops < 0)
            return tmap_fail(error, TMAP_EINVAL, "no path leads from position %ld to position %ld",
                             (long)interconnect->position[vertex], (long)position);
        if (hops > UINT16_MAX)
            return tmap_fail(error, TMAP_EOVERFLOW,
                             "positions %ld and %ld are more than %d hops "
                             "apart",
                             (long)interconnect->position[vertex], (long)position, UINT16_MAX);
        interconnect->hops[row + (size_t)v] = (uint16_t)hops;
        if (interconnect->distance)
            interconnect->distance[row + (size_t)v] = (float)search->length[position];
    }
    return TMAP_OK;
}

enum tmap_status tmap_interconnect_fill_table(struct tmap_interconnect *interconnect,
                                              struct tmap_error *error)
{
    struct tmap_interconnect_search search;
    size_t pairs = (size_t)interconnect->vertices * (size_t)interconnect->vertices;
    enum tmap_status status = tmap_interconnect_search_init(&search, interconnect);
    interconnect->hops = tmap_new(pairs, sizeof *interconnect->hops);
    int has_distances = interconnect->length && interconnect->shape.group == 0;
    interconnect->distance = has_distances ? tmap_new(pairs, sizeof *interconnect->distance) : NULL;
    if (status != TMAP_OK || !interconnect->hops || (has_distances && !interconnect->distance))
        status = tmap_fail_memory(error);
    for (int32_t v = 0; v < interconnect->vertices && status == TMAP_OK; v++) {
        tmap_interconnect_search_from(&search, interconnect->position[v]);
        status = keep_row(interconnect, &search, v, error);
    }
    tmap_interconnect_search_fini(&search);
    return status;
}
