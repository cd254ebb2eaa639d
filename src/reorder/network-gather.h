/* SPDX-License-Identifier: BSD-3-Clause */
/* network-gather.h - gather at rank 0 what the leaders of the nodes know about the switches above
 * them. */
#ifndef RESEAT_NETWORK_GATHER_H
#define RESEAT_NETWORK_GATHER_H

#include <mpi.h>

#include "format/network-source.h"
#include "format/settings.h"
#include "reorder/trouble.h"

/*
 * Collective over the leaders of all nodes; rank 0 gets the network, with their ranks as the
 * numbers of the nodes. `path`: the switches of this node in the tree as text. A file that cannot
 * be used is trouble; Slurm's addresses that cannot are left out, with one line.
 * Nothing is sent if no leader knows a switch.
 */
void network_gather(struct reseat_network *network, enum network_source source,
                    const struct reseat_settings *settings, const struct network_path *path,
                    MPI_Comm leaders, struct trouble *trouble);

#endif
