/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.c - the files by which launchers place ranks, and how the launchers are told of them;
 * cmd/place/emit.c writes the contents. In the order in which `map --emit` lists them:
 *
 *   openmpi   mpirun(1) of Open MPI 4.1, "Mapping, Ranking, and Binding",
 *             https://www.open-mpi.org/doc/v4.1/man1/mpirun.1.php
 *   rankfile  the same page, "Rankfiles"; slots are logical cores, or PUs with --use-hwthread-cpus
 *   prrte     https://docs.open-mpi.org/en/v5.0.x/man-openmpi/man1/mpirun.1.html
 *   hydra
 *     https://github.com/pmodels/mpich/blob/main/doc/wiki/how_to/Using_the_Hydra_Process_Manager.md
 *             A list of hosts that is shorter than the number of ranks is gone through again.
 *   intel     mpiexec.hydra -machinefile -help, -cpu-bind -help; as for Hydra
 *   slurm     https://slurm.schedmd.com/srun.html
 *   cray      https://cpe.ext.hpe.com/docs/latest/mpt/mpich/intro_mpi.html
 *   flux      https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man1/flux-run.html
 *   lsf       https://www.ibm.com/docs/en/spectrum-lsf/10.1.0?topic=jobs-running-task-geometry
 *             LSF decides which host gets which group.
 *   simgrid   https://simgrid.org/doc/latest/app_smpi.html, "Simulating your Code"
 */
#include <string.h>

#include "launcher/launcher.h"
#include "launcher/rows.h"

const struct launcher_format launcher_formats[LAUNCHER_FORMATS] = {
    [LAUNCHER_FORMAT_OPENMPI] = {.name = "openmpi",
                                 .content = LAUNCHER_HOSTS,
                                 .command = "mpirun",
                                 .words = {"--hostfile", "@", "--map-by", "seq"},
                                 .unbound_words = "--bind-to none"},
    [LAUNCHER_FORMAT_RANKFILE] = {.name = "rankfile",
                                  .content = LAUNCHER_RANKFILE,
                                  .command = "mpirun",
                                  .words = {"--rankfile", "@"},
                                  .host_option = "--host",
                                  .pu_option = "--use-hwthread-cpus"},
    /* PRRTE 3.0.8 parses a `-` in the path itself ("unrecognized qualifier"). */
    [LAUNCHER_FORMAT_PRRTE] = {.name = "prrte",
                               .content = LAUNCHER_RANKFILE,
                               .command = "mpirun",
                               .words = {"--map-by", "rankfile:file=@"},
                               .host_option = "--host",
                               .cores_only = 1,
                               .no_dash = 1},
    [LAUNCHER_FORMAT_HYDRA] = {.name = "hydra",
                               .content = LAUNCHER_HOST_COUNTS,
                               .command = "mpiexec",
                               .words = {"-f", "@"},
                               .list = LAUNCHER_USER_LIST,
                               .list_words = {"-bind-to", "@"},
                               .restarts_hosts = 1,
                               .no_colon = 1},
    [LAUNCHER_FORMAT_INTEL] = {.name = "intel",
                               .content = LAUNCHER_HOST_COUNTS,
                               .command = "mpiexec",
                               .words = {"-machinefile", "@"},
                               .list = LAUNCHER_COLON_LIST,
                               .list_words = {"-cpu-bind", "@"},
                               .no_colon = 1},
    [LAUNCHER_FORMAT_SLURM] = {.name = "slurm",
                               .content = LAUNCHER_HOSTS,
                               .command = "srun",
                               .words = {"--distribution=arbitrary"},
                               .variable = "SLURM_HOSTFILE",
                               .list = LAUNCHER_CPU_BIND_LIST,
                               .list_words = {"--cpu-bind=@"}},
    [LAUNCHER_FORMAT_CRAY] = {.name = "cray",
                              .content = LAUNCHER_RANK_ORDER,
                              .command = "srun",
                              .variable = "MPICH_RANK_REORDER_FILE",
                              .setting = "MPICH_RANK_REORDER_METHOD=3"},
    [LAUNCHER_FORMAT_FLUX] = {.name = "flux",
                              .content = LAUNCHER_HOSTS,
                              .command = "flux run",
                              .words = {"--taskmap=hostfile:@"}},
    [LAUNCHER_FORMAT_LSF] = {.name = "lsf",
                             .content = LAUNCHER_GEOMETRY,
                             .command = "bsub",
                             .variable = "LSB_TASK_GEOMETRY",
                             .is_content = 1},
    [LAUNCHER_FORMAT_SIMGRID] = {.name = "simgrid",
                                 .content = LAUNCHER_HOSTS,
                                 .command = "smpirun",
                                 .words = {"-hostfile", "@"}},
};

const struct launcher_format *launcher_format(int number)
{
    return number < LAUNCHER_FORMATS ? &launcher_formats[number] : NULL;
}

const struct launcher_format *launcher_format_find(const char *name)
{
    for (int i = 0; i < LAUNCHER_FORMATS; i++)
        if (strcmp(launcher_formats[i].name, name) == 0)
            return &launcher_formats[i];
    return NULL;
}
