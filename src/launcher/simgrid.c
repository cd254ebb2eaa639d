/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simgrid.c - smpirun, the launcher of SimGrid's SMPI: it runs a program on a simulated machine, in
 * one process, which loads it once for each rank. Options are those of smpirun 3.32.
 */
#include <stddef.h>

#include "launcher/launcher.h"
#include "launcher/rows.h"

static const struct launcher_option smpirun_options[] = {
    {1, LAUNCHER_NUMBER, "n np"},
    {1, LAUNCHER_DROP_IF_HOSTS, "hostfile machinefile"},
    {1, LAUNCHER_REFUSE, "replay"},
    {1, LAUNCHER_KEEP,
     "platform wrapper tmpdir trace-comment trace-comment-file trace-file cfg log"},
    {0, LAUNCHER_KEEP,
     "analyze keep-temps gdb lldb vgdb map no-privatize trace-ti trace trace-grouped "
     "trace-resource quiet foreground"},
    {0, LAUNCHER_KEEP, NULL}};

const struct launcher launcher_smpirun = {.name = "smpirun",
                                          .mpi = "simgrid",
                                          .names = {"smpirun"},
                                          .prefixes = {"SMPI_"},
                                          .options = smpirun_options,
                                          .by_host = &launcher_formats[LAUNCHER_FORMAT_SIMGRID],
                                          .simulated_hosts = "hostfile"};
