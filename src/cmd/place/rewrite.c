/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rewrite.c - see rewrite.h. The launcher's row (launcher.h) tells what its options are and what
 * happens to them. Only words between the launcher and what it starts are considered.
 */
#include "cmd/place/rewrite.h"

#include <stdlib.h>
#include <string.h>

/* Returns 1 if a word or variable with this action is dropped; `hosts`: the file names them. */
static int rewrite_drops(enum launcher_action action, int hosts, enum binding binding)
{
    return action == LAUNCHER_DROP || (action == LAUNCHER_DROP_IF_HOSTS && hosts) ||
           (action == LAUNCHER_DROP_IF_BINDING && binding != BINDING_THEIRS);
}

/* Number of words from argv[i] on that are dropped; 0: none. */
static int rewrite_count_dropped(const struct job *job, char **argv, int i, int hosts,
                                 enum binding binding)
{
    int joined;
    const struct launcher_option *option = launcher_option_of(job->launcher, argv[i], &joined);
    enum launcher_action action = option ? option->action : LAUNCHER_KEEP;
    if (action == LAUNCHER_PARAMETER)
        action = !joined && i + 2 < job->wrapper
                     ? launcher_parameter_action(job->launcher, argv[i + 1])
                     : LAUNCHER_KEEP;
    return rewrite_drops(action, hosts, binding) ? 1 + (joined ? 0 : option->values) : 0;
}

int rewrite_for_probe(const struct job *job, char **argv, char **words, int most)
{
    int n = 0, joined;
    for (int i = 0; i < job->program && n < most; i++) {
        int is_launchers = i >= job->options_at && i < job->wrapper;
        const struct launcher_option *option =
            is_launchers ? launcher_option_of(job->launcher, argv[i], &joined) : NULL;
        if (option && option->action == LAUNCHER_DROP_IN_PROBE)
            i += joined ? 0 : option->values;
        else
            words[n++] = argv[i];
    }
    return n;
}

/* The first of the launcher's words with an option of this action; -1. */
static int rewrite_find_option(const struct job *job, char **argv, enum launcher_action action,
                               int *joined)
{
    for (int i = job->options_at; i < job->wrapper; i++) {
        const struct launcher_option *option = launcher_option_of(job->launcher, argv[i], joined);
        if (option && option->action == action)
            return i;
    }
    return -1;
}

/* ---- what cannot be placed ---- */

/* The command before the launcher that gets an allocation, another one each time; NULL: none. */
static const char *rewrite_allocator(const struct job *job, char **argv)
{
    for (int i = 0; i < job->launcher_at; i++)
        if (launcher_is_allocator(job_base_name(argv[i])))
            return job_base_name(argv[i]);
    return NULL;
}

/* Returns 1 if the command line names a starter of the hosts other than srun. */
static int rewrite_names_starter(const struct job *job, char **argv)
{
    int joined, at = rewrite_find_option(job, argv, LAUNCHER_STARTER, &joined);
    const char *value = at < 0 ? NULL : joined ? argv[at] + joined : argv[at + 1];
    return value && strcmp(value, "slurm") != 0;
}

/* Check whether the launcher can place ranks where it is started. */
static int rewrite_check_launcher(const struct job *job, char **argv, struct reseat_error *error)
{
    const struct launcher *launcher = job->launcher;
    if (launcher_starts_by_srun(launcher) && !rewrite_names_starter(job, argv))
        return reseat_fail(
            error, "--placement launch: in a job of Slurm Hydra starts the hosts by srun, "
                   "which obeys no order of them; use srun, or reseat run without --placement");
    if (launcher->allocation && !getenv(launcher->allocation))
        return reseat_fail(error,
                           "--placement launch: %s outside of an allocation gets other nodes each "
                           "time; use reseat inside of one",
                           launcher->title);
    return 0;
}

static int rewrite_refuse_launcher(struct reseat_error *error)
{
    char titles[LAUNCHER_TITLES_SIZE];
    launcher_titles(titles);
    return reseat_fail(
        error, "--placement launch knows %.160s; for other launchers: reseat map --emit", titles);
}

int rewrite_check(const struct job *job, char **argv, struct reseat_error *error)
{
    int joined, file;
    const char *other = rewrite_allocator(job, argv);
    if (other)
        return reseat_fail(
            error,
            "--placement launch: %s gets other nodes each time; use reseat inside of "
            "the allocation",
            other);
    if (!job->launcher->by_host)
        return rewrite_refuse_launcher(error);
    if (job->program < 0)
        return reseat_fail(error, "no word of the command is a program that can be found");
    for (int i = job->options_at; argv[i]; i++)
        if (launcher_is_context(job->launcher, argv[i]))
            return reseat_fail(error, "--placement launch: not with several programs (`:')");
    if ((file = rewrite_find_option(job, argv, LAUNCHER_REFUSE, &joined)) >= 0)
        return reseat_fail(error, "--placement launch: not with %.100s", argv[file]);
    return rewrite_check_launcher(job, argv, error);
}

/* ---- the new command line ---- */

/* Unset variables that have the effect of dropped options. */
static void rewrite_environment(const struct job *job, int hosts, enum binding binding)
{
    const struct launcher_rule *rule = job->launcher->variables;
    for (; rule && rule->name; rule++)
        if (rewrite_drops(rule->action, hosts, binding))
            unsetenv(rule->name);
}

/* Add the words that go directly after the launcher. */
static int rewrite_add_words(const struct job *job, const struct emit_use *use,
                             enum binding binding, char **words)
{
    const char *const *unbind = job->launcher->unbind_words;
    int n = 0;
    for (int i = 0; i < use->count; i++)
        words[n++] = use->words[i];
    for (int i = 0; binding == BINDING_NONE && unbind[i]; i++)
        words[n++] = (char *)unbind[i];
    return n;
}

char **rewrite_command(const struct job *job, char **argv, const struct emit_use *use,
                       enum binding binding, char *number)
{
    int argc = 0, n = 0, joined, hosts = !use->format->host_option;
    int has_number = rewrite_find_option(job, argv, LAUNCHER_NUMBER, &joined) >= 0;
    while (argv[argc])
        argc++;
    char **words = calloc((size_t)(argc + use->count + 8), sizeof *words);
    for (int i = 0; words && i < argc; i++) {
        int in_launcher = i >= job->options_at && i < job->wrapper;
        int gone = in_launcher ? rewrite_count_dropped(job, argv, i, hosts, binding) : 0;
        if (gone) {
            i += gone - 1 < job->wrapper - i ? gone - 1 : 0;
            continue;
        }
        words[n++] = argv[i];
        if (i == job->options_at - 1) {
            n += rewrite_add_words(job, use, binding, words + n);
            if (!has_number) {
                words[n++] = (char *)"-n";
                words[n++] = number;
            }
        }
    }
    if (words)
        rewrite_environment(job, hosts, binding);
    return words;
}
