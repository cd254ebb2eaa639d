/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rewrite-oversubscription.c - what of `--map-by` has to outlive it. Open MPI takes one --map-by, and ours
 * names the file; with the user's goes `oversubscribe`, without which it refuses more ranks than
 * slots. PRRTE (Open MPI 5) binds nobody then, whatever the rankfile says, unless a --bind-to asks
 * for it, and on a full core only with `overload-allowed` (seen with 5.0.7 and its PRRTE 3.0.8).
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/rewrite.h"

/* Whether a policy like `node:PE=2:oversubscribe` has that modifier; PRRTE takes it shortened. */
static int has_oversubscribe(const char *policy)
{
    const char *colon = policy ? strchr(policy, ':') : NULL;
    for (; colon; colon = strchr(colon + 1, ':')) {
        size_t length = strcspn(colon + 1, ":,");
        if (length >= 2 && strncasecmp(colon + 1, "oversubscribe", length) == 0)
            return 1;
    }
    return 0;
}

static int is_policy(const char *parameter)
{
    return strcmp(parameter, "rmaps_default_mapping_policy") == 0 ||
           strcmp(parameter, "rmaps_base_mapping_policy") == 0;
}

/* Whether the words that will be dropped allow it. */
static int allowed_by_words(const struct job *job, char **argv)
{
    int joined;
    for (int i = job->launcher_at + 1; i < job->wrapper; i++) {
        const char *next = i + 1 < job->wrapper ? argv[i + 1] : NULL;
        if (rewrite_is_option(argv[i], "map-by", LAUNCHER_OPENMPI, &joined) &&
            has_oversubscribe(joined ? strchr(argv[i], '=') : next))
            return 1;
        if (is_policy(argv[i]) && has_oversubscribe(next))
            return 1;
    }
    return 0;
}

static int has_word(const struct job *job, char **argv, const char *name)
{
    int joined, found = 0;
    for (int i = job->launcher_at + 1; i < job->wrapper; i++)
        found |= rewrite_is_option(argv[i], name, LAUNCHER_OPENMPI, &joined);
    return found;
}

static int add_word(struct emit_use *use, const char *text)
{
    use->words[use->count] = strdup(text);
    return use->words[use->count] ? (use->count++, 0) : -1;
}

/* Behind the policy of our --map-by. */
static int add_modifier(struct emit_use *use, const char *modifier)
{
    for (int i = 0; i + 1 < use->count; i++) {
        char *longer;
        if (strcmp(use->words[i], "--map-by") != 0)
            continue;
        if (asprintf(&longer, "%s:%s", use->words[i + 1], modifier) < 0)
            return -1;
        free(use->words[i + 1]);
        use->words[i + 1] = longer;
    }
    return 0;
}

int rewrite_keep_oversubscription(const struct job *job, char **argv, const char *format,
                        enum binding binding, struct emit_use *use)
{
    if (job->kind != LAUNCHER_OPENMPI)
        return 0;
    int prrte = launcher_is_prrte(job, argv), has_option = has_word(job, argv, "oversubscribe");
    int allowed = allowed_by_words(job, argv) ||
                  has_oversubscribe(getenv(prrte ? "PRTE_MCA_rmaps_default_mapping_policy"
                                                 : "OMPI_MCA_rmaps_base_mapping_policy"));
    if (!allowed && !has_option)
        return 0;
    if (!prrte)
        return has_option ? 0 : add_word(use, "--oversubscribe");
    if (!has_option && add_modifier(use, "oversubscribe"))
        return -1;
    if (binding != BINDING_OURS || strcmp(format, "prrte") != 0)
        return 0;
    return add_word(use, "--bind-to") || add_word(use, "core:overload-allowed") ? -1 : 0;
}
