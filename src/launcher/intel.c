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
    {1, LAUNCHER_NUMBER, "n np"},
    {1, LAUNCHER_DROP_IF_HOSTS, "f hostfile machinefile machine host hosts hostlist hosts-group"},
    {1, LAUNCHER_DROP, "ppn perhost grr bind-to map-by"},
    {0, LAUNCHER_DROP, "rr nolocal"},
    {1, LAUNCHER_DROP_IF_BINDING, "cpu-bind binding"},
    {1, LAUNCHER_DROP_IN_PROBE, "outfile-pattern outfile errfile-pattern errfile"},
    {1, LAUNCHER_REFUSE, "configfile"},
    {1, LAUNCHER_STARTER, "launcher bootstrap"},
    {2, LAUNCHER_PARAMETER, "genv env"},
    {0, LAUNCHER_KEEP,
     "genvall genvnone envall envnone prepend-rank l prepend-timestamp print-rank-map prot "
     "silent-abort aps mps gdb enable-x disable-x disable-auto-cleanup "
     "disable-hostname-propagation print-all-exitcodes verbose v"},
    {0, LAUNCHER_KEEP, NULL}};

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
