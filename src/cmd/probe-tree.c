/* SPDX-License-Identifier: BSD-3-Clause */
/* probe-tree.c - where the seats that a probe has found (probe.h) are for the mapping, as the
 * preloaded library sees them. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/probe.h"
#include "format/leaf.h"
#include "format/slurm-network.h"
#include "format/switches.h"

static int network_from_file(struct probe *probe, const char *path, struct tmap_error *why)
{
    const char **hosts = malloc(((size_t)probe->hosts + 1) * sizeof *hosts);
    for (int32_t h = 0; hosts && h < probe->hosts; h++)
        hosts[h] = probe->host[h].name;
    snprintf(why->text, sizeof why->text, "out of memory");
    int rc = hosts ? find_network(&probe->network, path, hosts, probe->hosts, why) : -1;
    free(hosts);
    return rc;
}

static int network_from_slurm(struct probe *probe, struct tmap_error *why)
{
    struct reseat_error error = {"out of memory"};
    struct network_address *addresses = malloc(((size_t)probe->hosts + 1) * sizeof *addresses);
    int known = 0;
    for (int32_t h = 0; addresses && h < probe->hosts; h++) {
        const struct probe_host *host = &probe->host[h];
        addresses[h] = (struct network_address){host->address, host->pattern, host->name};
        known |= host->address != NULL;
    }
    int rc = !addresses ? -1
             : known    ? reseat_network_from_slurm(&probe->network, addresses, probe->hosts,
                                                    getenv("SLURM_CONF"), &error)
                        : 0;
    free(addresses);
    if (rc)
        snprintf(why->text, sizeof why->text, "%.250s", error.text);
    return rc ? 1 : 0;
}

/* The places of a tree as text, in which rank r is leaf r. */
static int take_leaves(struct probe *probe, const struct tmap_tree *tree,
                       struct reseat_error *error)
{
    struct network_path *paths = malloc(((size_t)probe->ranks + 1) * sizeof *paths);
    int32_t *number_of = malloc((size_t)tmap_tree_slots(tree) * sizeof *number_of), nodes = 0;
    int rc = paths && number_of ? 0 : reseat_fail(error, "out of memory");
    for (int32_t i = 0; rc == 0 && i < tmap_tree_slots(tree); i++)
        number_of[i] = -1;
    for (int32_t rank = 0; rc == 0 && rank < probe->ranks; rank++) {
        struct reseat_leaf leaf;
        rc = reseat_leaf_find(&leaf, tree, rank, error);
        int32_t node = leaf.location.node;
        if (rc == 0 && number_of[node] < 0) {
            number_of[node] = nodes;
            paths[nodes++] = leaf.above;
        }
        leaf.location.node = rc ? 0 : number_of[node];
        probe->seat[rank].location = leaf.location;
    }
    if (rc == 0)
        rc = reseat_network_create(&probe->network, paths, nodes, error);
    free(paths);
    free(number_of);
    return rc;
}

static int network_from_text(struct probe *probe, const char *text, struct tmap_error *why)
{
    struct tmap_tree *tree;
    struct tmap_error unread;
    struct reseat_error error;
    if (tmap_tree_parse(&tree, text, &unread)) {
        snprintf(why->text, sizeof why->text, "RESEAT_TOPOLOGY: %.230s", unread.text);
        return -1;
    }
    int rc = take_leaves(probe, tree, &error);
    if (rc)
        snprintf(why->text, sizeof why->text, "%.250s", error.text);
    tmap_tree_destroy(tree);
    return rc;
}

int probe_topology(struct probe *probe, const char *topology, struct tmap_error *why)
{
    if (!topology[0])
        return network_from_slurm(probe, why);
    return reseat_switches_is_path(topology) ? network_from_file(probe, topology, why)
                                             : network_from_text(probe, topology, why);
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
        int32_t node = probe->seat[seat_of[rank]].location.node; /* less than there are ranks */
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
