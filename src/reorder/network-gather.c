/* SPDX-License-Identifier: BSD-3-Clause */
/* network-gather.c - see network-gather.h. */
#include "reorder/network-gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/host-name.h"
#include "format/lines.h"

/* What a leader knows about its node. */
struct gathered_node {
    char host[RESEAT_HOST_SIZE];
    char address[NETWORK_ADDRESS_SIZE]; /* Slurm's; empty: none */
    char pattern[NETWORK_PATTERN_SIZE];
    struct network_path path; /* from a tree as text */
};

static void network_gather_own(struct gathered_node *own)
{
    const char *address = getenv("SLURM_TOPOLOGY_ADDR");
    const char *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");
    if (gethostname(own->host, sizeof own->host - 1))
        strcpy(own->host, "unknown");
    snprintf(own->address, sizeof own->address, "%s", address ? address : "");
    snprintf(own->pattern, sizeof own->pattern, "%s", pattern ? pattern : "");
}

/* At rank 0. A failure is trouble if the user named the source; switches that were only discovered
 * are left out. */
static void network_gather_make_network(struct reseat_network *network, enum network_source source,
                                        const struct reseat_settings *settings,
                                        const struct gathered_node *gathered, int32_t nodes,
                                        struct trouble *trouble)
{
    struct reseat_error error = {"out of memory for the switches"};
    struct network_node *node = malloc(sizeof *node * (size_t)nodes);
    for (int32_t n = 0; node && n < nodes; n++) {
        const struct gathered_node *g = &gathered[n];
        node[n].address =
            (struct network_address){g->address[0] ? g->address : NULL, g->pattern, g->host};
        node[n].above = g->path;
    }
    int rc = node && !(source == NETWORK_FROM_FILE && lines_check_file(settings->topology, &error))
                 ? reseat_network_find(network, source, settings->topology, node, nodes, &error)
                 : -1;
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
    struct gathered_node mine = {.path = *path}, *gathered = NULL;
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
        gathered = malloc(sizeof *gathered * (size_t)nodes);
    go = rank != 0 || gathered;
    if (!go)
        trouble_note(trouble, "out of memory for the switches");
    PMPI_Bcast(&go, 1, MPI_INT, 0, leaders);
    if (go &&
        trouble_mpi(
            trouble,
            PMPI_Gather(&mine, sizeof mine, MPI_BYTE, gathered, sizeof mine, MPI_BYTE, 0, leaders),
            "MPI_Gather") &&
        rank == 0)
        network_gather_make_network(network, source, settings, gathered, nodes, trouble);
    free(gathered);
}
