/* SPDX-License-Identifier: BSD-3-Clause */
/* synthetic.c - see synthetic.h. */
#include "draw/synthetic.h"

#include <string.h>

/* What hwloc calls the objects of a level. */
static const char *synthetic_type(const char *name)
{
    static const char *const types[][2] = {
        {"package", "package"}, {"pack", "package"},  {"socket", "package"}, {"die", "die"},
        {"numa", "numa"},       {"numanode", "numa"}, {"l5", "l5cache"},     {"l4", "l4cache"},
        {"l3", "l3cache"},      {"l2", "l2cache"},    {"l1", "l1cache"},     {"core", "core"},
        {"process", "core"},    {"pu", "pu"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i][0]) == 0)
            return types[i][1];
    return "group";
}

int draw_synthetic(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    int has_pu = 0;
    for (int l = 0; l < view->depth; l++)
        if (tmap_tree_shape(view->tree, l, NULL) != TMAP_SHAPE_NONE)
            return reseat_fail(error, "hwloc has no network with a shape: a tree is needed");
    if (!tmap_tree_is_uniform(view->tree))
        return reseat_fail(error,
                           "hwloc's synthetic descriptions are of uniform trees, and in this "
                           "machine objects of a level differ");
    for (int l = 0; l < view->depth; l++) {
        const char *type = synthetic_type(tmap_tree_level(view->tree, l)->name);
        int32_t arity = tmap_tree_objects(view->tree, l + 1) / tmap_tree_objects(view->tree, l);
        has_pu |= strcmp(type, "pu") == 0;
        fprintf(file, "%s%s:%d", l ? " " : "", type, (int)arity);
    }
    fputs(has_pu ? "\n" : " pu:1\n", file);
    return 0;
}
