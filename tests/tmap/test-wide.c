/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-wide.c - uniform trees with many more slots than roles: those without arrays give the same
 * answers as those with arrays, and a mapping to the large one is as good as one to a small tree.
 */
#include "test.h"
#include "treematch/model/wide.h"

enum { ROLES = 40 };

/* The same tree without and with arrays. */
static void make_both(const char *text, struct tmap_tree **bare, struct tmap_tree **filled)
{
    struct tmap_error error;
    int32_t arity[TMAP_MAX_LEVELS];
    assert_ok(tmap_tree_parse(bare, text, &error), &error);
    assert_null((*bare)->capacity);
    for (int l = 0; l < (*bare)->depth; l++)
        arity[l] = tmap_uniform_arity(*bare, l);
    assert_ok(tmap_tree_create_filled(filled, (*bare)->depth, arity, (*bare)->level, &error),
              &error);
    assert_non_null((*filled)->capacity);
}

/* Different slots, some of them near to each other. */
static void draw_mapping(struct tmap_random *random, const struct tmap_tree *tree, int32_t *slot_of)
{
    do {
        for (int32_t role = 0; role < ROLES; role++) {
            uint32_t slots = (uint32_t)tmap_tree_slots(tree);
            slot_of[role] = (int32_t)tmap_random_below(random, role % 2 ? slots : 200);
        }
    } while (!tmap_mapping_is_valid(tree, ROLES, slot_of));
}

static const char *const trees[] = {"node:300000 core:4", "1200 2 1 3 2 100", "1100000",
                                    "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2", "1 1 1048577 1"};
enum { TREES = sizeof trees / sizeof *trees };

static void trees_without_arrays_answer_like_others(void **state)
{
    struct tmap_random random;
    int32_t slot_of[ROLES];
    (void)state;
    tmap_random_init(&random, 5);
    for (int t = 0; t < TREES; t++) {
        struct tmap_tree *bare, *filled;
        make_both(trees[t], &bare, &filled);
        assert_true(tmap_tree_is_uniform(bare));
        assert_int_equal(tmap_tree_capacity(bare), tmap_tree_capacity(filled));
        draw_mapping(&random, bare, slot_of);
        for (int32_t i = 0; i < ROLES; i++) {
            int32_t a = slot_of[i], b = slot_of[(i * 7 + 1) % ROLES];
            assert_int_equal(tmap_tree_slot_capacity(bare, a), 1);
            assert_int_equal(tmap_tree_common_level(bare, a, b),
                             tmap_tree_common_level(filled, a, b));
            assert_true(tmap_tree_distance(bare, a, b) == tmap_tree_distance(filled, a, b));
            for (int l = 0; l <= tmap_tree_depth(bare); l++) {
                assert_int_equal(tmap_tree_objects(bare, l), tmap_tree_objects(filled, l));
                assert_int_equal(tmap_tree_ancestor(bare, a, l), tmap_tree_ancestor(filled, a, l));
            }
        }
        slot_of[1] = slot_of[2];
        assert_false(tmap_mapping_is_valid(bare, ROLES, slot_of));
        slot_of[1] = tmap_tree_slots(bare);
        assert_false(tmap_mapping_is_valid(bare, ROLES, slot_of));
        tmap_tree_destroy(bare);
        tmap_tree_destroy(filled);
    }
}

static void costs_are_the_same(void **state)
{
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 6);
    for (int t = 0; t < TREES; t++) {
        struct tmap_tree *bare, *filled, *priced;
        struct tmap_cost one, other;
        int32_t slot_of[ROLES];
        double costs[TMAP_MAX_LEVELS];
        struct tmap_matrix *matrix = random_matrix(&random, ROLES, 200, 20);
        make_both(trees[t], &bare, &filled);
        draw_mapping(&random, bare, slot_of);
        assert_ok(tmap_mapping_evaluate(matrix, bare, slot_of, &one, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, filled, slot_of, &other, &error), &error);
        assert_memory_equal(&one, &other, sizeof one);
        for (int l = 0; l < bare->depth; l++)
            costs[l] = 2 * bare->level[l].cost;
        assert_ok(tmap_tree_copy_with_costs(&priced, bare, costs, bare->depth, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, priced, slot_of, &other, &error), &error);
        assert_true(other.cost == 2 * one.cost);
        tmap_tree_destroy(priced);
        tmap_tree_destroy(bare);
        tmap_tree_destroy(filled);
        tmap_matrix_destroy(matrix);
    }
}

/* A role comes to its slot, and nothing else changes but by trades of equal parts. */
static void a_role_can_be_kept_anywhere(void **state)
{
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 7);
    for (int t = 0; t < TREES; t++) {
        struct tmap_tree *bare, *filled;
        struct tmap_cost before, after;
        int32_t slot_of[ROLES];
        int kept = 0;
        struct tmap_matrix *matrix = random_matrix(&random, ROLES, 200, 20);
        make_both(trees[t], &bare, &filled);
        draw_mapping(&random, bare, slot_of);
        for (int round = 0; round < 20; round++) {
            int32_t slot = (int32_t)tmap_random_below(
                &random, (uint32_t)(round % 2 ? 200 : bare->count[bare->depth]));
            assert_ok(tmap_mapping_evaluate(matrix, bare, slot_of, &before, &error), &error);
            assert_ok(tmap_mapping_keep_role(matrix, bare, round, slot, slot_of, &kept, &error),
                      &error);
            assert_ok(tmap_mapping_evaluate(matrix, bare, slot_of, &after, &error), &error);
            assert_true(kept && slot_of[round] == slot);
            assert_memory_equal(&before, &after, sizeof before);
        }
        tmap_tree_destroy(bare);
        tmap_tree_destroy(filled);
        tmap_matrix_destroy(matrix);
    }
}

/* As good as on a tree that is just large enough not to be narrowed. */
static void methods_map_them(void **state)
{
    static const char *const pairs[][2] = {
        {"300000 4", "40 4"},
        {"1000 1000 8", "40 40 2"},
        {"2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2", "2 2 2 2 2 2 2 2"},
        {"1100000", "40"}};
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 8);
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        struct tmap_tree *large, *small;
        const char *name;
        struct tmap_matrix *matrix = random_matrix(&random, ROLES, 120, 20);
        int32_t slot_of[ROLES];
        assert_ok(tmap_tree_parse(&large, pairs[p][0], &error), &error);
        assert_ok(tmap_tree_parse(&small, pairs[p][1], &error), &error);
        for (int m = 0; tmap_method_describe(m, &name, NULL); m++) {
            struct tmap_options options;
            struct tmap_cost on_large, on_small;
            tmap_options_init(&options, sizeof options);
            options.method = name;
            assert_ok(tmap_mapping_find(matrix, large, &options, slot_of, &error), &error);
            assert_ok(tmap_mapping_evaluate(matrix, large, slot_of, &on_large, &error), &error);
            if (strcmp(name, "multilevel") != 0 || p == 1)
                continue;
            assert_ok(tmap_mapping_find(matrix, small, &options, slot_of, &error), &error);
            assert_ok(tmap_mapping_evaluate(matrix, small, slot_of, &on_small, &error), &error);
            if (on_large.cost > 1.01 * on_small.cost)
                fail_msg("%s: %g, on %s: %g", pairs[p][0], on_large.cost, pairs[p][1],
                         on_small.cost);
        }
        tmap_tree_destroy(large);
        tmap_tree_destroy(small);
        tmap_matrix_destroy(matrix);
    }
}

static void parts_of_them_are_mapped(void **state)
{
    struct tmap_random random;
    struct tmap_error error;
    struct tmap_tree *tree;
    struct tmap_cost before, after;
    int32_t slot_of[ROLES];
    (void)state;
    tmap_random_init(&random, 9);
    struct tmap_matrix *matrix = random_matrix(&random, ROLES, 120, 20);
    assert_ok(tmap_tree_parse(&tree, "3 600000 4", &error), &error);
    for (int32_t role = 0; role < ROLES; role++)
        slot_of[role] = 2400000 + role * 9;
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &before, &error), &error);
    assert_ok(tmap_mapping_improve_below(matrix, tree, 1, 1, NULL, slot_of, &error), &error);
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &after, &error), &error);
    assert_true(after.cost < before.cost);
    for (int32_t role = 0; role < ROLES; role++)
        assert_int_equal(tmap_tree_ancestor(tree, slot_of[role], 1), 1);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
}

static void what_is_not_possible_is_said(void **state)
{
    static const int32_t arity[] = {100, 100, 100, 100};
    struct entries entries = {NULL, 0, 0};
    struct tmap_error error;
    struct tmap_tree *tree;
    struct tmap_options options;
    int32_t pinned[200], slot_of[200];
    (void)state;
    tmap_options_init(&options, sizeof options);
    memset(pinned, 0xff, sizeof pinned);
    struct tmap_matrix *matrix = make_matrix(200, &entries);
    assert_ok(tmap_tree_create_uniform(&tree, 4, arity, NULL, &error), &error);
    assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
    options.pinned = pinned;
    assert_int_equal(tmap_mapping_find(matrix, tree, &options, slot_of, &error), TMAP_ENOTSUP);
    tmap_tree_destroy(tree);
    assert_ok(tmap_tree_create_uniform(&tree, 3, arity, NULL, &error), &error);
    assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_without_arrays_answer_like_others),
        cmocka_unit_test(costs_are_the_same),
        cmocka_unit_test(a_role_can_be_kept_anywhere),
        cmocka_unit_test(methods_map_them),
        cmocka_unit_test(parts_of_them_are_mapped),
        cmocka_unit_test(what_is_not_possible_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
