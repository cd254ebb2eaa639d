/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-methods.c - what every mapping method guarantees, on random problems, and how good they are
 * where the optimum is known.
 */
#include "test.h"

#include <math.h>

static struct tmap_cost cost_of(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                const int32_t *slot_of)
{
    struct tmap_cost cost;
    struct tmap_error error;
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
    return cost;
}

/* Independent of the library's own check. */
static void check_mapping(const struct tmap_tree *tree, int32_t roles, const int32_t *slot_of,
                          const char *method, int round)
{
    static int32_t load[65536];
    memset(load, 0, sizeof load);
    for (int32_t role = 0; role < roles; role++) {
        if (slot_of[role] < 0 || slot_of[role] >= tmap_tree_slots(tree))
            fail_msg("%s, round %d: role %d on slot %d", method, round, role, slot_of[role]);
        if (++load[slot_of[role]] > tmap_tree_slot_capacity(tree, slot_of[role]))
            fail_msg("%s, round %d: slot %d overfull", method, round, slot_of[role]);
    }
}

static void every_method_gives_a_valid_mapping(void **state)
{
    static int32_t slot_of[65536], again[65536];
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 1);
    for (int round = 0; round < rounds(150); round++) {
        int depth = 1 + round % 4, capacity = round % 3;
        struct tmap_tree *tree =
            random_tree(&random, depth, 1 + round % 7, capacity ? capacity : 1);
        int32_t capacities = (int32_t)tmap_tree_capacity(tree);
        int32_t roles = round % 5 == 0
                            ? capacities
                            : (int32_t)tmap_random_below(&random, 1 + (uint32_t)capacities);
        struct tmap_matrix *matrix =
            random_matrix(&random, roles, round % 6 * roles, 1 + round % 40);
        const char *name;
        for (int m = 0; tmap_method_describe(m, &name, NULL); m++) {
            struct tmap_options options = {.size = sizeof options,
                                           .method = name,
                                           .effort = (enum tmap_effort)(round % 3),
                                           .seed = (uint64_t)round};
            assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
            check_mapping(tree, roles, slot_of, name, round);
            assert_ok(tmap_mapping_find(matrix, tree, &options, again, &error), &error);
            assert_memory_equal(slot_of, again, sizeof *slot_of * (size_t)roles);
        }
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static void more_roles_than_slots_are_refused(void **state)
{
    struct tmap_tree *tree = make_tree("2 2");
    struct entries none = {NULL, 0, 0};
    struct tmap_matrix *matrix = make_matrix(5, &none);
    struct tmap_options options;
    struct tmap_error error;
    int32_t slot_of[5];
    const char *name, *help;
    (void)state;
    tmap_options_init(&options, sizeof options);
    for (int m = 0; tmap_method_describe(m, &name, &help); m++) {
        options.method = name;
        assert_int_equal(tmap_mapping_find(matrix, tree, &options, slot_of, &error), TMAP_ENOSPACE);
        assert_true(strlen(help) > 0);
    }
    options.method = "magic";
    assert_int_equal(tmap_mapping_find(matrix, tree, &options, slot_of, &error), TMAP_EINVAL);
    assert_non_null(strstr(error.text, "magic"));
    assert_int_equal(tmap_method_describe(-1, &name, &help), 0);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* To have heavy pairs far apart is no aim of any method. On a ring neighbors may be near. */
static void costs_that_rise_towards_the_leaves_are_refused(void **state)
{
    static const double costs[2] = {1, 100};
    struct tmap_tree *tree = make_tree("2 3"), *ring = make_tree("ring:4 core:2"), *priced;
    struct entries none = {NULL, 0, 0};
    struct tmap_matrix *matrix = make_matrix(5, &none);
    struct tmap_error error;
    int32_t slot_of[5];
    (void)state;
    assert_ok(tmap_tree_copy_with_costs(&priced, tree, costs, 2, &error), &error);
    assert_int_equal(tmap_mapping_find(matrix, priced, NULL, slot_of, &error), TMAP_EINVAL);
    assert_string_equal(error.text, "the cost of level 1 (100) is above that of level 0 (1), which "
                                    "is further out");
    tmap_tree_destroy(priced);
    assert_ok(tmap_tree_copy_with_costs(&priced, ring, costs, 2, &error), &error);
    assert_ok(tmap_mapping_find(matrix, priced, NULL, slot_of, &error), &error);
    tmap_tree_destroy(priced);
    tmap_tree_destroy(ring);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
}

static void nothing_to_map_is_no_error(void **state)
{
    struct tmap_tree *tree = make_tree("2 2");
    struct entries none = {NULL, 0, 0};
    struct tmap_matrix *empty = make_matrix(0, &none), *silent = make_matrix(3, &none);
    struct tmap_error error;
    int32_t slot_of[3];
    (void)state;
    assert_ok(tmap_mapping_find(empty, tree, NULL, slot_of, &error), &error);
    assert_ok(tmap_mapping_find(silent, tree, NULL, slot_of, &error), &error);
    check_mapping(tree, 3, slot_of, "default", 0);
    tmap_matrix_destroy(empty);
    tmap_matrix_destroy(silent);
    tmap_tree_destroy(tree);
}

/* ---- Brute force ---- */

struct search {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    int32_t slot_of[9];
    double weight[9][9];
    double best;
};

/* All ways to put role number `role` and the following ones on free slots. */
static void search_from(struct search *search, int32_t role, unsigned used, double cost)
{
    if (cost >= search->best)
        return;
    if (role == search->matrix->roles) {
        search->best = cost;
        return;
    }
    for (int32_t slot = 0; slot < tmap_tree_slots(search->tree); slot++) {
        double more = 0;
        if (used & (1u << slot))
            continue;
        for (int32_t other = 0; other < role; other++)
            more += search->weight[role][other] *
                    tmap_tree_distance(search->tree, slot, search->slot_of[other]);
        search->slot_of[role] = slot;
        search_from(search, role + 1, used | 1u << slot, cost + more);
    }
}

static double least_cost(const struct tmap_matrix *matrix, const struct tmap_tree *tree)
{
    struct search search = {.matrix = matrix, .tree = tree, .best = 1e300};
    for (int32_t i = 0; i < matrix->roles; i++) {
        int32_t partner;
        uint64_t weight;
        for (size_t at = 0; tmap_matrix_next(matrix, i, &at, &partner, &weight);)
            search.weight[i][partner] = (double)weight;
    }
    search_from(&search, 0, 0, 0);
    return search.best;
}

/* Traffic that falls with the level at which planted positions part, a little disturbed. */
static struct tmap_matrix *hierarchy(const struct tmap_tree *tree, struct tmap_random *random)
{
    struct entries entries = {NULL, 0, 0};
    int32_t roles = tmap_tree_slots(tree), planted[16];
    for (int32_t i = 0; i < roles; i++)
        planted[i] = i;
    tmap_random_shuffle(random, planted, roles);
    for (int32_t i = 0; i < roles; i++) {
        for (int32_t j = i + 1; j < roles; j++) {
            uint64_t weight = 10 + tmap_random_below(random, 3);
            for (int l = tmap_tree_common_level(tree, planted[i], planted[j]); l > 0; l--)
                weight *= 20;
            add_entry(&entries, i, j, weight);
        }
    }
    return make_matrix(roles, &entries);
}

static void hierarchical_patterns_are_mapped_optimally(void **state)
{
    static const char *const trees[] = {"2 2 2", "4 2", "2 4", "2 3",    "3 2",
                                        "2 2",   "8",   "7",   "2 2 2 1"};
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 9);
    for (int round = 0; round < rounds(90); round++) {
        struct tmap_tree *tree = make_tree(trees[round % 9]);
        struct tmap_matrix *matrix = hierarchy(tree, &random);
        struct tmap_options options = {
            .size = sizeof options, .method = "treematch", .effort = TMAP_EFFORT_DEFAULT};
        int32_t slot_of[9];
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        double cost = cost_of(matrix, tree, slot_of).cost, best = least_cost(matrix, tree);
        if (cost > best)
            fail_msg("tree %s: cost %.0f, the least is %.0f", trees[round % 9], cost, best);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* Nine roles on any tree: `multilevel` finds the optimum. */
static void small_problems_are_solved_to_the_optimum(void **state)
{
    struct tmap_random random;
    struct tmap_error error;
    int problems = 0;
    (void)state;
    tmap_random_init(&random, 12);
    while (problems < 60) {
        struct tmap_tree *tree = random_tree(&random, 1 + problems % 3, 4, 1);
        int32_t slots = tmap_tree_slots(tree);
        if (slots > 10 || slots < 4) {
            tmap_tree_destroy(tree);
            continue;
        }
        int32_t roles = slots < 9 ? slots - problems % 2 : 9 - problems % 3;
        struct tmap_matrix *matrix = random_matrix(&random, roles, 3 * roles, 8);
        struct tmap_options options = {
            .size = sizeof options, .method = "multilevel", .effort = TMAP_EFFORT_DEFAULT};
        int32_t slot_of[9];
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        double cost = cost_of(matrix, tree, slot_of).cost, best = least_cost(matrix, tree);
        if (fabs(cost - best) > 1e-9 * best)
            fail_msg("problem %d: cost %.17g, the least is %.17g", problems, cost, best);
        problems++;
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* The most traffic that stays inside of `groups` groups of `size` roles: the group of the first role
 * in each possible way, and the best of what remains (`most`, by set of roles; -1: not known). */
static double most_inside(const struct tmap_matrix *matrix, unsigned roles, int size, double *most)
{
    unsigned first = roles & -roles, rest = roles ^ first;
    if (roles == 0 || most[roles] >= 0)
        return roles == 0 ? 0 : most[roles];
    for (unsigned others = rest; others; others = (others - 1) & rest) {
        unsigned group = others | first;
        double inside = 0;
        if (__builtin_popcount(group) != size)
            continue;
        for (int32_t i = 0; i < 12; i++)
            for (int32_t j = 0; j < i; j++)
                if (group >> i & group >> j & 1)
                    inside += 2 * (double)tmap_matrix_sent(matrix, i, j);
        inside += most_inside(matrix, roles ^ group, size, most);
        most[roles] = inside > most[roles] ? inside : most[roles];
    }
    return most[roles];
}

/* Twelve roles, compared with dynamic programming over sets of roles. */
static void twelve_roles_are_divided_to_the_optimum(void **state)
{
    static const char *const trees[] = {"2 6", "3 4", "4 3", "6 2"};
    static double most[1 << 12];
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 5);
    for (int round = 0; round < rounds(24); round++) {
        struct entries entries = {NULL, 0, 0};
        for (int i = 0; i < 20 + 2 * round; i++) {
            int32_t a = (int32_t)tmap_random_below(&random, 12);
            add_entry(&entries, a, (a + 1 + (int32_t)tmap_random_below(&random, 11)) % 12,
                      2 + 2 * tmap_random_below(&random, 9));
        }
        struct tmap_matrix *matrix = make_matrix(12, &entries);
        struct tmap_tree *tree = make_tree(trees[round % 4]);
        int32_t slot_of[12];
        for (int i = 0; i < 1 << 12; i++)
            most[i] = -1;
        double total = (double)tmap_matrix_total(matrix);
        double inside = most_inside(matrix, (1 << 12) - 1, tree->count[2] / tree->count[1], most);
        double best = total * tmap_tree_level(tree, 0)->cost -
                      inside * (tmap_tree_level(tree, 0)->cost - tmap_tree_level(tree, 1)->cost);
        assert_ok(tmap_mapping_find(matrix, tree, NULL, slot_of, &error), &error);
        double cost = cost_of(matrix, tree, slot_of).cost;
        if (fabs(cost - best) > 1e-9 * best)
            fail_msg("tree %s, round %d: cost %.0f, the least is %.0f", trees[round % 4], round,
                     cost, best);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_a_valid_mapping),
        cmocka_unit_test(more_roles_than_slots_are_refused),
        cmocka_unit_test(costs_that_rise_towards_the_leaves_are_refused),
        cmocka_unit_test(nothing_to_map_is_no_error),
        cmocka_unit_test(hierarchical_patterns_are_mapped_optimally),
        cmocka_unit_test(small_problems_are_solved_to_the_optimum),
        cmocka_unit_test(twelve_roles_are_divided_to_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
