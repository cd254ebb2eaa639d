/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seat.c - `reseat seat CPUS PROCESSORS`: run on the hosts by the probe of a job (probe.c). It
 * prints one line: the place of a process that may run on the PUs of this list, on a host with that
 * many processors; the list as logical cores and PUs; whether it has all PUs of these cores; and
 * the number of accelerators of the host. The line is short enough that no launcher breaks it, as
 * the machine's whole tree would not be. Without a binding there is no place, so the machine, which
 * takes most of the time, is not read.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/place/probe.h"
#include "network/network-source.h"
#include "treematch/tmap-hwloc.h"
#include "cmd/shell/complain.h"
#include "cmd/commands.h"
#include "treematch/tmap.h"

int cmd_seat(int argc, char **argv)
{
    struct tmap_machine *machine;
    struct tmap_place place;
    struct tmap_numbers numbers;
    struct tmap_error error;
    const char *topology = getenv("RESEAT_TOPOLOGY");
    int bound, accelerators = reseat_node_accelerators(topology ? topology : "");
    if (argc != 3)
        return cli_fail(EXIT_USAGE, "reseat seat CPUS PROCESSORS");
    if (probe_count_list(argv[1]) >= atoi(argv[2])) {
        printf("-1 -1 -1 -1 -1 -1 - - whole %d\n", accelerators);
        return 0;
    }
    if (tmap_machine_create(&machine, NULL, &error))
        return cli_fail(EXIT_TROUBLE, "%s", error.text);
    int failed = tmap_machine_find_cpus(machine, argv[1], &place, &bound, &numbers, &error);
    tmap_machine_destroy(machine);
    if (failed)
        return cli_fail(EXIT_TROUBLE, "%s", error.text);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        printf("%d ", (int)place.at[level]);
    printf("%s %s %s %d\n", numbers.cores[0] ? numbers.cores : "-", numbers.pus,
           numbers.whole ? "whole" : "part", accelerators);
    return 0;
}
