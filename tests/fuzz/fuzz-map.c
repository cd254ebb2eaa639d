/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz-map.c - any matrix on any tree, with any constraints: every method gives a mapping that
 * satisfies the constraints, as checked here and not by the library, or an error.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "treematch/tmap.h"

enum { MOST_LEAVES = 64, MOST_ROLES = 96, MOST_ENTRIES = 200 };

struct input {
    const uint8_t *data;
    size_t size;
};

static uint32_t take(struct input *input, uint32_t bound)
{
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->data++ % bound;
}

static struct tmap_tree *take_tree(struct input *input)
{
    struct tmap_tree *tree = NULL;
    int32_t path[MOST_LEAVES * 4], capacity[MOST_LEAVES];
    int depth = 1 + (int)take(input, 4);
    int32_t leaves = 1 + (int32_t)take(input, MOST_LEAVES);
    for (int32_t leaf = 0; leaf < leaves; leaf++) {
        for (int l = 0; l < depth - 1; l++)
            path[leaf * depth + l] = (int32_t)take(input, 4);
        path[leaf * depth + depth - 1] = leaf;
        capacity[leaf] = (int32_t)take(input, 3);
    }
    tmap_tree_create_from_paths(&tree, leaves, depth, path, capacity, NULL, NULL, NULL);
    return tree;
}

/* The tree with a network on its outermost level, for some inputs. */
static struct tmap_tree *take_network(struct input *input, struct tmap_tree *tree)
{
    struct tmap_tree *shaped = NULL;
    struct tmap_shape shape = {.size = sizeof shape};
    struct tmap_link link[2 * MOST_LEAVES];
    int32_t position[MOST_LEAVES], children = tmap_tree_objects(tree, 1);
    uint32_t kind = take(input, 4);
    if (kind == 0)
        return tree;
    for (int32_t i = 0; i < children; i++)
        position[i] = i;
    if (kind == 1) { /* any graph whose positions are connected */
        shape.kind = TMAP_SHAPE_GRAPH;
        shape.positions = children;
        for (int32_t i = 1; i < children; i++)
            link[shape.links++] =
                (struct tmap_link){i, (int32_t)take(input, (uint32_t)i), 1 + take(input, 2)};
        for (uint32_t more = take(input, MOST_LEAVES); more > 0; more--)
            link[shape.links++] = (struct tmap_link){(int32_t)take(input, (uint32_t)children),
                                                     (int32_t)take(input, (uint32_t)children), 1};
        shape.link = link;
    } else {
        shape.kind = kind == 2 ? TMAP_SHAPE_TORUS : TMAP_SHAPE_MESH;
        shape.dimensions = 2;
        shape.extent[0] = 1 + (int32_t)take(input, 5);
        shape.extent[1] = (children + shape.extent[0] - 1) / shape.extent[0];
    }
    if (tmap_tree_copy_with_shape(&shaped, tree, 0, &shape, position, NULL) != TMAP_OK)
        return tree;
    tmap_tree_destroy(tree);
    return shaped;
}

static struct tmap_matrix *take_matrix(struct input *input, int32_t roles)
{
    struct tmap_matrix *matrix = NULL;
    struct tmap_entry entries[MOST_ENTRIES];
    size_t count = roles ? take(input, MOST_ENTRIES) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t shift = take(input, 56);
        entries[i] = (struct tmap_entry){
            (int32_t)take(input, (uint32_t)roles), (int32_t)take(input, (uint32_t)roles),
            (uint64_t)take(input, 255) << (shift > 48 ? shift : shift / 8)};
    }
    if (tmap_matrix_create(&matrix, roles, entries, count, NULL) == TMAP_EOVERFLOW)
        tmap_matrix_create(&matrix, roles, entries, 0, NULL);
    return matrix;
}

struct constraints {
    int32_t pinned[MOST_ROLES];
    unsigned char closed[MOST_LEAVES];
};

static void take_constraints(struct input *input, struct constraints *c, int32_t slots,
                             struct tmap_options *options)
{
    uint32_t kind = take(input, 4);
    for (int i = 0; i < MOST_ROLES; i++)
        c->pinned[i] = kind & 1 && take(input, 4) == 0 ? (int32_t)take(input, (uint32_t)slots) : -1;
    for (int i = 0; i < MOST_LEAVES; i++)
        c->closed[i] = kind & 2 && take(input, 8) == 0;
    options->pinned = kind & 1 ? c->pinned : NULL;
    options->closed = kind & 2 ? c->closed : NULL;
}

static void check(const struct tmap_tree *tree, int32_t roles, const struct tmap_options *options,
                  const int32_t *slot_of)
{
    int32_t load[MOST_LEAVES] = {0};
    for (int32_t role = 0; role < roles; role++) {
        int32_t slot = slot_of[role];
        require(slot >= 0 && slot < tmap_tree_slots(tree));
        require(++load[slot] <= tmap_tree_slot_capacity(tree, slot));
        require(!options->closed || !options->closed[slot]);
        require(!options->pinned || options->pinned[role] < 0 || options->pinned[role] == slot);
    }
}

/* The load of the busiest link of the outermost level; all loads are positive and add up. */
static double check_loads(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                          const int32_t *slot_of)
{
    struct tmap_loads *loads = NULL;
    struct tmap_link_load link;
    struct tmap_load_summary summary;
    double total = 0, busiest = 0;
    require(tmap_loads_create(&loads, matrix, tree, slot_of, 0, NULL) == TMAP_OK);
    for (size_t at = 0; tmap_loads_next(loads, &at, &link);) {
        require(link.load > 0);
        total += link.load;
        busiest = link.load > busiest ? link.load : busiest;
    }
    tmap_loads_sum_up(loads, &summary);
    require(summary.busiest == busiest && summary.total >= total * (1 - 1e-9) &&
            summary.total <= total * (1 + 1e-9));
    tmap_loads_destroy(loads);
    return busiest;
}

/* Less on the busiest link, with the same constraints, at 1.02 x the cost at most. */
static void check_congestion(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                             const struct tmap_options *options, int32_t *slot_of)
{
    struct tmap_cost before, after;
    double busiest = check_loads(matrix, tree, slot_of);
    require(tmap_mapping_evaluate(matrix, tree, slot_of, &before, NULL) == TMAP_OK);
    require(tmap_mapping_lower_congestion(matrix, tree, options, slot_of, NULL) == TMAP_OK);
    check(tree, tmap_matrix_roles(matrix), options, slot_of);
    require(tmap_mapping_evaluate(matrix, tree, slot_of, &after, NULL) == TMAP_OK);
    require(after.cost <= before.cost * 1.02 * (1 + 1e-9));
    if (tmap_tree_shape(tree, 0, NULL) != TMAP_SHAPE_NONE)
        require(check_loads(matrix, tree, slot_of) <= busiest * (1 + 1e-9));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct tmap_options options;
    struct constraints constraints;
    int32_t slot_of[MOST_ROLES];
    const char *name;
    tmap_options_init(&options, sizeof options);
    options.effort = (enum tmap_effort)take(&input, 2);
    options.seed = take(&input, 255);
    int32_t roles = (int32_t)take(&input, MOST_ROLES);
    struct tmap_tree *tree = take_tree(&input);
    if (tree)
        tree = take_network(&input, tree);
    struct tmap_matrix *matrix = tree ? take_matrix(&input, roles) : NULL;
    if (tree)
        take_constraints(&input, &constraints, tmap_tree_slots(tree), &options);
    for (int m = 0; matrix && tmap_method_describe(m, &name, NULL); m++) {
        struct tmap_error error = {""};
        options.method = name;
        enum tmap_status status = tmap_mapping_find(matrix, tree, &options, slot_of, &error);
        require(status == TMAP_OK || error.text[0]);
        require(status == TMAP_OK || options.closed || options.pinned ||
                tmap_tree_capacity(tree) < roles);
        if (status == TMAP_OK)
            check(tree, roles, &options, slot_of);
        if (status == TMAP_OK && m == 0)
            check_congestion(matrix, tree, &options, slot_of);
        else if (status == TMAP_ENOSPACE)
            break;
    }
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    return 0;
}
