/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seat.c - `reseat seat CPUS PROCESSORS`: what the probe of a job (probe.c) runs on the hosts. One
 * line: the place of a process that may run on these PUs, of so many that there are, the logical
 * cores and PUs that they are, and whether the cores are its own as a whole. Short enough that no
 * launcher breaks it, which it would do with the machine's whole tree. To read the machine is most
 * of what this takes, and without a binding it would say nothing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/probe.h"
#include "treematch/tmap-hwloc.h"

int cmd_seat(int argc, char **argv)
{
    struct tmap_machine *machine;
    struct tmap_place place;
    struct tmap_numbers numbers;
    struct tmap_error error;
    int bound;
    if (argc != 3)
        return complain(EXIT_USAGE, "seat", "reseat seat CPUS PROCESSORS");
    if (probe_count_list(argv[1]) >= atoi(argv[2])) {
        puts("-1 -1 -1 -1 -1 -1 - - whole");
        return 0;
    }
    if (tmap_machine_create(&machine, NULL, &error))
        return complain(EXIT_TROUBLE, "seat", "%s", error.text);
    int failed = tmap_machine_find_cpus(machine, argv[1], &place, &bound, &numbers, &error);
    tmap_machine_destroy(machine);
    if (failed)
        return complain(EXIT_TROUBLE, "seat", "%s", error.text);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        printf("%d ", (int)place.at[level]);
    printf("%s %s %s\n", numbers.cores[0] ? numbers.cores : "-", numbers.pus,
           numbers.whole ? "whole" : "part");
    return 0;
}
