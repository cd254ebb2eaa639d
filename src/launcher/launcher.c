/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.c - the table of launchers and queries to it; see launcher.h. */
#include "launcher/launcher.h"

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/rows.h"

static const struct launcher *const launcher_rows[] = {
    &launcher_openmpi, &launcher_openmpi5,   &launcher_prrte,  &launcher_hydra,
    &launcher_intel,   &launcher_srun,       &launcher_flux,   &launcher_aprun,
    &launcher_jsrun,   &launcher_mpirun_rsh, &launcher_smpirun};
enum { LAUNCHER_ROWS = sizeof launcher_rows / sizeof launcher_rows[0] };

const struct launcher launcher_unknown = {.name = "unknown", .context = ":"};

const struct launcher *launcher_row(int number)
{
    return number < LAUNCHER_ROWS ? launcher_rows[number] : NULL;
}

void launcher_titles(char titles[LAUNCHER_TITLES_SIZE])
{
    const char *title[LAUNCHER_ROWS] = {NULL};
    int count = 0;
    size_t length = 0;
    for (int row = 0; row < LAUNCHER_ROWS; row++)
        if (launcher_rows[row]->by_host && launcher_rows[row]->title)
            title[count++] = launcher_rows[row]->title;
    titles[0] = '\0';
    for (int i = 0; i < count && length < LAUNCHER_TITLES_SIZE; i++)
        length += (size_t)snprintf(titles + length, LAUNCHER_TITLES_SIZE - length, "%s%s", title[i],
                                   i + 2 < count    ? ", "
                                   : i + 2 == count ? " and "
                                                    : "");
}

/* ---- which one ---- */

const struct launcher *launcher_find(const char *name)
{
    for (int row = 0; row < LAUNCHER_ROWS; row++)
        for (int i = 0; launcher_rows[row]->names[i]; i++)
            if (strcmp(name, launcher_rows[row]->names[i]) == 0)
                return launcher_rows[row];
    return NULL;
}

int launcher_is_common_name(const char *name)
{
    return strcmp(name, "mpirun") == 0 || strcmp(name, "mpiexec") == 0;
}

int launcher_is_allocator(const char *name)
{
    static const char *const names[] = {"salloc", "sbatch", "bsub", "qsub", "qrsh", "qlogin"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

static const struct launcher *launcher_that_says(const char *line)
{
    for (int row = 0; row < LAUNCHER_ROWS; row++)
        for (int i = 0; launcher_rows[row]->says[i]; i++)
            if (strstr(line, launcher_rows[row]->says[i]))
                return launcher_rows[row];
    return NULL;
}

void launcher_read_version(const char *line, const struct launcher **launcher, int *version)
{
    const struct launcher *now = *launcher, *found = launcher_that_says(line);
    const char *number = strchr(line, ')');
    if (!*version && number)
        *version = (int)strtol(number + 1, NULL, 10);
    if (found && !(now && now == found->successor))
        now = found;
    if (now && now->successor && *version >= now->successor_version)
        now = now->successor;
    *launcher = now;
}

/* ---- this process ---- */

int launcher_own_rank(void)
{
    static const char interactive[] = "4294967290"; /* salloc's own step, in which one types */
    const char *value = NULL, *step = getenv("SLURM_STEP_ID");
    char *end;
    for (int i = 0; i < RANK_VARIABLES && !value; i++)
        if (i != RANK_VARIABLE_SLURM_PROCID || (step && strcmp(step, interactive) != 0))
            value = getenv(rank_variable_name(i));
    long rank = value ? strtol(value, &end, 10) : -1;
    return value && *value && !*end && rank >= 0 && rank <= INT_MAX ? (int)rank : -1;
}

int launcher_own_ranks(void)
{
    static const char *const numbers[RANK_VARIABLES] = {
        [RANK_VARIABLE_OMPI_COMM_WORLD_RANK] = "OMPI_COMM_WORLD_SIZE",
        [RANK_VARIABLE_PMI_RANK] = "PMI_SIZE",
        [RANK_VARIABLE_SLURM_PROCID] = "SLURM_STEP_NUM_TASKS",
        [RANK_VARIABLE_FLUX_TASK_RANK] = "FLUX_JOB_SIZE",
        [RANK_VARIABLE_JSM_NAMESPACE_RANK] = "JSM_NAMESPACE_SIZE",
        [RANK_VARIABLE_MV2_COMM_WORLD_RANK] = "MV2_COMM_WORLD_SIZE"};
    const char *value = NULL;
    for (int i = 0; i < RANK_VARIABLES && !value; i++)
        if (numbers[i] && getenv(rank_variable_name(i)))
            value = getenv(numbers[i]);
    return value && atoi(value) > 0 ? atoi(value) : 0;
}

const char *launcher_own_mpi(void)
{
    for (int row = 0; row < LAUNCHER_ROWS; row++)
        if (launcher_rows[row]->mark && getenv(launcher_rows[row]->mark))
            return launcher_rows[row]->mpi;
    return NULL;
}

/* ---- its words ---- */

static int launcher_has_name(const struct launcher *launcher, const char *word, const char *name,
                             size_t length, int *joined)
{
    int dashes = (int)strspn(word, "-");
    if (dashes < 1 || dashes > 2 || strncmp(word + dashes, name, length) != 0)
        return 0;
    const char *rest = word + dashes + length;
    int is_joined = *rest == '=' || (launcher->joins_values && dashes == 1 && length == 1 && *rest);
    *joined = is_joined ? (int)(rest - word) + (*rest == '=') : 0;
    return is_joined || !*rest;
}

int launcher_is_option(const struct launcher *launcher, const char *word, const char *name,
                       int *joined)
{
    return launcher_has_name(launcher, word, name, strlen(name), joined);
}

/* The row of `options` that has the word, read as this launcher does; NULL: none. */
static const struct launcher_option *launcher_option_in(const struct launcher_option *options,
                                                        const struct launcher *launcher,
                                                        const char *word, int *joined)
{
    for (const struct launcher_option *option = options; option && option->names; option++)
        for (const char *name = option->names; *name;) {
            size_t length = strcspn(name, " ");
            if (launcher_has_name(launcher, word, name, length, joined))
                return option;
            name += length + (name[length] == ' ');
        }
    return NULL;
}

const struct launcher_option *launcher_option_of(const struct launcher *launcher, const char *word,
                                                 int *joined)
{
    return launcher_option_in(launcher->options, launcher, word, joined);
}

/* A launcher whose options are not known may have those of any; only srun's are known to have
 * joined values.
 */
static const struct launcher_option *launcher_option_of_any(const char *word, int *joined)
{
    const struct launcher_option *option = NULL;
    for (int row = 0; row < LAUNCHER_ROWS && !option; row++)
        option = launcher_option_in(launcher_rows[row]->options, &launcher_unknown, word, joined);
    return option;
}

int launcher_option_values(const struct launcher *launcher, const char *word)
{
    int joined = 0, dashes = (int)strspn(word, "-");
    if (!dashes || !word[dashes] || strchr(word, '=') || isdigit((unsigned char)word[2]))
        return 0; /* -n4 */
    const struct launcher_option *option = launcher->options
                                               ? launcher_option_of(launcher, word, &joined)
                                               : launcher_option_of_any(word, &joined);
    return joined ? 0 : option ? option->values : 1;
}

int launcher_is_context(const struct launcher *launcher, const char *word)
{
    return launcher->context && strcmp(word, launcher->context) == 0;
}

int launcher_is_variable(const char *variable)
{
    for (int row = 0; row < LAUNCHER_ROWS; row++) {
        const char *const *prefix = launcher_rows[row]->prefixes;
        for (; *prefix; prefix++)
            if (strncmp(variable, *prefix, strlen(*prefix)) == 0)
                return 1;
    }
    return 0;
}

/* ---- placement ---- */

const struct launcher *launcher_of_format(const struct launcher_format *format)
{
    for (int row = 0; row < LAUNCHER_ROWS; row++)
        if (launcher_rows[row]->by_core == format || launcher_rows[row]->by_host == format)
            return launcher_rows[row];
    return &launcher_unknown;
}

static const char *launcher_get(const char *name, const char *older_name)
{
    const char *value = getenv(name);
    return value || !older_name ? value : getenv(older_name);
}

/* As Hydra decides it (lib/tools/bootstrap in its sources). */
int launcher_starts_by_srun(const struct launcher *launcher)
{
    const char *const *variables = launcher->starter_variables;
    const char *starter = variables[0] ? launcher_get(variables[0], variables[1]) : NULL;
    const char *nodes = launcher_get("SLURM_JOB_NUM_NODES", "SLURM_NNODES");
    return variables[0] && (!starter || strcmp(starter, "slurm") == 0) && nodes &&
           atoi(nodes) > 1 && launcher_get("SLURM_JOB_NODELIST", "SLURM_NODELIST") &&
           getenv("SLURM_TASKS_PER_NODE");
}

enum launcher_action launcher_parameter_action(const struct launcher *launcher, const char *name)
{
    const struct launcher_rule *rule = launcher->parameters;
    for (; rule && rule->name; rule++)
        if (fnmatch(rule->name, name, 0) == 0)
            return rule->action;
    return LAUNCHER_KEEP;
}
