/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm-network.h - the switches above the hosts of a job, as Slurm or a file of its kind knows them. */
#ifndef RESEAT_SLURM_NETWORK_H
#define RESEAT_SLURM_NETWORK_H

#include "format/network.h"

/*
 * From the addresses that Slurm has given to the ranks of each host (network.h). Ranks that a
 * launcher has started by itself on the host where it was called may have none, and a launcher that
 * hands its environment on gives those of its own host to others: then from the topology.conf
 * beside `configuration`, which is SLURM_CONF of the environment; NULL: /etc/slurm/slurm.conf. 0,
 * or -1 with *error.
 */
int reseat_network_from_slurm(struct reseat_network *network,
                              const struct network_address *addresses, int32_t nodes,
                              const char *configuration, struct reseat_error *error);

/* From a file of switches (switches.h), for the same hosts. 0, or -1 with *error. */
int reseat_network_from_file(struct reseat_network *network, const char *path,
                             const struct network_address *addresses, int32_t nodes,
                             struct reseat_error *error);

#endif
