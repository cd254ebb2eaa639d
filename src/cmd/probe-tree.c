/* SPDX-License-Identifier: BSD-3-Clause */
/* probe-tree.c - the locations, for the mapping, of the seats that a probe has found (probe.h), as
 * the preloaded library sees them. */
#include <stdlib.h>

#include "cmd/probe.h"
#include "format/leaf.h"
#include "format/network-source.h"
#include "format/switches.h"

static int network_from_file(struct probe *probe, const char *path, struct reseat_error *error)
{
    const char **hosts = malloc(((size_t)probe->hosts + 1) * sizeof *hosts);
    for (int32_t h = 0; hosts && h < probe->hosts; h++)
        hosts[h] = probe->host[h].name;
    int rc = hosts ? reseat_switches_of_file(path, hosts, probe->hosts, &probe->network, error)
                   : reseat_fail(error, "out of memory");
    free(hosts);
    return rc;
}

static int network_from_slurm(struct probe *probe, struct reseat_error *error)
{
    struct network_address *addresses = malloc(((size_t)probe->hosts + 1) * sizeof *addresses);
    int known = 0;
    for (int32_t h = 0; addresses && h < probe->hosts; h++) {
        const struct probe_host *host = &probe->host[h];
        addresses[h] = (struct network_address){host->address, host->pattern, host->name};
        known |= host->address != NULL;
    }
    int rc = !addresses ? reseat_fail(error, "out of memory")
             : known    ? reseat_network_from_slurm(&probe->network, addresses, probe->hosts,
                                                    getenv("SLURM_CONF"), error)
                        : 0;
    free(addresses);
    return rc ? 1 : 0;
}

/* Take the places from a tree as text, in which rank r is leaf r. */
static int network_from_text(struct probe *probe, const char *text, struct reseat_error *error)
{
    struct tmap_tree *tree;
    struct tmap_error unread;
    if (tmap_tree_parse(&tree, text, &unread))
        return reseat_fail(error, "RESEAT_TOPOLOGY: %s", unread.text);
    struct reseat_location *locations = probe_locations(probe, 1);
    int rc = locations
                 ? reseat_leaf_locations(locations, &probe->network, tree, probe->ranks, error)
                 : reseat_fail(error, "out of memory");
    for (int32_t rank = 0; rc == 0 && rank < probe->ranks; rank++)
        probe->seat[rank].location = locations[rank];
    free(locations);
    tmap_tree_destroy(tree);
    return rc;
}

int probe_topology(struct probe *probe, const char *topology, struct reseat_error *error)
{
    if (!topology[0])
        return network_from_slurm(probe, error);
    return reseat_switches_is_path(topology) ? network_from_file(probe, topology, error)
                                             : network_from_text(probe, topology, error);
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

struct reseat_location *probe_locations_of_starts(const struct probe *probe, const int32_t *seat_of,
                                                  const int32_t *start_of,
                                                  struct reseat_network *network)
{
    size_t ranks = (size_t)probe->ranks, width = (size_t)probe->network.levels;
    struct reseat_location *locations = malloc((ranks + 1) * sizeof *locations);
    int32_t *newest = malloc((ranks + 1) * sizeof *newest); /* first rank of a node's last start */
    int32_t *switches = malloc((ranks * width + 1) * sizeof *switches);
    if (!locations || !newest || !switches) {
        free(locations);
        free(newest);
        free(switches);
        return NULL;
    }
    for (size_t r = 0; r < ranks; r++)
        newest[r] = -1;
    for (int32_t rank = 0; rank < probe->ranks; rank++) {
        int32_t node = probe->seat[seat_of[rank]].location.node; /* less than the number of ranks */
        if (newest[node] < 0 || start_of[newest[node]] != start_of[rank])
            newest[node] = rank;
        locations[rank].node = newest[node];
        reseat_place_clear(&locations[rank].place);
        for (size_t level = 0; level < width; level++)
            switches[(size_t)rank * width + level] =
                probe->network.switches[(size_t)node * width + level];
    }
    free(newest);
    *network = (struct reseat_network){probe->network.levels, probe->ranks, switches};
    return locations;
}
