/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz-hostlist.c - lists of names as Slurm writes them, and its addresses of nodes: never too many
 * names, never a broken one, networks whose numbers can be used.
 */
#include <string.h>

#include "text/hostlist.h"
#include "network/network.h"
#include "fuzz/fuzz.h"

enum { ENOUGH = 5000, NODES = 3, PARTS = 2 * NODES };

static int count_name(void *context, const char *name)
{
    require(name);
    return ++*(int *)context == ENOUGH ? 7 : 0;
}

/* The lines of the text are address and pattern of each node. */
static void try_addresses(char *text)
{
    char *part[PARTS] = {NULL};
    static const char *const hosts[NODES] = {"n0", "n1", "n2.site"};
    struct network_address address[NODES];
    struct reseat_network network = {0};
    struct reseat_error error = {""};
    for (int i = 0; i < PARTS && text; i++)
        part[i] = strsep(&text, "\n");
    for (int n = 0; n < NODES; n++)
        address[n] = (struct network_address){part[2 * n], part[2 * n + 1], hosts[n]};
    for (int nodes = 1; nodes <= NODES; nodes++) {
        if (reseat_network_from_addresses(&network, address, nodes, &error)) {
            require(error.text[0] && !strchr(error.text, '\n'));
            continue;
        }
        require(network.nodes == nodes);
        require(network.levels >= 0 && network.levels <= TMAP_SWITCH_LEVELS);
        require((network.switches != NULL) == (network.levels > 0));
        for (int i = 0; i < nodes * network.levels; i++)
            require(network.switches[i] >= 0);
        reseat_network_free(&network);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    const char *reason = NULL;
    int names = 0;
    require(text);
    memcpy(text, data, size);
    text[size] = '\0';
    int rc = hostlist_expand(text, count_name, &names, &reason);
    require(rc == 0 || rc == 7 || (rc == -1 && reason && reason[0]));
    require(names <= ENOUGH);
    try_addresses(text);
    free(text);
    return 0;
}
