/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - see network.h. */
#include "network/network.h"

#include <stdlib.h>
#include <string.h>

static void network_free_shape(struct tmap_shape *shape)
{
    if (shape)
        free((void *)(uintptr_t)shape->link);
    free(shape);
}

void reseat_network_free(struct reseat_network *network)
{
    for (int l = 0; network->shapes && l < network->levels; l++)
        network_free_shape(network->shapes[l]);
    for (int32_t n = 0; network->host && n < network->nodes; n++)
        free(network->host[n]);
    free(network->host);
    free(network->shapes);
    free(network->switches);
    *network = (struct reseat_network){0};
}

int network_same_host(const char *a, const char *b)
{
    size_t short_a = strcspn(a, "."), short_b = strcspn(b, ".");
    if (strcmp(a, b) == 0)
        return 1;
    return short_a == short_b && strncmp(a, b, short_a) == 0 && (!a[short_a] || !b[short_b]);
}

/* ---- combining paths ---- */

/* The switch of a path at a level; beyond its end, the last one. */
static int32_t network_switch_at(const struct network_path *path, int level)
{
    return path->length == 0 ? 0 : path->at[level < path->length ? level : path->length - 1];
}

static int network_is_above_all(const struct network_path *paths, int32_t nodes, int level)
{
    for (int32_t n = 1; n < nodes; n++)
        if (network_switch_at(&paths[n], level) != network_switch_at(&paths[0], level))
            return 0;
    return 1;
}

/* A copy with links of its own; NULL: out of memory. */
static struct tmap_shape *network_copy_shape(const struct tmap_shape *shape)
{
    struct tmap_shape *copy = malloc(sizeof *copy);
    struct tmap_link *link = malloc((shape->links + 1) * sizeof *link);
    if (!copy || !link) {
        free(copy);
        free(link);
        return NULL;
    }
    if (shape->links)
        memcpy(link, shape->link, shape->links * sizeof *link);
    *copy = *shape;
    copy->link = link;
    return copy;
}

/* Copy the shapes of the levels, if there are any. 0, or -1. */
static int network_copy_shapes(struct reseat_network *network,
                               const struct tmap_shape *const *shapes)
{
    int are_there = 0;
    for (int l = 0; shapes && l < network->levels; l++)
        are_there |= shapes[l] != NULL;
    if (!are_there)
        return 0;
    network->shapes = calloc((size_t)network->levels, sizeof *network->shapes);
    for (int l = 0; network->shapes && l < network->levels; l++)
        if (shapes[l] && !(network->shapes[l] = network_copy_shape(shapes[l])))
            return -1;
    return network->shapes ? 0 : -1;
}

int reseat_network_create(struct reseat_network *network, const struct network_path *paths,
                          int32_t nodes, const struct tmap_shape *const *shapes,
                          struct reseat_error *error)
{
    int first = 0, levels = 0;
    for (int32_t n = 0; n < nodes; n++)
        levels = paths[n].length > levels ? paths[n].length : levels;
    while (first < levels && network_is_above_all(paths, nodes, first))
        first++;
    levels -= first;
    *network = (struct reseat_network){.levels = levels, .nodes = nodes};
    if (levels == 0)
        return 0;
    network->switches = malloc(sizeof *network->switches * (size_t)nodes * (size_t)levels);
    if (!network->switches || network_copy_shapes(network, shapes ? shapes + first : NULL)) {
        reseat_network_free(network);
        network->nodes = nodes;
        return reseat_fail(error, "out of memory for the switches");
    }
    for (int32_t n = 0; n < nodes; n++)
        for (int l = 0; l < levels; l++)
            network->switches[(size_t)n * (size_t)levels + (size_t)l] =
                network_switch_at(&paths[n], first + l);
    return 0;
}

int reseat_network_select(struct reseat_network *network, const struct reseat_network *from,
                          const int32_t *row, int32_t nodes, struct reseat_error *error)
{
    size_t levels = (size_t)from->levels;
    struct reseat_network made = {.levels = from->levels, .nodes = nodes};
    made.switches = malloc(((size_t)nodes * levels + 1) * sizeof *made.switches);
    if (!made.switches ||
        network_copy_shapes(&made, (const struct tmap_shape *const *)from->shapes)) {
        reseat_network_free(&made);
        return reseat_fail(error, "out of memory for the switches");
    }
    for (size_t n = 0; n < (size_t)nodes; n++)
        for (size_t l = 0; l < levels; l++)
            made.switches[n * levels + l] = from->switches[(size_t)row[n] * levels + l];
    *network = made;
    return 0;
}

/* ---- Slurm's addresses ---- */

/* The name of a switch in an address, and where its number goes. */
struct component {
    const char *name;
    size_t length;
    int32_t *number; /* to be filled in */
};

static int network_by_name(const void *a, const void *b)
{
    const struct component *x = a, *y = b;
    size_t shorter = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->name, y->name, shorter);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Number of switches that a pattern names before its node; -1: invalid. */
static int network_count_switches(const char *pattern)
{
    int count = 0;
    const char *dot;
    for (; (dot = strchr(pattern, '.')); pattern = dot + 1)
        count++;
    return strcmp(pattern, "node") == 0 ? count : -1;
}

/* Split one address into the names of its switches, in `found`; their numbers will go to `path`.
 * Returns how many, or -1 with *error. */
static int network_split(const struct network_address *a, struct network_path *path,
                         struct component *found, struct reseat_error *error)
{
    const char *at = a->address;
    if (!at || !a->pattern)
        return reseat_fail(error, "SLURM_TOPOLOGY_ADDR is not set on host %s", a->host);
    int count = network_count_switches(a->pattern);
    if (count < 0 || count > TMAP_SWITCH_LEVELS)
        return reseat_fail(error, "SLURM_TOPOLOGY_ADDR_PATTERN=%.100s cannot be understood",
                           a->pattern);
    for (int l = 0; l < count; l++) {
        size_t length = strcspn(at, ".");
        if (length == 0 || at[length] == '\0')
            return reseat_fail(error, "SLURM_TOPOLOGY_ADDR=%.100s is not like %.100s", a->address,
                               a->pattern);
        found[l] = (struct component){at, length, &path->at[l]};
        at += length + 1;
    }
    if (!network_same_host(at, a->host))
        return reseat_fail(error, "SLURM_TOPOLOGY_ADDR=%.100s is set on host %s", a->address,
                           a->host);
    path->length = count;
    return count;
}

int reseat_network_from_addresses(struct reseat_network *network,
                                  const struct network_address *addresses, int32_t nodes,
                                  struct reseat_error *error)
{
    struct network_path *paths = calloc((size_t)nodes, sizeof *paths);
    struct component *names = malloc(sizeof *names * (size_t)nodes * TMAP_SWITCH_LEVELS);
    size_t count = 0;
    int rc = paths && names ? 0 : reseat_fail(error, "out of memory for the switches");
    for (int32_t n = 0; rc >= 0 && n < nodes; n++) {
        rc = network_split(&addresses[n], &paths[n], names + count, error);
        count += rc > 0 ? (size_t)rc : 0;
    }
    if (rc >= 0) {
        qsort(names, count, sizeof *names, network_by_name);
        int32_t number = 0;
        for (size_t i = 0; i < count; i++) {
            number += i > 0 && network_by_name(&names[i - 1], &names[i]) != 0;
            *names[i].number = number;
        }
        rc = reseat_network_create(network, paths, nodes, NULL, error);
    }
    free(paths);
    free(names);
    return rc < 0 ? -1 : 0;
}
