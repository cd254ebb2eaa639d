/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-constraints.c - pinned roles, closed slots, the mapping of a part, the load of links.
 */
#include "test.h"

enum { MOST = 4096 };

struct problem {
    struct tmap_tree *tree;
    struct tmap_matrix *matrix;
    int32_t roles, slots;
    int32_t slot_of[MOST], pinned[MOST];
    unsigned char closed[MOST];
    struct tmap_options options;
};

static void problem_make(struct problem *p, struct tmap_random *random, int round)
{
    memset(p, 0, sizeof *p);
    do {
        tmap_tree_destroy(p->tree);
        p->tree = random_tree(random, 1 + round % 4, 6, 1 + round % 3);
        p->slots = tmap_tree_slots(p->tree);
    } while (p->slots > MOST / 3);
    p->roles = (int32_t)tmap_random_below(random, 1 + (uint32_t)tmap_tree_capacity(p->tree));
    p->matrix = random_matrix(random, p->roles, 3 * p->roles, 20);
    tmap_options_init(&p->options, sizeof p->options);
    for (int32_t role = 0; role < p->roles; role++)
        p->pinned[role] = -1;
}

static void problem_destroy(struct problem *p)
{
    tmap_matrix_destroy(p->matrix);
    tmap_tree_destroy(p->tree);
}

/* Close some slots as long as all roles have room, and pin some roles to open ones. */
static void constrain(struct problem *p, struct tmap_random *random)
{
    int64_t room = tmap_tree_capacity(p->tree) - p->roles;
    int32_t taken[MOST] = {0};
    for (int32_t slot = 0; slot < p->slots; slot++) {
        int32_t capacity = tmap_tree_slot_capacity(p->tree, slot);
        if (capacity <= room && tmap_random_below(random, 3) == 0) {
            p->closed[slot] = 1;
            room -= capacity;
        }
    }
    for (int32_t role = 0; role < p->roles; role++) {
        int32_t slot = (int32_t)tmap_random_below(random, (uint32_t)p->slots);
        if (tmap_random_below(random, 4) == 0 && !p->closed[slot] &&
            taken[slot] < tmap_tree_slot_capacity(p->tree, slot)) {
            p->pinned[role] = slot;
            taken[slot]++;
        }
    }
    p->options.pinned = p->pinned;
    p->options.closed = p->closed;
}

static void check(const struct problem *p, int round, const char *what)
{
    int32_t load[MOST] = {0};
    for (int32_t role = 0; role < p->roles; role++) {
        int32_t slot = p->slot_of[role];
        if (slot < 0 || slot >= p->slots || p->closed[slot])
            fail_msg("%s, round %d: role %d on slot %d", what, round, role, slot);
        if (++load[slot] > tmap_tree_slot_capacity(p->tree, slot))
            fail_msg("%s, round %d: slot %d is overfull", what, round, slot);
        if (p->pinned[role] >= 0 && p->pinned[role] != slot)
            fail_msg("%s, round %d: role %d on slot %d, pinned to %d", what, round, role, slot,
                     p->pinned[role]);
    }
}

static double cost_of(const struct problem *p)
{
    return mapping_cost(p->matrix, p->tree, p->slot_of);
}

static void every_method_obeys_pins_and_closed_slots(void **state)
{
    static struct problem p;
    struct tmap_random random;
    struct tmap_error error;
    const char *name;
    (void)state;
    tmap_random_init(&random, 3);
    for (int round = 0; round < rounds(200); round++) {
        problem_make(&p, &random, round);
        constrain(&p, &random);
        for (int m = 0; tmap_method_describe(m, &name, NULL); m++) {
            p.options.method = name;
            p.options.effort = (enum tmap_effort)(round % 2);
            assert_ok(tmap_mapping_find(p.matrix, p.tree, &p.options, p.slot_of, &error), &error);
            check(&p, round, name);
        }
        problem_destroy(&p);
    }
}

static void a_single_pin_is_free_on_a_regular_tree(void **state)
{
    struct tmap_tree *tree = make_tree("4 2 4");
    struct tmap_random random;
    struct tmap_error error;
    static struct problem p;
    (void)state;
    tmap_random_init(&random, 4);
    memset(&p, 0, sizeof p);
    p.tree = tree;
    p.roles = p.slots = 32;
    p.matrix = random_matrix(&random, 32, 100, 20);
    tmap_options_init(&p.options, sizeof p.options);
    assert_ok(tmap_mapping_find(p.matrix, tree, &p.options, p.slot_of, &error), &error);
    double free_cost = cost_of(&p);
    for (int32_t slot = 0; slot < 32; slot++) {
        for (int32_t role = 0; role < 32; role++)
            p.pinned[role] = role == 5 ? slot : -1;
        p.options.pinned = p.pinned;
        assert_ok(tmap_mapping_find(p.matrix, tree, &p.options, p.slot_of, &error), &error);
        check(&p, slot, "one pin");
        assert_true(cost_of(&p) <= free_cost);
    }
    problem_destroy(&p);
}

static void constraints_that_cannot_be_met_are_refused(void **state)
{
    static const int32_t outside[3] = {-1, 4, -1}, twice[3] = {1, 1, -1}, shut[3] = {-1, -1, 0};
    static const unsigned char first[4] = {1, 0, 0, 0}, two[4] = {1, 1, 0, 0};
    static const struct {
        const int32_t *pinned;
        const unsigned char *closed;
        enum tmap_status status;
        const char *text;
    } cases[] = {
        {outside, NULL, TMAP_EINVAL, "role 1 is pinned to slot 4 of 4"},
        {twice, NULL, TMAP_EINVAL, "slot 1 cannot take all roles pinned to it"},
        {shut, first, TMAP_EINVAL, "slot 0 cannot take all roles pinned to it"},
        {NULL, two, TMAP_ENOSPACE, "3 roles, but the open slots take 2"},
    };
    struct tmap_tree *tree = make_tree("2 2");
    struct entries none = {NULL, 0, 0};
    struct tmap_matrix *matrix = make_matrix(3, &none);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t slot_of[3] = {7, 7, 7};
        struct tmap_options options;
        struct tmap_error error;
        tmap_options_init(&options, sizeof options);
        options.pinned = cases[i].pinned;
        options.closed = cases[i].closed;
        assert_int_equal(tmap_mapping_find(matrix, tree, &options, slot_of, &error),
                         cases[i].status);
        assert_string_equal(error.text, cases[i].text);
        assert_int_equal(slot_of[0], 7); /* outputs only on success */
    }
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* Everybody outside stays, nothing gets dearer, constraints hold, and the order in which the parts
 * are done does not matter. */
static void a_part_can_be_mapped_alone(void **state)
{
    static struct problem p;
    static int32_t start[MOST], forwards[MOST];
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 5);
    for (int round = 0; round < rounds(150); round++) {
        problem_make(&p, &random, round);
        constrain(&p, &random);
        p.options.method = "random";
        assert_ok(tmap_mapping_find(p.matrix, p.tree, &p.options, p.slot_of, &error), &error);
        memcpy(start, p.slot_of, sizeof start);
        p.options.method = NULL;
        int level = round % (tmap_tree_depth(p.tree) + 1);
        int32_t objects = tmap_tree_objects(p.tree, level);
        for (int32_t o = 0; o < objects; o++) {
            double before = cost_of(&p);
            assert_ok(tmap_mapping_improve_below(p.matrix, p.tree, level, o, &p.options, p.slot_of,
                                                 &error),
                      &error);
            check(&p, round, "part");
            assert_true(cost_of(&p) <= before);
            for (int32_t role = 0; role < p.roles; role++)
                assert_int_equal(tmap_tree_ancestor(p.tree, p.slot_of[role], level),
                                 tmap_tree_ancestor(p.tree, start[role], level));
        }
        memcpy(forwards, p.slot_of, sizeof forwards);
        memcpy(p.slot_of, start, sizeof start);
        for (int32_t o = objects - 1; o >= 0; o--)
            assert_ok(tmap_mapping_improve_below(p.matrix, p.tree, level, o, &p.options, p.slot_of,
                                                 &error),
                      &error);
        assert_memory_equal(forwards, p.slot_of, sizeof *forwards * (size_t)p.roles);
        problem_destroy(&p);
    }
}

/* Nodes first, then each node its own:
 * as good inside the nodes as the one mapping of everything. */
static void parts_reach_what_one_mapping_of_everything_reaches(void **state)
{
    struct tmap_tree *tree = make_tree("6 2 4");
    struct tmap_random random;
    struct tmap_error error;
    static struct problem p;
    (void)state;
    tmap_random_init(&random, 6);
    for (int round = 0; round < rounds(30); round++) {
        memset(&p, 0, sizeof p);
        p.tree = tree;
        p.roles = p.slots = 48;
        p.matrix = random_matrix(&random, 48, 200, 20);
        tmap_options_init(&p.options, sizeof p.options);
        assert_ok(tmap_mapping_find(p.matrix, tree, &p.options, p.slot_of, &error), &error);
        double whole = cost_of(&p);
        for (int32_t node = 0; node < 6; node++) { /* forget the order inside */
            int32_t next = 8 * node;
            for (int32_t role = 0; role < 48; role++)
                if (p.slot_of[role] / 8 == node)
                    p.slot_of[role] = next++;
        }
        for (int32_t node = 0; node < 6; node++)
            assert_ok(tmap_mapping_improve_below(p.matrix, tree, 1, node, NULL, p.slot_of, &error),
                      &error);
        assert_true(cost_of(&p) <= whole);
        tmap_matrix_destroy(p.matrix);
    }
    tmap_tree_destroy(tree);
}

static void parts_that_are_not_there_are_refused(void **state)
{
    struct tmap_tree *tree = make_tree("2 2");
    struct entries none = {NULL, 0, 0};
    struct tmap_matrix *matrix = make_matrix(2, &none);
    int32_t good[2] = {0, 3}, bad[2] = {0, 4}, pinned[2] = {1, -1};
    struct tmap_options options;
    struct tmap_error error;
    (void)state;
    tmap_options_init(&options, sizeof options);
    options.pinned = pinned;
    assert_int_equal(tmap_mapping_improve_below(matrix, tree, 3, 0, NULL, good, &error),
                     TMAP_EINVAL);
    assert_int_equal(tmap_mapping_improve_below(matrix, tree, 1, 2, NULL, good, &error),
                     TMAP_EINVAL);
    assert_int_equal(tmap_mapping_improve_below(matrix, tree, -1, 0, NULL, good, &error),
                     TMAP_EINVAL);
    assert_int_equal(tmap_mapping_improve_below(matrix, tree, 1, 0, NULL, bad, &error),
                     TMAP_EINVAL);
    assert_int_equal(tmap_mapping_improve_below(matrix, tree, 1, 0, &options, good, &error),
                     TMAP_EINVAL);
    assert_string_equal(error.text, "role 0 is on a slot where it must not be");
    assert_int_equal(tmap_mapping_improve_below(matrix, tree, 1, 1, &options, good, &error),
                     TMAP_OK);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

static void links_carry_what_leaves_their_objects(void **state)
{
    static struct problem p;
    static uint64_t outside[MOST];
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 8);
    for (int round = 0; round < rounds(60); round++) {
        problem_make(&p, &random, round);
        struct tmap_cost cost;
        assert_ok(tmap_mapping_find(p.matrix, p.tree, NULL, p.slot_of, &error), &error);
        assert_ok(tmap_mapping_evaluate(p.matrix, p.tree, p.slot_of, &cost, &error), &error);
        uint64_t above = 0; /* what parts above the level is on two links of it */
        for (int level = 1; level <= tmap_tree_depth(p.tree); level++) {
            uint64_t sum = 0;
            above += cost.weight_at[level - 1];
            assert_ok(
                tmap_mapping_evaluate_links(p.matrix, p.tree, p.slot_of, level, outside, &error),
                &error);
            for (int32_t o = 0; o < tmap_tree_objects(p.tree, level); o++)
                sum += outside[o];
            assert_true(sum == 2 * above);
        }
        assert_int_equal(
            tmap_mapping_evaluate_links(p.matrix, p.tree, p.slot_of, 0, outside, &error),
            TMAP_EINVAL);
        problem_destroy(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_obeys_pins_and_closed_slots),
        cmocka_unit_test(a_single_pin_is_free_on_a_regular_tree),
        cmocka_unit_test(constraints_that_cannot_be_met_are_refused),
        cmocka_unit_test(a_part_can_be_mapped_alone),
        cmocka_unit_test(parts_reach_what_one_mapping_of_everything_reaches),
        cmocka_unit_test(parts_that_are_not_there_are_refused),
        cmocka_unit_test(links_carry_what_leaves_their_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
