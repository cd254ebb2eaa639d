/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-networks.c - any bytes as a file with the network above hosts: a network from which a tree
 * can be made, or a line. */
#include <string.h>
#include <unistd.h>

#include "network/location.h"
#include "network/network-source.h"
#include "fuzz/fuzz.h"

enum { HOSTS = 4 };

static void check_network(const struct reseat_network *network)
{
    struct reseat_location at[HOSTS];
    struct tmap_tree *tree = NULL;
    struct reseat_error error = {""};
    int32_t slot[HOSTS];
    require(network->nodes == HOSTS && network->levels >= 0);
    require(network->levels <= TMAP_SWITCH_LEVELS);
    for (int32_t n = 0; n < HOSTS; n++) {
        at[n].node = n;
        reseat_place_clear(&at[n].place);
    }
    int rc = reseat_location_tree(&tree, at, HOSTS, network, slot, &error);
    require(rc == 0 || error.text[0]);
    for (int32_t n = 1; rc == 0 && n < HOSTS; n++)
        require(tmap_tree_distance(tree, slot[0], slot[n]) > 0);
    tmap_tree_destroy(tree);
}

/* All hosts that the file names, with their names; of a few, the tree. */
static void check_all(const char *path)
{
    struct reseat_network network = {0};
    struct reseat_error error = {""};
    int rc = reseat_network_of_all(&network, path, &error);
    require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
    require(rc != 0 || (network.nodes > 0 && network.host));
    for (int32_t n = 0; rc == 0 && n < network.nodes; n++)
        require(network.host[n] && network.host[n][0]);
    if (rc == 0 && network.nodes == HOSTS)
        check_network(&network);
    reseat_network_free(&network);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const hosts[HOSTS] = {"n0", "n1", "n000", "n012.site"};
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    struct network_node nodes[HOSTS] = {0};
    struct reseat_network network = {0};
    struct reseat_error error = {""};
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
    for (int32_t n = 0; n < HOSTS; n++)
        nodes[n].address.host = hosts[n];
    int rc = reseat_network_find(&network, NETWORK_FROM_FILE, path, nodes, HOSTS, &error);
    check_all(path);
    unlink(path);
    require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
    if (rc == 0)
        check_network(&network);
    reseat_network_free(&network);
    return 0;
}
