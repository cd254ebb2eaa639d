/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-grid-embedding.c - grids on machines that are grids: walks through all cells, and mappings
 * that are known to be the best.
 */
#include "grids.h"
#include "treematch/multilevel/grid-order.h"

/* ---- Walks ---- */

/* What the steps between two cells cost, one hop each. */
static int32_t steps_between(const struct tmap_grid_side *side, int sides, int32_t a, int32_t b)
{
    int32_t steps = 0;
    for (int i = 0; i < sides; i++) {
        int32_t apart = abs(a / side[i].stride % side[i].size - b / side[i].stride % side[i].size);
        int32_t back = side[i].size - apart;
        steps += side[i].wraps && back < apart ? back : apart;
    }
    return steps;
}

static void walk_all(struct tmap_grid_side *side, int sides, int closed)
{
    int32_t cells = 1, cell_at[4096];
    int is_odd = 1, has_ring = 0;
    for (int i = 0; i < sides; i++) {
        cells *= side[i].size;
        is_odd &= side[i].size % 2;
        has_ring |= side[i].wraps;
    }
    enum tmap_grid_walk walk = tmap_grid_plan(side, sides, closed);
    for (int32_t i = 0; i < cells; i++)
        cell_at[i] = tmap_grid_cell(side, sides, walk, i);
    assert_true(tmap_permutation_is_valid(cell_at, cells));
    if (closed && (has_ring || (!is_odd && sides > 1)))
        assert_int_equal(walk, TMAP_GRID_CLOSED);
    for (int32_t i = 1; i < cells; i++) {
        int32_t steps = steps_between(side, sides, cell_at[i - 1], cell_at[i]);
        assert_in_range(steps, 1, walk == TMAP_GRID_FOLDED ? 2 : 1);
    }
    if (closed && cells > 2)
        assert_in_range(steps_between(side, sides, cell_at[cells - 1], cell_at[0]), 1, 1);
}

static void walks_reach_all_cells_by_steps_to_neighbors(void **state)
{
    (void)state;
    struct tmap_random random;
    tmap_random_init(&random, 1);
    for (int i = 0; i < rounds(1000); i++) {
        struct tmap_grid_side side[4];
        int sides = 1 + i % 4;
        int32_t stride = 1;
        for (int j = 0; j < sides; j++) {
            side[j].size = 2 + (int32_t)tmap_random_below(&random, 7);
            side[j].wraps = tmap_random_below(&random, 2) && side[j].size > 2;
            side[j].stride = stride;
            side[j].cost = tmap_random_below(&random, 3);
            stride *= side[j].size;
        }
        walk_all(side, sides, i / 4 % 2);
    }
}

/* ---- Mappings ---- */

static const struct case_of_grid {
    struct pattern pattern;
    const char *tree;
    double most; /* hops for each unit of weight */
} cases[] = {
    {{{4, 4, 4}, {1, 1, 1}, {1, 1, 1}}, "torus:4x4x4", 1},
    {{{8, 8, 8}, {1, 1, 1}, {1, 1, 1}}, "torus:8x8x8", 1},
    {{{16, 16}, {1, 1}, {1, 1}}, "torus:16x16", 1},
    {{{3, 5, 7}, {1, 1, 1}, {3, 2, 1}}, "torus:7x3x5", 1},
    {{{16, 16, 16}, {1, 1, 1}, {1, 1, 1}}, "torus:16x16x16", 1},
    {{{6, 8, 9}, {0, 1, 0}, {9, 1, 5}}, "torus:9x6x8", 1},
    {{{12, 10}, {0, 0}, {1, 1}}, "mesh:10x12", 1},
    {{{24}, {1}, {1}}, "torus:4x6", 1},
    {{{24}, {1}, {1}}, "mesh:4x6", 1},
    {{{105}, {1}, {1}}, "torus:3x5x7", 1},
    {{{105}, {0}, {1}}, "mesh:3x5x7", 1},
    {{{512}, {1}, {1}}, "torus:8x8x8", 1},
    {{{16, 16}, {1, 1}, {1, 1}}, "torus:4x8x8", 1},
    {{{8, 8}, {1, 1}, {1, 1}}, "hypercube:6", 1},
    {{{2, 2, 2, 2, 2, 2}, {0}, {1, 1, 1, 1, 1, 1}}, "torus:4x4x4", 1},
    {{{64}, {1}, {1}}, "hypercube:6", 1},
    /* Rings on paths are folded, which costs 2 hops for all but the 2 edges at the turns. */
    {{{16, 16}, {1, 1}, {1, 1}}, "mesh:16x16", (16 * 2 - 2) / 16.0},
    /* A dimension inside another one makes its steps larger. */
    {{{8, 8, 8}, {1, 1, 1}, {1, 1, 1}}, "torus:16x32", (1 + 2 + 4) / 3.0},
    {{{12, 12}, {1, 1}, {1, 1}}, "torus:6x24", (1 + 2) / 2.0},
    /* Blocks of 2x2x2: half of the edges inside, with 2 hops, half between nodes, with 3. */
    {{{8, 8, 8}, {1, 1, 1}, {1, 1, 1}}, "torus:4x4x4 core:8", 2.5},
    /* Blocks of 1x4 where the second dimension is the heavier one. */
    {{{8, 16}, {1, 1}, {1, 9}}, "torus:8x4 core:4", 2 + (1 + 9 / 4.0) / 10},
};

static void natural_mappings_are_found(void **state)
{
    (void)state;
    static int32_t role_at[MOST], slot_of[MOST];
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct case_of_grid *c = &cases[i];
        int32_t roles = cells_of(&c->pattern);
        struct tmap_tree *tree = make_tree(c->tree);
        for (uint64_t seed = 0; seed < 3; seed++) {
            struct tmap_options options;
            struct tmap_cost cost;
            shuffle_roles(&random, role_at, roles);
            struct entries entries = entries_of(&c->pattern, role_at);
            struct tmap_matrix *matrix = make_matrix(roles, &entries);
            tmap_options_init(&options, sizeof options);
            options.seed = seed;
            assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
            assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
            double hops = (double)cost.hops / (double)matrix->total;
            if (hops > c->most + 1e-9)
                fail_msg("%s: %.3f hops instead of %.3f", c->tree, hops, c->most);
            tmap_matrix_destroy(matrix);
        }
        tmap_tree_destroy(tree);
    }
}

/* The natural mapping of a grid on itself costs no less than what is found for its shuffled roles,
 * with the positions of the nodes shuffled, and traffic on top. */
static void lighter_traffic_and_positions_do_not_matter(void **state)
{
    (void)state;
    static const struct pattern p = {{6, 7, 8}, {1, 1, 1}, {900, 500, 700}};
    static const int32_t nodes[] = {336};
    const struct tmap_shape torus = {
        .size = sizeof torus, .kind = TMAP_SHAPE_TORUS, .dimensions = 3, .extent = {8, 6, 7}};
    int32_t role_at[336], position[336], slot_of[336], object_at[336];
    struct tmap_random random;
    struct tmap_error error;
    struct tmap_cost natural, found;
    struct tmap_tree *flat = NULL, *tree = NULL;
    tmap_random_init(&random, 3);
    shuffle_roles(&random, role_at, 336);
    shuffle_roles(&random, position, 336);
    tmap_permutation_invert(position, object_at, 336);
    assert_ok(tmap_tree_create_uniform(&flat, 1, nodes, NULL, &error), &error);
    assert_ok(tmap_tree_copy_with_shape(&tree, flat, 0, &torus, position, &error), &error);
    struct entries entries = entries_of(&p, role_at);
    add_diagonals(&entries, &p, role_at, 20);
    add_binomial_tree(&entries, 336, 1);
    struct tmap_matrix *matrix = make_matrix(336, &entries);
    for (int32_t cell = 0; cell < 336; cell++)
        slot_of[role_at[cell]] = object_at[cell % 8 * 42 + cell / 8];
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &natural, &error), &error);
    assert_ok(tmap_mapping_find(matrix, tree, NULL, slot_of, &error), &error);
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &found, &error), &error);
    if (found.cost > natural.cost)
        fail_msg("%.0f instead of %.0f", found.cost, natural.cost);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(flat);
    tmap_tree_destroy(tree);
}

/* Some nodes are missing, have different numbers of cores, or stay free. */
static void machines_that_do_not_fit_are_mapped_all_the_same(void **state)
{
    (void)state;
    static const struct pattern p = {{4, 6}, {1, 1}, {1, 1}};
    static const int32_t path[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}};
    static const int32_t capacity[3][6] = {
        {4, 4, 4, 4, 4, 4}, {4, 3, 5, 4, 4, 4}, {9, 9, 9, 9, 9, 9}};
    static const int32_t extent[3] = {2, 2, 3};
    int32_t role_at[24], slot_of[24];
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 4);
    shuffle_roles(&random, role_at, 24);
    struct entries entries = entries_of(&p, role_at);
    struct tmap_matrix *matrix = make_matrix(24, &entries);
    for (int i = 0; i < 9; i++) {
        const struct tmap_shape shape = {.size = sizeof shape,
                                         .kind = i % 2 ? TMAP_SHAPE_MESH : TMAP_SHAPE_TORUS,
                                         .dimensions = 2,
                                         .extent = {extent[i / 3], 3}};
        struct tmap_tree *plain = NULL, *tree = NULL;
        struct tmap_cost cost;
        assert_ok(
            tmap_tree_create_from_paths(&plain, 6, 2, path[0], capacity[i % 3], NULL, NULL, &error),
            &error);
        assert_ok(tmap_tree_copy_with_shape(&tree, plain, 0, &shape, NULL, &error), &error);
        assert_ok(tmap_mapping_find(matrix, tree, NULL, slot_of, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
        tmap_tree_destroy(plain);
        tmap_tree_destroy(tree);
    }
    tmap_matrix_destroy(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_reach_all_cells_by_steps_to_neighbors),
        cmocka_unit_test(natural_mappings_are_found),
        cmocka_unit_test(lighter_traffic_and_positions_do_not_matter),
        cmocka_unit_test(machines_that_do_not_fit_are_mapped_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
