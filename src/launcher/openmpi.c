/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmpi.c - mpirun of Open MPI up to 4 (ORTE), that of Open MPI 5 (PRRTE with the personality
 * `ompi`), and PRRTE's own commands. Options are those of mpirun(1) of 4.1 and 5.0, which are so
 * similar that they share a table.
 */
#include <stddef.h>

#include "launcher/launcher.h"
#include "launcher/rows.h"

static const struct launcher_option openmpi_options[] = {
    {1, LAUNCHER_NUMBER, "n np c"},
    {1, LAUNCHER_DROP,
     "map-by rank-by rankfile rf npernode N npersocket ppr cpus-per-proc cpus-per-rank"},
    {0, LAUNCHER_DROP, "pernode bynode byslot bycore bysocket nolocal loadbalance"},
    {1, LAUNCHER_DROP_IF_HOSTS, "hostfile machinefile default-hostfile host H"},
    {1, LAUNCHER_DROP_IF_BINDING, "bind-to cpu-set cpu-list slot-list"},
    {0, LAUNCHER_DROP_IF_BINDING, "bind-to-core bind-to-socket bind-to-none"},
    {1, LAUNCHER_DROP_IN_PROBE, "output-filename output"},
    {1, LAUNCHER_REFUSE, "app"},
    {2, LAUNCHER_PARAMETER, "mca gmca prtemca gprtemca"},
    {2, LAUNCHER_KEEP, "pmixmca gpmixmca omca gomca"},
    {0, LAUNCHER_KEEP,
     "oversubscribe nooversubscribe use-hwthread-cpus report-bindings tag-output "
     "timestamp-output merge-stderr-to-stdout xml display-map display-devel-map "
     "display-allocation display-devel-allocation display-topo allow-run-as-root noprefix "
     "preload-binary s set-cwd-to-session-dir debug tv get-stack-traces "
     "report-state-on-timeout continuous enable-recovery disable-recovery do-not-launch "
     "do-not-resolve index-argv-by-rank leave-session-attached show-progress debug-devel d "
     "debug-daemons debug-daemons-file verbose v quiet q"},
    {0, LAUNCHER_KEEP, NULL}};

/* Of Open MPI (rmaps_, hwloc_base_) and PRRTE (rmaps_, hwloc_default_; since 3.0.9 they are mapby,
 * rankby and bindto, and have others besides). */
static const struct launcher_rule openmpi_parameters[] = {
    {"hwloc_base_binding_policy", LAUNCHER_DROP_IF_BINDING},
    {"hwloc_default_binding_policy", LAUNCHER_DROP_IF_BINDING},
    {"bindto", LAUNCHER_DROP_IF_BINDING},
    {"bind_to", LAUNCHER_DROP_IF_BINDING},
    {"mapby", LAUNCHER_DROP},
    {"map_by", LAUNCHER_DROP},
    {"rankby", LAUNCHER_DROP},
    {"rank_by", LAUNCHER_DROP},
    {"rmaps*oversubscribe*", LAUNCHER_KEEP},
    {"rmaps*", LAUNCHER_DROP},
    {NULL, LAUNCHER_KEEP}};

static const struct launcher_rule openmpi_variables[] = {
    {"OMPI_MCA_rmaps", LAUNCHER_DROP},
    {"OMPI_MCA_rmaps_base_mapping_policy", LAUNCHER_DROP},
    {"OMPI_MCA_rmaps_base_ranking_policy", LAUNCHER_DROP},
    {"OMPI_MCA_rmaps_rank_file_path", LAUNCHER_DROP},
    {"OMPI_MCA_rmaps_ppr_pattern", LAUNCHER_DROP},
    {"PRTE_MCA_rmaps_default_mapping_policy", LAUNCHER_DROP},
    {"PRTE_MCA_rmaps_default_ranking_policy", LAUNCHER_DROP},
    {"PRTE_MCA_mapby", LAUNCHER_DROP},
    {"PRTE_MCA_map_by", LAUNCHER_DROP},
    {"PRTE_MCA_rankby", LAUNCHER_DROP},
    {"PRTE_MCA_rank_by", LAUNCHER_DROP},
    {"OMPI_MCA_hwloc_base_binding_policy", LAUNCHER_DROP_IF_BINDING},
    {"PRTE_MCA_hwloc_default_binding_policy", LAUNCHER_DROP_IF_BINDING},
    {"PRTE_MCA_bindto", LAUNCHER_DROP_IF_BINDING},
    {"PRTE_MCA_bind_to", LAUNCHER_DROP_IF_BINDING},
    {NULL, LAUNCHER_KEEP}};

/* Open MPI accepts only one --map-by, and without the modifier refuses more ranks than slots. */
static const struct launcher_oversubscription openmpi_oversubscription = {
    .policy = "map-by",
    .variables = {"OMPI_MCA_rmaps_base_mapping_policy"},
    .parameters = {"rmaps_default_mapping_policy", "rmaps_base_mapping_policy"},
    .option = "oversubscribe"};

/* PRRTE then binds no rank, whatever the rankfile says, unless a --bind-to asks for it; and to a
 * core in use only with `overload-allowed` (seen with 5.0.7 and its PRRTE 3.0.8). */
static const struct launcher_oversubscription prrte_oversubscription = {
    .policy = "map-by",
    .variables = {"PRTE_MCA_rmaps_default_mapping_policy", "PRTE_MCA_mapby", "PRTE_MCA_map_by"},
    .parameters = {"rmaps_default_mapping_policy", "rmaps_base_mapping_policy", "mapby", "map_by"},
    .option = "oversubscribe",
    .by_modifier = 1,
    .bind_words = {"--bind-to", "core:overload-allowed"}};

#define OPENMPI_IN_COMMON                                                                     \
    .mpi = "openmpi", .prefixes = {"OMPI_", "PRTE_", "PMIX_"}, .options = openmpi_options,    \
    .rank_variables = RANK_VARIABLE_BIT(OMPI_COMM_WORLD_RANK) | RANK_VARIABLE_BIT(PMIX_RANK), \
    .mark = "OMPI_COMM_WORLD_RANK", .context = ":", .parameters = openmpi_parameters,         \
    .variables = openmpi_variables, .unplaced = LAUNCHER_UNBIND_IF_NONE,                      \
    .unbind_words = {"--bind-to", "none"}, .by_host = &launcher_formats[LAUNCHER_FORMAT_OPENMPI]

const struct launcher launcher_openmpi = {OPENMPI_IN_COMMON,
                                          .name = "openmpi",
                                          .title = "mpirun of Open MPI",
                                          .names = {"orterun", "mpirun.openmpi", "mpiexec.openmpi"},
                                          .says = {"Open MPI", "OpenRTE"},
                                          .successor = &launcher_openmpi5,
                                          .successor_version = 5,
                                          .delivery = LAUNCHER_ENV_LIST,
                                          .list_parameter = "mca_base_env_list",
                                          .list_variable = "OMPI_MCA_mca_base_env_list",
                                          .by_core = &launcher_formats[LAUNCHER_FORMAT_RANKFILE],
                                          .oversubscription = &openmpi_oversubscription};

const struct launcher launcher_openmpi5 = {OPENMPI_IN_COMMON,
                                           .name = "openmpi5",
                                           .says = {"PRRTE"},
                                           .delivery = LAUNCHER_ENV_LIST,
                                           .list_parameter = "mca_base_env_list",
                                           .list_variable = "OMPI_MCA_mca_base_env_list",
                                           .by_core = &launcher_formats[LAUNCHER_FORMAT_PRRTE],
                                           .oversubscription = &prrte_oversubscription};

/* Without that personality it does not know Open MPI's list. */
const struct launcher launcher_prrte = {OPENMPI_IN_COMMON,
                                        .name = "prrte",
                                        .names = {"prterun", "prun"},
                                        .personality = "ompi",
                                        .persona = &launcher_openmpi5,
                                        .delivery = LAUNCHER_EXPORT,
                                        .by_core = &launcher_formats[LAUNCHER_FORMAT_PRRTE],
                                        .oversubscription = &prrte_oversubscription};
