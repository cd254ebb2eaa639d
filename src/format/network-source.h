/* SPDX-License-Identifier: BSD-3-Clause */
/* network-source.h - the switches above the hosts of a job, from Slurm or from a file. */
#ifndef RESEAT_NETWORK_SOURCE_H
#define RESEAT_NETWORK_SOURCE_H

#include "format/network.h"

/*
 * From the addresses that Slurm has given to the ranks of each host (network.h). These may be
 * missing for ranks that a launcher has started itself on its own host, and wrong if a launcher
 * passes on its environment with those of its own host. Then from the topology.conf next to
 * `configuration`, the value of SLURM_CONF; NULL: /etc/slurm/slurm.conf. 0, or -1 with *error.
 */
int reseat_network_from_slurm(struct reseat_network *network,
                              const struct network_address *addresses, int32_t nodes,
                              const char *configuration, struct reseat_error *error);

/* From a file of switches (switches.h), for the same hosts. 0, or -1 with *error. */
int reseat_network_from_file(struct reseat_network *network, const char *path,
                             const struct network_address *addresses, int32_t nodes,
                             struct reseat_error *error);

#endif
