/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-congestion.c - the objective congestion: the busiest link carries less, and the cost stays.
 */
#include "test.h"

static double busiest(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                      const int32_t *slot_of)
{
    struct tmap_error error;
    struct tmap_loads *loads = NULL;
    struct tmap_load_summary summary;
    int level = 0;
    while (level + 1 < tmap_tree_depth(tree) && tmap_tree_shape(tree, level, NULL) == 0)
        level++;
    if (tmap_tree_shape(tree, level, NULL) == 0)
        level = 0;
    assert_ok(tmap_loads_create(&loads, matrix, tree, slot_of, level, &error), &error);
    tmap_loads_sum_up(loads, &summary);
    tmap_loads_destroy(loads);
    return summary.busiest;
}

/*
 * Roles 0 and 1 on one node send 10 each to roles 2 and 3 on two others, so the node's link carries
 * 20. On the fourth node, role 1 costs the same.
 */
static void flows_that_share_a_link_are_separated(void **state)
{
    (void)state;
    static const int32_t pinned[] = {0, -1, 2, 4};
    static const unsigned char none[] = {0, 0, 0, 1, 0, 1, 1, 1},
                               fourth[] = {0, 0, 0, 1, 0, 1, 0, 1};
    struct tmap_error error;
    struct entries entries = {NULL, 0, 0};
    struct tmap_tree *tree = make_tree("node:4 core:2");
    int32_t slot_of[] = {0, 1, 2, 4};
    struct tmap_options options;
    add_entry(&entries, 0, 2, 10);
    add_entry(&entries, 1, 3, 10);
    struct tmap_matrix *matrix = make_matrix(4, &entries);
    double cost = mapping_cost(matrix, tree, slot_of);
    tmap_options_init(&options, sizeof options);
    options.pinned = pinned;
    options.closed = none;
    assert_true(busiest(matrix, tree, slot_of) == 20);
    assert_ok(tmap_mapping_lower_congestion(matrix, tree, &options, slot_of, &error), &error);
    assert_true(busiest(matrix, tree, slot_of) == 20);
    options.closed = fourth;
    assert_ok(tmap_mapping_lower_congestion(matrix, tree, &options, slot_of, &error), &error);
    assert_true(busiest(matrix, tree, slot_of) == 10);
    assert_true(mapping_cost(matrix, tree, slot_of) == cost);
    assert_int_equal(slot_of[1], 6);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* Random problems: never busier, hardly dearer, and often less busy; the same twice. */
static void the_busiest_link_is_never_busier(void **state)
{
    (void)state;
    static const char *const trees[] = {"torus:4x4 core:2",     "torus:4x4",
                                        "mesh:3x3x3",           "dragonfly:4x3",
                                        "node:2 ring:7 core:2", "node:4 core:4"};
    struct tmap_random random;
    struct tmap_error error;
    int lower = 0;
    tmap_random_init(&random, 7);
    for (int i = 0; i < rounds(60); i++) {
        struct tmap_tree *tree = make_tree(trees[i % 6]);
        int32_t slots = tmap_tree_slots(tree), first[32], then[32], again[32];
        int32_t roles = i % 4 ? slots : slots - 2;
        struct tmap_matrix *matrix =
            (i / 6 % 2 ? random_directed_matrix : random_matrix)(&random, roles, 3 * roles, 10);
        struct tmap_options options;
        tmap_options_init(&options, sizeof options);
        options.method = "greedy";
        assert_ok(tmap_mapping_find(matrix, tree, &options, first, &error), &error);
        options.objective = TMAP_OBJECTIVE_CONGESTION;
        assert_ok(tmap_mapping_find(matrix, tree, &options, then, &error), &error);
        assert_ok(tmap_mapping_find(matrix, tree, &options, again, &error), &error);
        assert_memory_equal(then, again, (size_t)roles * sizeof *then);
        assert_true(tmap_mapping_is_valid(tree, roles, then));
        double before = busiest(matrix, tree, first), after = busiest(matrix, tree, then);
        assert_true(after <= before * (1 + 1e-12));
        assert_true(mapping_cost(matrix, tree, then) <=
                    mapping_cost(matrix, tree, first) * 1.02 * (1 + 1e-12));
        lower += after < before * 0.999;
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
    assert_true(lower > rounds(60) / 4);
}

static void constraints_are_obeyed(void **state)
{
    (void)state;
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 8);
    for (int i = 0; i < rounds(20); i++) {
        struct tmap_tree *tree = make_tree("torus:4x4 core:2");
        struct tmap_matrix *matrix = random_matrix(&random, 24, 72, 10);
        int32_t slot_of[24], pinned[24];
        unsigned char closed[32] = {0};
        struct tmap_options options;
        tmap_options_init(&options, sizeof options);
        for (int32_t r = 0; r < 24; r++)
            pinned[r] = r % 5 == 0 ? r : -1;
        closed[1] = closed[31] = closed[17] = 1;
        options.pinned = pinned;
        options.closed = closed;
        options.objective = TMAP_OBJECTIVE_CONGESTION;
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        assert_true(tmap_mapping_is_valid(tree, 24, slot_of));
        for (int32_t r = 0; r < 24; r++) {
            assert_true(pinned[r] < 0 || slot_of[r] == pinned[r]);
            assert_int_equal(closed[slot_of[r]], 0);
        }
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    int32_t good[] = {0, 1}, bad[] = {0, 0};
    struct tmap_error error;
    struct entries entries = {NULL, 0, 0};
    struct tmap_tree *tree = make_tree("ring:4");
    struct tmap_matrix *matrix = make_matrix(2, &entries);
    struct tmap_options options;
    tmap_options_init(&options, sizeof options);
    assert_int_equal(tmap_mapping_lower_congestion(matrix, tree, NULL, bad, &error), TMAP_EINVAL);
    options.objective = (enum tmap_objective)2;
    assert_int_equal(tmap_mapping_find(matrix, tree, &options, good, &error), TMAP_EINVAL);
    options.objective = TMAP_OBJECTIVE_COST;
    options.reserved_too = 1;
    assert_int_equal(tmap_mapping_find(matrix, tree, &options, good, &error), TMAP_ENOTSUP);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_that_share_a_link_are_separated),
        cmocka_unit_test(the_busiest_link_is_never_busier),
        cmocka_unit_test(constraints_are_obeyed),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
