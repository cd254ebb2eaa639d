/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * variables.c - see variables.h. Open MPI hands on what mca_base_env_list says; Hydra what -genv
 * says; others what is in the environment.
 */
#include "cmd/variables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/child.h"
#include "format/switches.h"

void variables_add(struct variables *v, const char *name, const char *value)
{
    int i = 0;
    while (i < v->count && strcmp(v->name[i], name) != 0)
        i++;
    if (i == MOST_VARIABLES)
        return;
    v->name[i] = name;
    snprintf(v->value[i], sizeof v->value[i], "%s", value);
    v->count += i == v->count;
}

void variables_add_path(struct variables *v, const char *name, const char *path)
{
    char cwd[PATH_MAX], whole[2 * PATH_MAX];
    int is_relative = path[0] != '/' && getcwd(cwd, sizeof cwd);
    snprintf(whole, sizeof whole, "%s%s%s", is_relative ? cwd : "", is_relative ? "/" : "", path);
    variables_add(v, name, whole);
}

void variables_add_setting(struct variables *v, const char *name, const char *value)
{
    int is_path = strcmp(name, "RESEAT_MAPPING") == 0 ||
                  (strcmp(name, "RESEAT_TOPOLOGY") == 0 && reseat_switches_is_path(value));
    if (is_path && value[0])
        variables_add_path(v, name, value);
    else
        variables_add(v, name, value);
}

void variables_add_preload(struct variables *v, const struct job *job)
{
    const char *theirs = getenv("LD_PRELOAD");
    variables_add(v, "LD_PRELOAD", job->library);
    if (theirs && theirs[0]) {
        strncat(v->value[v->count - 1], ":", 2);
        strncat(v->value[v->count - 1], theirs, PATH_MAX - 2);
    }
}

/* ---- for each launcher its way ---- */

static const char env_list[] = "OMPI_MCA_mca_base_env_list";

/* The list that Open MPI hands to the ranks, behind what the user has in it. */
static int hand_on_list(const char *command, const struct variables *v)
{
    const char *theirs = getenv(env_list);
    size_t size = (theirs ? strlen(theirs) : 0) + (size_t)v->count * (sizeof v->value[0] + 64) + 2;
    char *text = malloc(size);
    size_t used = 0;
    if (!text)
        return complain(EXIT_TROUBLE, command, "out of memory");
    if (theirs && theirs[0])
        used += (size_t)snprintf(text, size, "%s;", theirs);
    for (int i = 0; i < v->count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? ";" : "", v->name[i],
                                 v->value[i]);
    setenv(env_list, text, 1);
    free(text);
    return 0;
}

int variables_fit(const struct job *job, const struct variables *v, char why[512])
{
    for (int i = 0; job->way == WAY_OPENMPI && i < v->count; i++)
        if (strchr(v->value[i], ';')) {
            snprintf(why, 512, "%s=%.400s: Open MPI cannot hand on a `;`", v->name[i], v->value[i]);
            return -1;
        }
    return 0;
}

int variables_check(const char *command, const struct job *job, const struct variables *v)
{
    char why[512];
    return variables_fit(job, v, why) ? complain(EXIT_USAGE, command, "%s", why) : 0;
}

/* Whether the user hands on variables by -x: mpirun takes that or the list, not both. */
static int uses_x(char **argv, int from)
{
    for (int i = from; argv[i]; i++)
        if (strcmp(argv[i], "-x") == 0)
            return 1;
    return 0;
}

/* A copy of argv with words behind the launcher: `-genv NAME VALUE`, or `-x NAME` whose value is in
 * `pairs`. NULL when memory is short. */
static char **with_words(const struct job *job, const struct variables *v, int argc, char **argv)
{
    static char pairs[MOST_VARIABLES][2 * PATH_MAX + 64];
    char **longer = calloc((size_t)(argc + 3 * v->count + 1), sizeof *longer);
    int n = 0;
    for (int i = 0; longer && i < argc; i++) {
        longer[n++] = argv[i];
        for (int k = 0; i == job->launcher && k < v->count; k++) {
            longer[n++] = (char *)(job->way == WAY_HYDRA ? "-genv" : "-x");
            if (job->way == WAY_HYDRA) {
                longer[n++] = (char *)v->name[k];
                longer[n++] = (char *)v->value[k];
            } else {
                snprintf(pairs[k], sizeof pairs[k], "%s=%s", v->name[k], v->value[k]);
                longer[n++] = pairs[k];
            }
        }
    }
    return longer;
}

int launch_with(const char *command, const struct job *job, const struct variables *v, char **argv,
                struct answer *answer, int *status)
{
    int argc = 0;
    while (argv[argc])
        argc++;
    if (job->way == WAY_HYDRA || (job->way == WAY_OPENMPI && uses_x(argv, job->launcher))) {
        char **longer = with_words(job, v, argc, argv);
        int rc = longer ? run_and_wait(command, longer, answer, status) : -1;
        free(longer);
        return rc;
    }
    if (job->way == WAY_OPENMPI && hand_on_list(command, v))
        return -2;
    for (int i = 0; job->way == WAY_ENVIRONMENT && i < v->count; i++)
        setenv(v->name[i], v->value[i], 1);
    return run_and_wait(command, argv, answer, status);
}
