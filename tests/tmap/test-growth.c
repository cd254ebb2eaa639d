/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-growth.c - what lets programs and library be of different versions: the version, structs
 * that become longer, reserved words; and how the functions respond to numbers out of bounds.
 */
#include <config.h>

#include "test.h"

#include <math.h>

static void the_version_is_that_of_the_package(void **state)
{
    char text[40];
    (void)state;
    assert_int_equal(tmap_version(), TMAP_VERSION);
    assert_true(TMAP_VERSION == TMAP_VERSION_NUMBER(0, 1, 0));
    assert_true(TMAP_VERSION_NUMBER(1, 0, 0) > TMAP_VERSION_NUMBER(0, 255, 255));
    snprintf(text, sizeof text, "%d.%d.%d", TMAP_VERSION_MAJOR, TMAP_VERSION_MINOR,
             TMAP_VERSION_PATCH);
    assert_string_equal(text, PACKAGE_VERSION);
}

/* As a later header may have them. */
struct later_options {
    struct tmap_options known;
    uint64_t more;
};

struct later_job {
    struct tmap_job known;
    const char *more;
};

/* Map two roles to two slots with these options; what there was stays where it fails. */
static enum tmap_status map_with(const struct tmap_options *options)
{
    struct entries entries = {NULL, 0, 0};
    struct tmap_error error;
    int32_t slot_of[2] = {7, 7};
    add_entry(&entries, 0, 1, 5);
    struct tmap_matrix *matrix = make_matrix(2, &entries);
    struct tmap_tree *tree = make_tree("2");
    enum tmap_status status = tmap_mapping_find(matrix, tree, options, slot_of, &error);
    assert_int_equal(slot_of[0] == 7 && slot_of[1] == 7, status != TMAP_OK);
    assert_int_equal(slot_of[0] + slot_of[1] == 1, status == TMAP_OK);
    assert_int_equal(status == TMAP_OK ? status
                                       : tmap_mapping_improve_below(matrix, tree, 0, 0, options,
                                                                    (int32_t[]){0, 1}, &error),
                     status);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
    return status;
}

static void options_of_other_versions_are_understood(void **state)
{
    struct later_options later;
    (void)state;
    memset(&later, 0xff, sizeof later);
    tmap_options_init(&later.known, sizeof later);
    assert_int_equal(later.known.size, sizeof later);
    assert_int_equal(later.known.effort, TMAP_EFFORT_DEFAULT);
    assert_int_equal(later.more, 0);
    assert_int_equal(map_with(&later.known), TMAP_OK);
    later.more = 1; /* not to be passed over */
    assert_int_equal(map_with(&later.known), TMAP_ENOTSUP);

    memset(&later, 0xff, sizeof later);
    tmap_options_init(&later.known, sizeof later.known);
    assert_true(later.more == UINT64_MAX); /* behind what an older caller has */
    assert_int_equal(map_with(&later.known), TMAP_OK);
    later.known.size = 0;
    assert_int_equal(map_with(&later.known), TMAP_EINVAL);
    later.known.size = offsetof(struct tmap_options, objective); /* the first version */
    assert_int_equal(map_with(&later.known), TMAP_OK);
    later.known.size--;
    assert_int_equal(map_with(&later.known), TMAP_EINVAL);
    later.known.size = SIZE_MAX / 2;
    assert_int_equal(map_with(&later.known), TMAP_EINVAL);
}

static void an_older_struct_leaves_the_defaults_behind_it(void **state)
{
    struct {
        size_t size;
        int first, second;
    } known = {sizeof known, 1, 2};
    struct {
        size_t size;
        int first, behind;
    } old = {offsetof(__typeof__(known), second), 10, 20};
    struct tmap_error error;
    (void)state;
    assert_int_equal(tmap_struct_read(&known, sizeof known, old.size, &old, "known", &error),
                     TMAP_OK);
    assert_int_equal(known.first, 10);
    assert_int_equal(known.second, 2);
    assert_int_equal(tmap_struct_read(&known, sizeof known, sizeof known, &old, "known", &error),
                     TMAP_EINVAL);
    assert_non_null(strstr(error.text, "struct known"));
}

static void jobs_of_other_versions_are_understood(void **state)
{
    static const int32_t node_of[] = {0, 1};
    static const struct tmap_place places[] = {{{-1, -1, -1, -1, -1, -1}},
                                               {{-1, -1, -1, -1, -1, -1}}};
    static const struct {
        size_t size;
        const char *more;
        int32_t reserved;
        enum tmap_status status;
    } cases[] = {{sizeof(struct tmap_job), NULL, 0, TMAP_OK},
                 {sizeof(struct tmap_job), "unseen", 0, TMAP_OK},
                 {sizeof(struct later_job), NULL, 0, TMAP_OK},
                 {sizeof(struct later_job), "seen", 0, TMAP_ENOTSUP},
                 {sizeof(struct tmap_job), NULL, 1, TMAP_ENOTSUP},
                 {0, NULL, 0, TMAP_EINVAL}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct later_job job = {
            {.size = cases[i].size, .processes = 2, .node_of = node_of, .places = places},
            cases[i].more};
        struct tmap_tree *tree = NULL;
        struct tmap_error error;
        job.known.reserved = cases[i].reserved;
        assert_int_equal(tmap_tree_create_from_job(&tree, &job.known, NULL, &error),
                         cases[i].status);
        assert_int_equal(tree != NULL, cases[i].status == TMAP_OK);
        tmap_tree_destroy(tree);
    }
}

static void reserved_words_are_zero(void **state)
{
    struct tmap_level levels[2] = {{.name = "node", .cost = 2}, {.name = "core", .cost = 1}};
    static const int32_t arity[] = {2, 2}, path[] = {0, 0, 0, 1};
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    struct tmap_options options;
    struct tmap_cost cost;
    (void)state;
    tmap_options_init(&options, sizeof options);
    options.reserved = 1;
    assert_int_equal(map_with(&options), TMAP_ENOTSUP);
    levels[1].reserved[2] = 1;
    assert_int_equal(tmap_tree_create_uniform(&tree, 2, arity, levels, &error), TMAP_ENOTSUP);
    assert_int_equal(tmap_tree_create_from_paths(&tree, 2, 2, path, NULL, levels, NULL, &error),
                     TMAP_ENOTSUP);
    levels[1].reserved[2] = 0;
    assert_ok(tmap_tree_create_uniform(&tree, 2, arity, levels, &error), &error);
    struct entries entries = {NULL, 0, 0};
    add_entry(&entries, 0, 1, 5);
    struct tmap_matrix *matrix = make_matrix(2, &entries);
    memset(&cost, 0xff, sizeof cost);
    assert_ok(tmap_mapping_evaluate(matrix, tree, (int32_t[]){0, 1}, &cost, &error), &error);
    for (size_t i = 0; i < sizeof cost.reserved / sizeof *cost.reserved; i++)
        assert_int_equal(cost.reserved[i], 0);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
}

static void options_out_of_range_are_refused(void **state)
{
    static const struct {
        int effort, threads;
        double seconds;
    } cases[] = {{-1, 0, 0}, {3, 0, 0}, {1, -1, 0}, {1, 0, -1}, {1, 0, NAN}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_options options;
        tmap_options_init(&options, sizeof options);
        options.effort = (enum tmap_effort)cases[i].effort;
        options.threads = cases[i].threads;
        options.seconds = cases[i].seconds;
        assert_int_equal(map_with(&options), TMAP_EINVAL);
    }
}

/* Of a tree with arrays, and of one that is too large to have them. */
static void numbers_that_are_outside_have_an_answer(void **state)
{
    static const char *const texts[] = {"2 3", "4000000 3"};
    static const int32_t outside[] = {-1, INT32_MIN, INT32_MAX};
    (void)state;
    assert_string_equal(tmap_place_level_name((enum tmap_place_level) - 1), "unknown");
    assert_string_equal(tmap_place_level_name(TMAP_PLACE_LEVELS), "unknown");
    for (int t = 0; t < 2; t++) {
        struct tmap_tree *tree = make_tree(texts[t]);
        int32_t slots = tmap_tree_slots(tree);
        for (int i = 0; i < 4; i++) {
            int32_t slot = i < 3 ? outside[i] : slots, level = i < 3 ? outside[i] : 3;
            assert_int_equal(tmap_tree_slot_capacity(tree, slot), 0);
            assert_int_equal(tmap_tree_objects(tree, level), 0);
            assert_int_equal(tmap_tree_ancestor(tree, slot, 1), -1);
            assert_int_equal(tmap_tree_ancestor(tree, 0, level), -1);
            assert_int_equal(tmap_tree_common_level(tree, slot, 0), -1);
            assert_int_equal(tmap_tree_common_level(tree, 0, slot), -1);
            assert_int_equal(tmap_tree_common_level(tree, slot, slot), -1);
            assert_true(tmap_tree_distance(tree, slot, 0) == -1);
            assert_true(tmap_tree_distance(tree, slot, slot) == -1);
            assert_null(tmap_tree_level(tree, level));
        }
        assert_null(tmap_tree_level(tree, 2));
        assert_int_equal(tmap_tree_objects(tree, 2), slots);
        assert_int_equal(tmap_tree_ancestor(tree, slots - 1, 2), slots - 1);
        tmap_tree_destroy(tree);
    }
}

static void roles_that_are_outside_have_no_partners(void **state)
{
    static const int32_t outside[] = {-1, 2, INT32_MIN, INT32_MAX};
    struct entries entries = {NULL, 0, 0};
    (void)state;
    add_entry(&entries, 0, 1, 5);
    struct tmap_matrix *matrix = make_matrix(2, &entries);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        size_t position = 0;
        int32_t partner = 7;
        uint64_t weight = 7;
        assert_int_equal(tmap_matrix_partners(matrix, outside[i]), 0);
        assert_int_equal(tmap_matrix_next(matrix, outside[i], &position, &partner, &weight), 0);
        assert_true(partner == 7 && weight == 7);
    }
    tmap_matrix_destroy(matrix);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_package),
        cmocka_unit_test(options_of_other_versions_are_understood),
        cmocka_unit_test(an_older_struct_leaves_the_defaults_behind_it),
        cmocka_unit_test(jobs_of_other_versions_are_understood),
        cmocka_unit_test(reserved_words_are_zero),
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(numbers_that_are_outside_have_an_answer),
        cmocka_unit_test(roles_that_are_outside_have_no_partners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
