/* SPDX-License-Identifier: BSD-3-Clause */
/* test-regular-layouts.c - the layouts of a machine that differ, and what they cost. */
#include "tmap/test.h"

#include "regular/regular-layouts.h"

/* ---- all layouts that differ, against all orders of the letters of a machine ---- */

enum { MOST_SLOTS = 64, MOST_MAPPINGS = 512 };

struct mappings {
    int32_t slot_of[MOST_MAPPINGS][MOST_SLOTS];
    size_t count;
};

static void add_mapping(struct mappings *all, const int32_t *slot_of, int32_t roles)
{
    for (size_t i = 0; i < all->count; i++)
        if (memcmp(all->slot_of[i], slot_of, sizeof *slot_of * (size_t)roles) == 0)
            return;
    assert_true(all->count < MOST_MAPPINGS);
    memcpy(all->slot_of[all->count++], slot_of, sizeof *slot_of * (size_t)roles);
}

/* The mapping of the text, and of all texts that begin with it. */
static void add_orders(struct mappings *all, const struct tmap_tree *tree, const char *letters,
                       char *text, int32_t roles)
{
    size_t length = strlen(text);
    int32_t slot_of[MOST_SLOTS];
    struct tmap_layout layout = {.size = sizeof layout, .text = text};
    if (length > 0 && tmap_mapping_lay_out(tree, &layout, roles, slot_of, NULL) == TMAP_OK)
        add_mapping(all, slot_of, roles);
    for (const char *letter = letters; *letter; letter++)
        if (!strchr(text, *letter)) {
            text[length] = *letter;
            text[length + 1] = '\0';
            add_orders(all, tree, letters, text, roles);
            text[length] = '\0';
        }
}

static void expect_all(const struct tmap_tree *tree, const struct tmap_matrix *matrix)
{
    int32_t roles = tmap_matrix_roles(matrix), slot_of[MOST_SLOTS];
    static struct mappings all, mine;
    char text[8] = "";
    struct regular_layouts found;
    struct reseat_error error;
    struct tmap_cost cost;
    all.count = mine.count = 0;
    add_orders(&all, tree, "nsch", text, roles);
    if (regular_layouts_find(&found, matrix, tree, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < found.count; i++) {
        const struct regular_layout *layout = &found.layout[i];
        assert_int_equal(regular_layout_map(tree, layout->text, roles, slot_of, &error), 0);
        add_mapping(&mine, slot_of, roles);
        add_mapping(&all, slot_of, roles);
        assert_int_equal(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, NULL), TMAP_OK);
        assert_true(layout->cost == cost.cost);
        assert_true(i == 0 || found.layout[i - 1].cost <= cost.cost);
    }
    assert_int_equal(mine.count, found.count);
    assert_int_equal(found.count, all.count);
    regular_layouts_free(&found);
}

/* Nodes, packages, cores and threads; half of the machines have parts that differ. */
static struct tmap_tree *random_machine(struct tmap_random *random)
{
    static const char *const names[] = {"node", "package", "core", "pu"};
    struct tmap_level level[4];
    int32_t path[MOST_SLOTS][4], arity[4], leaves = 0;
    int differs = (int)tmap_random_below(random, 2);
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    for (int l = 0; l < 4; l++) {
        level[l] = (struct tmap_level){.cost = 100 - 20 * l};
        strcpy(level[l].name, names[l]);
        arity[l] = 1 + (int32_t)tmap_random_below(random, l < 2 ? 3 : 2);
    }
    for (int32_t i = 0; i < arity[0] * arity[1] * arity[2] * arity[3]; i++) {
        if (differs && leaves > 0 && tmap_random_below(random, 4) == 0)
            continue;
        path[leaves][3] = i % arity[3];
        path[leaves][2] = i / arity[3] % arity[2];
        path[leaves][1] = i / arity[3] / arity[2] % arity[1];
        path[leaves++][0] = i / arity[3] / arity[2] / arity[1];
    }
    assert_ok(tmap_tree_create_from_paths(&tree, leaves, 4, path[0], NULL, level, NULL, &error),
              &error);
    return tree;
}

static void all_that_differ_are_found(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 18);
    for (int round = 0; round < rounds(60); round++) {
        struct tmap_tree *tree = random_machine(&random);
        int32_t slots = tmap_tree_slots(tree);
        int32_t roles = 1 + (int32_t)tmap_random_below(&random, (uint32_t)slots);
        struct tmap_matrix *matrix =
            random_matrix(&random, round % 2 ? slots : roles, 3 * slots, 20);
        expect_all(tree, matrix);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* ---- some machines by hand ---- */

/* Traffic of neighbors in a ring. */
static struct tmap_matrix *make_ring(int32_t roles)
{
    struct entries entries = {NULL, 0, 0};
    for (int32_t i = 0; i < roles; i++)
        add_entry(&entries, i, (i + 1) % roles, 10);
    return make_matrix(roles, &entries);
}

struct machine {
    const char *tree;
    int32_t roles;
    size_t count;
    int unnamed;
    const char *best; /* of a ring */
};

static void count(const struct machine *machine)
{
    struct tmap_tree *tree = make_tree(machine->tree);
    struct tmap_matrix *matrix = make_ring(machine->roles);
    struct regular_layouts found;
    struct reseat_error error;
    if (regular_layouts_find(&found, matrix, tree, &error))
        fail_msg("%s: %s", machine->tree, error.text);
    if (found.count != machine->count || found.unnamed != machine->unnamed ||
        strcmp(found.layout[0].text, machine->best) != 0)
        fail_msg("%s: %zu layouts, %d levels without, best %s, expected %zu, %d, %s", machine->tree,
                 found.count, found.unnamed, found.layout[0].text, machine->count, machine->unnamed,
                 machine->best);
    regular_layouts_free(&found);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

static void levels_that_do_not_branch_fall_out(void **state)
{
    static const struct machine machines[] = {
        {"node:4 core:4", 16, 2, 0, "cn"},
        {"node:4 package:2 core:4", 32, 6, 0, "csn"},
        {"node:4 package:1 l3:1 core:4 pu:1", 16, 2, 0, "cn"},
        {"switch:2 node:2 package:2 core:2", 16, 24, 0, "csnS1"},
        {"node:2 package:2 numa:2 l3:2 core:2", 32, 120, 0, "cL3Nsn"},
        {"node:4 core:2 pu:2", 16, 6, 0, "hcn"},
        {"node:4 core:4", 4, 2, 0, "cn"}, /* four ranks: a node, or a core of each */
        {"node:4 core:4", 1, 1, 0, "cn"}, /* one rank has no choice */
        {"node:1 core:1", 1, 1, 0, "h"},  /* nor has this machine */
        {"2 2 2", 8, 1, 2, "h"},          /* levels without names have no letters */
    };
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        count(&machines[i]);
}

static void dimensions_are_letters(void **state)
{
    struct tmap_tree *tree = make_tree("torus:4x2 core:2");
    struct tmap_matrix *matrix = make_ring(16);
    struct regular_layouts found;
    struct reseat_error error;
    char texts[128] = "";
    (void)state;
    assert_int_equal(regular_layouts_find(&found, matrix, tree, &error), 0);
    for (size_t i = 0; i < found.count; i++)
        strcat(strcat(texts, " "), found.layout[i].text);
    assert_int_equal(found.count, 6); /* the orders of two dimensions and the cores */
    assert_non_null(strstr(texts, " XYc"));
    assert_non_null(strstr(texts, " cYX"));
    regular_layouts_free(&found);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* 2e10 by what a text takes: 16 roles and as many slots by ten, and twice the pairs. Nine letters are 362,880
 * texts, or 986,409 with those that leave some out. */
static void letters_are_left_out_for_time(void **state)
{
    static const struct {
        const char *tree;
        size_t pairs;
        int letters, expected;
    } cases[] = {
        {"node:4 core:4", 0, 9, 9},
        {"node:4 core:4", 27397, 9, 9},
        {"node:4 core:4", 27398, 9, 8},
        {"torus:4x2 core:2", 9977, 9, 9},
        {"torus:4x2 core:2", 9978, 9, 8},
        {"node:100000 core:4", 0, 9, 6},  /* 400,016 by ten, by 720; not by 5,040 */
        {"node:2000000 core:4", 0, 9, 9}, /* so many slots are not visited */
        {"node:4 core:4", (size_t)1 << 40, 9, 1},
        {"node:4 core:4", (size_t)1 << 40, 1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tmap_tree *tree = make_tree(cases[i].tree);
        int letters = regular_letters_in_time(tree, 16, cases[i].pairs, cases[i].letters);
        if (letters != cases[i].expected)
            fail_msg("%s, %zu pairs: %d of %d letters, expected %d", cases[i].tree, cases[i].pairs,
                     letters, cases[i].letters, cases[i].expected);
        tmap_tree_destroy(tree);
    }
}

static void too_many_roles_are_refused(void **state)
{
    struct tmap_tree *tree = make_tree("node:2 core:2");
    struct tmap_matrix *matrix = make_ring(5);
    struct regular_layouts found = {.count = 7};
    struct reseat_error error;
    (void)state;
    assert_int_equal(regular_layouts_find(&found, matrix, tree, &error), -1);
    assert_string_equal(error.text, "layout 'cn': no slot is left for role 4 of 5");
    assert_null(found.layout);
    assert_int_equal(found.count, 0);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_differ_are_found),
        cmocka_unit_test(levels_that_do_not_branch_fall_out),
        cmocka_unit_test(dimensions_are_letters),
        cmocka_unit_test(letters_are_left_out_for_time),
        cmocka_unit_test(too_many_roles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
