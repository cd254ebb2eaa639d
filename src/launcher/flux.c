/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flux.c - flux run. Options are those of `flux run --help` of Flux 0.88. Seen there, on four
 * nodes: a file of hosts is obeyed, in any order and with the same nodes as without it; with -o
 * cpu-affinity=per-task each host binds its ranks in their order; and where the job gets other
 * nodes than the file names, it does not start.
 */
#include <stddef.h>

#include "launcher/launcher.h"
#include "launcher/rows.h"

static const struct launcher_option flux_options[] = {
    {1, LAUNCHER_NUMBER, "n ntasks"},
    {1, LAUNCHER_DROP, "taskmap"},
    /* These may not stand beside -n, which is added where it is missing. */
    {1, LAUNCHER_REFUSE, "cores tasks-per-node tasks-per-core"},
    {1, LAUNCHER_DROP_IN_PROBE, "output error"},
    {0, LAUNCHER_KEEP, "x exclusive u unbuffered l label-io quiet v verbose dry-run"},
    {0, LAUNCHER_KEEP, NULL}};

const struct launcher launcher_flux = {.name = "flux",
                                       .title = "flux run",
                                       .names = {"flux"},
                                       .subcommand = "run",
                                       .prefixes = {"FLUX_"},
                                       .rank_variables = RANK_VARIABLE_BIT(FLUX_TASK_RANK) |
                                                         RANK_VARIABLE_BIT(PMI_RANK),
                                       .options = flux_options,
                                       .joins_values = 1,
                                       .forwards_environment = 1,
                                       .by_host = &launcher_formats[LAUNCHER_FORMAT_FLUX],
                                       .unplaced = LAUNCHER_BINDS_ON_EACH_HOST,
                                       .allocation = "FLUX_URI"};
