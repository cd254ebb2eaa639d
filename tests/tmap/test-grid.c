/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-grid.c - patterns that are grids are recognized, whatever the order of their roles and with
 * lighter traffic on top; others are not.
 */
#include "grids.h"
#include "treematch/model/grid-pattern.h"

/* Take a dimension of this kind out of `grid`; 0: there is none. */
static int take_dimension(struct tmap_grid *grid, int32_t extent, int wraps)
{
    for (int d = 0; d < grid->dimensions; d++)
        if (grid->extent[d] == extent && grid->wraps[d] == wraps) {
            grid->extent[d] = 0;
            return 1;
        }
    return 0;
}

/* The matrix is this pattern, and nothing else. */
static void assert_recognized(struct tmap_matrix *matrix, const struct pattern *p)
{
    struct tmap_grid grid;
    int taken = 0;
    assert_int_equal(tmap_grid_recognize(&grid, matrix), TMAP_OK);
    for (int d = 0; d < DIMENSIONS && p->extent[d]; d++) {
        int halves = p->extent[d] == 4 && p->wraps[d];
        for (int i = 0; i <= halves; i++, taken++)
            if (!take_dimension(&grid, halves ? 2 : p->extent[d],
                                p->extent[d] > 2 && !halves && p->wraps[d]))
                fail_msg("extent %d, wraps %d: not found among %d dimensions", p->extent[d],
                         p->wraps[d], grid.dimensions);
    }
    assert_int_equal(grid.dimensions, taken);
    assert_true(tmap_permutation_is_valid(grid.cell_of, matrix->roles));
    tmap_grid_fini(&grid);
    tmap_matrix_destroy(matrix);
}

static void assert_not_recognized(struct tmap_matrix *matrix)
{
    struct tmap_grid grid;
    assert_int_equal(tmap_grid_recognize(&grid, matrix), TMAP_OK);
    assert_int_equal(grid.dimensions, 0);
    assert_null(grid.cell_of);
    tmap_grid_fini(&grid);
    tmap_matrix_destroy(matrix);
}

static int32_t role_at[MOST];

/* `light`: the weights of dimensions are at least 100 times as large as those of all else. */
static struct pattern random_pattern(struct tmap_random *random, int dimensions)
{
    struct pattern p = {{0}, {0}, {0}};
    for (int d = 0; d < dimensions; d++) {
        p.extent[d] = 2 + (int32_t)tmap_random_below(random, dimensions < 4 ? 8 : 3);
        p.wraps[d] = (int)tmap_random_below(random, 2);
        p.weight[d] = 1000 + tmap_random_below(random, 5000);
    }
    return p;
}

static void grids_are_recognized(void **state)
{
    (void)state;
    struct tmap_random random;
    tmap_random_init(&random, 1);
    for (int i = 0; i < rounds(400); i++) {
        struct pattern p = random_pattern(&random, 1 + i % 5);
        shuffle_roles(&random, role_at, cells_of(&p));
        struct entries entries = entries_of(&p, role_at);
        assert_recognized(make_matrix(cells_of(&p), &entries), &p);
    }
}

static void lighter_traffic_does_not_hide_a_grid(void **state)
{
    (void)state;
    struct tmap_random random;
    tmap_random_init(&random, 2);
    for (int i = 0; i < rounds(300); i++) {
        struct pattern p = random_pattern(&random, 2 + i % 3);
        int32_t roles = cells_of(&p);
        shuffle_roles(&random, role_at, roles);
        struct entries entries = entries_of(&p, role_at);
        if (i % 4 < 3)
            add_diagonals(&entries, &p, role_at, 10 + tmap_random_below(&random, 20));
        if (i % 4 > 0)
            add_binomial_tree(&entries, roles, 1 + tmap_random_below(&random, 100));
        assert_recognized(make_matrix(roles, &entries), &p);
    }
}

/* Where two cells are neighbors in both directions of a dimension, or diagonals meet, weights add
 * up; so the cells of a grid know more than its extents: neighbors are one step apart. */
static void neighbors_are_one_step_apart(void **state)
{
    (void)state;
    static const struct pattern p = {{5, 3, 6}, {1, 1, 0}, {30, 10, 20}};
    struct tmap_random random;
    struct tmap_grid grid;
    int32_t at[2][TMAP_GRID_DIMENSIONS];
    tmap_random_init(&random, 3);
    shuffle_roles(&random, role_at, 90);
    struct entries entries = entries_of(&p, role_at);
    struct tmap_matrix *matrix = make_matrix(90, &entries);
    assert_int_equal(tmap_grid_recognize(&grid, matrix), TMAP_OK);
    assert_int_equal(grid.dimensions, 3);
    for (int32_t role = 0; role < 90; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++) {
            int32_t steps = 0;
            tmap_grid_coordinates(&grid, grid.cell_of[role], at[0]);
            tmap_grid_coordinates(&grid, grid.cell_of[row.partner[i]], at[1]);
            for (int d = 0; d < 3; d++) {
                int32_t apart = abs(at[0][d] - at[1][d]);
                int32_t back = grid.extent[d] - apart;
                steps += grid.wraps[d] && back < apart ? back : apart;
            }
            assert_int_equal(steps, 1);
        }
    }
    for (int d = 0; d < 3; d++)
        assert_true(grid.weight[d] == (grid.extent[d] == 5   ? 90 * 30
                                       : grid.extent[d] == 3 ? 90 * 10
                                                             : 75 * 20));
    tmap_grid_fini(&grid);
    tmap_matrix_destroy(matrix);
}

static void a_torus_with_an_edge_too_many_or_too_few_is_no_grid(void **state)
{
    (void)state;
    static const struct pattern torus = {{6, 5, 7}, {1, 1, 1}, {10, 10, 10}};
    static const struct pattern ring = {{30}, {1}, {10}};
    struct tmap_random random;
    tmap_random_init(&random, 4);
    for (int i = 0; i < rounds(40); i++) {
        shuffle_roles(&random, role_at, 210);
        struct entries entries = entries_of(&torus, role_at);
        entries.entry[tmap_random_below(&random, (uint32_t)entries.count)].weight = 0;
        assert_not_recognized(make_matrix(210, &entries));
        shuffle_roles(&random, role_at, 30);
        entries = entries_of(&ring, role_at);
        int32_t from = (int32_t)tmap_random_below(&random, 30);
        int32_t to = (from + 2 + (int32_t)tmap_random_below(&random, 26)) % 30;
        add_entry(&entries, role_at[from], role_at[to], 10);
        assert_not_recognized(make_matrix(30, &entries));
    }
}

/* Two edges change places: all roles keep their degrees. */
static void a_torus_with_crossed_edges_is_no_grid(void **state)
{
    (void)state;
    static const struct pattern torus = {{6, 5, 7}, {1, 1, 1}, {10, 10, 10}};
    struct tmap_random random;
    tmap_random_init(&random, 5);
    for (int i = 0; i < rounds(40); i++) {
        shuffle_roles(&random, role_at, 210);
        struct entries entries = entries_of(&torus, role_at);
        struct tmap_entry *a = &entries.entry[tmap_random_below(&random, 300)];
        struct tmap_entry *b = a + 1 + tmap_random_below(&random, 300);
        if (a->source == b->source || a->target == b->source || a->source == b->target ||
            a->target == b->target) {
            free(entries.entry);
            continue;
        }
        int32_t swapped = a->target;
        a->target = b->target;
        b->target = swapped;
        assert_not_recognized(make_matrix(210, &entries));
    }
}

static void other_patterns_are_no_grids(void **state)
{
    (void)state;
    struct tmap_random random;
    struct entries entries = {NULL, 0, 0};
    tmap_random_init(&random, 6);
    for (int32_t roles = 4; roles < 60; roles += 5) {
        for (int32_t i = 1; i < roles; i++) /* a star */
            add_entry(&entries, 0, i, 7);
        assert_not_recognized(make_matrix(roles, &entries));
        for (int32_t i = 0; i < roles * roles; i++) /* all with all */
            if (i / roles < i % roles)
                add_entry(&entries, i / roles, i % roles, 7);
        assert_not_recognized(make_matrix(roles, &entries));
        add_binomial_tree(&entries, 5 * roles, 7);
        assert_not_recognized(make_matrix(5 * roles, &entries));
        for (int32_t i = 0; i < 2 * roles; i++) /* two rings */
            add_entry(&entries, i, i % roles == roles - 1 ? i - roles + 1 : i + 1, 7);
        assert_not_recognized(make_matrix(2 * roles, &entries));
    }
    for (int i = 0; i < rounds(200); i++)
        assert_not_recognized(random_matrix(&random, 64, 64 + i * 4, 1 + i % 48));
    assert_not_recognized(random_matrix(&random, 64, 0, 4));
    assert_not_recognized(random_matrix(&random, 1, 0, 4));
    assert_not_recognized(random_matrix(&random, 0, 0, 4));
}

static void large_grids_are_recognized(void **state)
{
    (void)state;
    static const struct pattern patterns[] = {
        {{32, 32, 64}, {1, 1, 1}, {1, 1, 1}},
        {{256, 256}, {0, 0}, {5, 1}},
        {{65536}, {1}, {3}},
    };
    struct tmap_random random;
    tmap_random_init(&random, 7);
    for (int i = 0; i < 3; i++) {
        shuffle_roles(&random, role_at, MOST);
        struct entries entries = entries_of(&patterns[i], role_at);
        assert_recognized(make_matrix(MOST, &entries), &patterns[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_recognized),
        cmocka_unit_test(lighter_traffic_does_not_hide_a_grid),
        cmocka_unit_test(neighbors_are_one_step_apart),
        cmocka_unit_test(a_torus_with_an_edge_too_many_or_too_few_is_no_grid),
        cmocka_unit_test(a_torus_with_crossed_edges_is_no_grid),
        cmocka_unit_test(other_patterns_are_no_grids),
        cmocka_unit_test(large_grids_are_recognized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
