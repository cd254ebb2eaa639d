/* SPDX-License-Identifier: BSD-3-Clause */
/* network-gather.c - see network-gather.h. */
#include "reorder/network-gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/host-name.h"

/* What a leader knows about its node. */
struct node_location {
    char host[RESEAT_HOST_SIZE];
    char address[NETWORK_ADDRESS_SIZE]; /* Slurm's; empty: none */
    char pattern[NETWORK_PATTERN_SIZE];
    struct network_path path; /* from a tree as text */
};

static void network_gather_own(struct node_location *location)
{
    const char *address = getenv("SLURM_TOPOLOGY_ADDR");
    const char *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");
    if (gethostname(location->host, sizeof location->host - 1))
        strcpy(location->host, "unknown");
    snprintf(location->address, sizeof location->address, "%s", address ? address : "");
    snprintf(location->pattern, sizeof location->pattern, "%s", pattern ? pattern : "");
}

/* At rank 0. Failing with what the user asked for is trouble; with what was only discovered, it is
 * left out. */
static void network_gather_make_network(struct reseat_network *network, enum network_source source,
                                        const struct reseat_settings *settings,
                                        const struct node_location *locations, int32_t nodes,
                                        struct trouble *trouble)
{
    struct reseat_error error = {"out of memory for the switches"};
    struct network_node *node = malloc(sizeof *node * (size_t)nodes);
    for (int32_t n = 0; node && n < nodes; n++) {
        const struct node_location *l = &locations[n];
        node[n].told =
            (struct network_address){l->address[0] ? l->address : NULL, l->pattern, l->host};
        node[n].above = l->path;
    }
    int rc =
        node ? reseat_network_find(network, source, settings->topology, node, nodes, &error) : -1;
    free(node);
    if (rc && source != NETWORK_FROM_SLURM)
        trouble_note(trouble, "%s", error.text);
    else if (rc && settings->verbose >= 1)
        fprintf(stderr, "reseat: switches are left out: %s\n", error.text);
}

void network_gather(struct reseat_network *network, enum network_source source,
                    const struct reseat_settings *settings, const struct network_path *path,
                    MPI_Comm leaders, struct trouble *trouble)
{
    struct node_location mine = {.path = *path}, *locations = NULL;
    int rank, nodes, go = 0;
    network_gather_own(&mine);
    PMPI_Comm_rank(leaders, &rank);
    PMPI_Comm_size(leaders, &nodes);
    int worth_it = source == NETWORK_FROM_FILE ||
                   (source == NETWORK_FROM_TREE ? path->length > 0 : mine.address[0] != '\0');
    PMPI_Allreduce(&worth_it, &go, 1, MPI_INT, MPI_MAX, leaders);
    if (!go)
        return;
    if (rank == 0)
        locations = malloc(sizeof *locations * (size_t)nodes);
    go = rank != 0 || locations;
    if (!go)
        trouble_note(trouble, "out of memory for the switches");
    PMPI_Bcast(&go, 1, MPI_INT, 0, leaders);
    if (go &&
        trouble_mpi(
            trouble,
            PMPI_Gather(&mine, sizeof mine, MPI_BYTE, locations, sizeof mine, MPI_BYTE, 0, leaders),
            "MPI_Gather") &&
        rank == 0)
        network_gather_make_network(network, source, settings, locations, nodes, trouble);
    free(locations);
}
