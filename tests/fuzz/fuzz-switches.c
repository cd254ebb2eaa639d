/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-switches.c - any bytes as a file of switches: read, or refused with a line. */
#include <string.h>
#include <unistd.h>

#include "network/switches.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const hosts[] = {"n0", "n1", "n2.site", "n07"};
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    struct reseat_switches *switches = NULL;
    struct reseat_network network = {0};
    struct reseat_error error = {""};
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
    int rc = reseat_switches_read(&switches, path, &error);
    unlink(path);
    require((rc == 0) == (switches != NULL));
    require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
    for (int32_t n = 1; switches && n <= 4; n++)
        if (reseat_switches_above(switches, hosts, n, &network, &error) == 0) {
            require(network.nodes == n && network.levels >= 0);
            require(network.levels <= TMAP_SWITCH_LEVELS);
            require((network.switches != NULL) == (network.levels > 0));
            require(n > 1 || network.levels == 0);
            reseat_network_free(&network);
        }
    reseat_switches_destroy(switches);
    return 0;
}
