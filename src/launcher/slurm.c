/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.c - srun. Options are those of srun(1) of Slurm 22.05
 * (https://slurm.schedmd.com/srun.html). 24.11 refuses -N and --nodes beside a file of hosts. */
#include <stddef.h>

#include "launcher/launcher.h"
#include "launcher/rows.h"

static const struct launcher_option slurm_options[] = {
    {1, LAUNCHER_NUMBER, "n ntasks"},
    {1, LAUNCHER_DROP,
     "m distribution N nodes r relative ntasks-per-node ntasks-per-socket ntasks-per-core"},
    {1, LAUNCHER_DROP_IF_HOSTS, "w nodelist F nodefile"},
    {1, LAUNCHER_DROP_IF_BINDING, "cpu-bind cpu_bind"},
    {1, LAUNCHER_DROP_IN_PROBE, "o output e error"},
    {1, LAUNCHER_REFUSE, "multi-prog"},
    {0, LAUNCHER_KEEP,
     "overcommit O oversubscribe s exclusive exact overlap contiguous spread-job "
     "use-min-nodes no-kill k kill-on-bad-exit K immediate I hold H nice reboot bcast "
     "compress preserve-env E propagate pty quit-on-interrupt disable-status X resv-ports "
     "send-libs test-only x11 label l unbuffered u verbose v quiet Q"},
    {0, LAUNCHER_KEEP, NULL}};

static const struct launcher_rule slurm_variables[] = {{"SLURM_NTASKS_PER_NODE", LAUNCHER_DROP},
                                                       {"SLURM_DISTRIBUTION", LAUNCHER_DROP},
                                                       {"SLURM_STDOUTMODE", LAUNCHER_DROP_IN_PROBE},
                                                       {"SLURM_STDERRMODE", LAUNCHER_DROP_IN_PROBE},
                                                       {"SRUN_OUTPUT", LAUNCHER_DROP_IN_PROBE},
                                                       {"SRUN_ERROR", LAUNCHER_DROP_IN_PROBE},
                                                       {NULL, LAUNCHER_KEEP}};

const struct launcher launcher_srun = {.name = "srun",
                                       .title = "srun",
                                       .names = {"srun"},
                                       .prefixes = {"SLURM_"},
                                       .rank_variables = RANK_VARIABLE_BIT(SLURM_PROCID) |
                                                         RANK_VARIABLE_BIT(PMI_RANK) |
                                                         RANK_VARIABLE_BIT(PMIX_RANK),
                                       .options = slurm_options,
                                       .joins_values = 1,
                                       .context = ":",
                                       .delivery = LAUNCHER_ENVIRONMENT,
                                       .by_core = &launcher_formats[LAUNCHER_FORMAT_SLURM],
                                       .by_host = &launcher_formats[LAUNCHER_FORMAT_SLURM],
                                       .variables = slurm_variables,
                                       .unplaced = LAUNCHER_BINDS_ON_EACH_HOST,
                                       .allocation = "SLURM_JOB_ID"};
