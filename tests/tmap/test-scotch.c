/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-scotch.c - Scotch on machines with shapes: its architectures have the distances of the tree,
 * and what it maps to them is valid.
 */
#include "test.h"

#if HAVE_SCOTCH
#include "treematch/adapters/scotch-machine.h"

/* Scotch's distances of all pairs of slots are those of the tree, but for a factor. */
static void assert_same_distances(const struct tmap_tree *tree, enum tmap_scotch_weights weights,
                                  double factor, const char *name)
{
    struct scotch_machine machine;
    SCOTCH_ArchDom *a = SCOTCH_archDomAlloc(), *b = SCOTCH_archDomAlloc();
    int32_t slots = tmap_tree_slots(tree);
    assert_int_equal(scotch_machine_init(&machine, tree, weights), TMAP_OK);
    assert_string_equal(SCOTCH_archName(&machine.arch), name);
    assert_int_equal(SCOTCH_archSize(&machine.arch), slots);
    for (int32_t i = 0; i < slots; i++)
        for (int32_t j = 0; j < slots; j++) {
            int32_t s = machine.slot_of ? machine.slot_of[i] : i;
            int32_t t = machine.slot_of ? machine.slot_of[j] : j;
            assert_int_equal(SCOTCH_archDomTerm(&machine.arch, a, i), 0);
            assert_int_equal(SCOTCH_archDomTerm(&machine.arch, b, j), 0);
            double distance = (double)SCOTCH_archDomDist(&machine.arch, a, b) * factor;
            if (distance != tmap_tree_distance(tree, s, t))
                fail_msg("%s: slots %d and %d: %g, not %g", name, (int)s, (int)t, distance,
                         tmap_tree_distance(tree, s, t));
        }
    scotch_machine_fini(&machine);
    free(a);
    free(b);
}

static void predefined_architectures_have_our_distances(void **state)
{
    (void)state;
    static const struct {
        const char *tree, *name;
        double factor;
    } cases[] = {{"torus:3x4x5", "torusXD", 400},   {"mesh:3x4", "mesh3D", 400},
                 {"torus:2x3x2x5", "torusXD", 400}, {"mesh:3x1x4x5", "mesh3D", 400},
                 {"ring:7", "torusXD", 400},        {"hypercube:5", "hcub", 400},
                 {"mesh:9", "mesh3D", 400},         {"3 2 4", "tleaf", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_tree *tree = make_tree(cases[i].tree);
        assert_same_distances(tree, TMAP_SCOTCH_COSTS, cases[i].factor, cases[i].name);
        tmap_tree_destroy(tree);
    }
}

/* 4 3 2 1 and 500 100 50 10 from the root, which add up from a level down to the leaves. */
static void weights_of_the_papers(void **state)
{
    (void)state;
    static const struct {
        enum tmap_scotch_weights weights;
        double costs[4];
    } cases[] = {{TMAP_SCOTCH_LIGHT, {10, 6, 3, 1}}, {TMAP_SCOTCH_HEAVY, {660, 160, 60, 10}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_tree *tree = make_tree("4 4 3 2"), *priced = NULL;
        struct tmap_error error;
        assert_ok(tmap_tree_copy_with_costs(&priced, tree, cases[i].costs, 4, &error), &error);
        assert_same_distances(priced, cases[i].weights, 1, "tleaf");
        tmap_tree_destroy(priced);
        tmap_tree_destroy(tree);
    }
}

static void parts_of_grids_have_our_distances(void **state)
{
    (void)state;
    static const int32_t position[] = {19, 3, 4, 9, 10, 12, 0, 17};
    struct tmap_tree *tree = part_of_grid(TMAP_SHAPE_TORUS, 4, 8, position);
    assert_same_distances(tree, TMAP_SCOTCH_COSTS, 2, "sub");
    tmap_tree_destroy(tree);
    tree = part_of_grid(TMAP_SHAPE_MESH, 4, 8, position);
    assert_same_distances(tree, TMAP_SCOTCH_COSTS, 2, "sub");
    tmap_tree_destroy(tree);
}

/* Shortest paths of our graph by Bellman and Ford. */
static SCOTCH_Num path_in_graph(const struct scotch_links *links, SCOTCH_Num from, SCOTCH_Num to)
{
    SCOTCH_Num length[256];
    int changed = 1;
    assert_true(links->vertices <= 256);
    for (SCOTCH_Num v = 0; v < links->vertices; v++)
        length[v] = v == from ? 0 : 1 << 29;
    while (changed) {
        changed = 0;
        for (SCOTCH_Num v = 0; v < links->vertices; v++)
            for (SCOTCH_Num e = links->start[v]; e < links->start[v + 1]; e++)
                if (length[v] + links->length[e] < length[links->target[e]]) {
                    length[links->target[e]] = length[v] + links->length[e];
                    changed = 1;
                }
    }
    return length[to];
}

/* Paths in the whole graph: those of a plain tree are its distances, and between two positions of a
 * network they are longer by what is below. */
static void whole_graphs_have_our_distances(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double unit; /* of Scotch's lengths */
    } trees[] = {
        {"3 2 4", 1},
        {"torus:3x4", 400},
        {"hypercube:4", 400},
        {"ring:2", 400},
        {"dragonfly:3x4 node:2", 100},
        {"torus:3x3 node:2", 100},
        {"node:2 ring:5 core:2", 5},
        {"mesh:2x3 node:2 core:2", 5},
    };
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        struct tmap_tree *tree = make_tree(trees[i].text);
        struct scotch_links links;
        assert_int_equal(scotch_links_init(&links, tree), TMAP_OK);
        for (int32_t s = 0; s < tmap_tree_slots(tree); s++)
            for (int32_t t = 0; t < s; t++) {
                double path = path_in_graph(&links, links.vertex_of[s], links.vertex_of[t]);
                double distance = tmap_tree_distance(tree, s, t);
                int level = tmap_tree_common_level(tree, s, t), below = level + 1;
                if (tmap_tree_shape(tree, level, NULL) && below < tmap_tree_depth(tree))
                    distance += tmap_tree_level(tree, below)->cost;
                if (path * trees[i].unit != distance)
                    fail_msg("%s: slots %d and %d: %g, not %g", trees[i].text, (int)s, (int)t,
                             path * trees[i].unit, distance);
            }
        scotch_links_fini(&links);
        tmap_tree_destroy(tree);
    }
}

/* Mappings are valid, use the numbers of slots rightly (else they would cost what random ones do),
 * and are the same when asked for again. */
static void mappings_are_good(void **state)
{
    (void)state;
    static const char *const trees[] = {"torus:6x6", "mesh:6x6", "dragonfly:6x2 node:3", "4 9",
                                        "torus:3x3 node:4"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        struct tmap_tree *tree = make_tree(trees[i]);
        struct entries entries = {NULL, 0, 0};
        struct tmap_error error;
        for (int r = 0; r < 36; r++)
            for (int c = 0; c < 36; c++)
                if ((c == r + 1 && c % 6) || c == r + 6)
                    add_entry(&entries, r * 5 % 36, c * 5 % 36, 1000);
        struct tmap_matrix *matrix = make_matrix(36, &entries);
        const struct tmap_options options = {.size = sizeof options, .method = "random"};
        int32_t slot_of[36], again[36], repaired = -1;
        struct tmap_cost random, cost;
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &random, &error), &error);
        for (int whole = 0; whole < 2; whole++) {
            enum tmap_scotch_weights weights = whole ? TMAP_SCOTCH_WHOLE : TMAP_SCOTCH_COSTS;
            assert_ok(tmap_mapping_find_scotch(matrix, tree, weights, slot_of, &repaired, &error),
                      &error);
            assert_ok(tmap_mapping_find_scotch(matrix, tree, weights, again, NULL, &error), &error);
            assert_memory_equal(slot_of, again, sizeof again);
            assert_in_range(repaired, 0, 36);
            assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
            if (cost.cost > 0.75 * random.cost)
                fail_msg("%s: %g, and random %g", trees[i], cost.cost, random.cost);
        }
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* Trees that are not uniform, slots that hold several roles or none. */
static void any_tree_can_be_mapped_to(void **state)
{
    (void)state;
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 3);
    for (int i = 0; i < rounds(60); i++) {
        struct tmap_tree *tree = random_tree(&random, 1 + i % 4, 5, i % 3);
        int32_t most = tmap_tree_capacity(tree) < 200 ? (int32_t)tmap_tree_capacity(tree) : 200;
        int32_t roles = most - (i % 2 ? most / 3 : 0), slot_of[200];
        struct tmap_matrix *matrix = random_matrix(&random, roles, 3 * roles, 12);
        int raw = i % 5 == 0 ? TMAP_SCOTCH_RAW : 0;
        enum tmap_scotch_weights weights = (enum tmap_scotch_weights)(i / 12 % 4 | raw);
        assert_ok(tmap_mapping_find_scotch(matrix, tree, weights, slot_of, NULL, &error), &error);
        assert_true(tmap_mapping_is_valid(tree, roles, slot_of));
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* Maps a grid of 6 x 6 whose neighbors have this load, scaled down (0) or raw. */
static enum tmap_status map_grid(uint64_t load, int raw, int32_t slot_of[36])
{
    struct tmap_tree *tree = make_tree("3 3 2 2");
    struct entries entries = {NULL, 0, 0};
    struct tmap_error error;
    for (int r = 0; r < 36; r++)
        for (int c = 0; c < r; c++)
            if ((r == c + 1 && r % 6) || r == c + 6)
                add_entry(&entries, r * 5 % 36, c * 5 % 36, load);
    struct tmap_matrix *matrix = make_matrix(36, &entries);
    enum tmap_scotch_weights weights = (enum tmap_scotch_weights)(TMAP_SCOTCH_HEAVY | raw);
    enum tmap_status status =
        tmap_mapping_find_scotch(matrix, tree, weights, slot_of, NULL, &error);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    return status;
}

/* Loads of 10 are the same either way; the sum of those of 10^7 fits into 32 bits, but not times
 * the weights; and of those of 10^8 not even that. */
static void raw_loads_are_those_of_the_matrix(void **state)
{
    (void)state;
    int32_t scaled[36], raw[36];
    assert_int_equal(map_grid(10, 0, scaled), TMAP_OK);
    assert_int_equal(map_grid(10, TMAP_SCOTCH_RAW, raw), TMAP_OK);
    assert_memory_equal(scaled, raw, sizeof raw);
    if (sizeof(SCOTCH_Num) > 4)
        return;
    assert_int_equal(map_grid(10000000, 0, scaled), TMAP_OK);
    assert_int_equal(map_grid(10000000, TMAP_SCOTCH_RAW, raw), TMAP_OK);
    assert_memory_not_equal(scaled, raw, sizeof raw);
    assert_int_equal(map_grid(100000000, 0, scaled), TMAP_OK);
    assert_int_equal(map_grid(100000000, TMAP_SCOTCH_RAW, raw), TMAP_EOVERFLOW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predefined_architectures_have_our_distances),
        cmocka_unit_test(weights_of_the_papers),
        cmocka_unit_test(parts_of_grids_have_our_distances),
        cmocka_unit_test(whole_graphs_have_our_distances),
        cmocka_unit_test(mappings_are_good),
        cmocka_unit_test(any_tree_can_be_mapped_to),
        cmocka_unit_test(raw_loads_are_those_of_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    puts("1..0 # SKIP configure found no libscotch");
    return 0;
}
#endif
