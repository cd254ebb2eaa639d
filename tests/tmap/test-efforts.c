/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-efforts.c - more effort never gives a higher cost: strong <= default <= fast, for all
 * methods, many patterns and trees, seeds, pins.
 */
#include "test.h"
#include "generate/generate.h"

static double cost_with(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                        const struct tmap_options *options)
{
    struct tmap_error error;
    int32_t *slot_of = malloc(sizeof *slot_of * (size_t)tmap_matrix_roles(matrix));
    assert_non_null(slot_of);
    assert_ok(tmap_mapping_find(matrix, tree, options, slot_of, &error), &error);
    double cost = mapping_cost(matrix, tree, slot_of);
    free(slot_of);
    return cost;
}

static void assert_efforts(const char *what, const struct tmap_matrix *matrix,
                           const struct tmap_tree *tree, struct tmap_options *options)
{
    double before = 0;
    for (int effort = TMAP_EFFORT_FAST; effort <= TMAP_EFFORT_STRONG; effort++) {
        options->effort = (enum tmap_effort)effort;
        double cost = cost_with(matrix, tree, options);
        if (effort > TMAP_EFFORT_FAST && cost > before)
            fail_msg("%s, %s, seed %d: effort %d: %.17g, effort %d: %.17g", what, options->method,
                     (int)options->seed, effort, cost, effort - 1, before);
        before = cost;
    }
}

static const char *const patterns[] = {
    "stencil2d5-shuffled", "stencil2d9", "stencil3d7-shuffled", "stencil3d27-shuffled",
    "hypercube",           "cliques",    "geometric",           "geometric-shuffled",
    "mesh-shuffled",       "rmat",       "planted:4,4,4",       "alltoall"};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static void patterns_of_64_on_trees(void **state)
{
    static const char *const trees[] = {"8 2 4", "4 4 4", "64", "16 5", "3 7 5", "2 2 2 2 2 2 2 2"};
    (void)state;
    for (int p = 0; p < rounds(PATTERNS); p++)
        for (size_t t = 0; t < sizeof trees / sizeof *trees; t++) {
            struct tmap_matrix *matrix = generate_matrix(patterns[p], 64, 7);
            struct tmap_tree *tree = make_tree(trees[t]);
            struct tmap_options options;
            tmap_options_init(&options, sizeof options);
            for (int seed = 0; seed < (t ? 1 : rounds(4)); seed++) {
                options.method = seed % 3 == 2 ? "greedy" : "multilevel";
                options.seed = (uint64_t)seed;
                assert_efforts(patterns[p], matrix, tree, &options);
            }
            tmap_tree_destroy(tree);
            tmap_matrix_destroy(matrix);
        }
}

static void larger_patterns(void **state)
{
    static const struct {
        int32_t roles;
        const char *tree;
    } sizes[] = {{300, "20 2 8"}, {600, "40 2 8"}, {1100, "35 4 8"}};
    (void)state;
    for (int p = 0; p < rounds(PATTERNS); p++) {
        const char *pattern = patterns[p][0] == 'p' ? "rmat-shuffled" : patterns[p];
        struct tmap_matrix *matrix = generate_matrix(pattern, sizes[p % 3].roles, 3);
        struct tmap_tree *tree = make_tree(sizes[p % 3].tree);
        struct tmap_options options;
        assert_non_null(matrix);
        tmap_options_init(&options, sizeof options);
        options.method = "multilevel";
        assert_efforts(pattern, matrix, tree, &options);
        options.method = "greedy";
        if (strcmp(pattern, "alltoall") != 0)
            assert_efforts(pattern, matrix, tree, &options);
        tmap_tree_destroy(tree);
        tmap_matrix_destroy(matrix);
    }
}

/* What is left out of a smaller effort, because a grid has found its place or a plain tree has no chance. */
static void larger_patterns_on_networks(void **state)
{
    static const struct {
        const char *pattern, *tree;
    } cases[] = {{"stencil2d5-shuffled", "torus:4x5x2 core:16"},
                 {"stencil3d7-shuffled", "mesh:8x5 core:16"},
                 {"cliques-shuffled", "torus:8x5 core:16"}};
    (void)state;
    for (int c = 0; c < rounds(3); c++) {
        struct tmap_matrix *matrix = generate_matrix(cases[c].pattern, 640, 7);
        struct tmap_tree *tree = make_tree(cases[c].tree);
        struct tmap_options options;
        assert_non_null(matrix);
        tmap_options_init(&options, sizeof options);
        options.method = "multilevel";
        assert_efforts(cases[c].pattern, matrix, tree, &options);
        tmap_tree_destroy(tree);
        tmap_matrix_destroy(matrix);
    }
}

/* Unbalanced trees, slots for several roles, pins: all methods, also those that do not know
 * efforts. */
static void random_problems(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 11);
    for (int round = 0; round < rounds(30); round++) {
        const char *name;
        int32_t roles = 2 + (int32_t)tmap_random_below(&random, 40), pinned[64];
        struct tmap_matrix *matrix = random_matrix(&random, roles, 5 * roles, 20);
        struct tmap_tree *tree = random_tree(&random, 3, 5, 1 + round % 3);
        while (tmap_tree_capacity(tree) < roles) {
            tmap_tree_destroy(tree);
            tree = random_tree(&random, 4, 5, 1 + round % 3);
        }
        memset(pinned, 0xff, sizeof pinned);
        for (int32_t role = 0, slot = 0; role < roles; role += 5, slot += 3) {
            while (slot < tmap_tree_slots(tree) && tmap_tree_slot_capacity(tree, slot) == 0)
                slot++;
            pinned[role] = slot < tmap_tree_slots(tree) ? slot : -1;
        }
        struct tmap_options options;
        tmap_options_init(&options, sizeof options);
        for (int m = 0; tmap_method_describe(m, &name, NULL); m++) {
            if (strcmp(name, "best") == 0 && round % 10)
                continue;
            options.method = name;
            options.seed = (uint64_t)round;
            options.pinned = NULL;
            assert_efforts("random problem", matrix, tree, &options);
            options.pinned = pinned;
            assert_efforts("random problem with pins", matrix, tree, &options);
        }
        tmap_tree_destroy(tree);
        tmap_matrix_destroy(matrix);
    }
}

/* Stored as a square; a tree that is uniform (groups) and one that is not (likenesses). */
static void dense_patterns(void **state)
{
    enum { N = 1040 };
    struct tmap_random random;
    struct entries entries = {NULL, 0, 0};
    struct tmap_error error;
    struct tmap_options options;
    int32_t *path;
    struct tmap_tree *tree = NULL;
    (void)state;
    if (rounds(10) == 1)
        return; /* takes minutes under valgrind */
    path = calloc((size_t)N * 2, sizeof *path);
    assert_non_null(path);
    tmap_random_init(&random, 12);
    for (int32_t i = 0; i < N; i++)
        for (int32_t j = i + 1; j < N; j++)
            if (tmap_random_below(&random, 10))
                add_entry(&entries, i, j,
                          1 + tmap_random_below(&random, i * 37 % 61 == j * 37 % 61 ? 100 : 10));
    struct tmap_matrix *matrix = make_matrix(N, &entries);
    assert_true(matrix->is_dense);
    tmap_options_init(&options, sizeof options);
    options.method = "multilevel";
    tree = make_tree("26 4 10");
    assert_efforts("dense, uniform", matrix, tree, &options);
    tmap_tree_destroy(tree);
    for (int32_t i = 0; i < N; i++) {
        path[2 * i] = i * i / 40000;
        path[2 * i + 1] = i;
    }
    assert_ok(tmap_tree_create_from_paths(&tree, N, 2, path, NULL, NULL, NULL, &error), &error);
    assert_efforts("dense, not uniform", matrix, tree, &options);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_of_64_on_trees),
        cmocka_unit_test(larger_patterns),
        cmocka_unit_test(larger_patterns_on_networks),
        cmocka_unit_test(random_problems),
        cmocka_unit_test(dense_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
