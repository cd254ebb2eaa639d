/* SPDX-License-Identifier: BSD-3-Clause */
/* scotch-module.c - see scotch-module.h. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cmd/shell/library.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/scotch-module.h"
#include "treematch/tmap-scotch.h"

typedef enum tmap_status map_scotch_fn(const struct tmap_matrix *matrix,
                                       const struct tmap_tree *tree,
                                       enum tmap_scotch_weights weights, int32_t *slot_of,
                                       int32_t *repaired, struct tmap_error *error);

/* Scotch may or may not be installed: only a module of its own needs it, which is loaded on demand
 * and stays loaded. NULL: not available. */
static map_scotch_fn *load_scotch(struct tmap_error *error)
{
    char path[LIBRARY_PATH_SIZE], where[LIBRARY_WHERE_SIZE];
    if (locate_module("reseat-scotch.so", path, where)) {
        snprintf(error->text, sizeof error->text,
                 "there is no method scotch: reseat-scotch.so %.200s", where);
        return NULL;
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = module ? dlsym(module, "tmap_mapping_find_scotch") : NULL;
    if (!found) {
        snprintf(error->text, sizeof error->text, "there is no method scotch: %.200s", dlerror());
        return NULL;
    }
    map_scotch_fn *map;
    memcpy(&map, &found, sizeof map);
    return map;
}

static const struct {
    const char *name;
    int weights; /* enum tmap_scotch_weights */
} scotch_methods[] = {
    {"scotch", TMAP_SCOTCH_COSTS},
    {"scotch-light", TMAP_SCOTCH_LIGHT},
    {"scotch-heavy", TMAP_SCOTCH_HEAVY},
    {"scotch-light-raw", TMAP_SCOTCH_LIGHT | TMAP_SCOTCH_RAW},
    {"scotch-heavy-raw", TMAP_SCOTCH_HEAVY | TMAP_SCOTCH_RAW},
    {"scotch-whole", TMAP_SCOTCH_WHOLE},
};

const char *scotch_method(int index)
{
    return (size_t)index < sizeof scotch_methods / sizeof *scotch_methods
               ? scotch_methods[index].name
               : NULL;
}

enum tmap_status map_and_repair(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                const struct tmap_options *options, int32_t *slot_of,
                                char repairs[MAP_REPAIRS_SIZE], struct tmap_error *error)
{
    int index = 0;
    repairs[0] = '\0';
    while (scotch_method(index) && strcmp(options->method, scotch_method(index)) != 0)
        index++;
    if (!scotch_method(index))
        return tmap_mapping_find(matrix, tree, options, slot_of, error);
    int32_t repaired = 0;
    map_scotch_fn *map = load_scotch(error);
    enum tmap_status status =
        map ? map(matrix, tree, (enum tmap_scotch_weights)scotch_methods[index].weights, slot_of,
                  &repaired, error)
            : TMAP_ENOTSUP;
    if (status == TMAP_OK && repaired)
        snprintf(repairs, MAP_REPAIRS_SIZE,
                 "scotch put several roles on a slot; %d were moved to the nearest free one",
                 (int)repaired);
    return status;
}

enum tmap_status map_and_say_repairs(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                     const struct tmap_options *options, int32_t *slot_of,
                                     struct tmap_error *error)
{
    char repairs[MAP_REPAIRS_SIZE];
    enum tmap_status status = map_and_repair(matrix, tree, options, slot_of, repairs, error);
    if (repairs[0])
        cli_fail(0, "%s", repairs);
    return status;
}
