/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-dense.c - large matrices with mostly nonzero entries: how they are stored, how they are
 * sampled, and how they are mapped.
 */
#include "test.h"
#include "treematch/grouping/treematch.h"

enum { N = 1100 };

/* A directed table: `filled` of 100 entries are not 0; the diagonal is, which must not matter. */
static uint64_t *random_table(uint64_t seed, uint32_t filled)
{
    struct tmap_random random;
    uint64_t *table = calloc((size_t)N * N, sizeof *table);
    assert_non_null(table);
    tmap_random_init(&random, seed);
    for (size_t i = 0; i < (size_t)N * N; i++)
        if (tmap_random_below(&random, 100) < filled)
            table[i] = 1 + tmap_random_below(&random, 1000);
    return table;
}

static void assert_is_table(const struct tmap_matrix *matrix, const uint64_t *table)
{
    size_t pairs = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < N; i++) {
        size_t at = 0, count = 0, expected_count = 0;
        int32_t role = (int32_t)i, partner = -1;
        uint64_t weight = 0;
        int more = tmap_matrix_next(matrix, role, &at, &partner, &weight);
        for (size_t j = 0; j < N; j++) {
            uint64_t expected = i == j ? 0 : table[i * N + j] + table[j * N + i], found = 0;
            if (more && partner == (int32_t)j) {
                assert_true(weight > 0);
                found = weight;
                count++;
                more = tmap_matrix_next(matrix, role, &at, &partner, &weight);
            }
            expected_count += expected > 0;
            if (found != expected)
                fail_msg("pair %zu %zu: %llu instead of %llu", i, j, (unsigned long long)found,
                         (unsigned long long)expected);
            pairs += j < i && expected > 0;
            total += j < i ? expected : 0;
        }
        assert_false(more);
        assert_int_equal(count, expected_count);
        assert_int_equal(tmap_matrix_partners(matrix, role), expected_count);
    }
    assert_int_equal(tmap_matrix_pairs(matrix), pairs);
    assert_int_equal(tmap_matrix_total(matrix), total);
}

static void tables_and_entries_make_the_same_matrix(void **state)
{
    /* of 100 entries so many are not 0; so of 100 pairs about 99, 58, 10: square, rows, rows */
    static const struct {
        uint32_t filled;
        int is_dense;
    } cases[] = {{90, 1}, {35, 0}, {5, 0}};
    struct tmap_error error;
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct tmap_matrix *matrix = NULL;
        uint64_t *table = random_table(c, cases[c].filled);
        assert_ok(tmap_matrix_create_dense(&matrix, N, table, &error), &error);
        assert_int_equal(matrix->is_dense, cases[c].is_dense);
        assert_is_table(matrix, table);
        tmap_matrix_destroy(matrix);
        struct tmap_entry *entries = malloc((size_t)N * N * sizeof *entries);
        size_t count = 0;
        assert_non_null(entries);
        for (size_t i = 0; i < (size_t)N * N; i++)
            if (table[i] > 0)
                entries[count++] =
                    (struct tmap_entry){(int32_t)(i / N), (int32_t)(i % N), table[i]};
        assert_ok(tmap_matrix_create_directed(&matrix, N, entries, count, &error), &error);
        assert_int_equal(matrix->is_dense, cases[c].is_dense);
        assert_is_table(matrix, table);
        for (int32_t i = 0; i < N; i++)
            for (int32_t j = 0; j < N; j++)
                assert_true(tmap_matrix_sent(matrix, i, j) == (i == j ? 0 : table[i * N + j]));
        tmap_matrix_destroy(matrix);
        free(entries);
        free(table);
    }
}

static void small_and_bad_tables_are_no_trouble(void **state)
{
    static const uint64_t two[] = {5, 2, 3, 7}, huge[] = {0, UINT64_MAX >> 2, 1, 0};
    struct tmap_matrix *matrix = NULL;
    struct tmap_error error;
    (void)state;
    assert_ok(tmap_matrix_create_dense(&matrix, 2, two, &error), &error);
    assert_int_equal(tmap_matrix_total(matrix), 5);
    tmap_matrix_destroy(matrix);
    assert_ok(tmap_matrix_create_dense(&matrix, 0, NULL, &error), &error);
    assert_int_equal(tmap_matrix_roles(matrix), 0);
    tmap_matrix_destroy(matrix);
    assert_int_equal(tmap_matrix_create_dense(&matrix, -1, two, &error), TMAP_EINVAL);
    assert_int_equal(tmap_matrix_create_dense(&matrix, 2, NULL, &error), TMAP_EINVAL);
    assert_int_equal(tmap_matrix_create_dense(&matrix, 2, huge, &error), TMAP_EOVERFLOW);
}

static struct tmap_matrix *random_dense(uint64_t seed)
{
    struct tmap_matrix *matrix = NULL;
    uint64_t *table = random_table(seed, 90);
    assert_int_equal(tmap_matrix_create_dense(&matrix, N, table, NULL), TMAP_OK);
    free(table);
    return matrix;
}

static int by_weight_downwards(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* The weight that `count` of a row are heavier than, or as heavy. */
static uint64_t weight_behind(const struct tmap_row *row, size_t count)
{
    static uint64_t sorted[N];
    assert_in_range(row->count, count + 1, N);
    memcpy(sorted, row->weight, row->count * sizeof *sorted);
    qsort(sorted, row->count, sizeof *sorted, by_weight_downwards);
    return sorted[count];
}

static void the_heaviest_pairs_of_each_role_are_found(void **state)
{
    enum { MOST = 7 };
    struct tmap_matrix *matrix = random_dense(4), *heaviest = tmap_matrix_heaviest(matrix, MOST);
    (void)state;
    assert_non_null(heaviest);
    for (int32_t role = 0; role < N; role++) {
        struct tmap_row all = tmap_row_of(matrix, role), few = tmap_row_of(heaviest, role);
        size_t at = 0;
        uint64_t limit = weight_behind(&all, MOST);
        for (size_t i = 0; i < few.count; i++)
            assert_int_equal(few.weight[i], all.weight[few.partner[i]]);
        /* whoever is left out has at least MOST that are as heavy */
        for (size_t i = 0; i < all.count; i++) {
            at += at < few.count && few.partner[at] < all.partner[i];
            if (at < few.count && few.partner[at] == all.partner[i])
                continue;
            assert_true(all.weight[i] <= limit);
        }
        assert_true(few.count >= MOST);
    }
    tmap_matrix_destroy(heaviest);
    tmap_matrix_destroy(matrix);
}

/* What a role sends stays what it was, up to a step for what it shares with others. */
static void a_likeness_keeps_what_roles_and_halves_send(void **state)
{
    struct tmap_matrix *matrix = random_dense(5), *thin = tmap_matrix_thin(matrix, 40, 1);
    uint64_t crossing = 0, thin_crossing = 0;
    (void)state;
    assert_non_null(thin);
    assert_true(thin->pairs <= (size_t)N * 41);
    for (int32_t role = 0; role < N / 2; role++) {
        struct tmap_row all = tmap_row_of(matrix, role), few = tmap_row_of(thin, role);
        for (size_t i = 0; i < all.count; i++)
            crossing += all.partner[i] >= N / 2 ? all.weight[i] : 0;
        for (size_t i = 0; i < few.count; i++)
            thin_crossing += few.partner[i] >= N / 2 ? few.weight[i] : 0;
    }
    double ratio = (double)thin_crossing / (2 * (double)crossing);
    if (ratio < 0.99 || ratio > 1.01)
        fail_msg("half the roles send %.3f of what they sent", ratio);
    ratio = (double)thin->total / (2 * (double)matrix->total);
    if (ratio < 0.99 || ratio > 1.01)
        fail_msg("all roles send %.3f of what they sent", ratio);
    tmap_matrix_destroy(thin);
    tmap_matrix_destroy(matrix);
}

/* All talk to all, more the nearer they are under a hidden placement. */
static struct tmap_matrix *planted(const struct tmap_tree *tree, int32_t *hidden)
{
    struct tmap_random random;
    struct tmap_matrix *matrix = NULL;
    uint64_t *table = calloc((size_t)N * N, sizeof *table);
    assert_non_null(table);
    tmap_random_init(&random, 9);
    for (int32_t i = 0; i < N; i++)
        hidden[i] = i;
    tmap_random_shuffle(&random, hidden, N);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            table[i * N + j] = (UINT64_C(100) + tmap_random_below(&random, 50))
                               << 2 * tmap_common_level(tree, hidden[i], hidden[j]);
    assert_int_equal(tmap_matrix_create_dense(&matrix, N, table, NULL), TMAP_OK);
    free(table);
    return matrix;
}

static double map_cost(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                       const struct tmap_options *options)
{
    static int32_t slot_of[N];
    struct tmap_cost cost;
    struct tmap_error error;
    assert_ok(tmap_mapping_find(matrix, tree, options, slot_of, &error), &error);
    assert_true(tmap_mapping_is_valid(tree, N, slot_of));
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
    return cost.cost;
}

static void dense_hierarchies_are_recovered(void **state)
{
    static const char *const trees[] = {"11 25 2 2", "11 5 20",   "5 11 5 4", "50 22",
                                        "20 5 11",   "2 2 25 11", "12 25 4"};
    static int32_t hidden[N];
    (void)state;
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t += getenv("TEST_QUICK") ? 3 : 1) {
        static const struct tmap_options options = {.size = sizeof options,
                                                    .effort = TMAP_EFFORT_DEFAULT};
        struct tmap_tree *tree = make_tree(trees[t]);
        struct tmap_matrix *matrix = planted(tree, hidden);
        struct tmap_cost best;
        assert_int_equal(tmap_mapping_evaluate(matrix, tree, hidden, &best, NULL), TMAP_OK);
        double found = map_cost(matrix, tree, &options);
        if (found > best.cost * 1.005)
            fail_msg("%s: %.4f times the planted cost", trees[t], found / best.cost);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static void on_any_tree_dense_patterns_gain(void **state)
{
    static int32_t hidden[N];
    struct tmap_random random;
    int32_t capacity[600];
    struct tmap_tree *even = make_tree("5 11 5 4"), *tree = NULL;
    struct tmap_matrix *matrix = planted(even, hidden);
    (void)state;
    /* slots that take one, two or three */
    tmap_random_init(&random, 2);
    int32_t paths[600 * 2];
    for (int32_t slot = 0; slot < 600; slot++) {
        paths[2 * slot] = slot / 50;
        paths[2 * slot + 1] = slot % 50;
        capacity[slot] = 1 + (int32_t)tmap_random_below(&random, 3);
    }
    assert_int_equal(tmap_tree_create_from_paths(&tree, 600, 2, paths, capacity, NULL, NULL, NULL),
                     TMAP_OK);
    struct tmap_options options = {
        .size = sizeof options, .method = "packed", .effort = TMAP_EFFORT_DEFAULT};
    double packed = map_cost(matrix, tree, &options);
    int is_quick = getenv("TEST_QUICK") != NULL; /* test-efforts has the others */
    for (int e = is_quick; e < (is_quick ? 2 : 3); e++) {
        options.method = "multilevel";
        options.effort = (enum tmap_effort)e;
        double found = map_cost(matrix, tree, &options);
        if (found > 0.97 * packed)
            fail_msg("effort %d: %.4f times packed", e, found / packed);
    }
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    tmap_tree_destroy(even);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_and_entries_make_the_same_matrix),
        cmocka_unit_test(small_and_bad_tables_are_no_trouble),
        cmocka_unit_test(the_heaviest_pairs_of_each_role_are_found),
        cmocka_unit_test(a_likeness_keeps_what_roles_and_halves_send),
        cmocka_unit_test(dense_hierarchies_are_recovered),
        cmocka_unit_test(on_any_tree_dense_patterns_gain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
