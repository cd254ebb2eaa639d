/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machines.c - machines from text.
 */
#include "machines.h"

#include "treematch/model/objects.h"

#include <stdio.h>

/* Costs 100 a link: 200 below a switch, 400 across. */
static struct tmap_tree *make_fat_graph(const char *text, struct tmap_error *error)
{
    enum { MOST = 1024 };
    static const double hop = 100;
    struct tmap_link link[MOST];
    struct tmap_tree *tree = NULL, *shaped = NULL, *priced = NULL;
    char words[256];
    double costs[TMAP_MAX_LEVELS];
    int switches, nodes, length = 0;
    int32_t position[MOST], links = 0;
    if (sscanf(text, "fatgraph:%dx%d%n", &switches, &nodes, &length) != 2 ||
        switches * (nodes + 1) > MOST)
        return NULL;
    for (int s = 0; s < switches; s++) {
        link[links++] = (struct tmap_link){0, 1 + s, 1};
        for (int n = s * nodes; n < (s + 1) * nodes; n++) {
            position[n] = 1 + switches + n;
            link[links++] = (struct tmap_link){1 + s, position[n], 1};
        }
    }
    const struct tmap_shape shape = {.size = sizeof shape,
                                     .kind = TMAP_SHAPE_GRAPH,
                                     .positions = 1 + switches * (nodes + 1),
                                     .links = (size_t)links,
                                     .link = link};
    snprintf(words, sizeof words, "node:%d%s", switches * nodes, text + length);
    if (tmap_tree_parse(&tree, words, error) == TMAP_OK &&
        tmap_tree_copy_with_shape(&shaped, tree, 0, &shape, position, error) == TMAP_OK) {
        for (int l = 0; l < tmap_tree_depth(shaped); l++)
            costs[l] = l == 0 ? hop : tmap_tree_level(shaped, l)->cost;
        tmap_tree_copy_with_costs(&priced, shaped, costs, tmap_tree_depth(shaped), error);
    }
    tmap_tree_destroy(tree);
    tmap_tree_destroy(shaped);
    return priced;
}

/* The leaves of `tree` below the objects of `level` that are kept, as a tree without shapes. */
static struct tmap_tree *keep_objects(const struct tmap_tree *tree, int level, const char *kept,
                                      struct tmap_error *error)
{
    int depth = tmap_tree_depth(tree);
    int32_t slots = tmap_tree_slots(tree), leaves = 0;
    struct tmap_level levels[TMAP_MAX_LEVELS];
    struct tmap_tree *result = NULL;
    int32_t *path = malloc(sizeof *path * (size_t)slots * (size_t)depth);
    for (int l = 0; l < depth; l++)
        levels[l] = *tmap_tree_level(tree, l);
    for (int32_t s = 0; s < slots && path; s++) {
        if (!kept[tmap_tree_ancestor(tree, s, level)])
            continue;
        for (int l = 0; l < depth; l++)
            path[leaves * depth + l] = tmap_tree_ancestor(tree, s, l + 1);
        leaves++;
    }
    if (path)
        tmap_tree_create_from_paths(&result, leaves, depth, path, NULL, levels, NULL, error);
    free(path);
    return result;
}

/* Give `part` the shapes of `tree`: its objects are those of `tree` below which a slot was kept. */
static struct tmap_tree *copy_shapes(struct tmap_tree *part, const struct tmap_tree *tree,
                                     int level, const char *kept, struct tmap_error *error)
{
    int32_t slots = tmap_tree_slots(tree);
    int32_t *position = malloc(sizeof *position * (size_t)slots);
    for (int l = 0; l < tmap_tree_depth(tree) && part && position; l++) {
        struct tmap_shape shape = {.size = sizeof shape};
        struct tmap_tree *shaped = NULL;
        int32_t count = 0, last = -1;
        if (tmap_tree_shape(tree, l, &shape) == TMAP_SHAPE_NONE)
            continue;
        for (int32_t s = 0; s < slots; s++) {
            int32_t object = tmap_tree_ancestor(tree, s, l + 1);
            if (object == last || !kept[tmap_tree_ancestor(tree, s, level)])
                continue;
            position[count++] = tmap_tree_position(tree, l + 1, object);
            last = object;
        }
        tmap_tree_copy_with_shape(&shaped, part, l, &shape, position, error);
        tmap_tree_destroy(part);
        part = shaped;
    }
    free(position);
    return part;
}

static struct tmap_tree *halve(const struct tmap_tree *tree, int level, struct tmap_error *error)
{
    int32_t count = tmap_tree_objects(tree, level);
    struct tmap_random random;
    struct tmap_tree *part = NULL;
    int32_t *order = malloc(sizeof *order * (size_t)(count + 1));
    char *kept = calloc((size_t)count + 1, 1);
    if (order && kept && count > 1) {
        for (int32_t o = 0; o < count; o++)
            order[o] = o;
        tmap_random_init(&random, 16);
        tmap_random_shuffle(&random, order, count);
        for (int32_t o = 0; o < count / 2; o++)
            kept[order[o]] = 1;
        part = copy_shapes(keep_objects(tree, level, kept, error), tree, level, kept, error);
    }
    free(order);
    free(kept);
    return part;
}

struct tmap_tree *machine_make(const char *text)
{
    char words[256];
    double costs[TMAP_MAX_LEVELS];
    struct tmap_tree *tree = NULL, *changed = NULL;
    struct tmap_error error = {"not a machine"};
    int count = 0;
    snprintf(words, sizeof words, "%s", text);
    char *half = strchr(words, '%'), *price = strchr(words, '/');
    if (half)
        *half++ = '\0';
    if (price)
        *price++ = '\0';
    if (strncmp(words, "fatgraph:", 9) == 0)
        tree = make_fat_graph(words, &error);
    else
        tmap_tree_parse(&tree, words, &error);
    if (tree && price) {
        for (; *price && count < TMAP_MAX_LEVELS; price += *price == ',')
            costs[count++] = strtod(price, &price);
        tmap_tree_copy_with_costs(&changed, tree, costs, count, &error);
        tmap_tree_destroy(tree);
        tree = changed;
    }
    if (tree && half) {
        changed = halve(tree, atoi(half), &error);
        tmap_tree_destroy(tree);
        tree = changed;
    }
    if (!tree)
        fprintf(stderr, "bench: '%s': %s\n", text, error.text);
    return tree;
}
