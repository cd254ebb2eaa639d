/* SPDX-License-Identifier: BSD-3-Clause */
/* probe-tree.c - the locations, for the mapping, of the seats that a probe has found (probe.h), as
 * the preloaded library sees them. */
#include <stdlib.h>

#include "cmd/place/probe.h"
#include "network/network-source.h"
#include "profile/seats-match.h"

/* Take the places from a tree as text, in which rank r is leaf r. */
static int probe_read_tree(struct probe *probe, const char *text, struct reseat_error *error)
{
    struct tmap_tree *tree;
    if (network_source_tree(&tree, text, error))
        return -1;
    struct reseat_location *locations = probe_locations(probe, 1);
    int rc = locations
                 ? reseat_leaf_locations(locations, &probe->network, tree, probe->ranks, error)
                 : reseat_fail(error, "out of memory");
    for (int32_t rank = 0; rc == 0 && rank < probe->ranks; rank++) {
        locations[rank].accelerators = probe->seat[rank].location.accelerators;
        probe->seat[rank].location = locations[rank];
    }
    free(locations);
    tmap_tree_destroy(tree);
    return rc ? -1 : 0; /* the user has asked for this tree, so one without meaning is an error */
}

int probe_topology(struct probe *probe, const char *topology, struct reseat_error *error)
{
    const enum network_source source = network_source_of(topology);
    if (source == NETWORK_FROM_TREE)
        return probe_read_tree(probe, topology, error);
    struct network_node *nodes = calloc((size_t)probe->hosts + 1, sizeof *nodes);
    for (int32_t h = 0; nodes && h < probe->hosts; h++) {
        const struct probe_host *host = &probe->host[h];
        nodes[h].address = (struct network_address){host->address, host->pattern, host->name};
    }
    int rc =
        nodes ? reseat_network_find(&probe->network, source, topology, nodes, probe->hosts, error)
              : reseat_fail(error, "out of memory");
    free(nodes);
    return rc && source == NETWORK_FROM_SLURM ? 1 : rc;
}

struct reseat_location *probe_locations(const struct probe *probe, int inside)
{
    struct reseat_location *locations = malloc(((size_t)probe->ranks + 1) * sizeof *locations);
    for (int32_t r = 0; locations && r < probe->ranks; r++) {
        locations[r] = probe->seat[r].location;
        if (!inside)
            reseat_place_clear(&locations[r].place);
    }
    return locations;
}

void probe_worth(const struct probe *probe, const struct reseat_profile *profile,
                 struct reseat_worth *worth)
{
    struct reseat_location *locations = probe_locations(probe, 1);
    worth->job = reseat_profile_job_time(profile);
    worth->is_watched = locations && profile->seats && profile->ranks == probe->ranks &&
                        reseat_seats_match(locations, profile->seats, probe->ranks);
    free(locations);
}

struct reseat_location *probe_locations_of_starts(const struct probe *probe, const int32_t *seat_of,
                                                  const int32_t *start_of,
                                                  struct reseat_network *network)
{
    size_t ranks = (size_t)probe->ranks;
    struct reseat_location *locations = malloc((ranks + 1) * sizeof *locations);
    int32_t *newest = malloc((ranks + 1) * sizeof *newest); /* first rank of a node's last start */
    int32_t *node_of = malloc((ranks + 1) * sizeof *node_of);
    int is_made = locations && newest && node_of;
    for (size_t r = 0; is_made && r < ranks; r++)
        newest[r] = -1;
    for (int32_t rank = 0; is_made && rank < probe->ranks; rank++) {
        int32_t node = probe->seat[seat_of[rank]].location.node; /* less than the number of ranks */
        if (newest[node] < 0 || start_of[newest[node]] != start_of[rank])
            newest[node] = rank;
        locations[rank] = (struct reseat_location){.node = newest[node]};
        reseat_place_clear(&locations[rank].place);
        node_of[rank] = node;
    }
    is_made = is_made &&
              reseat_network_select(network, &probe->network, node_of, probe->ranks, NULL) == 0;
    free(newest);
    free(node_of);
    if (is_made)
        return locations;
    free(locations);
    return NULL;
}
