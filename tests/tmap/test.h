/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test.h - what the unit tests of the mapping library share: cmocka, and makers of matrices and
 * trees.
 */
#ifndef TESTS_TMAP_TEST_H
#define TESTS_TMAP_TEST_H

#include "treematch/model/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* A status that must be TMAP_OK; shows the error's line when it is not. */
#define assert_ok(call, error)                        \
    do {                                              \
        if ((call) != TMAP_OK)                        \
            fail_msg("%s: %s", #call, (error)->text); \
    } while (0)

/* How many random problems: one of TEST_QUICK where that is set, as under valgrind (make check-valgrind). */
static inline int rounds(int all)
{
    const char *quick = getenv("TEST_QUICK");
    int part = quick && atoi(quick) > 0 ? atoi(quick) : 1;
    return (all + part - 1) / part;
}

struct entries {
    struct tmap_entry *entry;
    size_t count, room;
};

static inline void add_entry(struct entries *entries, int32_t i, int32_t j, uint64_t weight)
{
    if (entries->count == entries->room) {
        entries->room = entries->room * 2 + 16;
        entries->entry = realloc(entries->entry, entries->room * sizeof *entries->entry);
        assert_non_null(entries->entry);
    }
    entries->entry[entries->count++] = (struct tmap_entry){i, j, weight};
}

/* The matrix of the entries, which are freed. */
static inline struct tmap_matrix *make_matrix(int32_t roles, struct entries *entries)
{
    struct tmap_error error;
    struct tmap_matrix *matrix = NULL;
    assert_ok(tmap_matrix_create(&matrix, roles, entries->entry, entries->count, &error), &error);
    free(entries->entry);
    *entries = (struct entries){NULL, 0, 0};
    return matrix;
}

static inline struct tmap_tree *make_tree(const char *text)
{
    struct tmap_error error;
    struct tmap_tree *tree = NULL;
    assert_ok(tmap_tree_parse(&tree, text, &error), &error);
    return tree;
}

/* A tree of one level, whose children are at these positions of a torus or mesh of side x side + 1. */
static inline struct tmap_tree *part_of_grid(enum tmap_shape_kind kind, int32_t side, int32_t count,
                                             const int32_t *position)
{
    struct tmap_error error;
    struct tmap_tree *tree = NULL, *shaped = NULL;
    const struct tmap_shape shape = {
        .size = sizeof shape, .kind = kind, .dimensions = 2, .extent = {side, side + 1}};
    assert_ok(tmap_tree_create_uniform(&tree, 1, &count, NULL, &error), &error);
    assert_ok(tmap_tree_copy_with_shape(&shaped, tree, 0, &shape, position, &error), &error);
    tmap_tree_destroy(tree);
    return shaped;
}

/* A random matrix: about `pairs` pairs of weights below 2^bits. */
static inline struct tmap_matrix *random_matrix(struct tmap_random *random, int32_t roles,
                                                int32_t pairs, int bits)
{
    struct entries entries = {NULL, 0, 0};
    for (int32_t i = 0; i < pairs && roles > 0; i++) {
        int32_t a = (int32_t)tmap_random_below(random, (uint32_t)roles);
        int32_t b = (int32_t)tmap_random_below(random, (uint32_t)roles);
        add_entry(&entries, a, b, tmap_random_next(random) >> (64 - bits));
    }
    return make_matrix(roles, &entries);
}

/* The same with directions. */
static inline struct tmap_matrix *random_directed_matrix(struct tmap_random *random, int32_t roles,
                                                         int32_t count, int bits)
{
    struct tmap_entry *entry = calloc((size_t)count + 1, sizeof *entry);
    struct tmap_matrix *matrix = NULL;
    struct tmap_error error;
    uint64_t sum = 0, sent = 0;
    assert_non_null(entry);
    for (int32_t i = 0; i < count; i++) {
        entry[i].source = (int32_t)tmap_random_below(random, (uint32_t)roles);
        entry[i].target = (int32_t)tmap_random_below(random, (uint32_t)roles);
        entry[i].weight = tmap_random_next(random) >> (64 - bits);
        sum += entry[i].source == entry[i].target ? 0 : entry[i].weight;
    }
    assert_ok(tmap_matrix_create_directed(&matrix, roles, entry, (size_t)count, &error), &error);
    for (int32_t i = 0; i < roles; i++)
        for (int32_t j = 0; j < roles; j++)
            sent += tmap_matrix_sent(matrix, i, j);
    assert_true(sent == sum && tmap_matrix_total(matrix) == sum);
    free(entry);
    return matrix;
}

/* A random tree: `depth` levels, objects with 1 .. arity children, capacities 0 .. capacity. */
static inline struct tmap_tree *random_tree(struct tmap_random *random, int depth, int arity,
                                            int capacity)
{
    enum { LEAVES = 4096 };
    static int32_t path[LEAVES * 8], capacities[LEAVES];
    int32_t leaves = 1;
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    memset(path, 0, sizeof path);
    for (int l = 0; l < depth; l++) {
        int32_t objects = leaves;
        for (int32_t o = 0; o < objects; o++) {
            int32_t children = 1 + (int32_t)tmap_random_below(random, (uint32_t)arity);
            for (int32_t c = 1; c < children && leaves < LEAVES; c++, leaves++) {
                memcpy(path + leaves * depth, path + o * depth, sizeof *path * (size_t)depth);
                path[leaves * depth + l] = c;
            }
        }
    }
    for (int32_t i = 0; i < leaves; i++)
        capacities[i] =
            capacity == 1 ? 1 : (int32_t)tmap_random_below(random, (uint32_t)capacity + 1);
    assert_ok(
        tmap_tree_create_from_paths(&tree, leaves, depth, path, capacities, NULL, NULL, &error),
        &error);
    return tree;
}

static inline double mapping_cost(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                  const int32_t *slot_of)
{
    struct tmap_error error;
    struct tmap_cost cost;
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
    return cost.cost;
}

#endif
