/* SPDX-License-Identifier: BSD-3-Clause */
/* method-list.c - see method-list.h. */
#include <string.h>

#include "cmd/map/map.h"
#include "cmd/map/method-list.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/scotch-module.h"
#include "treematch/tmap.h"

static int method_list_is_scotch(const char *method)
{
    int i = 0;
    while (scotch_method(i) && strcmp(method, scotch_method(i)) != 0)
        i++;
    return scotch_method(i) != NULL;
}

/* Checks that the methods of Scotch can be used. 0, or -1 with *why. */
static int method_list_try_scotch(struct tmap_error *why)
{
    const struct tmap_entry entry = {0, 1, 1};
    struct tmap_options options;
    struct tmap_matrix *matrix = NULL;
    struct tmap_tree *tree = NULL;
    int32_t slot_of[2];
    char repairs[MAP_REPAIRS_SIZE];
    tmap_options_init(&options, sizeof options);
    options.method = scotch_method(0);
    int rc = tmap_matrix_create(&matrix, 2, &entry, 1, why) || tmap_tree_parse(&tree, "2", why) ||
             map_and_repair(matrix, tree, &options, slot_of, repairs, why);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    return rc ? -1 : 0;
}

/* Methods that nobody names: the useful ones, or all. 0, or -1 with *error. */
static int method_list_add_own(struct word_list *words, int all, struct reseat_error *error)
{
    const char *const useful[] = {"multilevel", "treematch",  "greedy",
                                  "packed",     "roundrobin", scotch_method(0)};
    const int count = sizeof useful / sizeof *useful;
    struct tmap_error why;
    int rc = 0, has_scotch = method_list_try_scotch(&why) == 0;
    for (int i = 0; !rc; i++) {
        const char *name = all ? map_method_name(i) : i < count ? useful[i] : NULL;
        if (!name)
            break;
        if (has_scotch || !method_list_is_scotch(name))
            rc = word_list_add(words, NULL, name, error);
    }
    return rc;
}

/* Replace the word "all". 0, or -1 with *error. */
static int method_list_expand(struct word_list *words, struct reseat_error *error)
{
    struct word_list given = *words;
    int rc = 0;
    *words = (struct word_list){NULL, 0};
    if (given.count == 0)
        rc = method_list_add_own(words, 0, error);
    for (size_t i = 0; !rc && i < given.count; i++)
        rc = strcmp(given.word[i], "all") == 0 ? method_list_add_own(words, 1, error)
                                               : word_list_add(words, NULL, given.word[i], error);
    word_list_free(&given);
    return rc;
}

static int method_list_check(const char *name)
{
    struct tmap_error why;
    if (strcmp(name, METHOD_LAUNCH) == 0)
        return 0;
    int status = map_check_method(name);
    if (!status && method_list_is_scotch(name) && method_list_try_scotch(&why))
        status = cli_fail(EXIT_TROUBLE, "%s", why.text);
    return status;
}

int method_list_resolve(struct word_list *words, struct listed_method **methods)
{
    struct reseat_error error;
    size_t prefix = strlen(WORD_LIST_LAYOUT);
    int status = cli_status(method_list_expand(words, &error), &error);
    if (status)
        return status;
    *methods = word_list_meanings(words, sizeof **methods);
    if (!*methods)
        return cli_no_memory();
    for (size_t i = 0; !status && i < words->count; i++) {
        struct listed_method *method = &(*methods)[i];
        method->name = words->word[i];
        for (size_t k = 0; k < i; k++)
            if (strcmp(words->word[k], method->name) == 0)
                return cli_fail(EXIT_USAGE, "the method %s is named twice", method->name);
        if (strncmp(method->name, WORD_LIST_LAYOUT, prefix) == 0)
            method->layout = method->name + prefix;
        status = method->layout ? cli_status(check_layout(method->layout, &error), &error)
                                : method_list_check(method->name);
    }
    return status;
}
