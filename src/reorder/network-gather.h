/* SPDX-License-Identifier: BSD-3-Clause */
/* network-gather.h - what the leaders of the nodes know about the switches above them, and what
 * rank 0 makes of it. */
#ifndef RESEAT_NETWORK_GATHER_H
#define RESEAT_NETWORK_GATHER_H

#include "text/host-name.h"
#include "network/network-source.h"
#include "profile/settings.h"
#include "reorder/trouble.h"

/* The facts that a leader knows about its node. */
struct network_gathered {
    char host[RESEAT_HOST_SIZE];
    char address[NETWORK_ADDRESS_SIZE]; /* Slurm's; empty: none */
    char pattern[NETWORK_PATTERN_SIZE];
    struct network_path path; /* from a tree as text */
};

void network_gather_own(struct network_gathered *own, const struct network_path *path);

/*
 * At rank 0: the network of these nodes, in the order of their numbers; none if no leader knows a
 * switch. A file that cannot be used is trouble; Slurm's addresses that cannot are left out, with
 * one line.
 */
void network_gather_make(struct reseat_network *network, enum network_source source,
                         const struct reseat_settings *settings,
                         const struct network_gathered *gathered, int32_t nodes,
                         struct trouble *trouble);

#endif
