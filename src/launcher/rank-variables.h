/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank-variables.h - the variables in which launchers and process managers tell a process its
 * number, which is its rank as long as ranks are in launch order: the only list, for the command,
 * the preloaded library and the tests. It depends on nothing else here.
 *
 * A new variable is one line here and its bit in the rows of the launchers that set it
 * (launcher.h). If several are set, the first in the list counts: a launcher's own come before
 * those of what may have started it, as with mpirun in a Slurm job.
 */
#ifndef RESEAT_RANK_VARIABLES_H
#define RESEAT_RANK_VARIABLES_H

/*
 * OMPI_, PMIX_: https://docs.open-mpi.org/en/v5.0.x/tuning-apps/environment-var.html; PMI_: Hydra,
 * and Slurm, Flux, PALS for programs of MPICH; SLURM_: srun(1); FLUX_: flux-run(1); PALS_:
 * HPE's palsd (mpiexec, aprun); ALPS_: Cray's aprun(1); JSM_: LSF's jsrun; MV2_: MVAPICH2's
 * mpirun_rsh (its user guide, "MPIRUN_RSH Parameters").
 */
#define RANK_VARIABLE_LIST(X) \
    X(OMPI_COMM_WORLD_RANK)   \
    X(PMI_RANK)               \
    X(PMIX_RANK)              \
    X(SLURM_PROCID)           \
    X(FLUX_TASK_RANK)         \
    X(PALS_RANKID)            \
    X(ALPS_APP_PE)            \
    X(JSM_NAMESPACE_RANK)     \
    X(MV2_COMM_WORLD_RANK)

#define RANK_VARIABLE_NUMBER(name) RANK_VARIABLE_##name,
enum rank_variable { RANK_VARIABLE_LIST(RANK_VARIABLE_NUMBER) RANK_VARIABLES };

/* The bit of a variable in a set. */
#define RANK_VARIABLE_BIT(name) (1u << RANK_VARIABLE_##name)

/* The first that is set, as a shell expression: ${A:-${B:--1}}, -1 if there is none. */
#define RANK_VARIABLE_OPEN(name) "${" #name ":-"
#define RANK_VARIABLE_CLOSE(name) "}"
#define RANK_VARIABLES_IN_SHELL \
    RANK_VARIABLE_LIST(RANK_VARIABLE_OPEN) "-1" RANK_VARIABLE_LIST(RANK_VARIABLE_CLOSE)

const char *rank_variable_name(int number);

/* The number of a name, or -1. For any thread at any time, even before constructors. */
int rank_variable_find(const char *name);

#endif
