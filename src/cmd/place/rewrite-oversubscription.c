/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rewrite-oversubscription.c - keep the permission to have more ranks than slots when the options
 * that gave it are dropped; the launcher's row (struct launcher_oversubscription) tells how.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/place/rewrite.h"

/* Returns 1 if a policy like `node:PE=2:oversubscribe` has that modifier; PRRTE accepts
 * abbreviations. */
static int oversubscription_in(const char *policy)
{
    const char *colon = policy ? strchr(policy, ':') : NULL;
    for (; colon; colon = strchr(colon + 1, ':')) {
        size_t length = strcspn(colon + 1, ":,");
        if (length >= 2 && strncasecmp(colon + 1, "oversubscribe", length) == 0)
            return 1;
    }
    return 0;
}

/* Returns 1 if words that will be dropped allow it. */
static int oversubscription_by_words(const struct job *job, char **argv,
                                     const struct launcher_oversubscription *how)
{
    int joined;
    for (int i = job->options_at; i < job->wrapper; i++) {
        const char *next = i + 1 < job->wrapper ? argv[i + 1] : NULL;
        if (launcher_is_option(job->launcher, argv[i], how->policy, &joined) &&
            oversubscription_in(joined ? argv[i] + joined : next))
            return 1;
        for (int p = 0; how->parameters[p]; p++)
            if (strcmp(argv[i], how->parameters[p]) == 0 && oversubscription_in(next))
                return 1;
    }
    return 0;
}

static int oversubscription_by_environment(const struct launcher_oversubscription *how)
{
    int found = 0;
    for (int i = 0; how->variables[i]; i++)
        found |= oversubscription_in(getenv(how->variables[i]));
    return found;
}

static int oversubscription_has_option(const struct job *job, char **argv, const char *name)
{
    int joined, found = 0;
    for (int i = job->options_at; i < job->wrapper; i++)
        found |= launcher_is_option(job->launcher, argv[i], name, &joined);
    return found;
}

static int oversubscription_add_word(struct emit_use *use, const char *dashes, const char *text)
{
    char **word = &use->words[use->count];
    return asprintf(word, "%s%s", dashes, text) < 0 ? -1 : (use->count++, 0);
}

/* Append it to the value of our own policy option. */
static int oversubscription_add_modifier(struct emit_use *use, const struct launcher *launcher)
{
    const struct launcher_oversubscription *how = launcher->oversubscription;
    for (int i = 0, joined; i + 1 < use->count; i++) {
        char *longer;
        if (!launcher_is_option(launcher, use->words[i], how->policy, &joined))
            continue;
        if (asprintf(&longer, "%s:%s", use->words[i + 1], how->option) < 0)
            return -1;
        free(use->words[i + 1]);
        use->words[i + 1] = longer;
    }
    return 0;
}

int rewrite_keep_oversubscription(const struct job *job, char **argv, enum binding binding,
                                  struct emit_use *use)
{
    const struct launcher_oversubscription *how = job->launcher->oversubscription;
    if (!how)
        return 0;
    int has_option = oversubscription_has_option(job, argv, how->option);
    if (!has_option && !oversubscription_by_words(job, argv, how) &&
        !oversubscription_by_environment(how))
        return 0;
    if (!has_option && (how->by_modifier ? oversubscription_add_modifier(use, job->launcher)
                                         : oversubscription_add_word(use, "--", how->option)))
        return -1;
    if (binding != BINDING_OURS || use->format != job->launcher->by_core)
        return 0;
    for (int i = 0; how->bind_words[i]; i++)
        if (oversubscription_add_word(use, "", how->bind_words[i]))
            return -1;
    return 0;
}
