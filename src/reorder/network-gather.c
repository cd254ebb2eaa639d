/* SPDX-License-Identifier: BSD-3-Clause */
/* network-gather.c - see network-gather.h. */
#include "reorder/network-gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/lines.h"
#include "text/printable.h"

void network_gather_own(struct network_gathered *own, const struct network_path *path)
{
    *own = (struct network_gathered){.path = *path};
    const char *address = getenv("SLURM_TOPOLOGY_ADDR");
    const char *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");
    if (gethostname(own->host, sizeof own->host - 1))
        strcpy(own->host, "unknown");
    snprintf(own->address, sizeof own->address, "%s", address ? address : "");
    snprintf(own->pattern, sizeof own->pattern, "%s", pattern ? pattern : "");
}

static int network_gather_knows(const struct network_gathered *gathered, enum network_source source)
{
    return source == NETWORK_FROM_FILE ||
           (source == NETWORK_FROM_TREE ? gathered->path.length > 0 : gathered->address[0] != '\0');
}

/* A failure is trouble if the user named the source; switches that were only discovered are left
 * out. */
void network_gather_make(struct reseat_network *network, enum network_source source,
                         const struct reseat_settings *settings,
                         const struct network_gathered *gathered, int32_t nodes,
                         struct trouble *trouble)
{
    int32_t knowing = 0;
    while (knowing < nodes && !network_gather_knows(&gathered[knowing], source))
        knowing++;
    if (knowing >= nodes)
        return;
    struct reseat_error error = {"out of memory for the switches"};
    struct network_node *node = calloc((size_t)nodes, sizeof *node);
    for (int32_t n = 0; node && n < nodes; n++) {
        const struct network_gathered *g = &gathered[n];
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
        printable_say("switches are left out: %s", error.text);
}
