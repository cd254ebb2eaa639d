/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seat.c - `reseat seat CPUS`: what the probe of a job (probe.c) runs on the hosts. One line: the
 * place of a process that may run on these PUs, the logical cores and PUs that they are, and
 * whether the cores are its own as a whole. Short enough that no launcher breaks it, which it would
 * do with the machine's whole tree.
 */
#include <stdio.h>

#include "cmd/cmd.h"
#include "treematch/tmap-hwloc.h"

int cmd_seat(int argc, char **argv)
{
    struct tmap_place place;
    struct tmap_numbers numbers;
    struct tmap_error error;
    int bound;
    if (argc != 2)
        return complain(EXIT_USAGE, "seat", "reseat seat CPUS");
    if (tmap_place_of_cpus(NULL, argv[1], &place, &bound, &error) ||
        tmap_numbers_of_cpus(NULL, argv[1], &numbers, &error))
        return complain(EXIT_TROUBLE, "seat", "%s", error.text);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        printf("%d ", (int)place.at[level]);
    printf("%s %s %s\n", numbers.cores[0] ? numbers.cores : "-", numbers.pus,
           numbers.whole ? "whole" : "part");
    return 0;
}
