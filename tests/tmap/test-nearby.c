/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-nearby.c - exchanges on trees with networks: who is proposed, that costs only fall, optima of
 * tiny machines, repair of a good mapping.
 */
#include "test.h"
#include "treematch/improve/nearby.h"
#include "treematch/improve/swaps.h"

/* By the definition, without any code of the exchanges. */
static double cost_of(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                      const int32_t *slot_of)
{
    double cost = 0;
    for (int32_t role = 0; role < matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++) {
            if (row.partner[i] > role)
                cost += (double)row.weight[i] *
                        tmap_tree_distance(tree, slot_of[role], slot_of[row.partner[i]]);
        }
    }
    return cost;
}

/* A random shape whose positions are more than `children`. */
static struct tmap_shape random_shape(struct tmap_random *random, int32_t children,
                                      struct tmap_link *link)
{
    struct tmap_shape shape = {.size = sizeof shape};
    shape.kind = (enum tmap_shape_kind)(1 + tmap_random_below(random, 3));
    if (shape.kind == TMAP_SHAPE_GRAPH) {
        shape.positions = children + 2;
        for (int32_t p = 0; p < shape.positions; p++, shape.links += 2) {
            int32_t any = (int32_t)tmap_random_below(random, (uint32_t)shape.positions);
            link[2 * p] = (struct tmap_link){p, (p + 1) % shape.positions, 1.7};
            link[2 * p + 1] = (struct tmap_link){p, any, 1 + tmap_random_below(random, 3) / 3.0};
        }
        shape.link = link;
    } else {
        shape.dimensions = 2;
        shape.extent[0] = 2 + (int32_t)tmap_random_below(random, 3);
        shape.extent[1] = children / shape.extent[0] + 2;
        shape.length[0] = 1 + tmap_random_below(random, 3);
    }
    return shape;
}

/* `from`, which is destroyed, with a random shape at a level, children at random positions. */
static struct tmap_tree *with_shape(struct tmap_random *random, struct tmap_tree *from, int level)
{
    enum { MOST = 128 };
    int32_t order[MOST], widest = 0;
    int32_t *position = malloc(sizeof *position * (size_t)from->count[level + 1]);
    struct tmap_link link[2 * MOST];
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    assert_non_null(position);
    for (int32_t o = 0; o < from->count[level]; o++) {
        int32_t arity = from->first_child[level][o + 1] - from->first_child[level][o];
        widest = arity > widest ? arity : widest;
    }
    struct tmap_shape shape = random_shape(random, widest, link);
    int32_t positions =
        shape.kind == TMAP_SHAPE_GRAPH ? shape.positions : shape.extent[0] * shape.extent[1];
    assert_true(positions <= MOST);
    for (int32_t p = 0; p < positions; p++)
        order[p] = p;
    for (int32_t o = 0; o < from->count[level]; o++) {
        int32_t first = from->first_child[level][o];
        tmap_random_shuffle(random, order, positions);
        for (int32_t c = first; c < from->first_child[level][o + 1]; c++)
            position[c] = order[c - first];
    }
    assert_ok(tmap_tree_copy_with_shape(&tree, from, level, &shape, position, &error), &error);
    free(position);
    tmap_tree_destroy(from);
    return tree;
}

static void start_at_random(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                            uint64_t seed, int32_t *slot_of)
{
    struct tmap_error error;
    struct tmap_options options = {.size = sizeof options, .method = "random", .seed = seed};
    assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
}

/* ---- Proposals ---- */

static int find(const struct tmap_tree *tree, const struct tmap_matrix *matrix,
                const int32_t *slot_of, int32_t role, int32_t *object)
{
    struct tmap_nearby nearby;
    double work = 0;
    assert_int_equal(tmap_nearby_init(&nearby, tree), TMAP_OK);
    int count = tmap_nearby_find(&nearby, matrix, slot_of, role, object, 64, &work);
    assert_true(work > 0);
    tmap_nearby_fini(&nearby);
    return count;
}

static int is_in(const int32_t *list, int count, int32_t wanted)
{
    for (int i = 0; i < count; i++) {
        if (list[i] == wanted)
            return 1;
    }
    return 0;
}

/* On a torus of 4 x 4, role 0 is at (0,0), its partners at (2,1), (2,3) and (3,2), all next to (2,2):
 * that is the best place, ahead of the neighbors of only one. */
static void the_place_between_partners_comes_first(void **state)
{
    struct entries entries = {NULL, 0, 0};
    const int32_t slot_of[4] = {0, 9, 11, 14}, own[4] = {1, 3, 4, 12};
    int32_t object[64];
    (void)state;
    for (int32_t partner = 1; partner < 4; partner++)
        add_entry(&entries, 0, partner, 10);
    struct tmap_matrix *matrix = make_matrix(4, &entries);
    struct tmap_tree *tree = make_tree("torus:4x4");
    int count = find(tree, matrix, slot_of, 0, object);
    assert_int_equal(object[0], 10);
    assert_false(is_in(object, count, 0));
    for (int i = 0; i < 4; i++)
        assert_true(is_in(object, count, own[i]));
    for (int i = 1; i < 4; i++)
        assert_true(is_in(object, count, slot_of[i]));
    assert_false(is_in(object, count, 6)); /* next to nobody */
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
}

/* Objects 0, 1, 2 at positions 1, 4, 6 of a ring of 8: the neighbors of each are the other two. */
static void holes_are_passed_through(void **state)
{
    static const int32_t position[] = {1, 4, 6};
    struct tmap_shape ring = {.size = sizeof ring, .kind = TMAP_SHAPE_TORUS, .dimensions = 1};
    struct tmap_tree *plain = make_tree("3"), *tree = NULL;
    struct tmap_error error;
    struct entries entries = {NULL, 0, 0};
    struct tmap_matrix *matrix = make_matrix(3, &entries);
    (void)state;
    ring.extent[0] = 8;
    assert_ok(tmap_tree_copy_with_shape(&tree, plain, 0, &ring, position, &error), &error);
    for (int32_t role = 0; role < 3; role++) {
        static const int32_t slot_of[] = {0, 1, 2};
        int32_t object[64];
        assert_int_equal(find(tree, matrix, slot_of, role, object), 2);
        assert_true(is_in(object, 2, (role + 1) % 3) && is_in(object, 2, (role + 2) % 3));
    }
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    tmap_tree_destroy(plain);
}

/* ---- Exchanges ---- */

/* More budget means more exchanges of the same sequence, so the cost must fall with each. */
static void no_exchange_raises_the_cost(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 1);
    for (int round = 0; round < rounds(200); round++) {
        int depth = 1 + round % 3;
        struct tmap_tree *tree =
            random_tree(&random, depth, depth == 1 ? 20 : 5, 1 + round / 3 % 2);
        tree = with_shape(&random, tree, (int)tmap_random_below(&random, (uint32_t)depth));
        if (round % 4 == 0)
            tree = with_shape(&random, tree, depth - 1);
        int32_t roles = (int32_t)tmap_random_below(&random, 1 + (uint32_t)tmap_tree_capacity(tree));
        struct tmap_matrix *matrix = random_matrix(&random, roles, 3 * roles, 10);
        int32_t *first = malloc(sizeof *first * ((size_t)roles + 1));
        int32_t *slot_of = malloc(sizeof *slot_of * ((size_t)roles + 1));
        char *fixed = calloc((size_t)roles + 1, 1);
        fixed[0] = 1;
        start_at_random(matrix, tree, (uint64_t)round, first);
        double before = cost_of(matrix, tree, first);
        for (double budget = 0.25; budget < 1000; budget *= 1.7) {
            struct tmap_swaps swaps = {8, 16, budget, round % 2 ? fixed : NULL, 0, 0};
            memcpy(slot_of, first, sizeof *slot_of * (size_t)roles);
            assert_int_equal(tmap_improve(matrix, tree, &swaps, slot_of), TMAP_OK);
            assert_true(tmap_mapping_is_valid(tree, roles, slot_of));
            double cost = cost_of(matrix, tree, slot_of);
            if (cost > before * (1 + 1e-12))
                fail_msg("round %d, budget %g: from %.17g to %.17g", round, budget, before, cost);
            assert_true(!swaps.fixed || roles == 0 || slot_of[0] == first[0]);
            before = cost;
            swaps.disturbance = 20;
            assert_int_equal(tmap_improve(matrix, tree, &swaps, slot_of), TMAP_OK);
            assert_true(tmap_mapping_is_valid(tree, roles, slot_of));
            assert_true(cost_of(matrix, tree, slot_of) <= before * (1 + 1e-12));
            assert_true(!swaps.fixed || roles == 0 || slot_of[0] == first[0]);
        }
        free(first);
        free(slot_of);
        free(fixed);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* The least cost of all placements of the roles from `role` on. */
static double least_cost(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                         int32_t role, int32_t *slot_of, uint32_t taken)
{
    double best = 1e300;
    if (role == matrix->roles)
        return cost_of(matrix, tree, slot_of);
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++) {
        if (taken >> slot & 1)
            continue;
        slot_of[role] = slot;
        double cost = least_cost(matrix, tree, role + 1, slot_of, taken | UINT32_C(1) << slot);
        best = cost < best ? cost : best;
    }
    return best;
}

/* From ten random starts, the best result is the optimum. */
static void tiny_machines_are_mapped_optimally(void **state)
{
    static const char *const trees[] = {
        "torus:6",       "torus:2x3",     "mesh:7",  "hypercube:2 core:2",
        "ring:3 core:2", "node:3 ring:2", "mesh:2x3"};
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 2);
    for (int round = 0; round < rounds(70); round++) {
        struct tmap_tree *tree = make_tree(trees[round % 7]);
        int32_t roles = 4 + (int32_t)tmap_random_below(&random, 3), slot_of[8];
        struct tmap_matrix *matrix = random_matrix(&random, roles, 2 * roles, 6);
        double best = 1e300, least = least_cost(matrix, tree, 0, slot_of, 0);
        for (uint64_t seed = 0; seed < 10; seed++) {
            struct tmap_swaps swaps = tmap_swaps_for(TMAP_EFFORT_STRONG);
            start_at_random(matrix, tree, seed, slot_of);
            assert_int_equal(tmap_improve(matrix, tree, &swaps, slot_of), TMAP_OK);
            double cost = cost_of(matrix, tree, slot_of);
            best = cost < best ? cost : best;
        }
        if (best > least * (1 + 1e-12))
            fail_msg("%s, round %d: %g, the optimum is %g", trees[round % 7], round, best, least);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* The pattern of a torus: role r is at position r. */
static struct tmap_matrix *torus_pattern(int dimensions, const int32_t *extent)
{
    struct entries entries = {NULL, 0, 0};
    int32_t roles = 1, stride = 1;
    for (int d = 0; d < dimensions; d++)
        roles *= extent[d];
    for (int d = dimensions - 1; d >= 0; stride *= extent[d--]) {
        for (int32_t role = 0; role < roles; role++) {
            int32_t at = role / stride % extent[d];
            add_entry(&entries, role, role + ((at + 1) % extent[d] - at) * stride, 1000);
        }
    }
    return make_matrix(roles, &entries);
}

/* One hop a byte is the optimum. One role in ten is on the place of another. */
static void a_disturbed_torus_is_repaired(void **state)
{
    static const struct {
        const char *tree;
        int dimensions;
        int32_t extent[3];
    } cases[] = {{"torus:4x4x4", 3, {4, 4, 4}},
                 {"torus:8x8x8", 3, {8, 8, 8}},
                 {"torus:16x16", 2, {16, 16, 0}},
                 {"torus:3x5x7", 3, {3, 5, 7}},
                 {"ring:64", 1, {64, 0, 0}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_tree *tree = make_tree(cases[i].tree);
        struct tmap_matrix *matrix = torus_pattern(cases[i].dimensions, cases[i].extent);
        int32_t slot_of[512];
        struct tmap_random random;
        tmap_random_init(&random, i);
        for (int32_t role = 0; role < matrix->roles; role++)
            slot_of[role] = role;
        double best = cost_of(matrix, tree, slot_of);
        for (int32_t k = 0; k < matrix->roles / 20; k++) {
            uint32_t a = tmap_random_below(&random, (uint32_t)matrix->roles);
            uint32_t b = tmap_random_below(&random, (uint32_t)matrix->roles);
            int32_t moved = slot_of[a];
            slot_of[a] = slot_of[b];
            slot_of[b] = moved;
        }
        assert_true(cost_of(matrix, tree, slot_of) > best);
        struct tmap_swaps swaps = tmap_swaps_for(TMAP_EFFORT_DEFAULT);
        assert_int_equal(tmap_improve(matrix, tree, &swaps, slot_of), TMAP_OK);
        double cost = cost_of(matrix, tree, slot_of);
        if (cost > best)
            fail_msg("%s: %g, the best is %g", cases[i].tree, cost, best);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_place_between_partners_comes_first),
        cmocka_unit_test(holes_are_passed_through),
        cmocka_unit_test(no_exchange_raises_the_cost),
        cmocka_unit_test(tiny_machines_are_mapped_optimally),
        cmocka_unit_test(a_disturbed_torus_is_repaired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
