/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - see machine.h. */
#include "network/machine.h"

#include <stdlib.h>

void reseat_machine_destroy(struct reseat_machine *machine)
{
    if (!machine)
        return;
    for (int32_t h = 0; machine->host && h < machine->hosts; h++)
        free(machine->host[h]);
    for (int level = 0; level <= TMAP_MAX_LEVELS; level++)
        free(machine->child[level]);
    tmap_tree_destroy(machine->tree);
    free(machine->host);
    free(machine->number_of);
    free(machine->inside);
    free(machine);
}
