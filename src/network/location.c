/* SPDX-License-Identifier: BSD-3-Clause */
/* location.c - see location.h. */
#include "network/location.h"

#include <stdlib.h>

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
