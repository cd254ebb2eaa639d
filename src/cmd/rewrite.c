/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rewrite.c - see rewrite.h. Options are those of mpirun(1) of Open MPI 4.1 and 5.0, of `mpiexec -help`
 * of Hydra 4.0 and of https://slurm.schedmd.com/srun.html. Only words between the launcher and what
 * it starts are looked at.
 */
#include "cmd/rewrite.h"

#include <stdlib.h>
#include <string.h>

/* What becomes of an option of the user. */
enum fate {
    GOES,            /* contradicts the file */
    GOES_WITH_HOSTS, /* unless the launcher needs it to know the hosts: Open MPI with a rankfile */
    GOES_WITH_BINDING, /* unless the binding is theirs */
    GOES_IN_PROBE      /* it says where the output of ranks goes */
};

struct row {
    enum launcher kind;
    const char *name;
    int values; /* how many words follow */
    enum fate fate;
};

static const struct row rows[] = {
    {LAUNCHER_OPENMPI, "map-by", 1, GOES},
    {LAUNCHER_OPENMPI, "rank-by", 1, GOES},
    {LAUNCHER_OPENMPI, "rankfile", 1, GOES},
    {LAUNCHER_OPENMPI, "rf", 1, GOES},
    {LAUNCHER_OPENMPI, "npernode", 1, GOES},
    {LAUNCHER_OPENMPI, "N", 1, GOES},
    {LAUNCHER_OPENMPI, "npersocket", 1, GOES},
    {LAUNCHER_OPENMPI, "ppr", 1, GOES},
    {LAUNCHER_OPENMPI, "cpus-per-proc", 1, GOES},
    {LAUNCHER_OPENMPI, "cpus-per-rank", 1, GOES},
    {LAUNCHER_OPENMPI, "pernode", 0, GOES},
    {LAUNCHER_OPENMPI, "bynode", 0, GOES},
    {LAUNCHER_OPENMPI, "byslot", 0, GOES},
    {LAUNCHER_OPENMPI, "bycore", 0, GOES},
    {LAUNCHER_OPENMPI, "bysocket", 0, GOES},
    {LAUNCHER_OPENMPI, "nolocal", 0, GOES},
    {LAUNCHER_OPENMPI, "loadbalance", 0, GOES},
    {LAUNCHER_OPENMPI, "hostfile", 1, GOES_WITH_HOSTS},
    {LAUNCHER_OPENMPI, "machinefile", 1, GOES_WITH_HOSTS},
    {LAUNCHER_OPENMPI, "default-hostfile", 1, GOES_WITH_HOSTS},
    {LAUNCHER_OPENMPI, "host", 1, GOES_WITH_HOSTS},
    {LAUNCHER_OPENMPI, "H", 1, GOES_WITH_HOSTS},
    {LAUNCHER_OPENMPI, "bind-to", 1, GOES_WITH_BINDING},
    {LAUNCHER_OPENMPI, "bind-to-core", 0, GOES_WITH_BINDING},
    {LAUNCHER_OPENMPI, "bind-to-socket", 0, GOES_WITH_BINDING},
    {LAUNCHER_OPENMPI, "bind-to-none", 0, GOES_WITH_BINDING},
    {LAUNCHER_OPENMPI, "cpu-set", 1, GOES_WITH_BINDING},
    {LAUNCHER_OPENMPI, "cpu-list", 1, GOES_WITH_BINDING},
    {LAUNCHER_OPENMPI, "slot-list", 1, GOES_WITH_BINDING},
    {LAUNCHER_HYDRA, "f", 1, GOES},
    {LAUNCHER_HYDRA, "hostfile", 1, GOES},
    {LAUNCHER_HYDRA, "machinefile", 1, GOES},
    {LAUNCHER_HYDRA, "machine", 1, GOES},
    {LAUNCHER_HYDRA, "hosts", 1, GOES},
    {LAUNCHER_HYDRA, "host", 1, GOES},
    {LAUNCHER_HYDRA, "ppn", 1, GOES},
    {LAUNCHER_HYDRA, "perhost", 1, GOES},
    {LAUNCHER_HYDRA, "grr", 1, GOES},
    {LAUNCHER_HYDRA, "rr", 0, GOES},
    {LAUNCHER_HYDRA, "order-nodes", 1, GOES},
    {LAUNCHER_HYDRA, "rankmap", 1, GOES},
    {LAUNCHER_HYDRA, "bind-to", 1, GOES_WITH_BINDING},
    {LAUNCHER_HYDRA, "binding", 1, GOES_WITH_BINDING},
    {LAUNCHER_HYDRA, "map-by", 1, GOES_WITH_BINDING},
    {LAUNCHER_SRUN, "m", 1, GOES},
    {LAUNCHER_SRUN, "distribution", 1, GOES},
    {LAUNCHER_SRUN, "w", 1, GOES},
    {LAUNCHER_SRUN, "nodelist", 1, GOES},
    {LAUNCHER_SRUN, "F", 1, GOES},
    {LAUNCHER_SRUN, "nodefile", 1, GOES},
    {LAUNCHER_SRUN, "r", 1, GOES},
    {LAUNCHER_SRUN, "relative", 1, GOES},
    {LAUNCHER_SRUN, "ntasks-per-node", 1, GOES},
    {LAUNCHER_SRUN, "ntasks-per-socket", 1, GOES},
    {LAUNCHER_SRUN, "ntasks-per-core", 1, GOES},
    {LAUNCHER_SRUN, "cpu-bind", 1, GOES_WITH_BINDING},
    {LAUNCHER_SRUN, "cpu_bind", 1, GOES_WITH_BINDING},
    {LAUNCHER_OPENMPI, "output-filename", 1, GOES_IN_PROBE},
    {LAUNCHER_OPENMPI, "output", 1, GOES_IN_PROBE},
    {LAUNCHER_HYDRA, "outfile-pattern", 1, GOES_IN_PROBE},
    {LAUNCHER_HYDRA, "outfile", 1, GOES_IN_PROBE},
    {LAUNCHER_HYDRA, "errfile-pattern", 1, GOES_IN_PROBE},
    {LAUNCHER_HYDRA, "errfile", 1, GOES_IN_PROBE},
    {LAUNCHER_SRUN, "o", 1, GOES_IN_PROBE},
    {LAUNCHER_SRUN, "output", 1, GOES_IN_PROBE},
    {LAUNCHER_SRUN, "e", 1, GOES_IN_PROBE},
    {LAUNCHER_SRUN, "error", 1, GOES_IN_PROBE},
};

int rewrite_is_option(const char *word, const char *name, enum launcher kind, int *joined)
{
    size_t length = strlen(name);
    int dashes = (int)strspn(word, "-");
    if (dashes < 1 || dashes > 2 || strncmp(word + dashes, name, length) != 0)
        return 0;
    const char *rest = word + dashes + length;
    *joined = *rest == '=' || (kind == LAUNCHER_SRUN && dashes == 1 && length == 1 && *rest);
    return *joined || !*rest;
}

static int is_mca(const char *word)
{
    int joined;
    static const char *const names[] = {"mca", "gmca", "prtemca", "gprtemca"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (rewrite_is_option(word, names[i], LAUNCHER_OPENMPI, &joined))
            return !joined;
    return 0;
}

/* Whether Open MPI's own parameters of this name place ranks. */
static int places(const char *parameter, enum binding binding)
{
    if (strcmp(parameter, "hwloc_base_binding_policy") == 0 ||
        strcmp(parameter, "hwloc_default_binding_policy") == 0)
        return binding != BINDING_THEIRS;
    return strncmp(parameter, "rmaps", 5) == 0 && !strstr(parameter, "oversubscribe");
}

/* The row of argv[i]; NULL: there is none. */
static const struct row *find_row(enum launcher kind, const char *word, int in_probe, int *joined)
{
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        if (rows[r].kind == kind && (rows[r].fate == GOES_IN_PROBE) == in_probe &&
            rewrite_is_option(word, rows[r].name, kind, joined))
            return &rows[r];
    return NULL;
}

/* How many words from argv[i] go, 0: it stays. `hosts`: so do those that name hosts. */
static int words_to_drop(const struct job *job, char **argv, int i, int hosts, enum binding binding)
{
    int joined;
    if (job->kind == LAUNCHER_OPENMPI && is_mca(argv[i]) && i + 2 < job->wrapper &&
        places(argv[i + 1], binding))
        return 3;
    const struct row *row = find_row(job->kind, argv[i], 0, &joined);
    if (!row || (row->fate == GOES_WITH_HOSTS && !hosts) ||
        (row->fate == GOES_WITH_BINDING && binding == BINDING_THEIRS))
        return 0;
    return 1 + (joined ? 0 : row->values);
}

int rewrite_for_probe(const struct job *job, char **argv, char **words, int most)
{
    int n = 0, joined;
    for (int i = 0; i < job->program && n < most; i++) {
        int is_ours = i > job->launcher_at && i < job->wrapper;
        const struct row *row = is_ours ? find_row(job->kind, argv[i], 1, &joined) : NULL;
        if (row)
            i += joined ? 0 : row->values;
        else
            words[n++] = argv[i];
    }
    return n;
}

static int is_number_of_ranks(const char *word, enum launcher kind)
{
    static const char *const names[] = {"n", "np", "ntasks", "c"};
    int joined;
    for (int i = 0; i < (kind == LAUNCHER_OPENMPI ? 4 : 3); i++)
        if (rewrite_is_option(word, names[i], kind, &joined))
            return 1;
    return 0;
}

/* ---- what cannot be ---- */

/* The command before the launcher that gets an allocation, each time another one; NULL: none. */
static const char *allocator(const struct job *job, char **argv)
{
    static const char *const names[] = {"salloc", "sbatch", "bsub", "qsub", "qrsh", "qlogin"};
    for (int i = 0; i < job->launcher_at; i++) {
        const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i];
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
            if (strcmp(name, names[n]) == 0)
                return names[n];
    }
    return NULL;
}

/* Whether a command line of Hydra says that the hosts are started by something else than srun. */
static int names_launcher(const struct job *job, char **argv)
{
    int joined;
    for (int i = job->launcher_at + 1; i < job->wrapper; i++)
        if (rewrite_is_option(argv[i], "launcher", job->kind, &joined) ||
            rewrite_is_option(argv[i], "bootstrap", job->kind, &joined)) {
            const char *value = joined ? strchr(argv[i], '=') + 1 : argv[i + 1];
            return value && strcmp(value, "slurm") != 0;
        }
    return 0;
}

int rewrite_check(const struct job *job, char **argv, char why[256])
{
    static const char *const files[] = {"app", "configfile", "multi-prog"};
    int joined;
    const char *other = allocator(job, argv);
    if (other)
        return snprintf(why, 256,
                        "--placement launch: %s gets other nodes each time; use reseat inside of "
                        "the allocation",
                        other),
               -1;
    if (job->launcher_at < 0 || job->kind == LAUNCHER_OTHER)
        return snprintf(why, 256,
                        "--placement launch knows mpirun of Open MPI, mpiexec of Hydra and srun; "
                        "for other launchers: reseat map --emit"),
               -1;
    if (job->program < 0)
        return snprintf(why, 256, "no word of the command is a program that can be found"), -1;
    for (int i = job->launcher_at + 1; argv[i]; i++)
        if (strcmp(argv[i], ":") == 0)
            return snprintf(why, 256, "--placement launch: not with several programs (`:')"), -1;
    for (int i = job->launcher_at + 1; i < job->wrapper; i++)
        for (size_t f = 0; f < sizeof files / sizeof files[0]; f++)
            if (rewrite_is_option(argv[i], files[f], job->kind, &joined))
                return snprintf(why, 256, "--placement launch: not with %.100s", argv[i]), -1;
    if (job->kind == LAUNCHER_HYDRA && hydra_uses_srun() && !names_launcher(job, argv))
        return snprintf(
                   why, 256,
                   "--placement launch: in a job of Slurm Hydra starts the hosts by srun, "
                   "which obeys no order of them; use srun, or reseat run without --placement"),
               -1;
    if (job->kind == LAUNCHER_SRUN && !getenv("SLURM_JOB_ID"))
        return snprintf(why, 256,
                        "--placement launch: srun outside of an allocation gets other nodes each "
                        "time; use salloc or sbatch"),
               -1;
    return 0;
}

/* ---- the new command line ---- */

/* Variables that say what the options say. */
static void clear_environment(const struct job *job, enum binding binding)
{
    static const struct {
        enum launcher kind;
        const char *name;
    } variables[] = {{LAUNCHER_OPENMPI, "OMPI_MCA_rmaps"},
                     {LAUNCHER_OPENMPI, "OMPI_MCA_rmaps_base_mapping_policy"},
                     {LAUNCHER_OPENMPI, "OMPI_MCA_rmaps_base_ranking_policy"},
                     {LAUNCHER_OPENMPI, "OMPI_MCA_rmaps_rank_file_path"},
                     {LAUNCHER_OPENMPI, "OMPI_MCA_rmaps_ppr_pattern"},
                     {LAUNCHER_OPENMPI, "PRTE_MCA_rmaps_default_mapping_policy"},
                     {LAUNCHER_OPENMPI, "PRTE_MCA_rmaps_default_ranking_policy"},
                     {LAUNCHER_SRUN, "SLURM_NTASKS_PER_NODE"},
                     {LAUNCHER_SRUN, "SLURM_DISTRIBUTION"}};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (variables[i].kind == job->kind)
            unsetenv(variables[i].name);
    if (job->kind == LAUNCHER_OPENMPI && binding != BINDING_THEIRS) {
        unsetenv("OMPI_MCA_hwloc_base_binding_policy");
        unsetenv("PRTE_MCA_hwloc_default_binding_policy");
    }
}

/* The words that go in behind the launcher. */
static int add_words(const struct job *job, const struct emit_use *use, enum binding binding,
                     char **words)
{
    int n = 0;
    for (int i = 0; i < use->count; i++)
        words[n++] = use->words[i];
    if (binding == BINDING_NONE && job->kind != LAUNCHER_SRUN) {
        words[n++] = (char *)(job->kind == LAUNCHER_HYDRA ? "-bind-to" : "--bind-to");
        words[n++] = (char *)"none";
    }
    return n;
}

char **rewrite_command(const struct job *job, char **argv, const struct emit_use *use, enum binding binding,
            char *number)
{
    int argc = 0, n = 0, has_number = 0, hosts = 0;
    for (int i = 0; i < use->count; i++)
        hosts |= strcmp(use->words[i], "--hostfile") == 0;
    while (argv[argc])
        argc++;
    char **words = calloc((size_t)(argc + use->count + 8), sizeof *words);
    for (int i = job->launcher_at + 1; words && i < job->wrapper; i++)
        has_number |= is_number_of_ranks(argv[i], job->kind);
    for (int i = 0; words && i < argc; i++) {
        int in_launcher = i > job->launcher_at && i < job->wrapper;
        int gone = in_launcher ? words_to_drop(job, argv, i, hosts, binding) : 0;
        if (gone) {
            i += gone - 1 < job->wrapper - i ? gone - 1 : 0;
            continue;
        }
        words[n++] = argv[i];
        if (i == job->launcher_at) {
            n += add_words(job, use, binding, words + n);
            if (!has_number) {
                words[n++] = (char *)"-n";
                words[n++] = number;
            }
        }
    }
    if (words)
        clear_environment(job, binding);
    return words;
}
