/* SPDX-License-Identifier: BSD-3-Clause */
/* synthetic.c - see machine-forms.h. */
#include "draw/machine-forms.h"

#include <string.h>

/* hwloc's name for the objects of a level. */
static const char *synthetic_type(const char *name)
{
    static const char *const types[][2] = {{"package", "package"},
                                           {"pack", "package"},
                                           {"socket", "package"},
                                           {"die", "die"},
                                           {"numa", "numa"},
                                           {"numanode", "numa"},
                                           {"l5", "l5cache"},
                                           {"l4", "l4cache"},
                                           {"l3", "l3cache"},
                                           {"l2", "l2cache"},
                                           {"l1", "l1cache"},
                                           {"core", "core"},
                                           {"pu", "pu"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i][0]) == 0)
            return types[i][1];
    return "group";
}

/* The type of a level; `used` are those of the levels above. A process is a core, or a PU of
 * one. */
static const char *synthetic_next_type(const char *name, const char *const *used, int count)
{
    int is_process = strcmp(name, "process") == 0;
    const char *type = is_process ? "core" : synthetic_type(name);
    for (int l = 0; l < count; l++)
        if (strcmp(type, used[l]) == 0)
            type = is_process ? "pu" : "group"; /* of these there can be several */
    return type;
}

/* Checks that hwloc has such machines. 0, or -1 with *error. */
static int synthetic_check(const struct draw_view *view, struct reseat_error *error)
{
    for (int l = 0; l < view->depth; l++)
        if (tmap_tree_shape(view->tree, l, NULL) != TMAP_SHAPE_NONE)
            return reseat_fail(error, "hwloc has no network with a shape: a tree is needed");
    if (!tmap_tree_is_uniform(view->tree))
        return reseat_fail(error,
                           "hwloc's synthetic descriptions are of uniform trees, and in this "
                           "machine objects of a level differ");
    return 0;
}

int draw_synthetic(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    const char *used[TMAP_MAX_LEVELS];
    int count = 0, has_pu = 0;
    if (synthetic_check(view, error))
        return -1;
    for (int l = 0; l < view->depth; l++) {
        const char *name = tmap_tree_level(view->tree, l)->name;
        int32_t arity = tmap_tree_objects(view->tree, l + 1) / tmap_tree_objects(view->tree, l);
        if (has_pu && arity > 1)
            return reseat_fail(error, "hwloc has nothing inside a PU, and here is '%.32s'", name);
        if (has_pu)
            continue;
        used[count] = synthetic_next_type(name, used, count);
        has_pu = strcmp(used[count], "pu") == 0;
        fprintf(file, "%s%s:%d", l ? " " : "", used[count++], (int)arity);
    }
    fputs(has_pu ? "\n" : " pu:1\n", file);
    return 0;
}
