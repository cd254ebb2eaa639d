/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-objects.c - matrices, trees, places, costs, permutations, and keeping a role.
 */
#include "test.h"

#include <float.h>
#include <math.h>

/* ---- Matrix ---- */

static void a_pair_is_the_sum_of_both_directions(void **state)
{
    static const struct tmap_entry entries[] = {{2, 0, 5}, {0, 2, 7}, {1, 1, 9},
                                                {2, 1, 0}, {0, 2, 1}, {3, 0, 2}};
    size_t at = 0;
    int32_t partner = -1;
    uint64_t weight = 0;
    struct tmap_matrix *matrix = NULL;
    struct tmap_error error;
    (void)state;
    assert_ok(tmap_matrix_create(&matrix, 4, entries, 6, &error), &error);
    assert_int_equal(tmap_matrix_roles(matrix), 4);
    assert_int_equal(tmap_matrix_pairs(matrix), 2);
    assert_int_equal(tmap_matrix_total(matrix), 15);
    assert_int_equal(tmap_matrix_partners(matrix, 0), 2);
    assert_true(tmap_matrix_next(matrix, 0, &at, &partner, &weight));
    assert_int_equal(partner, 2);
    assert_int_equal(weight, 13);
    assert_true(tmap_matrix_next(matrix, 0, &at, &partner, &weight));
    assert_int_equal(partner, 3);
    assert_int_equal(weight, 2);
    assert_false(tmap_matrix_next(matrix, 0, &at, &partner, &weight));
    assert_false(tmap_matrix_next(matrix, 0, &at, &partner, &weight));
    assert_int_equal(tmap_matrix_partners(matrix, 1), 0);
    tmap_matrix_destroy(matrix);
}

static void bad_matrices_are_refused(void **state)
{
    static const uint64_t half = UINT64_C(1) << 61;
    static const struct {
        int32_t roles;
        struct tmap_entry entries[2];
        enum tmap_status status;
    } cases[] = {{-1, {{0, 0, 0}, {0, 0, 0}}, TMAP_EINVAL},
                 {2, {{0, 2, 1}, {0, 1, 1}}, TMAP_EINVAL},
                 {2, {{-1, 0, 1}, {0, 1, 1}}, TMAP_EINVAL},
                 {3, {{0, 1, half}, {0, 2, half}}, TMAP_EOVERFLOW},
                 {3, {{0, 1, UINT64_MAX}, {0, 2, UINT64_MAX}}, TMAP_EOVERFLOW},
                 {3, {{0, 1, half}, {0, 2, half - 1}}, TMAP_OK}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_matrix *matrix = NULL;
        struct tmap_error error;
        enum tmap_status status =
            tmap_matrix_create(&matrix, cases[i].roles, cases[i].entries, 2, &error);
        assert_int_equal(status, cases[i].status);
        assert_int_equal(matrix != NULL, status == TMAP_OK);
        tmap_matrix_destroy(matrix);
    }
}

static void random_matrices_are_symmetric_and_sorted(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 3);
    for (int round = 0; round < 50; round++) {
        enum { N = 20 };
        uint64_t expected[N][N] = {{0}}, total = 0;
        struct entries entries = {NULL, 0, 0};
        for (int i = 0; i < round * 8; i++) {
            uint32_t a = tmap_random_below(&random, N), b = tmap_random_below(&random, N);
            uint64_t weight = tmap_random_below(&random, 4);
            add_entry(&entries, (int32_t)a, (int32_t)b, weight);
            if (a != b) {
                expected[a][b] += weight;
                expected[b][a] += weight;
                total += weight;
            }
        }
        struct tmap_matrix *matrix = make_matrix(N, &entries);
        for (int32_t i = 0; i < N; i++) {
            int32_t partner = -1, before = -1;
            uint64_t weight = 0;
            for (size_t at = 0; tmap_matrix_next(matrix, i, &at, &partner, &weight);) {
                assert_int_equal(weight, expected[i][partner]);
                assert_true(weight > 0 && before < partner);
                before = partner;
                expected[i][partner] = 0;
            }
            for (int32_t j = 0; j < N; j++)
                assert_int_equal(expected[i][j], 0);
        }
        assert_int_equal(tmap_matrix_total(matrix), total);
        tmap_matrix_destroy(matrix);
    }
}

/* ---- Trees ---- */

static void a_uniform_tree_knows_its_levels(void **state)
{
    struct tmap_tree *tree = make_tree("2 3 2");
    (void)state;
    assert_int_equal(tmap_tree_depth(tree), 3);
    assert_int_equal(tmap_tree_slots(tree), 12);
    assert_int_equal(tmap_tree_capacity(tree), 12);
    assert_true(tmap_tree_is_uniform(tree));
    assert_int_equal(tmap_tree_objects(tree, 0), 1);
    assert_int_equal(tmap_tree_objects(tree, 2), 6);
    assert_int_equal(tmap_tree_objects(tree, 3), 12);
    assert_int_equal(tmap_tree_ancestor(tree, 7, 0), 0);
    assert_int_equal(tmap_tree_ancestor(tree, 7, 1), 1);
    assert_int_equal(tmap_tree_ancestor(tree, 7, 2), 3);
    assert_int_equal(tmap_tree_ancestor(tree, 7, 3), 7);
    assert_int_equal(tmap_tree_common_level(tree, 0, 11), 0);
    assert_int_equal(tmap_tree_common_level(tree, 0, 2), 1);
    assert_int_equal(tmap_tree_common_level(tree, 0, 1), 2);
    assert_int_equal(tmap_tree_common_level(tree, 5, 5), 3);
    assert_true(tmap_tree_distance(tree, 0, 11) == 6);
    assert_true(tmap_tree_distance(tree, 0, 1) == 2);
    assert_true(tmap_tree_distance(tree, 4, 4) == 0);
    assert_string_equal(tmap_tree_level(tree, 0)->name, "level1");
    tmap_tree_destroy(tree);
}

static void texts_make_trees_or_name_the_bad_word(void **state)
{
    static const struct {
        const char *text;
        enum tmap_status status;
        int32_t slots;
        double root_cost, leaf_cost;
        const char *message;
    } cases[] = {
        {"4 4 3 2", TMAP_OK, 96, 8, 2, NULL},
        {" 4,4 ,3\t2\n", TMAP_OK, 96, 8, 2, NULL},
        {"node:4 package:2 core:8", TMAP_OK, 64, 400, 8, NULL},
        {"switch:2 node:4 core:8", TMAP_OK, 64, 400, 10, NULL},
        {"switch:2 switch:3 node:4", TMAP_OK, 24, 400, 200, NULL},
        {"switch:2 switch:4", TMAP_OK, 8, 400, 300, NULL},
        {"pack:2 l3:2 core:4 pu:2", TMAP_OK, 32, 10, 2, NULL},
        {"blade:2 drawer:3", TMAP_OK, 6, 4, 2, NULL},
        {"", TMAP_ESYNTAX, 0, 0, 0, "no levels"},
        {"4 x 2", TMAP_ESYNTAX, 0, 0, 0, "'x'"},
        {"4 0", TMAP_ESYNTAX, 0, 0, 0, "'0'"},
        {"4 -2", TMAP_ESYNTAX, 0, 0, 0, "'-2'"},
        {"node:4 8", TMAP_ESYNTAX, 0, 0, 0, "'8'"},
        {"4 core:8", TMAP_ESYNTAX, 0, 0, 0, "'core:8'"},
        {"node:", TMAP_ESYNTAX, 0, 0, 0, "'node:'"},
        {"node:4:4", TMAP_ESYNTAX, 0, 0, 0, "'node:4:4'"},
        {":4", TMAP_ESYNTAX, 0, 0, 0, "':4'"},
        {"99999999999", TMAP_EOVERFLOW, 0, 0, 0, "'99999999999'"},
        {"65536 65536", TMAP_EOVERFLOW, 0, 0, 0, "2^31"},
        {"a_name_that_is_longer_than_any_name_may_be:2", TMAP_ESYNTAX, 0, 0, 0, "too long"},
        {"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", TMAP_ESYNTAX, 0, 0, 0,
         "more than 32"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_tree *tree = NULL;
        struct tmap_error error = {""};
        enum tmap_status status = tmap_tree_parse(&tree, cases[i].text, &error);
        if (status != cases[i].status)
            fail_msg("'%s': %s", cases[i].text, error.text);
        if (status == TMAP_OK) {
            int32_t last = tmap_tree_slots(tree) - 1;
            assert_int_equal(last + 1, cases[i].slots);
            assert_true(tmap_tree_distance(tree, 0, last) == cases[i].root_cost);
            assert_true(tmap_tree_distance(tree, 0, 1) == cases[i].leaf_cost);
        } else if (!strstr(error.text, cases[i].message)) {
            fail_msg("'%s' gives '%s', without %s", cases[i].text, error.text, cases[i].message);
        }
        tmap_tree_destroy(tree);
    }
}

static void paths_make_unbalanced_trees(void **state)
{
    /* Two nodes: 7 with packages of 2 and 1 cores, 3 with one package of one core. */
    static const int32_t path[4 * 3] = {7, 1, 5, 3, 9, 9, 7, 0, 1, 7, 0, 0};
    static const int32_t capacity[4] = {1, 3, 0, 2}, expected[4] = {3, 0, 2, 1};
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    int32_t slot_of[4];
    (void)state;
    assert_ok(tmap_tree_create_from_paths(&tree, 4, 3, path, capacity, NULL, slot_of, &error),
              &error);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(slot_of[i], expected[i]);
        assert_int_equal(tmap_tree_slot_capacity(tree, slot_of[i]), capacity[i]);
    }
    assert_false(tmap_tree_is_uniform(tree));
    assert_int_equal(tmap_tree_capacity(tree), 6);
    assert_int_equal(tmap_tree_objects(tree, 1), 2);
    assert_int_equal(tmap_tree_objects(tree, 2), 3);
    assert_int_equal(tmap_tree_common_level(tree, 1, 2), 2);
    assert_int_equal(tmap_tree_common_level(tree, 1, 3), 1);
    assert_int_equal(tmap_tree_common_level(tree, 0, 3), 0);
    tmap_tree_destroy(tree);
}

static void bad_trees_are_refused(void **state)
{
    static const int32_t twice[4] = {1, 2, 1, 2}, arity[2] = {2, 0}, negative[2] = {1, -1};
    static const int32_t path[4] = {1, 2, 1, 3};
    struct tmap_level levels[2] = {{.name = "node", .cost = NAN}, {.name = "core", .cost = 1}};
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    (void)state;
    assert_int_equal(tmap_tree_create_uniform(&tree, 2, arity, NULL, &error), TMAP_EINVAL);
    assert_int_equal(tmap_tree_create_uniform(&tree, 0, arity, NULL, &error), TMAP_EINVAL);
    assert_int_equal(tmap_tree_create_uniform(&tree, 33, arity, NULL, &error), TMAP_EINVAL);
    assert_int_equal(tmap_tree_create_uniform(&tree, 1, arity, levels, &error), TMAP_EINVAL);
    levels[0].cost = -1;
    assert_int_equal(tmap_tree_create_uniform(&tree, 1, arity, levels, &error), TMAP_EINVAL);
    assert_int_equal(tmap_tree_create_from_paths(&tree, 2, 2, twice, NULL, NULL, NULL, &error),
                     TMAP_EINVAL);
    assert_int_equal(tmap_tree_create_from_paths(&tree, 2, 2, path, negative, NULL, NULL, NULL),
                     TMAP_EINVAL);
    assert_int_equal(tmap_tree_create_from_paths(&tree, 0, 2, path, NULL, NULL, NULL, &error),
                     TMAP_EINVAL);
    assert_null(tree);
}

static void a_tree_is_copied_with_other_costs(void **state)
{
    static const double costs[2] = {100, 1}, bad[2] = {1, INFINITY};
    struct tmap_tree *tree = make_tree("2 3"), *copy = NULL;
    struct tmap_error error;
    (void)state;
    assert_int_equal(tmap_tree_copy_with_costs(&copy, tree, costs, 1, &error), TMAP_EINVAL);
    assert_int_equal(tmap_tree_copy_with_costs(&copy, tree, bad, 2, &error), TMAP_EINVAL);
    assert_null(copy);
    assert_ok(tmap_tree_copy_with_costs(&copy, tree, costs, 2, &error), &error);
    assert_true(tmap_tree_distance(copy, 0, 5) == 100);
    assert_true(tmap_tree_distance(copy, 3, 5) == 1);
    assert_true(tmap_tree_is_uniform(copy));
    tmap_tree_destroy(tree);
    tmap_tree_destroy(copy);
}

/* A core inside of a package and a package inside of a core: the outer level costs as much. */
static void default_costs_of_any_order_are_raised(void **state)
{
    struct tmap_tree *tree = make_tree("core:2 package:2 node:2");
    (void)state;
    assert_true(tmap_tree_level(tree, 2)->cost == tmap_level_default_cost("package"));
    assert_true(tmap_tree_level(tree, 1)->cost == tmap_tree_level(tree, 2)->cost);
    tmap_tree_destroy(tree);
}

static void default_costs_fall_from_the_outside_in(void **state)
{
    static const char *const kinds[] = {"machine", "switch", "node", "package", "numa",
                                        "l3",      "l2",     "core", "pu"};
    (void)state;
    for (size_t i = 1; i < sizeof kinds / sizeof *kinds; i++)
        assert_true(tmap_level_default_cost(kinds[i - 1]) > tmap_level_default_cost(kinds[i]));
    assert_true(tmap_level_default_cost("switch") > 10 * tmap_level_default_cost("node"));
    assert_true(tmap_level_default_cost("ladder") == -1);
}

/* ---- Places ---- */

static struct tmap_place place(int package, int numa, int l3, int l2, int core, int pu)
{
    return (struct tmap_place){{package, numa, l3, l2, core, pu}};
}

static void levels_that_do_not_branch_are_left_out(void **state)
{
    /* Two nodes of two packages; in each one L3 and two processes on cores of their own. */
    static const int32_t node_of[8] = {5, 9, 5, 9, 5, 9, 5, 9};
    struct tmap_place places[8];
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    int32_t slot_of[8];
    (void)state;
    for (int p = 0; p < 8; p++) {
        int core = p / 2;
        places[p] = place(core / 2, -1, core / 2, core, core, core);
    }
    assert_ok(tmap_tree_create_from_places(&tree, 8, node_of, places, slot_of, &error), &error);
    assert_int_equal(tmap_tree_depth(tree), 3);
    assert_string_equal(tmap_tree_level(tree, 0)->name, "node");
    assert_string_equal(tmap_tree_level(tree, 1)->name, "package");
    assert_string_equal(tmap_tree_level(tree, 2)->name, "process");
    assert_true(tmap_tree_distance(tree, slot_of[0], slot_of[1]) ==
                tmap_level_default_cost("machine"));
    assert_true(tmap_tree_distance(tree, slot_of[0], slot_of[4]) ==
                tmap_level_default_cost("node"));
    assert_true(tmap_tree_distance(tree, slot_of[0], slot_of[2]) == tmap_level_default_cost("l3"));
    assert_int_equal(slot_of[0], 0);
    assert_int_equal(slot_of[2], 1);
    assert_int_equal(slot_of[1], 4);
    tmap_tree_destroy(tree);
}

static void processes_that_roam_part_where_knowledge_ends(void **state)
{
    static const int32_t node_of[5] = {0, 0, 0, 0, 0};
    struct tmap_place places[5] = {place(0, 0, 0, 0, 0, 0), place(0, 0, 0, 0, 0, 1),
                                   place(0, 0, 0, -1, -1, -1), place(0, 0, 0, -1, -1, -1),
                                   place(-1, -1, -1, -1, -1, -1)};
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    int32_t s[5];
    (void)state;
    assert_ok(tmap_tree_create_from_places(&tree, 5, node_of, places, s, &error), &error);
    assert_true(tmap_tree_distance(tree, s[0], s[1]) == tmap_level_default_cost("core"));
    assert_true(tmap_tree_distance(tree, s[0], s[2]) == tmap_level_default_cost("l3"));
    assert_true(tmap_tree_distance(tree, s[2], s[3]) == tmap_level_default_cost("l3"));
    assert_true(tmap_tree_distance(tree, s[0], s[4]) == tmap_level_default_cost("node"));
    assert_true(tmap_tree_distance(tree, s[3], s[4]) == tmap_level_default_cost("node"));
    tmap_tree_destroy(tree);
}

static void jobs_without_places_still_have_nodes(void **state)
{
    static const int32_t node_of[4] = {1, 1, 0, 1};
    struct tmap_place nowhere[4];
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    int32_t s[4];
    (void)state;
    memset(nowhere, 0xff, sizeof nowhere);
    assert_ok(tmap_tree_create_from_places(&tree, 4, node_of, nowhere, s, &error), &error);
    assert_int_equal(tmap_tree_depth(tree), 2);
    assert_string_equal(tmap_tree_level(tree, 1)->name, "process");
    assert_true(tmap_tree_distance(tree, s[0], s[1]) == tmap_level_default_cost("node"));
    assert_true(tmap_tree_distance(tree, s[0], s[2]) == tmap_level_default_cost("machine"));
    assert_int_equal(s[0], 0);
    assert_int_equal(s[2], 3);
    tmap_tree_destroy(tree);
    tree = NULL;
    assert_ok(tmap_tree_create_from_places(&tree, 1, node_of, nowhere, s, &error), &error);
    assert_int_equal(tmap_tree_depth(tree), 1);
    assert_int_equal(tmap_tree_slots(tree), 1);
    tmap_tree_destroy(tree);
    assert_int_equal(tmap_tree_create_from_places(&tree, 0, node_of, nowhere, s, &error),
                     TMAP_EINVAL);
}

/* Three levels of switches over five nodes with two processes each; the outermost is one, the
 * others are a row of the innermost below the one between. Nodes are numbered across. */
static void switches_are_levels_above_the_nodes(void **state)
{
    static const int32_t node_of[10] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
    static const int32_t switches[15] = {7, 1, 2, 7, 0, 1, 7, 1, 2, 7, 0, 1, 7, 1, 9};
    struct tmap_place nowhere[10];
    const struct tmap_job job = {.size = sizeof job,
                                 .processes = 10,
                                 .node_of = node_of,
                                 .places = nowhere,
                                 .switch_levels = 3,
                                 .switches = switches,
                                 .nodes = 5};
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    int32_t s[10];
    (void)state;
    memset(nowhere, 0xff, sizeof nowhere);
    assert_ok(tmap_tree_create_from_job(&tree, &job, s, &error), &error);
    assert_int_equal(tmap_tree_depth(tree), 4);
    assert_string_equal(tmap_tree_level(tree, 0)->name, "switch");
    assert_string_equal(tmap_tree_level(tree, 1)->name, "switch");
    assert_string_equal(tmap_tree_level(tree, 2)->name, "node");
    assert_string_equal(tmap_tree_level(tree, 3)->name, "process");
    assert_int_equal(s[1], 0); /* below the first switch */
    assert_int_equal(tmap_tree_objects(tree, 2), 3);
    assert_true(tmap_tree_distance(tree, s[0], s[5]) == tmap_level_default_cost("node"));
    assert_true(tmap_tree_distance(tree, s[0], s[2]) == tmap_level_default_cost("switch"));
    assert_true(tmap_tree_distance(tree, s[1], s[3]) == tmap_level_default_cost("switch"));
    double between = tmap_tree_distance(tree, s[0], s[4]),
           outer = tmap_tree_distance(tree, s[0], s[1]);
    assert_true(between > tmap_level_default_cost("switch") && outer > between);
    assert_true(outer < tmap_level_default_cost("machine")); /* one switch is above all */
    tmap_tree_destroy(tree);
}

static void switches_that_hold_one_node_are_nodes(void **state)
{
    static const int32_t node_of[4] = {0, 1, 0, 1}, switches[2] = {3, 2};
    struct tmap_place nowhere[4];
    struct tmap_job job = {.size = sizeof job,
                           .processes = 4,
                           .node_of = node_of,
                           .places = nowhere,
                           .switch_levels = 1,
                           .switches = switches,
                           .nodes = 2};
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    int32_t s[4];
    (void)state;
    memset(nowhere, 0xff, sizeof nowhere);
    assert_ok(tmap_tree_create_from_job(&tree, &job, s, &error), &error);
    assert_int_equal(tmap_tree_depth(tree), 2);
    assert_string_equal(tmap_tree_level(tree, 0)->name, "node");
    assert_true(tmap_tree_distance(tree, s[0], s[1]) == tmap_level_default_cost("machine"));
    tmap_tree_destroy(tree);
    tree = NULL;
    job.nodes = 1;
    assert_int_equal(tmap_tree_create_from_job(&tree, &job, s, &error), TMAP_EINVAL);
    assert_string_equal(error.text, "process 1 is on node 1 of 1");
    job.switch_levels = TMAP_SWITCH_LEVELS + 1;
    assert_int_equal(tmap_tree_create_from_job(&tree, &job, s, &error), TMAP_EINVAL);
    assert_null(tree);
}

/* ---- Cost ---- */

static void cost_is_added_up_by_level(void **state)
{
    static const struct tmap_entry entries[] = {{0, 1, 100}, {0, 2, 10}, {3, 0, 1}, {1, 2, 5}};
    static const int32_t slot_of[4] = {0, 1, 2, 7}, twice[4] = {0, 0, 2, 7},
                         outside[4] = {0, 1, 2, 8};
    struct tmap_tree *tree = make_tree("2 2 2");
    struct tmap_matrix *matrix = NULL;
    struct tmap_error error;
    struct tmap_cost cost;
    (void)state;
    assert_ok(tmap_matrix_create(&matrix, 4, entries, 4, &error), &error);
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
    assert_int_equal(cost.weight_at[0], 1);
    assert_int_equal(cost.weight_at[1], 15);
    assert_int_equal(cost.weight_at[2], 100);
    assert_int_equal(cost.pairs_at[1], 2);
    assert_int_equal(cost.hops, 6 + 15 * 4 + 200);
    assert_true(cost.cost == 6 + 15 * 4 + 200);
    assert_int_equal(tmap_mapping_evaluate(matrix, tree, twice, &cost, &error), TMAP_EINVAL);
    assert_int_equal(tmap_mapping_evaluate(matrix, tree, outside, &cost, &error), TMAP_EINVAL);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

static void hops_stay_at_their_maximum(void **state)
{
    static const struct tmap_entry entries[] = {{0, 1, (UINT64_C(1) << 62) - 1}};
    static const int32_t slot_of[2] = {0, 7};
    struct tmap_tree *tree = make_tree("2 2 2");
    struct tmap_matrix *matrix = NULL;
    struct tmap_error error;
    struct tmap_cost cost;
    (void)state;
    assert_ok(tmap_matrix_create(&matrix, 2, entries, 1, &error), &error);
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
    assert_true(cost.hops == UINT64_MAX);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* ---- Permutations ---- */

static void permutations_are_recognized_and_inverted(void **state)
{
    static const struct {
        int count;
        int32_t image_of[4];
        int valid;
    } cases[] = {{0, {0}, 1},          {1, {0}, 1},          {4, {2, 0, 3, 1}, 1},
                 {4, {2, 0, 2, 1}, 0}, {4, {4, 0, 2, 1}, 0}, {4, {-1, 0, 2, 1}, 0},
                 {2, {1, 1}, 0},       {1, {INT32_MIN}, 0}};
    static int32_t large[100000], inverse[100000];
    struct tmap_random random;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(tmap_permutation_is_valid(cases[i].image_of, cases[i].count),
                         cases[i].valid);
    tmap_random_init(&random, 8);
    for (int32_t i = 0; i < 100000; i++)
        large[i] = i;
    tmap_random_shuffle(&random, large, 100000);
    assert_true(tmap_permutation_is_valid(large, 100000));
    tmap_permutation_invert(large, inverse, 100000);
    for (int32_t i = 0; i < 100000; i++)
        assert_int_equal(inverse[large[i]], i);
    large[99999] = large[0];
    assert_false(tmap_permutation_is_valid(large, 100000));
}

/* ---- Keeping a role ---- */

static void on_a_uniform_tree_any_role_can_be_kept_anywhere_for_nothing(void **state)
{
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 2);
    for (int round = 0; round < 200; round++) {
        struct tmap_tree *tree = make_tree(round % 2 ? "2 3 2 2" : "3 4 2");
        struct tmap_matrix *matrix = random_matrix(&random, 20, 60, 6);
        struct tmap_options options = {.size = sizeof options,
                                       .method = "random",
                                       .effort = TMAP_EFFORT_DEFAULT,
                                       .seed = (uint64_t)round};
        int32_t slot_of[20], kept = 0;
        struct tmap_cost before, after;
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &before, &error), &error);
        int32_t role = (int32_t)tmap_random_below(&random, 20);
        int32_t slot = (int32_t)tmap_random_below(&random, (uint32_t)tmap_tree_slots(tree));
        assert_ok(tmap_mapping_keep_role(matrix, tree, role, slot, slot_of, &kept, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &after, &error), &error);
        assert_true(kept);
        assert_int_equal(slot_of[role], slot);
        assert_memory_equal(&before, &after, sizeof before);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static void elsewhere_keeping_never_makes_a_mapping_dearer(void **state)
{
    struct tmap_random random;
    struct tmap_error error;
    int kept_rounds = 0;
    (void)state;
    tmap_random_init(&random, 4);
    for (int round = 0; round < 400; round++) {
        struct tmap_tree *tree = random_tree(&random, 3, 4, 2);
        int32_t slot_of[200], kept = 0;
        int32_t roles = (int32_t)tmap_random_below(&random, 1 + (uint32_t)tmap_tree_capacity(tree));
        struct tmap_matrix *matrix = random_matrix(&random, roles, 4 * roles, 6);
        struct tmap_options options = {.size = sizeof options,
                                       .method = "random",
                                       .effort = TMAP_EFFORT_DEFAULT,
                                       .seed = (uint64_t)round};
        struct tmap_cost before, after;
        int32_t role = (int32_t)tmap_random_below(&random, (uint32_t)roles + 1);
        int32_t slot = (int32_t)tmap_random_below(&random, (uint32_t)tmap_tree_slots(tree) + 1);
        int exists = role < roles && slot < tmap_tree_slots(tree);
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &before, &error), &error);
        assert_int_equal(tmap_mapping_keep_role(matrix, tree, role, slot, slot_of, &kept, &error),
                         exists ? TMAP_OK : TMAP_EINVAL);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &after, &error), &error);
        assert_true(after.cost <= before.cost);
        assert_true(!kept || slot_of[role] == slot);
        kept_rounds += kept;
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
    assert_true(kept_rounds > 40);
}

static void statuses_have_texts(void **state)
{
    (void)state;
    assert_string_equal(tmap_status_text(TMAP_OK), "success");
    for (int status = 0; status < TMAP_ETOPOLOGY + 1; status++)
        assert_true(strlen(tmap_status_text((enum tmap_status)status)) > 0);
    assert_string_equal(tmap_status_text((enum tmap_status)1000), "unknown status");
    assert_string_equal(tmap_place_level_name(TMAP_PLACE_L3), "l3");
}

static void an_error_is_one_line_whatever_was_given(void **state)
{
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    (void)state;
    assert_int_equal(tmap_tree_parse(&tree, "2\n::\033[2J", &error), TMAP_ESYNTAX);
    for (const char *c = error.text; *c; c++)
        assert_true(*c >= ' ');
    assert_true(strlen(error.text) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_one_line_whatever_was_given),
        cmocka_unit_test(a_pair_is_the_sum_of_both_directions),
        cmocka_unit_test(bad_matrices_are_refused),
        cmocka_unit_test(random_matrices_are_symmetric_and_sorted),
        cmocka_unit_test(a_uniform_tree_knows_its_levels),
        cmocka_unit_test(texts_make_trees_or_name_the_bad_word),
        cmocka_unit_test(paths_make_unbalanced_trees),
        cmocka_unit_test(bad_trees_are_refused),
        cmocka_unit_test(a_tree_is_copied_with_other_costs),
        cmocka_unit_test(default_costs_of_any_order_are_raised),
        cmocka_unit_test(default_costs_fall_from_the_outside_in),
        cmocka_unit_test(levels_that_do_not_branch_are_left_out),
        cmocka_unit_test(processes_that_roam_part_where_knowledge_ends),
        cmocka_unit_test(jobs_without_places_still_have_nodes),
        cmocka_unit_test(switches_are_levels_above_the_nodes),
        cmocka_unit_test(switches_that_hold_one_node_are_nodes),
        cmocka_unit_test(cost_is_added_up_by_level),
        cmocka_unit_test(hops_stay_at_their_maximum),
        cmocka_unit_test(permutations_are_recognized_and_inverted),
        cmocka_unit_test(on_a_uniform_tree_any_role_can_be_kept_anywhere_for_nothing),
        cmocka_unit_test(elsewhere_keeping_never_makes_a_mapping_dearer),
        cmocka_unit_test(statuses_have_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
