/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inherit.c - see inherit.h. Open MPI's launcher passes the variables listed in one variable,
 * `A=1;B=2`, to all ranks, and that variable as well: a launcher started by a rank would do the
 * same for the ranks of its job.
 */
#include "interpose/inherit.h"

#include <stdlib.h>
#include <string.h>

#include "interpose/preload.h"

static const char inherit_list[] = "OMPI_MCA_mca_base_env_list";

/* Returns 1 if an entry of the list is a setting of ours. */
static int inherit_is_ours(const char *entry)
{
    size_t length = strcspn(entry, "=");
    return strncmp(entry, "RESEAT", 6) == 0 && (length == 6 || entry[6] == '_');
}

/* Add an entry; LD_PRELOAD without our library, and not at all if there is nothing else in it. */
static void inherit_entry(char *rest, const char *entry)
{
    static const char preload[] = "LD_PRELOAD=";
    char *others = NULL;
    if (strncmp(entry, preload, sizeof preload - 1) == 0)
        others = preload_others(entry + sizeof preload - 1);
    if (!inherit_is_ours(entry) && !(others && !others[0])) {
        strcat(rest, rest[0] ? ";" : "");
        strcat(rest, others ? preload : entry);
        strcat(rest, others ? others : "");
    }
    free(others);
}

static void inherit_filter(const char *list)
{
    char *save = NULL, *copy = strdup(list), *rest = calloc(1, strlen(list) + 2);
    for (char *entry = copy && rest ? strtok_r(copy, ";", &save) : NULL; entry;
         entry = strtok_r(NULL, ";", &save))
        inherit_entry(rest, entry);
    if (rest && rest[0])
        setenv(inherit_list, rest, 1);
    else if (copy && rest)
        unsetenv(inherit_list);
    free(copy);
    free(rest);
}

void inherit_nothing(void)
{
    const char *list = getenv(inherit_list);
    unsetenv("RESEAT");
    unsetenv("RESEAT_FILE");
    unsetenv("RESEAT_DECISION");
    if (list)
        inherit_filter(list);
}
