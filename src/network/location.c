/* SPDX-License-Identifier: BSD-3-Clause */
/* location.c - see location.h. */
#include "network/location.h"

#include <stdlib.h>
#include <string.h>

/* Whether a and b are as far from each other as c and d, as far as that is known. Trees as text number the objects of
 * all nodes, and hwloc those of one. */
static int location_same_step(const struct tmap_place *a, const struct tmap_place *b,
                              const struct tmap_place *c, const struct tmap_place *d)
{
    int same = reseat_place_is_known(b) == reseat_place_is_known(d);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++) {
        int known =
            a->at[level] >= 0 && b->at[level] >= 0 && c->at[level] >= 0 && d->at[level] >= 0;
        same &= !known || b->at[level] - a->at[level] == d->at[level] - c->at[level];
    }
    return same;
}

static int location_by_host(const void *a, const void *b)
{
    const struct reseat_seat *const *x = a, *const *y = b;
    return strcmp((*x)->host, (*y)->host);
}

/* Each node is one host; then they are the same if no two nodes are. */
int reseat_location_same(const struct reseat_location *locations, const struct reseat_seat *seats,
                         int32_t processes)
{
    const struct reseat_seat **first = calloc((size_t)processes + 1, sizeof *first);
    int same = first != NULL;
    int32_t nodes = 0;
    for (int32_t p = 0; same && p < processes; p++) {
        int32_t node = locations[p].node;
        same = node >= 0 && node < processes;
        if (same && !first[node])
            first[node] = &seats[p];
        if (same)
            same = strcmp(first[node]->host, seats[p].host) == 0 &&
                   location_same_step(&locations[first[node] - seats].place, &locations[p].place,
                                      &first[node]->place, &seats[p].place);
    }
    for (int32_t node = 0; same && node < processes; node++)
        if (first[node])
            first[nodes++] = first[node];
    if (same)
        qsort(first, (size_t)nodes, sizeof *first, location_by_host);
    for (int32_t node = 1; same && node < nodes; node++)
        same = strcmp(first[node - 1]->host, first[node]->host) != 0;
    free(first);
    return same;
}

int reseat_location_tree(struct tmap_tree **tree, const struct reseat_location *locations,
                         int32_t processes, const struct reseat_network *network, int32_t *slot_of,
                         struct reseat_error *error)
{
    static const struct reseat_network none = {0};
    const struct reseat_network *above = network ? network : &none;
    int32_t *node_of = malloc(((size_t)processes + 1) * sizeof *node_of);
    struct tmap_place *places = malloc(((size_t)processes + 1) * sizeof *places);
    struct tmap_error why = {"out of memory"};
    for (int32_t p = 0; node_of && places && p < processes; p++) {
        node_of[p] = locations[p].node;
        places[p] = locations[p].place;
    }
    const struct tmap_job job = {.size = sizeof job,
                                 .processes = processes,
                                 .node_of = node_of,
                                 .places = places,
                                 .switch_levels = above->levels,
                                 .switches = above->switches,
                                 .nodes = above->nodes,
                                 .shapes = (const struct tmap_shape *const *)above->shapes};
    int failed = !node_of || !places || tmap_tree_create_from_job(tree, &job, slot_of, &why);
    free(node_of);
    free(places);
    return failed ? reseat_fail(error, "%s", why.text) : 0;
}
