/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-networks.c - mapping to machines with networks: never worse than simpler ways, nearly as good
 * as the best of all mappings of small machines, exact where the best is known.
 */
#include "bench/machines.h"
#include "generate/generate.h"
#include "test.h"
#include "treematch/model/interconnect.h"
#include "treematch/multilevel/compact.h"

#include <math.h>

static double find(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                   const char *method, uint64_t seed)
{
    struct tmap_error error;
    struct tmap_options options;
    size_t roles = (size_t)tmap_matrix_roles(matrix);
    int32_t *slot_of = malloc(roles * sizeof *slot_of);
    tmap_options_init(&options, sizeof options);
    options.method = method;
    options.seed = seed;
    assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
    assert_true(tmap_mapping_is_valid(tree, (int32_t)roles, slot_of));
    double cost = mapping_cost(matrix, tree, slot_of);
    free(slot_of);
    return cost;
}

/* The tree with some slots closed at random. */
static struct tmap_tree *with_holes(struct tmap_tree *tree, struct tmap_random *random,
                                    uint32_t one_of)
{
    struct tmap_error error;
    struct tmap_tree *result = NULL;
    int32_t slots = tmap_tree_slots(tree), capacity[1024];
    for (int32_t s = 0; s < slots; s++)
        capacity[s] = tmap_random_below(random, one_of) != 0;
    assert_ok(tmap_tree_copy_part(&result, tree, 0, 0, capacity, &error), &error);
    tmap_tree_destroy(tree);
    return result;
}

static const char *const trees[] = {
    "torus:4x4 node:2 core:2", "mesh:3x5 core:3",      "node:3 ring:6 core:2",
    "dragonfly:4x3 node:2",    "hypercube:5",          "torus:3x5x4",
    "ring:3 ring:5 ring:3",    "torus:1x7 mesh:2x1x3",
};
enum { TREES = sizeof trees / sizeof *trees };

static void never_worse_than_simpler_ways(void **state)
{
    (void)state;
    static const char *const methods[] = {"packed", "roundrobin", "treematch"};
    struct tmap_random random;
    tmap_random_init(&random, 1);
    for (int i = 0; i < rounds(80); i++) {
        struct tmap_tree *tree = make_tree(trees[i % TREES]), *plain = NULL;
        if (i % 3 == 0)
            tree = with_holes(tree, &random, 4);
        int32_t roles = (int32_t)tmap_tree_capacity(tree) - (i % 5 ? 0 : i % 7);
        struct tmap_matrix *matrix = random_matrix(&random, roles, (1 + i % 6) * roles, 1 + i % 30);
        double cost = find(matrix, tree, NULL, (uint64_t)i) * (1 - 1e-12);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            assert_true(cost <= find(matrix, tree, methods[m], 0));
        int32_t *slot_of = malloc((size_t)roles * sizeof *slot_of);
        struct tmap_options options;
        struct tmap_error error;
        tmap_options_init(&options, sizeof options);
        options.seed = (uint64_t)i;
        assert_int_equal(tmap_tree_copy_plain(&plain, tree), TMAP_OK);
        assert_ok(tmap_mapping_find(matrix, plain, &options, slot_of, &error), &error);
        assert_true(cost <= mapping_cost(matrix, tree, slot_of));
        free(slot_of);
        tmap_tree_destroy(plain);
        tmap_tree_destroy(tree);
        tmap_matrix_destroy(matrix);
    }
}

/* Of many roles, candidates that have no chance are left out. Where levels are all that counts, the plain
 * tree has one: the network of these machines is a tree of switches. */
static void never_worse_than_a_plain_tree_that_suits(void **state)
{
    static const char *const patterns[] = {"geometric-shuffled", "cliques-shuffled"};
    (void)state;
    for (int p = 0; p < rounds(2); p++) {
        struct tmap_tree *tree = machine_make("fatgraph:4x12 core:16"), *plain = NULL;
        struct tmap_matrix *matrix = generate_matrix(patterns[p], 768, 7);
        struct tmap_options options;
        struct tmap_error error;
        int32_t slot_of[768];
        assert_true(tree && matrix);
        tmap_options_init(&options, sizeof options);
        assert_int_equal(tmap_tree_copy_plain(&plain, tree), TMAP_OK);
        assert_ok(tmap_mapping_find(matrix, plain, &options, slot_of, &error), &error);
        double cost = find(matrix, tree, NULL, 0), plain_cost = mapping_cost(matrix, tree, slot_of);
        if (cost > plain_cost * (1 + 1e-12))
            fail_msg("%s: %.17g, as a plain tree %.17g", patterns[p], cost, plain_cost);
        tmap_tree_destroy(plain);
        tmap_tree_destroy(tree);
        tmap_matrix_destroy(matrix);
    }
}

/* The next order of the roles, as a permutation; 0 after the last one. */
static int next_order(int32_t *order, int n)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && order[i] > order[i + 1])
        i--;
    if (i < 0)
        return 0;
    while (order[j] < order[i])
        j--;
    int32_t kept = order[i];
    order[i] = order[j], order[j] = kept;
    for (int left = i + 1, right = n - 1; left < right; left++, right--)
        kept = order[left], order[left] = order[right], order[right] = kept;
    return 1;
}

static void small_machines_are_mapped_as_well_as_possible(void **state)
{
    (void)state;
    static const char *const small[] = {"torus:2x4", "ring:8",        "mesh:2x4",     "hypercube:3",
                                        "ring:7",    "dragonfly:4x2", "ring:4 core:2"};
    struct tmap_random random;
    tmap_random_init(&random, 2);
    for (int i = 0; i < rounds(70); i++) {
        struct tmap_tree *tree = make_tree(small[i % 7]);
        int32_t n = tmap_tree_slots(tree), slot_of[8];
        struct tmap_matrix *matrix = random_matrix(&random, n, 2 * n, i < 35 ? 8 : 40);
        double least = INFINITY;
        for (int32_t r = 0; r < n; r++)
            slot_of[r] = r;
        do {
            double cost = mapping_cost(matrix, tree, slot_of);
            least = cost < least ? cost : least;
        } while (next_order(slot_of, n));
        double found = find(matrix, tree, NULL, 0);
        assert_true(fabs(found - least) <= 1e-9 * least);
        tmap_tree_destroy(tree);
        tmap_matrix_destroy(matrix);
    }
}

/* A pattern like the grid of `shape`, with shuffled roles. */
static struct tmap_matrix *shuffled_grid(const struct tmap_shape *shape, uint64_t seed)
{
    struct tmap_random random;
    struct tmap_error error;
    struct tmap_interconnect *interconnect = NULL;
    struct entries entries = {NULL, 0, 0};
    int32_t name[4096], next[32];
    assert_ok(tmap_interconnect_create(&interconnect, shape, NULL, 0, &error), &error);
    int32_t n = (int32_t)interconnect->positions;
    for (int32_t p = 0; p < n; p++)
        name[p] = p;
    tmap_random_init(&random, seed);
    tmap_random_shuffle(&random, name, n);
    for (int32_t p = 0; p < n; p++) {
        int32_t count = tmap_interconnect_next(interconnect, p, next, 32);
        for (int32_t i = 0; i < count; i++)
            add_entry(&entries, name[p], name[next[i]], 1000);
    }
    tmap_interconnect_release(interconnect);
    return make_matrix(n, &entries);
}

static void a_network_is_found_again_in_its_own_pattern(void **state)
{
    (void)state;
    static const char *const texts[] = {"torus:4x4x4", "torus:16x16", "torus:3x5x7",
                                        "mesh:8x8x8",  "mesh:12x10",  "ring:24",
                                        "hypercube:6", "mesh:3x5x7",  "torus:8x8x8"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct tmap_tree *tree = make_tree(texts[i]);
        struct tmap_shape shape = {.size = sizeof shape};
        assert_true(tmap_tree_shape(tree, 0, &shape) != TMAP_SHAPE_NONE);
        struct tmap_matrix *matrix = shuffled_grid(&shape, i);
        double each = tmap_tree_level(tree, 0)->cost, total = (double)tmap_matrix_total(matrix);
        double found = find(matrix, tree, NULL, 1) / each / total;
        if (found > 1.05)
            fail_msg("%s: %g hops a byte", texts[i], found);
        tmap_tree_destroy(tree);
        tmap_matrix_destroy(matrix);
    }
}

/* Groups that talk among themselves only fit below the positions, wherever these are. */
static void a_hierarchy_below_a_network_is_recovered(void **state)
{
    (void)state;
    struct tmap_random random;
    struct tmap_tree *tree = make_tree("torus:3x4 node:2 core:4");
    struct entries entries = {NULL, 0, 0};
    int32_t name[96];
    for (int32_t r = 0; r < 96; r++)
        name[r] = r;
    tmap_random_init(&random, 3);
    tmap_random_shuffle(&random, name, 96);
    for (int32_t r = 0; r < 96; r++)
        for (int32_t s = r + 1; s < 96; s++)
            if (r / 4 == s / 4)
                add_entry(&entries, name[r], name[s], 1000);
            else if (r / 8 == s / 8)
                add_entry(&entries, name[r], name[s], 10);
    struct tmap_matrix *matrix = make_matrix(96, &entries);
    double inside = tmap_tree_level(tree, 2)->cost, across = tmap_tree_level(tree, 1)->cost;
    double expected = 24 * 6 * 1000 * inside + 12 * 16 * 10 * across;
    assert_true(fabs(find(matrix, tree, NULL, 0) - expected) <= 1e-9 * expected);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
}

/* Parts get roles in proportion to what they hold: two nodes at one router, one at another. */
static void parts_get_what_they_hold(void **state)
{
    (void)state;
    struct tmap_error error;
    struct tmap_tree *tree = NULL, *shaped = NULL;
    const struct tmap_level level[] = {{.name = "router", .cost = 1600},
                                       {.name = "node", .cost = 800},
                                       {.name = "core", .cost = 10}};
    const struct tmap_shape torus = {
        .size = sizeof torus, .kind = TMAP_SHAPE_TORUS, .dimensions = 3, .extent = {4, 4, 4}};
    static const int32_t position[] = {32, 52};
    struct tmap_random random;
    int32_t path[96][3], slot_of[96];
    for (int s = 0; s < 96; s++)
        memcpy(path[s], (const int32_t[3]){s / 32 > 0, s / 32 % 2 == 0, s % 32}, sizeof path[s]);
    assert_ok(tmap_tree_create_from_paths(&tree, 96, 3, path[0], NULL, level, NULL, &error),
              &error);
    assert_ok(tmap_tree_copy_with_shape(&shaped, tree, 0, &torus, position, &error), &error);
    tmap_random_init(&random, 4);
    for (int32_t roles = 96; roles >= 48; roles -= 48) {
        struct tmap_matrix *matrix = random_matrix(&random, roles, 5 * roles, 10);
        int32_t on_first = 0;
        assert_ok(tmap_mapping_find(matrix, shaped, NULL, slot_of, &error), &error);
        for (int32_t r = 0; r < roles; r++)
            on_first += slot_of[r] < 32;
        if (roles == 96)
            assert_int_equal(on_first, 32);
        tmap_matrix_destroy(matrix);
    }
    tmap_tree_destroy(tree);
    tmap_tree_destroy(shaped);
}

/* Constraints, parts and threads on networks. */
static void constraints_are_obeyed(void **state)
{
    (void)state;
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 5);
    for (int i = 0; i < rounds(40); i++) {
        struct tmap_tree *tree = make_tree(trees[i % TREES]);
        int32_t slots = tmap_tree_slots(tree), roles = slots / 2, slot_of[256], again[256];
        int32_t pinned[256];
        unsigned char closed[256];
        struct tmap_matrix *matrix = random_matrix(&random, roles, 4 * roles, 10);
        struct tmap_options options;
        tmap_options_init(&options, sizeof options);
        options.pinned = pinned;
        options.closed = closed;
        memset(pinned, 0xff, sizeof pinned);
        for (int32_t s = 0; s < slots; s++)
            closed[s] = s % 5 == 4;
        pinned[0] = 1, pinned[roles - 1] = 0;
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        assert_int_equal(slot_of[0], 1);
        assert_int_equal(slot_of[roles - 1], 0);
        for (int32_t r = 0; r < roles; r++)
            assert_false(closed[slot_of[r]]);
        options.threads = 3;
        assert_ok(tmap_mapping_find(matrix, tree, &options, again, &error), &error);
        assert_memory_equal(slot_of, again, sizeof *slot_of * (size_t)roles);
        double before = mapping_cost(matrix, tree, slot_of);
        int level = (int)tmap_random_below(&random, (uint32_t)tmap_tree_depth(tree));
        int32_t object =
            (int32_t)tmap_random_below(&random, (uint32_t)tmap_tree_objects(tree, level));
        assert_ok(
            tmap_mapping_improve_below(matrix, tree, level, object, &options, slot_of, &error),
            &error);
        assert_true(mapping_cost(matrix, tree, slot_of) <= before * (1 + 1e-12));
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* An arrangement is the same machine with other numbers, and its halves are compact. */
static void arrangements_are_the_same_machine(void **state)
{
    (void)state;
    struct tmap_random random;
    tmap_random_init(&random, 6);
    for (int i = 0; i < rounds(40); i++) {
        struct tmap_tree *tree = make_tree(trees[i % TREES]);
        struct tmap_compact compact;
        if (i % 2)
            tree = with_holes(tree, &random, 3);
        assert_int_equal(tmap_compact_init(&compact, tree, (enum tmap_compact_kind)(i / 2 % 2)),
                         TMAP_OK);
        assert_true(tmap_permutation_is_valid(compact.slot_of, tmap_tree_slots(tree)));
        for (int32_t a = 0; a < tmap_tree_slots(tree); a++) {
            int32_t b = (int32_t)tmap_random_below(&random, (uint32_t)tmap_tree_slots(tree));
            assert_true(tmap_tree_distance(compact.tree, a, b) ==
                        tmap_tree_distance(tree, compact.slot_of[a], compact.slot_of[b]));
            assert_int_equal(tmap_tree_slot_capacity(compact.tree, a),
                             tmap_tree_slot_capacity(tree, compact.slot_of[a]));
        }
        tmap_compact_fini(&compact);
        tmap_tree_destroy(tree);
    }
}

/* The halves of a mesh of 2 x 4, one after the other. */
static void halves_are_compact(void **state)
{
    (void)state;
    struct tmap_tree *tree = make_tree("mesh:2x4");
    struct tmap_compact compact;
    assert_int_equal(tmap_compact_init(&compact, tree, TMAP_COMPACT_RINGS_FIRST), TMAP_OK);
    assert_int_equal(tmap_compact_middle(&compact, 1, 0, 8), 4);
    assert_int_equal(tmap_compact_middle(&compact, 1, 0, 4), 2);
    assert_int_equal(tmap_compact_middle(&compact, 1, 4, 8), 6);
    for (int part = 0; part < 8; part += 4) /* columns 0 and 1, then 2 and 3 */
        for (int i = part; i < part + 4; i++)
            assert_int_equal(compact.slot_of[i] % 4 / 2, part / 4);
    tmap_compact_fini(&compact);
    tmap_tree_destroy(tree);
    tree = make_tree("dragonfly:9x8");
    assert_int_equal(tmap_compact_init(&compact, tree, TMAP_COMPACT_RINGS_FIRST), TMAP_OK);
    for (int first = 0; first < 72; first += 8) /* whole groups */
        for (int i = first; i < first + 8; i++)
            assert_int_equal(compact.slot_of[i] / 8, compact.slot_of[first] / 8);
    tmap_compact_fini(&compact);
    tmap_tree_destroy(tree);
}

/* A ring of which only one slot is open, or none on one side, is halved all the same. */
static void closed_parts_are_halved_in_the_middle(void **state)
{
    (void)state;
    struct tmap_error error;
    struct tmap_tree *ring = make_tree("ring:4096"), *tree = NULL;
    static int32_t capacity[4096];
    struct tmap_compact compact;
    capacity[1234] = 1;
    assert_ok(tmap_tree_copy_part(&tree, ring, 0, 0, capacity, &error), &error);
    assert_int_equal(tmap_compact_init(&compact, tree, TMAP_COMPACT_RINGS_LAST), TMAP_OK);
    for (int32_t o = 0; o < 4096; o++)
        assert_in_range(compact.depth[0][o], 0, 12);
    tmap_compact_fini(&compact);
    tmap_tree_destroy(tree);
    tmap_tree_destroy(ring);
}

/* Two hubs with a link between them and LEAVES leaves each, more than one leaf is joined to, of which every
 * other is at the same hub; and two patterns that belong to a hub each. */
static void hundreds_may_be_equally_near(void **state)
{
    (void)state;
    enum { LEAVES = 160, ROLES = 2 * LEAVES };
    struct tmap_link link[ROLES + 1] = {{ROLES, ROLES + 1, 1}};
    int32_t position[ROLES], roles = ROLES;
    struct tmap_tree *flat = NULL, *tree = NULL;
    struct tmap_error error;
    struct entries entries = {NULL, 0, 0};
    for (int32_t i = 0; i < ROLES; i++) {
        link[i + 1] = (struct tmap_link){position[i] = i, ROLES + i % 2, 1};
        add_entry(&entries, i, (i + 2 * 37) % ROLES, 10); /* 37 has no divisor in common */
        add_entry(&entries, i, (i + 2 * 11) % ROLES, 10);
    }
    const struct tmap_shape shape = {.size = sizeof shape,
                                     .kind = TMAP_SHAPE_GRAPH,
                                     .positions = ROLES + 2,
                                     .links = ROLES + 1,
                                     .link = link};
    assert_ok(tmap_tree_create_uniform(&flat, 1, &roles, NULL, &error), &error);
    assert_ok(tmap_tree_copy_with_shape(&tree, flat, 0, &shape, position, &error), &error);
    struct tmap_matrix *matrix = make_matrix(ROLES, &entries);
    double hop = tmap_tree_level(tree, 0)->cost;
    assert_true(find(matrix, tree, "multilevel", 1) == 2 * hop * 2 * 10 * ROLES);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    tmap_tree_destroy(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_worse_than_simpler_ways),
        cmocka_unit_test(never_worse_than_a_plain_tree_that_suits),
        cmocka_unit_test(small_machines_are_mapped_as_well_as_possible),
        cmocka_unit_test(a_network_is_found_again_in_its_own_pattern),
        cmocka_unit_test(a_hierarchy_below_a_network_is_recovered),
        cmocka_unit_test(parts_get_what_they_hold),
        cmocka_unit_test(hundreds_may_be_equally_near),
        cmocka_unit_test(constraints_are_obeyed),
        cmocka_unit_test(arrangements_are_the_same_machine),
        cmocka_unit_test(halves_are_compact),
        cmocka_unit_test(closed_parts_are_halved_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
