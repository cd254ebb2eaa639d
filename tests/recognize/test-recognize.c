/* SPDX-License-Identifier: BSD-3-Clause */
/* test-recognize.c - patterns that were made are recognized, under their own numbers and as grids under others;
 * chance is not taken for a pattern. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "recognize/grid-tile.h"

enum { MOST = 512 };

struct graph {
    int32_t ranks;
    size_t count;
    struct tmap_entry entry[MOST * MOST / 2];
};

static struct graph graph;

static void graph_begin(int32_t ranks)
{
    graph.ranks = ranks;
    graph.count = 0;
}

static void graph_add(int32_t a, int32_t b, uint64_t weight)
{
    assert_true(graph.count < sizeof graph.entry / sizeof graph.entry[0]);
    graph.entry[graph.count++] = (struct tmap_entry){a, b, weight};
}

static uint64_t random_state = 1;

static int random_below(int bound)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return (int)((random_state >> 33) % (uint64_t)bound);
}

static void graph_shuffle(void)
{
    int32_t number[MOST];
    for (int32_t i = 0; i < graph.ranks; i++)
        number[i] = i;
    for (int32_t i = graph.ranks - 1; i > 0; i--) {
        int32_t j = random_below(i + 1), kept = number[i];
        number[i] = number[j];
        number[j] = kept;
    }
    for (size_t i = 0; i < graph.count; i++) {
        graph.entry[i].source = number[graph.entry[i].source];
        graph.entry[i].target = number[graph.entry[i].target];
    }
}

static struct tmap_matrix *graph_matrix(void)
{
    struct tmap_matrix *matrix;
    assert_int_equal(tmap_matrix_create(&matrix, graph.ranks, graph.entry, graph.count, NULL),
                     TMAP_OK);
    return matrix;
}

/* What the graph is recognized as: all parts, with shares in percent. */
static const char *graph_text(void)
{
    static char text[RECOGNIZE_PARTS * (RECOGNIZE_TEXT + 20)];
    char one[RECOGNIZE_TEXT];
    struct recognized recognized;
    struct tmap_matrix *matrix = graph_matrix();
    assert_int_equal(recognize(&recognized, matrix), TMAP_OK);
    text[0] = '\0';
    for (int i = 0; i < recognized.parts; i++)
        sprintf(text + strlen(text), "%s%s %.0f", i ? "; " : "",
                recognize_text(&recognized.part[i], graph.ranks, one),
                100 * recognized.part[i].share);
    recognize_fini(&recognized);
    tmap_matrix_destroy(matrix);
    return text;
}

/* ---- Grids ---- */

/* Each cell talks with the next one in each dimension: `weight`, and in dimension d that times d + 1. */
static void add_grid(int dimensions, const int *extent, const int *wraps, uint64_t weight)
{
    int stride = 1;
    for (int d = dimensions - 1; d >= 0; d--) {
        for (int32_t cell = 0; cell < graph.ranks; cell++) {
            int at = cell / stride % extent[d];
            if (at + 1 < extent[d])
                graph_add(cell, cell + stride, weight * (uint64_t)(d + 1));
            else if (wraps[d] && extent[d] > 2)
                graph_add(cell, cell - at * stride, weight * (uint64_t)(d + 1));
        }
        stride *= extent[d];
    }
}

static void grids_in_row_order(void **state)
{
    (void)state;
    graph_begin(60);
    add_grid(3, (int[]){3, 4, 5}, (int[]){0, 0, 0}, 100);
    assert_string_equal(graph_text(), "a 3 x 4 x 5 grid in row order 100");
    graph_begin(60);
    add_grid(3, (int[]){3, 4, 5}, (int[]){1, 1, 1}, 100);
    assert_string_equal(graph_text(), "a periodic 3 x 4 x 5 grid in row order 100");
    graph_begin(60);
    add_grid(3, (int[]){3, 4, 5}, (int[]){1, 0, 1}, 100);
    assert_string_equal(
        graph_text(), "a 3 x 4 x 5 grid, periodic in the 1st and 3rd dimension, in row order 100");
    graph_begin(64);
    add_grid(2, (int[]){8, 8}, (int[]){0, 0}, 100);
    assert_string_equal(graph_text(), "an 8 x 8 grid in row order 100");
    graph_begin(240);
    add_grid(4, (int[]){2, 4, 5, 6}, (int[]){0, 1, 1, 1}, 100);
    assert_string_equal(graph_text(), "a periodic 2 x 4 x 5 x 6 grid in row order 100");
    graph_begin(8); /* each dimension has many of all pairs, and half of the traffic */
    for (int32_t a = 0; a < 8; a++) {
        graph_add(a, a / 4 * 4 + (a + 1) % 4, 100);
        graph_add(a, (a + 4) % 8, 95);
    }
    assert_string_equal(graph_text(), "a periodic 2 x 4 grid in row order 100");
    graph_begin(7);
    add_grid(1, (int[]){7}, (int[]){0}, 100);
    assert_string_equal(graph_text(), "a chain of 7 ranks 100");
    graph_begin(13);
    add_grid(1, (int[]){13}, (int[]){1}, 100);
    assert_string_equal(graph_text(), "a ring of 13 ranks 100");
}

/* As on a laptop: of so few ranks any grid has a good part of all pairs. */
static void small_grids(void **state)
{
    (void)state;
    graph_begin(4);
    add_grid(2, (int[]){2, 2}, (int[]){0, 0}, 100);
    assert_string_equal(graph_text(), "a 2 x 2 grid in row order 100");
    graph_begin(6);
    add_grid(2, (int[]){2, 3}, (int[]){0, 0}, 100);
    assert_string_equal(graph_text(), "a 2 x 3 grid in row order 100");
    graph_begin(6);
    add_grid(2, (int[]){3, 2}, (int[]){0, 0}, 100);
    graph_add(0, 5, 3);
    assert_string_equal(graph_text(), "a 3 x 2 grid in row order 100");
    graph_begin(4);
    add_grid(1, (int[]){4}, (int[]){1}, 100);
    assert_string_equal(graph_text(), "a ring of 4 ranks 100");
    graph_begin(4);
    for (int32_t a = 0; a < 4; a++)
        for (int32_t b = 0; b < a; b++)
            graph_add(a, b, 5 + (uint64_t)b);
    assert_string_equal(graph_text(), "all-to-all of 4 ranks 100");
}

static void grids_in_any_order(void **state)
{
    (void)state;
    graph_begin(105);
    add_grid(3, (int[]){3, 5, 7}, (int[]){0, 0, 0}, 100);
    graph_shuffle();
    const char *text = graph_text();
    assert_non_null(strstr(text, " grid, numbered in another order 100"));
    for (int extent = 3; extent <= 7; extent += 2)
        assert_non_null(strchr(text, '0' + extent));
    graph_begin(11);
    add_grid(1, (int[]){11}, (int[]){1}, 100);
    graph_shuffle();
    assert_string_equal(graph_text(), "a ring of 11 ranks, numbered in another order 100");
    graph_begin(32);
    add_grid(5, (int[]){2, 2, 2, 2, 2}, (int[]){0, 0, 0, 0, 0}, 100);
    graph_shuffle();
    assert_string_equal(graph_text(), "a hypercube of 32 ranks (or a torus with rings of 4), "
                                      "numbered in another order 100");
}

/* Each rank in a 6 x 7 grid also talks with its next ones on both diagonals, or on one. */
static void add_diagonals(int both, int wraps, uint64_t weight)
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 7; j++)
            for (int sign = both ? -1 : 1; sign < 2; sign += 2) {
                int ii = i + 1, jj = j + sign;
                if (!wraps && (ii == 6 || jj < 0 || jj == 7))
                    continue;
                graph_add(7 * i + j, 7 * (ii % 6) + (jj + 7) % 7, weight);
            }
}

static void diagonals_are_said(void **state)
{
    (void)state;
    graph_begin(42);
    add_grid(2, (int[]){6, 7}, (int[]){0, 0}, 100);
    add_diagonals(1, 0, 10);
    assert_string_equal(graph_text(), "a 6 x 7 grid in row order, with diagonal neighbors 100");
    graph_begin(42);
    add_grid(2, (int[]){6, 7}, (int[]){1, 1}, 100);
    add_diagonals(0, 1, 100);
    assert_string_equal(graph_text(),
                        "a periodic 6 x 7 grid in row order, with some diagonal neighbors 100");
    graph_begin(42); /* too little to mention */
    add_grid(2, (int[]){6, 7}, (int[]){0, 0}, 1000);
    add_diagonals(1, 0, 10);
    assert_string_equal(graph_text(), "a 6 x 7 grid in row order 99");
}

static void what_hardly_wraps_does_not(void **state)
{
    (void)state;
    graph_begin(64);
    add_grid(2, (int[]){8, 8}, (int[]){0, 0}, 1000);
    for (int i = 0; i < 8; i++) {
        graph_add(8 * i, 8 * i + 7, 20);
        graph_add(i, 56 + i, 20);
    }
    assert_string_equal(graph_text(), "an 8 x 8 grid in row order 100");
}

/* ---- Other patterns ---- */

static void groups_of_all_kinds(void **state)
{
    (void)state;
    graph_begin(24);
    for (int32_t a = 0; a < 24; a++)
        for (int32_t b = a + 1; b < 24; b++)
            if (a / 6 == b / 6)
                graph_add(a, b, 5);
    assert_string_equal(graph_text(), "all-to-all within 4 groups of 6 consecutive ranks 100");
    graph_begin(24);
    for (int32_t a = 0; a < 24; a++)
        for (int32_t b = a + 1; b < 24; b++)
            if (a % 4 == b % 4)
                graph_add(a, b, 5);
    assert_string_equal(graph_text(), "all-to-all within 4 groups of 6 ranks that are 4 apart 100");
    graph_begin(24);
    for (int32_t a = 0; a < 24; a++)
        graph_add(a, a / 6 * 6 + (a + 1) % 6, 5);
    assert_string_equal(graph_text(), "rings within 4 groups of 6 consecutive ranks 100");
    graph_begin(24);
    for (int32_t a = 0; a < 24; a++)
        if (a % 8 < 7)
            graph_add(a, a + 1, 5);
    assert_string_equal(graph_text(), "chains within 3 groups of 8 consecutive ranks 100");
    graph_begin(32);
    for (int32_t a = 0; a < 32; a++)
        for (int32_t bit = 1; bit < 32; bit *= 2)
            if (!(a & bit))
                graph_add(a, a | bit, 5);
    assert_string_equal(graph_text(), "a hypercube of 32 ranks 100");
    graph_begin(48);
    for (int32_t a = 0; a < 48; a++)
        for (int32_t bit = 1; bit < 16; bit *= 2)
            if (!(a % 16 & bit))
                graph_add(a, a + bit, 5);
    assert_string_equal(graph_text(), "hypercubes within 3 groups of 16 consecutive ranks 100");
}

static void trees_stars_and_everything(void **state)
{
    (void)state;
    graph_begin(40);
    for (int32_t a = 1; a < 40; a++)
        graph_add(a, (a - 1) / 3, 5);
    assert_string_equal(graph_text(), "a tree below rank 0, 3 ranks below each 100");
    graph_begin(40);
    for (int32_t a = 1; a < 40; a++)
        graph_add(a, a & (a - 1), 5);
    assert_string_equal(graph_text(), "a binomial tree below rank 0 100");
    graph_begin(40);
    for (int32_t a = 0; a < 40; a++)
        graph_add(a, 17, 5);
    assert_string_equal(graph_text(), "rank 17 with all others 100");
    graph_begin(40);
    for (int32_t a = 0; a < 40; a++)
        for (int32_t b = 0; b < a; b++)
            graph_add(a, b, 5 + (uint64_t)random_below(3));
    assert_string_equal(graph_text(), "all-to-all of 40 ranks 100");
}

/* Half of it is a hypercube if there are 64. */
static void powers_of_two(void **state)
{
    static const int32_t counts[] = {24, 63, 64, 100};
    char expected[80];
    (void)state;
    for (int i = 0; i < 4; i++) {
        graph_begin(counts[i]);
        for (int32_t a = 0; a < graph.ranks; a++)
            for (int32_t step = 1; step < graph.ranks; step *= 2)
                graph_add(a, (a + step) % graph.ranks, 10);
        sprintf(expected, "each of %d ranks with those 1, 2, 4 ... after it 100", (int)graph.ranks);
        assert_string_equal(graph_text(), expected);
    }
}

static void several_parts(void **state)
{
    (void)state;
    graph_begin(36);
    for (int32_t a = 0; a < 36; a++)
        for (int32_t b = a + 1; b < 36; b++)
            if (a / 6 == b / 6)
                graph_add(a, b, 30);
            else if (a / 6 == b % 6 && a % 6 == b / 6)
                graph_add(a, b, 60);
    assert_string_equal(graph_text(), "all-to-all within 6 groups of 6 consecutive ranks 75; "
                                      "a transposition of 6 x 6 25");
    graph_begin(36);
    for (int32_t a = 0; a < 36; a++)
        for (int32_t b = a + 1; b < 36; b++)
            if (a / 6 == b / 6)
                graph_add(a, b, 30);
            else if (a % 6 == b % 6)
                graph_add(a, b, 20);
    assert_string_equal(graph_text(), "all-to-all within 6 groups of 6 consecutive ranks 60; "
                                      "all-to-all within 6 groups of 6 ranks that are 6 apart 40");
}

/* ---- Nothing ---- */

static void chance_is_no_pattern(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        int ranks = 8 + random_below(93), degree = 1 + random_below(ranks / 2);
        graph_begin(ranks);
        for (int i = 0; i < ranks * degree / 2; i++)
            graph_add(random_below(ranks), random_below(ranks),
                      1 + (uint64_t)random_below(round % 2 ? 1 : 1000));
        if (graph_text()[0])
            fail_msg("round %d, %d ranks, degree %d: %s", round, ranks, degree, graph_text());
    }
}

static void nothing_is_no_pattern(void **state)
{
    (void)state;
    for (int32_t ranks = 0; ranks < 20; ranks++) {
        graph_begin(ranks);
        assert_string_equal(graph_text(), "");
    }
    graph_begin(3);
    graph_add(0, 1, 1);
    graph_add(1, 2, 1);
    assert_string_equal(graph_text(), "");
    graph_begin(64); /* one heavy pair in a grid */
    add_grid(2, (int[]){8, 8}, (int[]){0, 0}, 1);
    graph_add(3, 60, 1000000);
    assert_string_equal(graph_text(), "");
}

/* ---- Pairs ---- */

static void pairs_are_counted(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct recognized_part part = {.kind = RECOGNIZED_GRID, .dimensions = 1 + random_below(4)};
        int32_t ranks = 1;
        double pairs = 0;
        for (int d = 0; d < part.dimensions; d++) {
            part.extent[d] = 2 + random_below(4);
            part.wraps[d] = part.extent[d] > 2 && random_below(2);
            ranks *= part.extent[d];
        }
        if (round % 4 > 0) {
            static const int groups[] = {2, 4, 8};
            part.kind = RECOGNIZED_GROUPS + random_below(4);
            int least = part.kind == RECOGNIZED_RINGS; /* rings have more than 2 ranks */
            part.group = groups[least + random_below(3 - least)];
            part.stride = 1 + random_below(3);
            ranks = part.group * part.stride * (1 + random_below(4));
        }
        for (int32_t a = 0; a < ranks; a++)
            for (int32_t b = a + 1; b < ranks; b++) {
                pairs += recognize_has(&part, a, b);
                assert_int_equal(recognize_has(&part, a, b), recognize_has(&part, b, a));
            }
        assert_int_equal((int)pairs, (int)recognize_pairs(&part, ranks));
    }
}

/* ---- Tiles ---- */

static void the_best_tile(void **state)
{
    (void)state;
    struct recognized recognized;
    int32_t tile[RECOGNIZE_DIMENSIONS];
    graph_begin(64);
    add_grid(2, (int[]){8, 8}, (int[]){0, 0}, 100); /* columns 100, rows 200 */
    struct tmap_matrix *matrix = graph_matrix();
    assert_int_equal(recognize(&recognized, matrix), TMAP_OK);
    const struct recognized_part *grid = &recognized.part[0];
    assert_true(grid_tile_choose(grid, 8, tile));
    assert_int_equal(tile[0], 2);
    assert_int_equal(tile[1], 4);
    /* 3 borders of 8 pairs of weight 100, 1 border of 8 pairs of weight 200 */
    assert_int_equal(grid_tile_crossing(grid, tile, matrix), 3 * 8 * 100 + 8 * 200);
    assert_int_equal(grid_tile_of(grid, tile, 0), 0);
    assert_int_equal(grid_tile_of(grid, tile, 7), 1);
    assert_int_equal(grid_tile_of(grid, tile, 16), 2);
    assert_int_equal(grid_tile_of(grid, tile, 63), 7);
    assert_false(grid_tile_choose(grid, 3, tile));
    assert_false(grid_tile_choose(grid, 1, tile));
    assert_false(grid_tile_choose(grid, 64, tile));
    recognize_fini(&recognized);
    tmap_matrix_destroy(matrix);
}

/* Two nodes of five cores that can take `most` ranks each, and the last one `least`. */
static struct tmap_tree *make_nodes(int32_t most, const int32_t least[2])
{
    const struct tmap_level levels[] = {{.name = "node", .cost = 2}, {.name = "core", .cost = 1}};
    struct tmap_tree *tree = NULL;
    int32_t path[10][2], capacity[10];
    for (int i = 0; i < 10; i++) {
        path[i][0] = i / 5;
        path[i][1] = i % 5;
        capacity[i] = i % 5 < 4 ? most : least[i / 5];
    }
    assert_int_equal(
        tmap_tree_create_from_paths(&tree, 10, 2, path[0], capacity, levels, NULL, NULL), TMAP_OK);
    return tree;
}

static void nodes_take_as_many_ranks_as_their_slots(void **state)
{
    static const struct {
        const char *tree; /* NULL: make_nodes */
        int32_t most, least[2], ranks, expected;
    } cases[] = {
        {"node:4 core:2", 0, {0}, 8, 2},
        {"node:4 core:2", 0, {0}, 9, 0},
        {"switch:2 node:2 package:2 core:3", 0, {0}, 12, 6},
        {"4 2", 0, {0}, 8, 0},
        {"node:2 core:4", 0, {0}, 2, 0},
        {"node:2 core:1073741823", 0, {0}, 2147483646, 1073741823},
        {"torus:2x2 node:1 core:3", 0, {0}, 12, 3},
        {NULL, 1 << 30, {8, 8}, 16, 0}, /* 2^32 + 8 */
        {NULL, 1, {3, 3}, 14, 7},
        {NULL, 1, {1, 3}, 14, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tmap_tree *tree = NULL;
        if (cases[i].tree)
            assert_int_equal(tmap_tree_parse(&tree, cases[i].tree, NULL), TMAP_OK);
        else
            tree = make_nodes(cases[i].most, cases[i].least);
        int32_t found = grid_tile_ranks_of_node(tree, cases[i].ranks);
        if (found != cases[i].expected)
            fail_msg("%s: %d of %d ranks, expected %d",
                     cases[i].tree ? cases[i].tree : "nodes by hand", (int)found,
                     (int)cases[i].ranks, (int)cases[i].expected);
        tmap_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_in_row_order),
        cmocka_unit_test(small_grids),
        cmocka_unit_test(grids_in_any_order),
        cmocka_unit_test(diagonals_are_said),
        cmocka_unit_test(what_hardly_wraps_does_not),
        cmocka_unit_test(groups_of_all_kinds),
        cmocka_unit_test(trees_stars_and_everything),
        cmocka_unit_test(powers_of_two),
        cmocka_unit_test(several_parts),
        cmocka_unit_test(chance_is_no_pattern),
        cmocka_unit_test(nothing_is_no_pattern),
        cmocka_unit_test(pairs_are_counted),
        cmocka_unit_test(the_best_tile),
        cmocka_unit_test(nodes_take_as_many_ranks_as_their_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
