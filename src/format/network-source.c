/* SPDX-License-Identifier: BSD-3-Clause */
/* network-source.c - see network-source.h. */
#include "format/network-source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/switches.h"

int reseat_network_from_file(struct reseat_network *network, const char *path,
                             const struct network_address *addresses, int32_t nodes,
                             struct reseat_error *error)
{
    const char **hosts = malloc(((size_t)nodes + 1) * sizeof *hosts);
    if (!hosts)
        return reseat_fail(error, "out of memory for the switches");
    for (int32_t n = 0; n < nodes; n++)
        hosts[n] = addresses[n].host;
    int rc = reseat_switches_of_file(path, hosts, nodes, network, error);
    free(hosts);
    return rc;
}

int reseat_network_from_slurm(struct reseat_network *network,
                              const struct network_address *addresses, int32_t nodes,
                              const char *configuration, struct reseat_error *error)
{
    char path[PATH_MAX];
    struct reseat_error no_file;
    if (reseat_network_from_addresses(network, addresses, nodes, error) == 0)
        return 0;
    if (!configuration || !strchr(configuration, '/'))
        configuration = "/etc/slurm/slurm.conf";
    snprintf(path, sizeof path, "%.*s/topology.conf",
             (int)(strrchr(configuration, '/') - configuration), configuration);
    if (access(path, R_OK))
        return -1;
    if (reseat_network_from_file(network, path, addresses, nodes, &no_file) == 0)
        return 0;
    struct reseat_error no_address = *error;
    return reseat_fail(error, "%.100s; %.120s", no_address.text, no_file.text);
}
