/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-seats.c - see profile-seats.h. */
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/profile-seats.h"
#include "network/network-source.h"

struct named {
    const char *host;
    int32_t rank;
};

static int by_host(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->host, y->host);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* The hosts of a profile with their accelerators, and the host of each rank. */
struct hosts {
    const char **name;
    int32_t count;
    int32_t *of_rank;
    int32_t *accelerators;
};

static void free_hosts(struct hosts *hosts)
{
    free(hosts->name);
    free(hosts->of_rank);
    free(hosts->accelerators);
}

static int find_hosts(struct hosts *hosts, const struct reseat_profile *profile)
{
    size_t ranks = (size_t)profile->ranks;
    struct named *sorted = malloc((ranks + 1) * sizeof *sorted);
    *hosts = (struct hosts){.name = malloc((ranks + 1) * sizeof *hosts->name),
                            .of_rank = malloc((ranks + 1) * sizeof *hosts->of_rank),
                            .accelerators = malloc((ranks + 1) * sizeof *hosts->accelerators)};
    int rc = sorted && hosts->name && hosts->of_rank && hosts->accelerators ? 0 : -1;
    for (int32_t r = 0; rc == 0 && r < profile->ranks; r++)
        sorted[r] = (struct named){profile->seats[r].host, r};
    if (rc == 0)
        qsort(sorted, ranks, sizeof *sorted, by_host);
    for (size_t i = 0; rc == 0 && i < ranks; i++) {
        if (i == 0 || strcmp(sorted[i].host, sorted[i - 1].host) != 0)
            hosts->name[hosts->count++] = sorted[i].host;
        hosts->of_rank[sorted[i].rank] = hosts->count - 1;
    }
    for (int32_t h = 0; rc == 0 && h < hosts->count; h++)
        hosts->accelerators[h] = reseat_profile_accelerators(profile, hosts->name[h]);
    free(sorted);
    return rc;
}

/* Read the switches above the hosts from a file. */
static int find_network(struct reseat_network *network, const char *file, const struct hosts *hosts,
                        struct reseat_error *error)
{
    struct network_node *nodes = calloc((size_t)hosts->count + 1, sizeof *nodes);
    for (int32_t h = 0; nodes && h < hosts->count; h++)
        nodes[h].address.host = hosts->name[h];
    int rc = nodes
                 ? reseat_network_find(network, NETWORK_FROM_FILE, file, nodes, hosts->count, error)
                 : reseat_fail(error, "out of memory");
    free(nodes);
    return rc;
}

int seats_locations(const struct reseat_profile *profile, const char *switches,
                    struct reseat_location **locations, struct reseat_network *network,
                    struct reseat_error *error)
{
    size_t ranks = (size_t)profile->ranks;
    struct hosts hosts;
    struct reseat_location *found = malloc(ranks * sizeof *found);
    int rc = find_hosts(&hosts, profile) || !found ? reseat_fail(error, "out of memory") : 0;
    for (size_t r = 0; rc == 0 && r < ranks; r++)
        found[r] = (struct reseat_location){.node = hosts.of_rank[r],
                                            .place = profile->seats[r].place,
                                            .accelerators = hosts.accelerators[hosts.of_rank[r]]};
    if (rc == 0 && switches)
        rc = find_network(network, switches, &hosts, error);
    free_hosts(&hosts);
    if (rc)
        free(found);
    else
        *locations = found;
    return rc;
}
