/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delivery.c - see delivery.h. Open MPI takes -x, which is for one of several contexts (`a : b`),
 * or a list for all of them, but not both: if there is an -x anywhere, each context gets our
 * variables by -x. PRRTE without the personality of Open MPI takes only -x. Hydra takes -genv for
 * all contexts, and -env for one, which takes precedence. Our library is put before the user's own
 * LD_PRELOAD, in any of these or in an env(1) before the program.
 */
#include "cmd/job/delivery.h"

#include <stdlib.h>
#include <string.h>

static void delivery_put(struct delivery *d, const char *word)
{
    d->words[d->count++] = (char *)word;
}

/* The same for a word that we have to free; NULL: out of memory. */
static void delivery_put_own(struct delivery *d, char *word)
{
    if (!word) {
        d->failed = 1;
        return;
    }
    d->owned[d->owned_count++] = word;
    delivery_put(d, word);
}

static char *delivery_join(const char *first, const char *second, const char *third)
{
    char *text = NULL;
    return asprintf(&text, "%s%s%s", first, second, third) < 0 ? NULL : text;
}

/* The value of `name` in `pair`, NAME or NAME=VALUE; NULL: another name. */
static const char *delivery_value(const char *pair, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(pair, name, length) != 0 || (pair[length] != '=' && pair[length]))
        return NULL;
    const char *outside = getenv(name);
    return pair[length] ? pair + length + 1 : outside ? outside : "";
}

/* Returns 1 if our value of a variable replaces the user's. */
static int delivery_is_ours(const char *name)
{
    return strcmp(name, "RESEAT") == 0 || strcmp(name, "RESEAT_FILE") == 0 ||
           strcmp(name, "RESEAT_MARK") == 0 || strcmp(name, "RESEAT_COMMAND") == 0;
}

static int delivery_is_x(const char *word)
{
    return strcmp(word, "-x") == 0 || strcmp(word, "--x") == 0;
}

/* ---- finding the words of a context ---- */

int delivery_program(const struct launcher *launcher, char **argv, int from)
{
    int i = from;
    while (argv[i] && !launcher_is_context(launcher, argv[i]) && argv[i][0] == '-') {
        int values = launcher_option_values(launcher, argv[i]);
        if (values == 1 && argv[i + 1] && argv[i + 1][0] == '-')
            values = 0; /* apparently an option without a value */
        for (i++; values > 0 && argv[i] && !launcher_is_context(launcher, argv[i]); values--)
            i++;
    }
    return i;
}

static int delivery_end(const struct launcher *launcher, char **argv, int from)
{
    while (argv[from] && !launcher_is_context(launcher, argv[from]))
        from++;
    return from;
}

/* Returns 1 if any context passes variables by -x. */
static int delivery_uses_x(const struct launcher *launcher, char **argv, int from)
{
    for (int i = from;; i++) {
        for (int end = delivery_program(launcher, argv, i); i < end; i++)
            if (delivery_is_x(argv[i]))
                return 1;
        i = delivery_end(launcher, argv, i);
        if (!argv[i])
            return 0;
    }
}

/* The user's value of `-x NAME` in argv[from .. end); NULL: none. */
static const char *delivery_given(char **argv, int from, int end, const char *name)
{
    const char *value = NULL;
    for (int i = from; i + 1 < end && !value; i++)
        if (delivery_is_x(argv[i]))
            value = delivery_value(argv[i + 1], name);
    return value;
}

/* ---- the words of a context ---- */

static void delivery_put_x(struct delivery *d, char **argv, int from, int end)
{
    for (int k = 0; k < d->v->count; k++) {
        const char *name = d->v->name[k], *theirs = delivery_given(argv, from, end, name);
        if (theirs && strcmp(name, "LD_PRELOAD") == 0) {
            delivery_put(d, "-x");
            delivery_put_own(d, job_preload(d->job, "LD_PRELOAD=", theirs));
        } else if (!theirs || delivery_is_ours(name)) {
            delivery_put(d, "-x");
            delivery_put_own(d, delivery_join(name, "=", d->v->value[k]));
        }
    }
}

static void delivery_put_genv(struct delivery *d)
{
    for (int k = 0; k < d->v->count; k++) {
        delivery_put(d, "-genv");
        delivery_put(d, d->v->name[k]);
        delivery_put(d, d->v->value[k]);
    }
}

/* Copy an option of the user with its two values, the second one replaced by ours. */
static void delivery_replace(struct delivery *d, char **option, char *value)
{
    delivery_put(d, option[0]);
    delivery_put(d, option[1]);
    delivery_put_own(d, value);
}

int delivery_sets_preload(char *const *words)
{
    const char *name = words[0] + 1 + (words[0][1] == '-');
    return words[1] && words[2] && strcmp(words[1], "LD_PRELOAD") == 0 &&
           (strcmp(name, "genv") == 0 || strcmp(name, "env") == 0);
}

/* Replace one option at argv[i] if that is necessary; returns how many words it had, or 0. */
static int delivery_option(struct delivery *d, char **argv, int i, int end)
{
    int has_two = i + 2 < end;
    if (d->by_x && i + 1 < end && delivery_is_x(argv[i]))
        return delivery_value(argv[i + 1], "LD_PRELOAD") || delivery_value(argv[i + 1], "RESEAT") ||
                       delivery_value(argv[i + 1], "RESEAT_FILE")
                   ? 2
                   : 0;
    if (d->job->launcher->delivery == LAUNCHER_ENV_LIST && has_two &&
        strcmp(argv[i + 1], d->job->launcher->list_parameter) == 0) {
        delivery_replace(d, argv + i, delivery_list(d->job, d->v, argv[i + 2]));
        return 3;
    }
    if (d->job->launcher->delivery == LAUNCHER_GENV && has_two && delivery_sets_preload(argv + i)) {
        delivery_replace(d, argv + i, job_preload(d->job, "", argv[i + 2]));
        return 3;
    }
    return 0;
}

static void delivery_put_program(struct delivery *d, char **argv, int from, int end)
{
    static const char name[] = "LD_PRELOAD=";
    int in_env = from < end && strcmp(job_base_name(argv[from]), "env") == 0;
    for (int i = from; i < end; i++) {
        in_env = in_env && (i == from || argv[i][0] == '-' || strchr(argv[i], '='));
        if (in_env && strncmp(argv[i], name, sizeof name - 1) == 0 &&
            !strstr(argv[i], d->job->library))
            delivery_put_own(d, job_preload(d->job, name, argv[i] + sizeof name - 1));
        else
            delivery_put(d, argv[i]);
    }
}

static void delivery_put_context(struct delivery *d, char **argv, int from)
{
    const struct launcher *launcher = d->job->launcher;
    int program = d->job->launcher_at < 0 ? from : delivery_program(launcher, argv, from);
    if (d->by_x)
        delivery_put_x(d, argv, from, program);
    for (int i = from; i < program;) {
        int ours = delivery_option(d, argv, i, program);
        if (!ours)
            delivery_put(d, argv[i++]);
        i += ours;
    }
    delivery_put_program(d, argv, program, delivery_end(launcher, argv, program));
}

/* Returns 1 if Open MPI's list is on the command line, which overrides the one in the
 * environment. */
static int delivery_has_list(const struct launcher *launcher, char **argv, int from)
{
    for (int i = from, end = delivery_program(launcher, argv, from); i + 2 < end; i++)
        if (strcmp(argv[i + 1], launcher->list_parameter) == 0)
            return 1;
    return 0;
}

int delivery_create(struct delivery *d, const struct job *job, const struct variables *v,
                    char **argv)
{
    const struct launcher *launcher = job->launcher;
    const int has_list = launcher->delivery == LAUNCHER_ENV_LIST;
    const int by_genv = launcher->delivery == LAUNCHER_GENV;
    int argc = 0, contexts = 1, at = job->options_at;
    for (; argv[argc]; argc++)
        contexts += launcher_is_context(launcher, argv[argc]);
    size_t most = (size_t)argc + 3 * (size_t)v->count * (size_t)contexts + 1;
    *d = (struct delivery){.job = job, .v = v};
    d->words = calloc(most, sizeof *d->words);
    d->owned = calloc(most, sizeof *d->owned);
    if (!d->words || !d->owned)
        return -1;
    d->by_x =
        launcher->delivery == LAUNCHER_EXPORT || (has_list && delivery_uses_x(launcher, argv, at));
    d->by_words = by_genv || d->by_x || (has_list && delivery_has_list(launcher, argv, at));
    for (int i = 0; i < at; i++)
        delivery_put(d, argv[i]);
    if (by_genv)
        delivery_put_genv(d);
    for (;; at++) {
        delivery_put_context(d, argv, at);
        at = delivery_end(launcher, argv, delivery_program(launcher, argv, at));
        if (!argv[at])
            break;
        delivery_put(d, argv[at]);
    }
    return d->failed ? -1 : 0;
}

void delivery_free(struct delivery *d)
{
    for (int i = 0; i < d->owned_count; i++)
        free(d->owned[i]);
    free(d->owned);
    free(d->words);
}

char *delivery_list(const struct job *job, const struct variables *v, const char *theirs)
{
    char *text = NULL, *copy = strdup(theirs ? theirs : ""), *save = NULL;
    const char *preload = NULL, *separator = "";
    size_t size;
    FILE *out = copy ? open_memstream(&text, &size) : NULL;
    for (char *pair = out ? strtok_r(copy, ";", &save) : NULL; pair;
         pair = strtok_r(NULL, ";", &save)) {
        const char *value = delivery_value(pair, "LD_PRELOAD");
        preload = value ? value : preload;
        if (value || delivery_value(pair, "RESEAT") || delivery_value(pair, "RESEAT_FILE"))
            continue;
        fprintf(out, "%s%s", separator, pair);
        separator = ";";
    }
    for (int i = 0; out && i < v->count; i++) {
        int joins = preload && strcmp(v->name[i], "LD_PRELOAD") == 0;
        fprintf(out, "%s%s=%s", separator, v->name[i], joins ? job->library : v->value[i]);
        if (joins && preload[0])
            fprintf(out, ":%s", preload);
        separator = ";";
    }
    free(copy);
    if (out && fclose(out)) {
        free(text);
        text = NULL;
    }
    return text;
}
