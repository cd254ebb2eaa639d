/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simgrid.c - smpirun, the launcher of SimGrid's SMPI: it runs a program on a simulated machine, in
 * one process, which loads it once for each rank. Options are those of smpirun 3.32.
 */
#include <stddef.h>

#include "launcher/launcher.h"
#include "launcher/rows.h"

static const struct launcher_option smpirun_options[] = {{"n", 1, LAUNCHER_NUMBER},
                                                         {"np", 1, LAUNCHER_NUMBER},
                                                         {"hostfile", 1, LAUNCHER_DROP_IF_HOSTS},
                                                         {"machinefile", 1, LAUNCHER_DROP_IF_HOSTS},
                                                         {"replay", 1, LAUNCHER_REFUSE},
                                                         {"platform", 1, LAUNCHER_KEEP},
                                                         {"wrapper", 1, LAUNCHER_KEEP},
                                                         {"tmpdir", 1, LAUNCHER_KEEP},
                                                         {"trace-comment", 1, LAUNCHER_KEEP},
                                                         {"trace-comment-file", 1, LAUNCHER_KEEP},
                                                         {"trace-file", 1, LAUNCHER_KEEP},
                                                         {"cfg", 1, LAUNCHER_KEEP},
                                                         {"log", 1, LAUNCHER_KEEP},
                                                         {"analyze", 0, LAUNCHER_KEEP},
                                                         {"keep-temps", 0, LAUNCHER_KEEP},
                                                         {"gdb", 0, LAUNCHER_KEEP},
                                                         {"lldb", 0, LAUNCHER_KEEP},
                                                         {"vgdb", 0, LAUNCHER_KEEP},
                                                         {"map", 0, LAUNCHER_KEEP},
                                                         {"no-privatize", 0, LAUNCHER_KEEP},
                                                         {"trace-ti", 0, LAUNCHER_KEEP},
                                                         {"trace", 0, LAUNCHER_KEEP},
                                                         {"trace-grouped", 0, LAUNCHER_KEEP},
                                                         {"trace-resource", 0, LAUNCHER_KEEP},
                                                         {"quiet", 0, LAUNCHER_KEEP},
                                                         {"foreground", 0, LAUNCHER_KEEP},
                                                         {NULL, 0, LAUNCHER_KEEP}};

const struct launcher launcher_smpirun = {.name = "smpirun",
                                          .mpi = "simgrid",
                                          .names = {"smpirun"},
                                          .prefixes = {"SMPI_"},
                                          .options = smpirun_options,
                                          .by_host = &launcher_formats[LAUNCHER_FORMAT_SIMGRID],
                                          .simulated_hosts = "hostfile"};
