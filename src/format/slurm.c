/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.c - see slurm.h. */
#include "format/slurm.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/switches.h"

static int network_from_file(struct reseat_network *network, const char *path,
                             const struct network_address *addresses, int32_t nodes,
                             struct reseat_error *error)
{
    struct reseat_switches *switches = NULL;
    const char **hosts = malloc(((size_t)nodes + 1) * sizeof *hosts);
    for (int32_t n = 0; hosts && n < nodes; n++)
        hosts[n] = addresses[n].host;
    int rc = !hosts ? reseat_fail(error, "out of memory for the switches")
             : reseat_switches_read(&switches, path, error)
                 ? -1
                 : reseat_switches_above(switches, hosts, nodes, network, error);
    reseat_switches_destroy(switches);
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
    if (network_from_file(network, path, addresses, nodes, &no_file) == 0)
        return 0;
    struct reseat_error no_address = *error;
    return reseat_fail(error, "%.100s; %.120s", no_address.text, no_file.text);
}
