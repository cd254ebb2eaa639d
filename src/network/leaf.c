/* SPDX-License-Identifier: BSD-3-Clause */
/* leaf.c - see leaf.h. */
#include "network/leaf.h"

#include <stdlib.h>
#include <string.h>

/* The place level of this name; -1: none. */
static int leaf_place_level(const char *name)
{
    static const char *const also[][2] = {
        {"pack", "package"}, {"socket", "package"}, {"numanode", "numa"}};
    for (size_t i = 0; i < sizeof also / sizeof also[0]; i++)
        if (strcmp(name, also[i][0]) == 0)
            name = also[i][1];
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        if (strcmp(name, tmap_place_level_name((enum tmap_place_level)level)) == 0)
            return level;
    return -1;
}

/* The level of a tree whose objects are nodes; -1: none. */
static int leaf_node_level(const struct tmap_tree *tree)
{
    int level = tmap_tree_depth(tree) - 1;
    while (level >= 0 && strcmp(tmap_tree_level(tree, level)->name, "node") != 0)
        level--;
    return level;
}

/* Returns 1 if a level is one of switches: above the nodes, or connecting them. */
static int leaf_is_switch(const struct tmap_tree *tree, int level, int node)
{
    return level < node || (level == node && tmap_tree_shape(tree, level, NULL) != TMAP_SHAPE_NONE);
}

/* Add the switch of level `level`. 0, or -1: there are too many. */
static int leaf_add_switch(struct reseat_leaf *leaf, const struct tmap_tree *tree, int level,
                           int32_t object)
{
    if (leaf->above.length == TMAP_SWITCH_LEVELS)
        return -1;
    leaf->above.at[leaf->above.length++] = tmap_tree_shape(tree, level, NULL) == TMAP_SHAPE_NONE
                                               ? object
                                               : tmap_tree_position(tree, level + 1, object);
    return 0;
}

void reseat_leaf_shapes(struct leaf_shapes *shapes, const struct tmap_tree *tree)
{
    int node = leaf_node_level(tree), count = 0;
    *shapes = (struct leaf_shapes){.at = {NULL}};
    for (int l = 0; l < tmap_tree_depth(tree) && count < TMAP_SWITCH_LEVELS; l++)
        if (leaf_is_switch(tree, l, node)) {
            shapes->shape[count].size = sizeof shapes->shape[count];
            if (tmap_tree_shape(tree, l, &shapes->shape[count]) != TMAP_SHAPE_NONE)
                shapes->at[count] = &shapes->shape[count];
            count++;
        }
}

int reseat_leaf_find(struct reseat_leaf *leaf, const struct tmap_tree *tree, int32_t rank,
                     struct reseat_error *error)
{
    struct reseat_leaf found = {.location = {.node = 0}};
    int node = leaf_node_level(tree);
    reseat_place_clear(&found.location.place);
    *leaf = found;
    if (rank >= tmap_tree_slots(tree))
        return reseat_fail(error, "RESEAT_TOPOLOGY: more ranks than its %d leaves",
                           (int)tmap_tree_slots(tree));
    for (int l = 0; l < tmap_tree_depth(tree); l++) {
        const char *name = tmap_tree_level(tree, l)->name;
        int32_t object = tmap_tree_ancestor(tree, rank, l + 1);
        int level = leaf_place_level(name);
        int is_switch = leaf_is_switch(tree, l, node);
        int too_many = is_switch && leaf_add_switch(&found, tree, l, object);
        if (l == node)
            found.location.node = object;
        else if (l > node && level >= 0)
            found.location.place.at[level] = object;
        if (too_many || (!is_switch && l != node && level < 0 && strcmp(name, "process") != 0))
            return reseat_fail(error,
                               "RESEAT_TOPOLOGY: level '%.40s' has no meaning here: below a node "
                               "are package, numa, l3, l2, core, pu, process, above it up to %d "
                               "switches",
                               name, TMAP_SWITCH_LEVELS);
    }
    *leaf = found;
    return 0;
}

/* From left to right a node ends before the next one begins, so that the last one is all that has
 * to be remembered, however many there are. */
int reseat_leaf_locations(struct reseat_location *locations, struct reseat_network *network,
                          const struct tmap_tree *tree, int32_t ranks, struct reseat_error *error)
{
    struct network_path *paths = malloc(((size_t)ranks + 1) * sizeof *paths);
    struct leaf_shapes shapes;
    int32_t nodes = 0, last = -1;
    int rc = paths ? 0 : reseat_fail(error, "out of memory");
    for (int32_t rank = 0; rc == 0 && rank < ranks; rank++) {
        struct reseat_leaf leaf;
        rc = reseat_leaf_find(&leaf, tree, rank, error) ? 1 : 0;
        if (rc == 0 && leaf.location.node != last) {
            last = leaf.location.node;
            paths[nodes++] = leaf.above;
        }
        locations[rank] = (struct reseat_location){.node = nodes - 1, .place = leaf.location.place};
    }
    reseat_leaf_shapes(&shapes, tree);
    if (rc == 0)
        rc = reseat_network_create(network, paths, nodes, shapes.at, error);
    free(paths);
    return rc;
}
