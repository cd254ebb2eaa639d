/* SPDX-License-Identifier: BSD-3-Clause */
/* network-source.c - see network-source.h. */
#include "network/network-source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "network/coordinates.h"
#include "network/fabric.h"
#include "network/netloc.h"
#include "network/platform.h"
#include "network/slurm-yaml.h"
#include "network/switches.h"
#include "network/topology-form.h"
#include "treematch/adapters/accelerators.h"

enum network_source network_source_of(const char *topology)
{
    return !topology[0]                        ? NETWORK_FROM_SLURM
           : reseat_switches_is_path(topology) ? NETWORK_FROM_FILE
                                               : NETWORK_FROM_TREE;
}

/* ---- a tree as text ---- */

int network_source_tree(struct tmap_tree **tree, const char *topology, struct reseat_error *error)
{
    struct tmap_error why;
    return tmap_tree_parse(tree, topology, &why)
               ? reseat_fail(error, "RESEAT_TOPOLOGY: %s", why.text)
               : 0;
}

int network_source_leaf(struct reseat_leaf *leaf, const char *topology, int32_t rank,
                        struct reseat_error *error)
{
    struct tmap_tree *tree;
    *leaf = (struct reseat_leaf){.location = {.node = 0}};
    reseat_place_clear(&leaf->location.place);
    if (network_source_tree(&tree, topology, error))
        return -1;
    int rc = reseat_leaf_find(leaf, tree, rank, error);
    tmap_tree_destroy(tree);
    return rc;
}

static int network_source_from_tree(struct reseat_network *network, const char *topology,
                                    const struct network_node *nodes, int32_t count,
                                    struct reseat_error *error)
{
    struct tmap_tree *tree = NULL;
    struct leaf_shapes shapes;
    struct network_path *paths = malloc(((size_t)count + 1) * sizeof *paths);
    int rc = paths ? network_source_tree(&tree, topology, error)
                   : reseat_fail(error, "out of memory for the switches");
    for (int32_t n = 0; rc == 0 && n < count; n++)
        paths[n] = nodes[n].above;
    if (rc == 0) {
        reseat_leaf_shapes(&shapes, tree);
        rc = reseat_network_create(network, paths, count, shapes.at, error);
    }
    tmap_tree_destroy(tree);
    free(paths);
    return rc;
}

/* ---- a file ---- */

/* By the content of the file. */
static int network_source_of_file(const char *path, const char *const *hosts, int32_t nodes,
                                  struct reseat_network *network, struct reseat_error *error)
{
    switch (topology_form_of(path)) {
    case TOPOLOGY_NETLOC:
        return reseat_netloc_network_of_file(path, hosts, nodes, network, error);
    case TOPOLOGY_COORDINATES:
        return reseat_coordinates_of_file(path, hosts, nodes, network, error);
    case TOPOLOGY_SLURM_TORUS:
        return reseat_slurm_torus_of_file(path, hosts, nodes, network, error);
    case TOPOLOGY_SLURM_YAML:
        return reseat_slurm_yaml_of_file(path, hosts, nodes, network, error);
    case TOPOLOGY_FABRIC:
        return reseat_fabric_of_file(path, hosts, nodes, network, error);
    case TOPOLOGY_PLATFORM:
        return reseat_platform_of_file(path, hosts, nodes, network, error);
    case TOPOLOGY_NONE:
        return reseat_fail(error, "%s: a profile or timings, no description of a machine", path);
    case TOPOLOGY_OTHER:
    case TOPOLOGY_SWITCHES:
        break;
    }
    return reseat_switches_of_file(path, hosts, nodes, network, error);
}

int reseat_network_of_all(struct reseat_network *network, const char *path,
                          struct reseat_error *error)
{
    *network = (struct reseat_network){.levels = 0};
    return network_source_of_file(path, NULL, 0, network, error);
}

static int network_source_from_file(struct reseat_network *network, const char *path,
                                    const struct network_address *addresses, int32_t nodes,
                                    struct reseat_error *error)
{
    const char **hosts = malloc(((size_t)nodes + 1) * sizeof *hosts);
    if (!hosts)
        return reseat_fail(error, "out of memory for the switches");
    for (int32_t n = 0; n < nodes; n++)
        hosts[n] = addresses[n].host;
    int rc = network_source_of_file(path, hosts, nodes, network, error);
    free(hosts);
    return rc;
}

/* ---- Slurm ---- */

/* A file next to the configuration. 1: it is there and counts; 0. */
static int network_source_has_file(char path[PATH_MAX], const char *configuration, const char *name)
{
    int length = snprintf(path, PATH_MAX, "%.*s/%s",
                          (int)(strrchr(configuration, '/') - configuration), configuration, name);
    if (length < 0 || length >= PATH_MAX || access(path, R_OK))
        return 0;
    return strcmp(name, "slurm.conf") != 0 || topology_form_of(path) == TOPOLOGY_SLURM_TORUS;
}

/* Addresses that name no switch: the network may have a shape, which they cannot tell. */
static int network_source_shape_of_slurm(struct reseat_network *network,
                                         const struct network_address *addresses, int32_t nodes,
                                         const char *configuration, struct reseat_error *error)
{
    char path[PATH_MAX];
    if (nodes > 1 && strcmp(addresses[0].pattern, "node") == 0 &&
        (network_source_has_file(path, configuration, "topology.yaml") ||
         network_source_has_file(path, configuration, "slurm.conf")))
        return network_source_from_file(network, path, addresses, nodes, error);
    return 0;
}

int reseat_network_from_slurm(struct reseat_network *network,
                              const struct network_address *addresses, int32_t nodes,
                              const char *configuration, struct reseat_error *error)
{
    char path[PATH_MAX];
    struct reseat_error no_file;
    if (!configuration || !strchr(configuration, '/'))
        configuration = "/etc/slurm/slurm.conf";
    if (reseat_network_from_addresses(network, addresses, nodes, error) == 0)
        return network->levels
                   ? 0
                   : network_source_shape_of_slurm(network, addresses, nodes, configuration, error);
    if (!network_source_has_file(path, configuration, "topology.yaml") &&
        !network_source_has_file(path, configuration, "topology.conf") &&
        !network_source_has_file(path, configuration, "slurm.conf"))
        return -1;
    if (network_source_from_file(network, path, addresses, nodes, &no_file) == 0)
        return 0;
    struct reseat_error no_address = *error;
    return reseat_fail(error, "%.100s; %.120s", no_address.text, no_file.text);
}

/* ---- all of them ---- */

static int network_source_has_address(const struct network_address *addresses, int32_t nodes)
{
    for (int32_t n = 0; n < nodes; n++)
        if (addresses[n].address)
            return 1;
    return 0;
}

int reseat_network_find(struct reseat_network *network, enum network_source source,
                        const char *topology, const struct network_node *nodes, int32_t count,
                        struct reseat_error *error)
{
    *network = (struct reseat_network){.nodes = count};
    if (source == NETWORK_FROM_TREE)
        return network_source_from_tree(network, topology, nodes, count, error);
    struct network_address *addresses = malloc(((size_t)count + 1) * sizeof *addresses);
    if (!addresses)
        return reseat_fail(error, "out of memory for the switches");
    for (int32_t n = 0; n < count; n++)
        addresses[n] = nodes[n].address;
    int rc = 0;
    if (source == NETWORK_FROM_FILE)
        rc = network_source_from_file(network, topology, addresses, count, error);
    else if (network_source_has_address(addresses, count))
        rc = reseat_network_from_slurm(network, addresses, count, getenv("SLURM_CONF"), error);
    free(addresses);
    return rc;
}

int reseat_node_card_level(const char *topology)
{
    int is_text = network_source_of(topology) == NETWORK_FROM_TREE || getenv("HWLOC_SYNTHETIC");
    const char *described = getenv("HWLOC_XMLFILE");
    return is_text && !described ? -1 : tmap_card_level(described);
}

int32_t reseat_node_accelerators(const char *topology)
{
    const char *described = getenv("HWLOC_XMLFILE");
    if (described)
        return tmap_accelerators(described);
    if (network_source_of(topology) == NETWORK_FROM_TREE || getenv("HWLOC_SYNTHETIC"))
        return 0;
    return tmap_accelerators(NULL);
}
