/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-shapes.c - levels with shapes: distances and hops against Floyd and Warshall on the whole
 * graph, what is refused, copies, costs.
 */
#include "test.h"
#include "treematch/model/distance.h"

#include <math.h>

enum { MOST = 128 };

/* ---- The graph of a shape, built without the library ---- */

struct graph {
    int n;
    double length[MOST][MOST];
    int hops[MOST][MOST];
};

static void graph_clear(struct graph *g, int n)
{
    g->n = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            g->length[i][j] = i == j ? 0 : 1e30;
            g->hops[i][j] = i == j ? 0 : 1000000;
        }
}

static void graph_join(struct graph *g, int a, int b, double length)
{
    if (a == b || length >= g->length[a][b])
        return;
    g->length[a][b] = g->length[b][a] = length;
    g->hops[a][b] = g->hops[b][a] = 1;
}

static void graph_close(struct graph *g)
{
    for (int k = 0; k < g->n; k++)
        for (int i = 0; i < g->n; i++)
            for (int j = 0; j < g->n; j++) {
                double through = g->length[i][k] + g->length[k][j];
                int hops = g->hops[i][k] + g->hops[k][j];
                if (through > g->length[i][j] ||
                    (through == g->length[i][j] && hops >= g->hops[i][j]))
                    continue;
                g->length[i][j] = through;
                g->hops[i][j] = hops;
            }
}

/* Joins each position to the next one in each dimension. */
static void graph_of_grid(struct graph *g, const struct tmap_shape *shape)
{
    int n = 1;
    for (int d = 0; d < shape->dimensions; d++)
        n *= shape->extent[d];
    graph_clear(g, n);
    for (int p = 0; p < n; p++) {
        int stride = n, rest = p;
        for (int d = 0; d < shape->dimensions; d++) {
            int extent = shape->extent[d];
            stride /= extent;
            int at = rest / stride;
            rest %= stride;
            if (at + 1 < extent)
                graph_join(g, p, p + stride, shape->length[d]);
            else if (shape->kind == TMAP_SHAPE_TORUS)
                graph_join(g, p, p - at * stride, shape->length[d]);
        }
    }
    graph_close(g);
}

/* All pairs of slots of `tree`, whose level 0 has the shape and is all there is. */
static void compare_with_graph(const struct tmap_tree *tree, const struct graph *g,
                               const int32_t *position)
{
    struct tmap_distance fast;
    assert_int_equal(tmap_distance_init(&fast, tree), TMAP_OK);
    assert_non_null(fast.code);
    for (int32_t a = 0; a < tmap_tree_slots(tree); a++)
        for (int32_t b = 0; b < tmap_tree_slots(tree); b++) {
            int i = position ? position[a] : a, j = position ? position[b] : b;
            double expected = tmap_tree_level(tree, 0)->cost * g->length[i][j];
            assert_true(fabs(tmap_tree_distance(tree, a, b) - expected) <= 1e-4 * expected);
            assert_true(tmap_distance_of(&fast, a, b) == tmap_tree_distance(tree, a, b));
            assert_int_equal(tmap_tree_hops(tree, a, b), g->hops[i][j]);
        }
    tmap_distance_fini(&fast);
}

static struct tmap_tree *flat_tree(int32_t slots)
{
    struct tmap_error error;
    struct tmap_tree *tree = NULL;
    const struct tmap_level level = {.name = "node", .cost = 7};
    assert_ok(tmap_tree_create_uniform(&tree, 1, &slots, &level, &error), &error);
    return tree;
}

static struct tmap_tree *shaped(struct tmap_tree *tree, int level, const struct tmap_shape *shape,
                                const int32_t *position)
{
    struct tmap_error error;
    struct tmap_tree *result = NULL;
    assert_ok(tmap_tree_copy_with_shape(&result, tree, level, shape, position, &error), &error);
    tmap_tree_destroy(tree);
    return result;
}

static void grids_are_as_far_as_their_graphs(void **state)
{
    (void)state;
    struct tmap_random random;
    struct graph g;
    tmap_random_init(&random, 1);
    for (int i = 0; i < rounds(60); i++) {
        struct tmap_shape shape = {.size = sizeof shape, .dimensions = 1 + i % 4};
        int n = 1;
        shape.kind = i % 2 ? TMAP_SHAPE_TORUS : TMAP_SHAPE_MESH;
        for (int d = 0; d < shape.dimensions; d++) {
            shape.extent[d] = 1 + (int32_t)tmap_random_below(&random, i % 4 == 0 ? 40 : 5);
            shape.length[d] = i % 3 ? 1 : 1 + tmap_random_below(&random, 9) / 4.0;
            n *= shape.extent[d];
        }
        if (n > MOST)
            continue;
        graph_of_grid(&g, &shape);
        struct tmap_tree *tree = shaped(flat_tree(n), 0, &shape, NULL);
        compare_with_graph(tree, &g, NULL);
        tmap_tree_destroy(tree);
    }
}

/* A random connected graph, of which some positions are in use. */
static void graphs_are_as_far_as_they_are(void **state)
{
    (void)state;
    struct tmap_random random;
    static struct graph g;
    tmap_random_init(&random, 2);
    for (int i = 0; i < rounds(60); i++) {
        struct tmap_link link[3 * MOST];
        int32_t used[MOST], n = 1 + (int32_t)tmap_random_below(&random, MOST / 2), count = 0;
        size_t links = 0;
        graph_clear(&g, n);
        for (int32_t p = 1; p < 3 * n; p++) {
            int32_t a = p % n, b = (int32_t)tmap_random_below(&random, (uint32_t)(p < n ? p : n));
            double length = i % 2 ? 2.5 : 1 + tmap_random_below(&random, 8);
            link[links++] = (struct tmap_link){a, b, length};
            graph_join(&g, a, b, length);
        }
        graph_close(&g);
        for (int32_t p = n - 1; p >= 0; p--)
            if (p == 0 || tmap_random_below(&random, 3))
                used[count++] = p;
        const struct tmap_shape shape = {.size = sizeof shape,
                                         .kind = TMAP_SHAPE_GRAPH,
                                         .positions = n,
                                         .links = links,
                                         .link = link};
        struct tmap_tree *tree = shaped(flat_tree(count), 0, &shape, used);
        compare_with_graph(tree, &g, used);
        for (int32_t s = 0; s < count; s++)
            assert_int_equal(tmap_tree_position(tree, 1, s), used[s]);
        tmap_tree_destroy(tree);
    }
}

/* Five groups of three routers: two ports each, of which two of a group are free... none are: four
 * other groups need two routers; distances by hand. */
static void a_dragonfly_has_a_link_for_each_pair_of_groups(void **state)
{
    (void)state;
    struct tmap_link link[64];
    int64_t links = tmap_shape_dragonfly(5, 3, link);
    int between[5][5] = {{0}}, ports[15] = {0};
    assert_int_equal(links, 5 * 3 + 10);
    for (int64_t i = 0; i < links; i++) {
        int a = link[i].from / 3, b = link[i].to / 3;
        between[a][b]++;
        ports[link[i].from] += a != b;
        ports[link[i].to] += a != b;
    }
    for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 5; b++)
            assert_int_equal(between[a][b] + between[b][a], 1);
    for (int r = 0; r < 15; r++)
        assert_int_equal(ports[r], r % 3 == 2 ? 0 : 2);
    struct tmap_tree *tree = make_tree("dragonfly:9x8 node:4");
    int32_t longest = 0;
    for (int32_t s = 0; s < 288; s++)
        longest = tmap_tree_hops(tree, 0, s) > longest ? tmap_tree_hops(tree, 0, s) : longest;
    assert_int_equal(longest, 3 + 2);
    assert_int_equal(tmap_tree_hops(tree, 0, 1), 2);
    assert_int_equal(tmap_tree_hops(tree, 0, 4), 1 + 2);
    tmap_tree_destroy(tree);
    /* Inside, over, inside, though two links over a third group would do. */
    tree = make_tree("dragonfly:6x2");
    assert_int_equal(tmap_tree_hops(tree, 1, 3), 3);
    assert_true(tmap_tree_distance(tree, 1, 3) == 3 * tmap_tree_distance(tree, 0, 1));
    assert_int_equal(tmap_shape_dragonfly(1, 4, NULL), 6);
    assert_int_equal(tmap_shape_dragonfly(0, 4, NULL), -1);
    assert_int_equal(tmap_shape_dragonfly(1 << 20, 1 << 20, NULL), -1);
    /* counted, not gone through */
    assert_int_equal(tmap_shape_dragonfly(1, 1 << 24, NULL), ((INT64_C(1) << 24) - 1) << 23);
    assert_int_equal(tmap_shape_dragonfly(1 << 24, 1, NULL), ((INT64_C(1) << 24) - 1) << 23);
    tmap_tree_destroy(tree);
}

/* Three of the nodes of a torus of routers: the distances of Bordage, Foyer and Goglin 2017. */
static void netlocs_machine_has_its_distances(void **state)
{
    (void)state;
    struct tmap_error error;
    struct tmap_tree *tree = NULL;
    const struct tmap_shape torus = {
        .size = sizeof torus, .kind = TMAP_SHAPE_TORUS, .dimensions = 3, .extent = {4, 4, 4}};
    static const char *const names[] = {"router", "node", "package", "numa", "core", "pu"};
    static const double costs[] = {1600, 800, 80, 40, 20, 10};
    static const int32_t node[3][2] = {{32, 0}, {52, 0}, {52, 1}}, position[] = {32, 52};
    struct tmap_level level[6] = {0};
    int32_t path[96][6];
    for (int l = 0; l < 6; l++) {
        snprintf(level[l].name, sizeof level[l].name, "%s", names[l]);
        level[l].cost = costs[l];
    }
    for (int s = 0; s < 96; s++)
        memcpy(path[s],
               (const int32_t[6]){node[s / 32][0], node[s / 32][1], s / 16 % 2, s / 8 % 2,
                                  s / 2 % 4, s % 2},
               sizeof path[s]);
    assert_ok(tmap_tree_create_from_paths(&tree, 96, 6, path[0], NULL, level, NULL, &error),
              &error);
    tree = shaped(tree, 0, &torus, position);
    static const int32_t other[] = {1, 2, 8, 16, 32, 64};
    assert_true(tmap_tree_distance(tree, 0, 1) == 10);
    assert_true(tmap_tree_distance(tree, 0, 2) == 20);
    assert_true(tmap_tree_distance(tree, 0, 8) == 40);
    assert_true(tmap_tree_distance(tree, 0, 16) == 80);
    assert_true(tmap_tree_distance(tree, 32, 64) == 800);
    assert_true(tmap_tree_distance(tree, 0, 32) == 2 * 1600);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_true(tmap_tree_distance(tree, other[i], 0) == tmap_tree_distance(tree, 0, other[i]));
    assert_int_equal(tmap_tree_hops(tree, 0, 32), 2 + 2 * 5);
    tmap_tree_destroy(tree);
}

static void assert_refused(int level, const struct tmap_shape *shape, const int32_t *position,
                           enum tmap_status status, const char *words)
{
    struct tmap_error error = {""};
    struct tmap_tree *tree = make_tree("node:4 core:2"), *result = NULL;
    assert_int_equal(tmap_tree_copy_with_shape(&result, tree, level, shape, position, &error),
                     status);
    assert_null(result);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
    tmap_tree_destroy(tree);
}

static void bad_shapes_are_refused(void **state)
{
    (void)state;
    const struct tmap_shape good = {
        .size = sizeof good, .kind = TMAP_SHAPE_TORUS, .dimensions = 1, .extent = {4}};
    struct tmap_shape bad = good;
    static const int32_t twice[] = {0, 1, 2, 1}, far[] = {0, 1, 2, 4};
    assert_refused(2, &good, NULL, TMAP_EINVAL, "below level 2");
    assert_refused(-1, &good, NULL, TMAP_EINVAL, "below level -1");
    assert_refused(0, &good, twice, TMAP_EINVAL, "both at position 1");
    assert_refused(0, &good, far, TMAP_EINVAL, "position 4 of a shape that has 4");
    bad.size = 0;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "no size");
    bad = good, bad.kind = TMAP_SHAPE_NONE;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "no shape 0");
    bad = good, bad.extent[0] = 0;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "extent 0");
    bad = good, bad.extent[0] = 3;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "position 3 of a shape that has 3");
    bad = good, bad.dimensions = 17;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "17 dimensions");
    bad = good, bad.length[0] = -1;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "length of a hop");
    bad = good, bad.length[0] = INFINITY;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "length of a hop");
    bad = good, bad.dimensions = 2, bad.extent[0] = bad.extent[1] = 1 << 13;
    assert_refused(0, &bad, NULL, TMAP_EOVERFLOW, "positions");
}

static void bad_graphs_are_refused(void **state)
{
    (void)state;
    struct tmap_link link[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
    const struct tmap_shape good = {
        .size = sizeof good, .kind = TMAP_SHAPE_GRAPH, .positions = 4, .links = 3, .link = link};
    struct tmap_shape bad = good;
    struct tmap_tree *tree = shaped(make_tree("node:4 core:2"), 0, &good, NULL);
    assert_int_equal(tmap_tree_hops(tree, 0, 7), 3 + 2);
    tmap_tree_destroy(tree);
    bad.links = 2;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "no path leads from position 0 to position 3");
    bad = good, bad.positions = 0;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "0 positions");
    bad = good, bad.positions = INT32_MAX;
    assert_refused(0, &bad, NULL, TMAP_EOVERFLOW, "more than");
    bad = good, bad.group = 3;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "groups of 3 of 4 positions");
    bad.group = 2, link[1].length = 2;
    assert_refused(0, &bad, NULL, TMAP_EINVAL, "different lengths in a graph of groups");
    link[1].length = 1, link[1].to = 4;
    assert_refused(0, &good, NULL, TMAP_EINVAL, "link 1 joins positions 1 and 4 of 4");
    link[1].to = 2, link[2].length = 0;
    assert_refused(0, &good, NULL, TMAP_EINVAL, "length of link 2");
}

/* Copies share networks; parts of trees keep them. */
static void copies_keep_shapes(void **state)
{
    (void)state;
    struct tmap_error error;
    struct tmap_tree *tree = make_tree("node:3 ring:8 core:2"), *priced = NULL, *part = NULL;
    static const double costs[] = {100, 50, 1};
    struct tmap_shape shape = {.size = sizeof shape};
    assert_int_equal(tmap_tree_shape(tree, 1, &shape), TMAP_SHAPE_TORUS);
    assert_int_equal(shape.dimensions, 1);
    assert_int_equal(shape.extent[0], 8);
    assert_true(shape.length[0] == 1);
    assert_int_equal(tmap_tree_shape(tree, 0, &shape), TMAP_SHAPE_NONE);
    assert_int_equal(tmap_tree_shape(tree, 3, NULL), TMAP_SHAPE_NONE);
    assert_false(tmap_tree_is_uniform(tree));
    assert_ok(tmap_tree_copy_with_costs(&priced, tree, costs, 3, &error), &error);
    assert_ok(tmap_tree_copy_part(&part, priced, 1, 2, NULL, &error), &error);
    tmap_tree_destroy(tree);
    assert_true(tmap_tree_distance(priced, 0, 6) == 150);
    assert_true(tmap_tree_distance(priced, 0, 16) == 100);
    tmap_tree_destroy(priced);
    assert_true(tmap_tree_distance(part, 0, 14) == 50);
    assert_true(tmap_tree_distance(part, 0, 8) == 200);
    tmap_tree_destroy(part);
}

/* The cost of a mapping is the sum over all pairs, and its levels add up to it. */
static void costs_are_sums_over_pairs(void **state)
{
    (void)state;
    static const char *const trees[] = {"torus:3x4 node:2 core:2", "mesh:5x5",
                                        "node:2 ring:7 core:2", "dragonfly:4x3 node:2",
                                        "ring:3 hypercube:3"};
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 3);
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++) {
        struct tmap_tree *tree = make_tree(trees[t]);
        int32_t slots = tmap_tree_slots(tree), slot_of[64];
        struct tmap_matrix *matrix = random_matrix(&random, slots, 4 * slots, 20);
        struct tmap_cost cost;
        double expected = 0, hops = 0, sum = 0, cost_at[TMAP_MAX_LEVELS];
        for (int32_t r = 0; r < slots; r++)
            slot_of[r] = r;
        tmap_random_shuffle(&random, slot_of, slots);
        for (int32_t r = 0; r < slots; r++) {
            struct tmap_row row = tmap_row_of(matrix, r);
            for (size_t i = 0; i < row.count; i++) {
                int32_t there = slot_of[row.partner[i]];
                expected += (double)row.weight[i] * tmap_tree_distance(tree, slot_of[r], there) / 2;
                hops += (double)row.weight[i] * tmap_tree_hops(tree, slot_of[r], there) / 2;
            }
        }
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
        assert_true(fabs(cost.cost - expected) <= 1e-9 * expected);
        assert_true(fabs((double)cost.hops - hops) <= 1e-9 * hops);
        assert_ok(tmap_mapping_evaluate_levels(matrix, tree, slot_of, cost_at, &error), &error);
        for (int l = 0; l < tmap_tree_depth(tree); l++)
            sum += cost_at[l];
        assert_true(fabs(cost.cost - sum) <= 1e-9 * sum);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static void words_make_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t slots, a, b, hops;
    } good[] = {
        {"torus:4x4x4", 64, 32, 52, 2},
        {"torus:4x4x4 node:4 core:2", 512, 0, 48 * 8, 1 + 4},
        {"mesh:16x16 core:2", 512, 0, 511, 30 + 2},
        {"ring:8", 8, 0, 7, 1},
        {"hypercube:6 node:2", 128, 0, 127, 6 + 2},
        {"dragonfly:1x3", 3, 0, 2, 1},
        {"switch:2 mesh:3", 6, 0, 2, 2},
    };
    static const struct {
        const char *text;
        enum tmap_status status;
    } bad[] = {
        {"torus:", TMAP_ESYNTAX},
        {"torus:4x", TMAP_ESYNTAX},
        {"torus:x4", TMAP_ESYNTAX},
        {"torus:4xx4", TMAP_ESYNTAX},
        {"torus:0x4", TMAP_ESYNTAX},
        {"torus:4x4a", TMAP_ESYNTAX},
        {"torus:-4", TMAP_ESYNTAX},
        {"ring:4x4", TMAP_ESYNTAX},
        {"dragonfly:9", TMAP_ESYNTAX},
        {"torus:4x4 4", TMAP_ESYNTAX},
        {"mesh:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", TMAP_ESYNTAX},
        {"hypercube:17", TMAP_EOVERFLOW},
        {"torus:4096x4097", TMAP_EOVERFLOW},
        {"torus:99999999999999999999", TMAP_EOVERFLOW},
        {"dragonfly:5000x5000", TMAP_EOVERFLOW},
        {"dragonfly:1x16777216", TMAP_EOVERFLOW},
        {"dragonfly:16777216x1", TMAP_EOVERFLOW},
        {"torus:4096x4096 core:2", TMAP_EOVERFLOW},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct tmap_tree *tree = make_tree(good[i].text);
        assert_int_equal(tmap_tree_slots(tree), good[i].slots);
        assert_int_equal(tmap_tree_hops(tree, good[i].a, good[i].b), good[i].hops);
        tmap_tree_destroy(tree);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tmap_error error;
        struct tmap_tree *tree = NULL;
        assert_int_equal(tmap_tree_parse(&tree, bad[i].text, &error), bad[i].status);
        assert_null(tree);
    }
}

/* One role is brought to a slot for nothing, or stays. */
static void keeping_a_role_never_raises_the_cost(void **state)
{
    (void)state;
    static const char *const trees[] = {"torus:3x4 node:2 core:2", "ring:6", "hypercube:4 core:2",
                                        "node:2 ring:7 core:2", "mesh:3x4"};
    struct tmap_random random;
    struct tmap_error error;
    int moved = 0;
    tmap_random_init(&random, 4);
    for (int i = 0; i < rounds(300); i++) {
        struct tmap_tree *tree = make_tree(trees[i % 5]);
        int32_t slots = tmap_tree_slots(tree), slot_of[64], wanted = i % slots;
        struct tmap_matrix *matrix = random_matrix(&random, slots, 2 * slots, 10);
        struct tmap_cost before, after;
        int kept = -1;
        for (int32_t r = 0; r < slots; r++)
            slot_of[r] = r;
        tmap_random_shuffle(&random, slot_of, slots);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &before, &error), &error);
        assert_ok(tmap_mapping_keep_role(matrix, tree, 0, wanted, slot_of, &kept, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &after, &error), &error);
        assert_true(after.cost <= before.cost * (1 + 1e-12));
        assert_int_equal(kept, slot_of[0] == wanted);
        moved += kept;
        if (i % 5 < 3) /* one torus, which can be shifted */
            assert_int_equal(kept, 1);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
    assert_true(moved > 0);
}

/* The cost of a random full mapping before and after a role is brought from one slot to another is the
 * same, and the role is there. */
static void assert_free_way(const struct tmap_tree *tree, int32_t from, int32_t to,
                            struct tmap_random *random)
{
    int32_t slots = tmap_tree_slots(tree), slot_of[64], role = 0;
    struct tmap_matrix *matrix = random_matrix(random, slots, 4 * slots, 20);
    struct tmap_error error;
    int kept = 0;
    for (int32_t r = 0; r < slots; r++)
        slot_of[r] = r;
    tmap_random_shuffle(random, slot_of, slots);
    while (slot_of[role] != from)
        role++;
    double before = mapping_cost(matrix, tree, slot_of);
    assert_ok(tmap_mapping_keep_role(matrix, tree, role, to, slot_of, &kept, &error), &error);
    if (!kept || slot_of[role] != to || mapping_cost(matrix, tree, slot_of) != before)
        fail_msg("from slot %d to %d: kept %d, cost %.17g, and before %.17g", (int)from, (int)to,
                 kept, mapping_cost(matrix, tree, slot_of), before);
    tmap_matrix_destroy(matrix);
}

/* Slots of a mesh that a reflection brings to each other, with the nodes below; and parts of a torus and of
 * a mesh that are symmetric. What is sent is so different that no exchange of two roles is free. */
static void meshes_and_parts_are_reflected(void **state)
{
    (void)state;
    static const struct {
        const char *tree;
        int32_t from, to;
    } cases[] = {{"mesh:4x3", 11, 0},        {"mesh:4x3", 2, 9},
                 {"mesh:4x3", 4, 7},         {"mesh:9", 1, 7},
                 {"mesh:4x3 node:2", 23, 1}, {"mesh:2x3x4", 23, 0},
                 {"mesh:4x3", 5, 5},         {"node:2 mesh:3x3", 15, 9 + 8}};
    static const int32_t part[] = {0, 1, 2, 5, 7, 10, 11, 12}; /* all around (1,1) */
    struct tmap_random random;
    tmap_random_init(&random, 8);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_tree *tree = make_tree(cases[i].tree);
        assert_free_way(tree, cases[i].from, cases[i].to, &random);
        tmap_tree_destroy(tree);
    }
    for (int kind = TMAP_SHAPE_TORUS; kind <= TMAP_SHAPE_MESH; kind++) {
        struct tmap_tree *tree = part_of_grid((enum tmap_shape_kind)kind, 4, 8, part);
        static const int32_t ends[][2] = {{7, 0}, {2, 5}, {0, 5}, {3, 4}, {1, 6}};
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            assert_free_way(tree, ends[i][0], ends[i][1], &random);
        tmap_tree_destroy(tree);
    }
}

/* Nodes in a row, of two slots each with this room. */
static struct tmap_tree *row_of_nodes(enum tmap_shape_kind kind, int32_t nodes,
                                      const int32_t *capacity)
{
    static const int32_t path[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1},
                                      {2, 0}, {2, 1}, {3, 0}, {3, 1}};
    const struct tmap_shape shape = {
        .size = sizeof shape, .kind = kind, .dimensions = 1, .extent = {nodes}};
    struct tmap_tree *tree = NULL, *shaped = NULL;
    struct tmap_error error;
    assert_ok(
        tmap_tree_create_from_paths(&tree, 2 * nodes, 2, path[0], capacity, NULL, NULL, &error),
        &error);
    assert_ok(tmap_tree_copy_with_shape(&shaped, tree, 0, &shape, NULL, &error), &error);
    tmap_tree_destroy(tree);
    return shaped;
}

/* A node gets what another one had only if it has the same room; 0: a slot is closed. */
static void only_nodes_that_are_alike_are_reflected(void **state)
{
    (void)state;
    static const struct {
        int32_t nodes, capacity[8], from, to;
        int are_alike;
    } cases[] = {{3, {1, 0, 2, 2, 0, 1}, 0, 5, 1},
                 {3, {1, 0, 2, 2, 1, 1}, 0, 4, 0},
                 {4, {1, 1, 2, 1, 2, 2, 1, 1}, 0, 6, 0},
                 {4, {1, 1, 2, 1, 1, 2, 1, 1}, 0, 6, 1},
                 {4, {0, 1, 2, 0, 0, 2, 1, 0}, 1, 6, 1}};
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 9);
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        enum tmap_shape_kind kind = i % 2 ? TMAP_SHAPE_MESH : TMAP_SHAPE_TORUS;
        const int32_t nodes = cases[i / 2].nodes, from = cases[i / 2].from, to = cases[i / 2].to;
        struct tmap_tree *tree = row_of_nodes(kind, nodes, cases[i / 2].capacity);
        int32_t slot_of[16], roles = 0, role = 0;
        for (int32_t slot = 0; slot < 2 * nodes; slot++)
            for (int32_t used = 0; used < cases[i / 2].capacity[slot]; used++)
                slot_of[roles++] = slot;
        tmap_random_shuffle(&random, slot_of, roles);
        while (slot_of[role] != from)
            role++;
        struct tmap_matrix *matrix = random_matrix(&random, roles, 8 * roles, 20);
        double before = mapping_cost(matrix, tree, slot_of);
        int kept = 0;
        assert_ok(tmap_mapping_keep_role(matrix, tree, role, to, slot_of, &kept, &error), &error);
        assert_true(tmap_mapping_is_valid(tree, roles, slot_of));
        double after = mapping_cost(matrix, tree, slot_of);
        assert_int_equal(kept, slot_of[role] == to);
        if (cases[i / 2].are_alike ? !kept || after != before : after > before)
            fail_msg("case %zu, shape %d: kept %d, cost %.17g, and before %.17g", i / 2, (int)kind,
                     kept, after, before);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_as_far_as_their_graphs),
        cmocka_unit_test(graphs_are_as_far_as_they_are),
        cmocka_unit_test(a_dragonfly_has_a_link_for_each_pair_of_groups),
        cmocka_unit_test(netlocs_machine_has_its_distances),
        cmocka_unit_test(bad_shapes_are_refused),
        cmocka_unit_test(bad_graphs_are_refused),
        cmocka_unit_test(copies_keep_shapes),
        cmocka_unit_test(costs_are_sums_over_pairs),
        cmocka_unit_test(words_make_shapes),
        cmocka_unit_test(keeping_a_role_never_raises_the_cost),
        cmocka_unit_test(meshes_and_parts_are_reflected),
        cmocka_unit_test(only_nodes_that_are_alike_are_reflected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
