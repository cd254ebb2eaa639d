/* SPDX-License-Identifier: BSD-3-Clause */
/* test-recursive.c - the method recursive: shares in proportion, valid mappings. */
#include "test.h"

/* The machine of Bordage, Foyer and Goglin 2017 with its three hosts: n129 on one router of a torus,
 * n208 and n210 on another, 32 threads each. */
static struct tmap_tree *paper_machine(void)
{
    static const int32_t position[] = {32, 52};
    const struct tmap_shape torus = {
        .size = sizeof torus, .kind = TMAP_SHAPE_TORUS, .dimensions = 3, .extent = {4, 4, 4}};
    const struct tmap_level level[] = {{.name = "router", .cost = 1600},
                                       {.name = "node", .cost = 800},
                                       {.name = "package", .cost = 80},
                                       {.name = "pu", .cost = 10}};
    struct tmap_error error;
    struct tmap_tree *tree = NULL, *shaped = NULL;
    int32_t path[96][4];
    for (int s = 0; s < 96; s++)
        memcpy(path[s], (const int32_t[4]){s >= 32, s / 32, s / 16 % 2, s % 16}, sizeof path[s]);
    assert_ok(tmap_tree_create_from_paths(&tree, 96, 4, path[0], NULL, level, NULL, &error),
              &error);
    assert_ok(tmap_tree_copy_with_shape(&shaped, tree, 0, &torus, position, &error), &error);
    tmap_tree_destroy(tree);
    return shaped;
}

static void map(const struct tmap_matrix *matrix, const struct tmap_tree *tree, int32_t *slot_of)
{
    const struct tmap_options options = {
        .size = sizeof options, .method = "recursive", .effort = TMAP_EFFORT_DEFAULT};
    struct tmap_error error;
    assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
    assert_true(tmap_mapping_is_valid(tree, tmap_matrix_roles(matrix), slot_of));
}

/* 96 roles: 32, 32 and 32. 48: 16 on each host, though two of them could hold all. */
static void parts_get_roles_in_proportion(void **state)
{
    (void)state;
    struct tmap_tree *tree = paper_machine();
    for (int32_t roles = 48; roles <= 96; roles += 48) {
        struct entries entries = {NULL, 0, 0};
        int32_t slot_of[96], on[3] = {0};
        for (int32_t r = 0; r < roles; r++)
            add_entry(&entries, r, (r + 1) % roles, 100);
        struct tmap_matrix *matrix = make_matrix(roles, &entries);
        map(matrix, tree, slot_of);
        for (int32_t r = 0; r < roles; r++)
            on[slot_of[r] / 32]++;
        for (int host = 0; host < 3; host++)
            assert_int_equal(on[host], roles / 3);
        tmap_matrix_destroy(matrix);
    }
    tmap_tree_destroy(tree);
}

/* Shares are rounded, and no object gets more than it holds. */
static void any_tree_takes_any_number(void **state)
{
    (void)state;
    struct tmap_random random;
    tmap_random_init(&random, 5);
    for (int i = 0; i < rounds(100); i++) {
        struct tmap_tree *tree = random_tree(&random, 1 + i % 4, 5, 1 + i % 3);
        int64_t capacity = tmap_tree_capacity(tree);
        int32_t roles = (int32_t)(capacity < 100 ? capacity : 100), slot_of[100];
        if (i % 4)
            roles = (int32_t)tmap_random_below(&random, (uint32_t)roles + 1);
        struct tmap_matrix *matrix = random_matrix(&random, roles, 3 * roles, 10);
        map(matrix, tree, slot_of);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* Hierarchies that fit the machine are found. */
static void planted_parts_are_found(void **state)
{
    (void)state;
    struct tmap_tree *tree = make_tree("ring:4 node:3 core:4");
    struct entries entries = {NULL, 0, 0};
    int32_t slot_of[48];
    for (int32_t i = 0; i < 48; i++) /* 12 cliques of 4, 3 of them close, 4 times, in a ring */
        for (int32_t j = 0; j < i; j++)
            if (i % 12 == j % 12)
                add_entry(&entries, i, j, 10000);
            else if (i % 4 == j % 4)
                add_entry(&entries, i, j, 100);
    for (int32_t i = 0; i < 48; i++)
        add_entry(&entries, i, (i + 1) % 48, 1);
    struct tmap_matrix *matrix = make_matrix(48, &entries);
    map(matrix, tree, slot_of);
    for (int32_t i = 0; i < 48; i++)
        for (int32_t j = 0; j < i; j++) {
            if (i % 12 == j % 12)
                assert_int_equal(slot_of[i] / 4, slot_of[j] / 4);
            if (i % 4 == j % 4)
                assert_int_equal(slot_of[i] / 12, slot_of[j] / 12);
        }
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_get_roles_in_proportion),
        cmocka_unit_test(any_tree_takes_any_number),
        cmocka_unit_test(planted_parts_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
