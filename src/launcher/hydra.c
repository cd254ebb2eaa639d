/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra.c - mpiexec of Hydra, the launcher of MPICH and others; Intel MPI's is in intel.c. Options
 * are those of `mpiexec -help` of Hydra 4.0 and of src/pm/hydra/mpiexec/options.c of later
 * releases.
 */
#include <limits.h>
#include <stddef.h>

#include "launcher/launcher.h"
#include "launcher/rows.h"

static const struct launcher_option hydra_options[] = {
    {1, LAUNCHER_NUMBER, "n np"},
    {1, LAUNCHER_DROP_IF_HOSTS,
     "f hostfile machinefile machine machines machinelist host hosts hostlist"},
    {1, LAUNCHER_DROP, "ppn perhost grr order-nodes rankmap"},
    {0, LAUNCHER_DROP, "rr"},
    {1, LAUNCHER_DROP_IF_BINDING, "bind-to binding map-by"},
    {1, LAUNCHER_DROP_IN_PROBE, "outfile-pattern outfile errfile-pattern errfile"},
    {1, LAUNCHER_REFUSE, "configfile"},
    {1, LAUNCHER_STARTER, "launcher bootstrap"},
    {2, LAUNCHER_KEEP, "genv env"},
    {0, LAUNCHER_KEEP,
     "genvall genvnone envall envnone prepend-rank l enable-x disable-x report-bindings "
     "disable-auto-cleanup enable-auto-cleanup disable-hostname-propagation "
     "enable-hostname-propagation print-all-exitcodes skip-launch-node debug verbose v"},
    /* Of Intel MPI, which may be behind this name. */
    {0, LAUNCHER_KEEP, "nolocal prepend-timestamp print-rank-map prot silent-abort aps mps gdb"},
    {0, LAUNCHER_KEEP, NULL}};

const struct launcher launcher_hydra = {.name = "hydra",
                                        .title = "mpiexec of Hydra",
                                        .mpi = "mpich",
                                        .names = {"mpiexec.hydra", "mpirun.mpich", "mpiexec.mpich"},
                                        .says = {"HYDRA", "MPICH"},
                                        .successor = &launcher_intel,
                                        .successor_version = INT_MAX,
                                        .prefixes = {"HYDRA_", "MPI"},
                                        .rank_variables = RANK_VARIABLE_BIT(PMI_RANK),
                                        .mark = "MPI_LOCALRANKID",
                                        .options = hydra_options,
                                        .context = ":",
                                        .delivery = LAUNCHER_GENV,
                                        .forwards_environment = 1,
                                        .by_core = &launcher_formats[LAUNCHER_FORMAT_HYDRA],
                                        .by_host = &launcher_formats[LAUNCHER_FORMAT_HYDRA],
                                        .unplaced = LAUNCHER_UNBIND,
                                        .unbind_words = {"-bind-to", "none"},
                                        .starter_variables = {"HYDRA_LAUNCHER", "HYDRA_BOOTSTRAP"}};
