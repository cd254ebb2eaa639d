/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * others.c - launchers that are only recognized, so that their words are not taken for the
 * program's, and whose rank variables are known. None of them has been tried: their options are
 * parsed like those of any launcher, variables are passed through the environment, and `run
 * --placement launch` refuses them.
 */

#include "launcher/launcher.h"
#include "launcher/rows.h"

/* Of Cray's ALPS and its successor, HPE's PALS. PALS also has an mpiexec, which cannot be told from
 * others. */
const struct launcher launcher_aprun = {.name = "aprun",
                                        .names = {"aprun"},
                                        .rank_variables = RANK_VARIABLE_BIT(PALS_RANKID) |
                                                          RANK_VARIABLE_BIT(ALPS_APP_PE) |
                                                          RANK_VARIABLE_BIT(PMI_RANK),
                                        .context = ":"};

/* The job step manager of LSF. */
const struct launcher launcher_jsrun = {.name = "jsrun",
                                        .names = {"jsrun"},
                                        .rank_variables = RANK_VARIABLE_BIT(JSM_NAMESPACE_RANK) |
                                                          RANK_VARIABLE_BIT(PMIX_RANK) |
                                                          RANK_VARIABLE_BIT(OMPI_COMM_WORLD_RANK),
                                        .context = ":"};

/* Of MVAPICH2. */
const struct launcher launcher_mpirun_rsh = {
    .name = "mpirun_rsh",
    .names = {"mpirun_rsh"},
    .rank_variables = RANK_VARIABLE_BIT(MV2_COMM_WORLD_RANK) | RANK_VARIABLE_BIT(PMI_RANK),
    .context = ":"};
