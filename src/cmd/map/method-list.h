/* SPDX-License-Identifier: BSD-3-Clause */
/* method-list.h - --method M,... and --layout L,...: several ways to map. */
#ifndef RESEAT_METHOD_LIST_H
#define RESEAT_METHOD_LIST_H

#include "cmd/shell/word-list.h"

/* The name of the launch order as a method. */
#define METHOD_LAUNCH "launch"

struct listed_method {
    const char *name;   /* as in tables */
    const char *layout; /* NULL: it is none */
};

/* Resolves a list of methods and layouts, `all' being all methods; *methods is allocated, one for
 * each word of the list as it is then. 0, or an exit status after an error message. */
int method_list_resolve(struct word_list *words, struct listed_method **methods);

#endif
