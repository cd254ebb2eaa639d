/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric-network.c - see fabric-lines.h: what hosts at linked switches have as their network. */
#include <stdlib.h>

#include "base/array.h"
#include "network/fabric-lines.h"

int fabric_links_add(struct fabric_links *links, int32_t from, int32_t to)
{
    if (from == to)
        return 0;
    if (links->count == TMAP_MAX_LINKS)
        return -1;
    const struct fabric_pair pair =
        from < to ? (struct fabric_pair){from, to} : (struct fabric_pair){to, from};
    return array_add(&links->pair, &links->count, &pair, sizeof pair);
}

static int fabric_by_ends(const void *a, const void *b)
{
    const struct fabric_pair *x = a, *y = b;
    int order = (x->from > y->from) - (x->from < y->from);
    return order ? order : (x->to > y->to) - (x->to < y->to);
}

/* Several links between two switches are one. */
static void fabric_unite_links(struct fabric_links *links)
{
    size_t unique = 0;
    if (links->count)
        qsort(links->pair, links->count, sizeof *links->pair, fabric_by_ends);
    for (size_t p = 0; p < links->count; p++)
        if (!p || fabric_by_ends(&links->pair[p], &links->pair[p - 1]) != 0)
            links->pair[unique++] = links->pair[p];
    links->count = unique;
}

/* 0, or -1: out of memory. */
static int fabric_make_graph(const struct fabric_links *links, struct fabric_graph *graph)
{
    size_t n = (size_t)links->switches;
    *graph =
        (struct fabric_graph){.switches = links->switches,
                              .first = calloc(n + 2, sizeof *graph->first),
                              .neighbor = malloc((2 * links->count + 1) * sizeof *graph->neighbor)};
    if (!graph->first || !graph->neighbor)
        return -1;
    size_t *next = graph->first + 1; /* where the links of switch s go */
    for (size_t p = 0; p < links->count; p++) {
        next[links->pair[p].from + 1]++;
        next[links->pair[p].to + 1]++;
    }
    for (size_t s = 1; s <= n; s++)
        next[s] += next[s - 1];
    for (size_t p = 0; p < links->count; p++) {
        graph->neighbor[next[links->pair[p].from]++] = links->pair[p].to;
        graph->neighbor[next[links->pair[p].to]++] = links->pair[p].from;
    }
    return 0;
}

/* The switches as a graph. 0, or -1 with *error. */
static int fabric_make_shape(const struct fabric_links *links, struct host_places *places,
                             struct reseat_network *network, struct reseat_error *error)
{
    struct tmap_link *link = malloc((links->count + 1) * sizeof *link);
    const struct tmap_shape shape = {.size = sizeof shape,
                                     .kind = TMAP_SHAPE_GRAPH,
                                     .positions = links->switches,
                                     .links = links->count,
                                     .link = link};
    const struct tmap_shape *shapes[] = {&shape};
    for (size_t p = 0; link && p < links->count; p++)
        link[p] = (struct tmap_link){links->pair[p].from, links->pair[p].to, 1};
    int rc = link ? host_places_network(places, shapes, network, error)
                  : reseat_fail(error, "%s: out of memory", places->path);
    free(link);
    return rc;
}

int fabric_network(struct fabric_links *links, struct host_places *places,
                   struct reseat_network *network, struct reseat_error *error)
{
    struct fabric_graph graph = {0};
    int is_tree = -1;
    fabric_unite_links(links);
    if (host_places_check(places, error) == 0)
        is_tree = fabric_make_graph(links, &graph)
                      ? reseat_fail(error, "%s: out of memory", places->path)
                      : fabric_find_levels(&graph, places, error);
    free(graph.first);
    free(graph.neighbor);
    if (is_tree < 0)
        return -1;
    return is_tree ? host_places_network(places, NULL, network, error)
                   : fabric_make_shape(links, places, network, error);
}
