/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intel.c - mpiexec of Intel MPI, which has the name of Hydra's, from which it comes. Seen with
 * 2021.18 on four nodes: -f and -hosts take no notice of the numbers of ranks behind hosts and fill
 * one host after the other, -machinefile obeys them in any order and knows all ranks of a host as
 * one node, and -bind-to is accepted and does nothing. Each rank is pinned unless I_MPI_PIN is off,
 * and a list of -cpu-bind goes on where a host comes back; together with I_MPI_PIN_PROCESSOR_LIST
 * it kills the job. Options are those of its -help.
 */
#include <stddef.h>

#include "launcher/launcher.h"
#include "launcher/rows.h"

static const struct launcher_option intel_options[] = {
    {"n", 1, LAUNCHER_NUMBER},
    {"np", 1, LAUNCHER_NUMBER},
    {"f", 1, LAUNCHER_DROP_IF_HOSTS},
    {"hostfile", 1, LAUNCHER_DROP_IF_HOSTS},
    {"machinefile", 1, LAUNCHER_DROP_IF_HOSTS},
    {"machine", 1, LAUNCHER_DROP_IF_HOSTS},
    {"host", 1, LAUNCHER_DROP_IF_HOSTS},
    {"hosts", 1, LAUNCHER_DROP_IF_HOSTS},
    {"hostlist", 1, LAUNCHER_DROP_IF_HOSTS},
    {"hosts-group", 1, LAUNCHER_DROP_IF_HOSTS},
    {"ppn", 1, LAUNCHER_DROP},
    {"perhost", 1, LAUNCHER_DROP},
    {"grr", 1, LAUNCHER_DROP},
    {"rr", 0, LAUNCHER_DROP},
    {"nolocal", 0, LAUNCHER_DROP},
    {"cpu-bind", 1, LAUNCHER_DROP_IF_BINDING},
    {"bind-to", 1, LAUNCHER_DROP},
    {"binding", 1, LAUNCHER_DROP_IF_BINDING},
    {"map-by", 1, LAUNCHER_DROP},
    {"outfile-pattern", 1, LAUNCHER_DROP_IN_PROBE},
    {"outfile", 1, LAUNCHER_DROP_IN_PROBE},
    {"errfile-pattern", 1, LAUNCHER_DROP_IN_PROBE},
    {"errfile", 1, LAUNCHER_DROP_IN_PROBE},
    {"configfile", 1, LAUNCHER_REFUSE},
    {"launcher", 1, LAUNCHER_STARTER},
    {"bootstrap", 1, LAUNCHER_STARTER},
    {"genv", 2, LAUNCHER_PARAMETER},
    {"env", 2, LAUNCHER_PARAMETER},
    {"genvall", 0, LAUNCHER_KEEP},
    {"genvnone", 0, LAUNCHER_KEEP},
    {"envall", 0, LAUNCHER_KEEP},
    {"envnone", 0, LAUNCHER_KEEP},
    {"prepend-rank", 0, LAUNCHER_KEEP},
    {"l", 0, LAUNCHER_KEEP},
    {"prepend-timestamp", 0, LAUNCHER_KEEP},
    {"print-rank-map", 0, LAUNCHER_KEEP},
    {"prot", 0, LAUNCHER_KEEP},
    {"silent-abort", 0, LAUNCHER_KEEP},
    {"aps", 0, LAUNCHER_KEEP},
    {"mps", 0, LAUNCHER_KEEP},
    {"gdb", 0, LAUNCHER_KEEP},
    {"enable-x", 0, LAUNCHER_KEEP},
    {"disable-x", 0, LAUNCHER_KEEP},
    {"disable-auto-cleanup", 0, LAUNCHER_KEEP},
    {"disable-hostname-propagation", 0, LAUNCHER_KEEP},
    {"print-all-exitcodes", 0, LAUNCHER_KEEP},
    {"verbose", 0, LAUNCHER_KEEP},
    {"v", 0, LAUNCHER_KEEP},
    {NULL, 0, LAUNCHER_KEEP}};

/* As the value of -genv, and as a variable. */
static const struct launcher_rule intel_variables[] = {
    {"I_MPI_PERHOST", LAUNCHER_DROP},
    {"I_MPI_PIN_PROCESSOR_LIST", LAUNCHER_DROP_IF_BINDING},
    {"I_MPI_PIN_PROCESSOR_EXCLUDE_LIST", LAUNCHER_DROP_IF_BINDING},
    {"I_MPI_PIN_DOMAIN", LAUNCHER_DROP_IF_BINDING},
    {NULL, LAUNCHER_KEEP}};

const struct launcher launcher_intel = {
    .name = "intel",
    .title = "mpiexec of Intel MPI",
    .mpi = "mpich",
    .names = {NULL},
    .says = {"Intel(R) MPI"},
    .prefixes = {"HYDRA_", "I_MPI_"},
    .rank_variables = RANK_VARIABLE_BIT(PMI_RANK),
    .options = intel_options,
    .context = ":",
    .delivery = LAUNCHER_GENV,
    .forwards_environment = 1,
    .by_core = &launcher_formats[LAUNCHER_FORMAT_INTEL],
    .by_host = &launcher_formats[LAUNCHER_FORMAT_INTEL],
    .parameters = intel_variables,
    .variables = intel_variables,
    .unplaced = LAUNCHER_UNBIND,
    .unbind_words = {"-genv", "I_MPI_PIN", "off"},
    .starter_variables = {"I_MPI_HYDRA_BOOTSTRAP", "HYDRA_BOOTSTRAP"}};
