/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.c - see variables.h. */
#include "cmd/job/variables.h"
#include "cmd/shell/complain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "network/switches.h"

int variables_find(const struct variables *v, const char *name)
{
    int i = 0;
    while (i < v->count && strcmp(v->name[i], name) != 0)
        i++;
    return i;
}

void variables_add(struct variables *v, const char *name, const char *value)
{
    const int i = variables_find(v, name);
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
    int is_path = strcmp(name, "RESEAT_MAPPING") == 0 || strcmp(name, "RESEAT_TIMINGS") == 0 ||
                  (strcmp(name, "RESEAT_TOPOLOGY") == 0 && reseat_switches_is_path(value));
    if (is_path && value[0])
        variables_add_path(v, name, value);
    else
        variables_add(v, name, value);
}

/* AddressSanitizer's library ends programs in which it is not the first. It only needs to precede
 * the C library, which it does after ours as well. */
static void variables_add_sanitizer(struct variables *v, const struct job *job)
{
    char value[PATH_MAX];
    const char *theirs = getenv("ASAN_OPTIONS");
    if (!job->has_asan)
        return;
    snprintf(value, sizeof value, "%s%sverify_asan_link_order=0", theirs ? theirs : "",
             theirs && theirs[0] ? ":" : "");
    variables_add(v, "ASAN_OPTIONS", value);
}

void variables_add_preload(struct variables *v, const struct job *job)
{
    const char *theirs = getenv("LD_PRELOAD");
    if (!job_preloads(job))
        return;
    char *value = job_preload(job, "", theirs ? theirs : "");
    int fits = value && strlen(value) < sizeof v->value[0];
    variables_add(v, "LD_PRELOAD", fits ? value : job->library);
    free(value);
    variables_add_sanitizer(v, job);
}

/* ---- what launchers can pass on ---- */

int variables_fit(const struct job *job, const struct variables *v, struct reseat_error *error)
{
    for (int i = 0; job->launcher->delivery == LAUNCHER_ENV_LIST && i < v->count; i++)
        if (strchr(v->value[i], ';'))
            return cli_refuse(error, "%s=%.400s: Open MPI cannot pass on a `;`", v->name[i],
                              v->value[i]);
    return 0;
}
