/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-treematch.c - the method `treematch` against the numbers of the papers (Jeannot and Mercier
 * 2010; Jeannot, Mercier and Tessier 2014).
 */
#include "test.h"
#include "generate/generate.h"
#include "treematch/grouping/treematch.h"

#include <float.h>
#include <math.h>

/* The matrix of the 2010 paper's Fig. 1. Only the upper triangle is given, so that the weight of a
 * pair is the number in the paper. */
static const uint64_t figure_1[8][8] = {
    {0, 1000, 10, 1, 100, 1, 1, 1},    {1000, 0, 1000, 1, 1, 100, 1, 1},
    {10, 1000, 0, 1000, 1, 1, 100, 1}, {1, 1, 1000, 0, 1, 1, 1, 100},
    {100, 1, 1, 1, 0, 1000, 10, 1},    {1, 100, 1, 1, 1000, 0, 1000, 1},
    {1, 1, 100, 1, 10, 1000, 0, 1000}, {1, 1, 1, 100, 1, 1, 1000, 0}};

static struct tmap_matrix *figure_1_matrix(void)
{
    struct entries entries = {NULL, 0, 0};
    for (int32_t i = 0; i < 8; i++) {
        for (int32_t j = i + 1; j < 8; j++)
            add_entry(&entries, i, j, figure_1[i][j]);
    }
    return make_matrix(8, &entries);
}

static uint64_t weight_between(const struct tmap_matrix *matrix, int32_t i, int32_t j)
{
    int32_t partner;
    uint64_t weight;
    for (size_t at = 0; tmap_matrix_next(matrix, i, &at, &partner, &weight);) {
        if (partner == j)
            return weight;
    }
    return 0;
}

static void row_sums_are_those_of_the_paper(void **state)
{
    static const uint64_t expected[8] = {1114, 2104, 2113, 1105, 1114, 2104, 2113, 1105};
    struct tmap_matrix *matrix = figure_1_matrix();
    (void)state;
    for (int32_t i = 0; i < 8; i++) {
        uint64_t sum = 0;
        for (int32_t j = 0; j < 8; j++)
            sum += weight_between(matrix, i, j);
        assert_int_equal(sum, expected[i]);
    }
    tmap_matrix_destroy(matrix);
}

static void there_are_28_groups_and_the_first_is_worth_1218(void **state)
{
    struct tmap_matrix *matrix = figure_1_matrix();
    struct tmap_all_groups *all = NULL;
    const int32_t *members;
    (void)state;
    assert_int_equal(tmap_all_groups_create(&all, matrix, 8, 2), TMAP_OK);
    assert_int_equal(tmap_all_groups_count(all), 28);
    assert_int_equal(tmap_all_groups_value(all, 0, &members), 1218);
    assert_int_equal(members[0], 0);
    assert_int_equal(members[1], 1);
    tmap_all_groups_value(all, 27, &members);
    assert_int_equal(members[0], 6);
    assert_int_equal(members[1], 7);
    tmap_all_groups_destroy(all);
    tmap_matrix_destroy(matrix);
}

static void the_three_heuristics_find_the_optimum_and_the_literal_third_does_not(void **state)
{
    static const struct {
        enum tmap_set_heuristic heuristic;
        uint64_t sum;
    } expected[] = {{TMAP_SET_SMALLEST_FIRST, 4872},
                    {TMAP_SET_LARGEST_LAST, 4872},
                    {TMAP_SET_DEGREE, 4872},
                    {TMAP_SET_DEGREE_LITERAL, 8472}};
    struct tmap_matrix *matrix = figure_1_matrix();
    struct tmap_all_groups *all = NULL;
    (void)state;
    assert_int_equal(tmap_all_groups_create(&all, matrix, 8, 2), TMAP_OK);
    for (int i = 0; i < 4; i++) {
        int32_t group_of[8];
        uint64_t sum = 0;
        assert_int_equal(tmap_independent_set(all, expected[i].heuristic, group_of, &sum), TMAP_OK);
        assert_int_equal(sum, expected[i].sum);
        for (int r = 0; r < 8 && expected[i].sum == 4872; r++)
            assert_int_equal(group_of[r], group_of[r / 2 * 2]);
    }
    tmap_all_groups_destroy(all);
    tmap_matrix_destroy(matrix);
}

/* The closed form that the degree heuristic uses, by its definition on all groups. */
static void neighbor_weights_agree_with_their_definition(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 5);
    for (int k = 2; k <= 4; k++) {
        struct tmap_matrix *matrix = random_matrix(&random, 3 * k, 40, 8);
        struct tmap_all_groups *all = NULL;
        int32_t group_of[12];
        uint64_t sum;
        assert_int_equal(tmap_all_groups_create(&all, matrix, 3 * k, k), TMAP_OK);
        assert_int_equal(tmap_independent_set(all, TMAP_SET_DEGREE_LITERAL, group_of, &sum),
                         TMAP_OK);
        /* The first group that is taken has the heaviest neighborhood of all. */
        uint64_t heaviest = 0, chosen = 0;
        for (int32_t g = 0; g < tmap_all_groups_count(all); g++) {
            const int32_t *mine, *other;
            uint64_t weight = 0;
            tmap_all_groups_value(all, g, &mine);
            for (int32_t h = 0; h < tmap_all_groups_count(all); h++) {
                uint64_t value = tmap_all_groups_value(all, h, &other);
                int shared = 0;
                for (int i = 0; i < k * k; i++)
                    shared |= mine[i / k] == other[i % k];
                weight += shared && g != h ? value : 0;
            }
            int taken = 1;
            for (int i = 0; i < k; i++)
                taken &= group_of[mine[i]] == 0;
            chosen = taken ? weight : chosen;
            heaviest = weight > heaviest ? weight : heaviest;
        }
        assert_int_equal(chosen, heaviest);
        tmap_all_groups_destroy(all);
        tmap_matrix_destroy(matrix);
    }
}

/* All sets, to find the smallest possible largest value of one. */
struct all_sets {
    const struct tmap_all_groups *all;
    int32_t p, k;
    uint64_t least;
};

/* Those in which the processes of the bits `used` are in groups of up to that value. */
static void try_sets(struct all_sets *sets, uint32_t used, uint64_t largest)
{
    int32_t first = 0;
    if (largest >= sets->least)
        return;
    while (used >> first & 1)
        first++;
    if (first == sets->p) {
        sets->least = largest;
        return;
    }
    for (int32_t g = 0; g < tmap_all_groups_count(sets->all); g++) {
        const int32_t *members;
        uint64_t value = tmap_all_groups_value(sets->all, g, &members);
        uint32_t mine = 0;
        for (int32_t i = 0; i < sets->k; i++)
            mine |= UINT32_C(1) << members[i];
        if (members[0] == first && !(mine & used))
            try_sets(sets, used | mine, value > largest ? value : largest);
    }
}

/* The largest value of the set that the heuristic "largest value last" finds. */
static uint64_t largest_of_set(struct tmap_all_groups *all, int32_t p, int32_t k)
{
    int32_t group_of[16], size[16] = {0};
    uint64_t sum, largest = 0, added = 0;
    assert_int_equal(tmap_independent_set(all, TMAP_SET_LARGEST_LAST, group_of, &sum), TMAP_OK);
    for (int32_t i = 0; i < p; i++) {
        assert_in_range(group_of[i], 0, p / k - 1);
        size[group_of[i]]++;
    }
    for (int32_t g = 0; g < p / k; g++)
        assert_int_equal(size[g], k);
    for (int32_t g = 0; g < tmap_all_groups_count(all); g++) {
        const int32_t *members;
        uint64_t value = tmap_all_groups_value(all, g, &members);
        int together = 1;
        for (int32_t i = 1; i < k; i++)
            together &= group_of[members[i]] == group_of[members[0]];
        largest = together && value > largest ? value : largest;
        added += together ? value : 0;
    }
    assert_int_equal(added, sum);
    return largest;
}

static void the_largest_value_is_the_smallest_possible(void **state)
{
    static const int32_t sizes[][2] = {{6, 2},  {8, 2}, {10, 2}, {12, 2}, {6, 3},
                                       {12, 3}, {9, 3}, {8, 4},  {12, 4}, {14, 2}};
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 3);
    for (int round = 0; round < rounds(400); round++) {
        int32_t p = sizes[round % 10][0], k = sizes[round % 10][1];
        /* every third one with fewer roles: the others are artificial */
        struct tmap_matrix *matrix = random_matrix(&random, p - (round % 3 == 0), 3 * p, 5);
        struct tmap_all_groups *all = NULL;
        assert_int_equal(tmap_all_groups_create(&all, matrix, p, k), TMAP_OK);
        struct all_sets sets = {all, p, k, UINT64_MAX};
        try_sets(&sets, 0, 0);
        assert_int_equal(largest_of_set(all, p, k), sets.least);
        tmap_all_groups_destroy(all);
        tmap_matrix_destroy(matrix);
    }
}

static void aggregation_gives_figure_2(void **state)
{
    static const int32_t pairs[8] = {0, 0, 1, 1, 2, 2, 3, 3}, halves[4] = {0, 0, 1, 1};
    static const uint64_t figure_2a[4][4] = {
        {0, 1012, 202, 4}, {1012, 0, 4, 202}, {202, 4, 0, 1012}, {4, 202, 1012, 0}};
    struct tmap_matrix *matrix = figure_1_matrix();
    struct tmap_matrix *first = tmap_matrix_aggregate(matrix, pairs, 4);
    struct tmap_matrix *second = tmap_matrix_aggregate(first, halves, 2);
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        for (int32_t j = 0; j < 4; j++)
            assert_int_equal(weight_between(first, i, j), figure_2a[i][j]);
    }
    assert_int_equal(weight_between(second, 0, 1), 412);
    assert_int_equal(tmap_matrix_total(second), 412);
    tmap_matrix_destroy(matrix);
    tmap_matrix_destroy(first);
    tmap_matrix_destroy(second);
}

/* Weight between the two halves of the tree 2 x 3 x 2. */
static void figure_1_costs_412_1218_and_6010(void **state)
{
    static const struct {
        const char *method;
        int32_t slot_of[8];
        uint64_t between_halves;
    } expected[] = {{"treematch", {0, 1, 2, 3, 6, 7, 8, 9}, 412},
                    {"packed", {0, 1, 2, 3, 4, 5, 6, 7}, 1218},
                    {"roundrobin", {0, 6, 1, 7, 2, 8, 3, 9}, 6010}};
    struct tmap_matrix *matrix = figure_1_matrix();
    struct tmap_tree *tree = make_tree("2 3 2");
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tmap_options options;
        struct tmap_error error;
        struct tmap_cost cost;
        int32_t slot_of[8];
        tmap_options_init(&options, sizeof options);
        options.method = expected[i].method;
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
        for (int role = 0; role < 8; role++)
            assert_int_equal(slot_of[role], expected[i].slot_of[role]);
        assert_int_equal(cost.weight_at[0], expected[i].between_halves);
    }
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

static void division_thresholds_are_those_of_table_2(void **state)
{
    static const int expected[][2] = {{2, 0},   {3, 0},   {4, 8},     {6, 10},   {8, 12},
                                      {9, 14},  {12, 16}, {15, 20},   {16, 20},  {25, 32},
                                      {49, 58}, {97, 0},  {121, 134}, {128, 132}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(tmap_division_threshold(expected[i][0]), expected[i][1]);
}

static double choose(int p, int k)
{
    double result = 1;
    for (int i = 0; i < k; i++)
        result *= (double)(p - i) / (i + 1);
    return result;
}

/* By the definition: the first p with C(p, k) > d C(p, k/d), d the greatest proper divisor. */
static void division_thresholds_agree_with_a_search(void **state)
{
    int composite = 0;
    (void)state;
    for (int k = 2; k <= 128; k++) {
        int d = k - 1, p = k + 1;
        while (k % d != 0)
            d--;
        if (d == 1)
            continue;
        composite++;
        while (choose(p, k) <= d * choose(p, k / d))
            p++;
        assert_int_equal(tmap_division_threshold(k), p);
    }
    assert_int_equal(composite, 96);
}

static void arities_are_divided_as_in_the_paper(void **state)
{
    static const struct {
        int depth;
        int32_t arity[4];
        int count;
        int32_t divided[8];
    } cases[] = {{3, {4, 4, 1}, 4, {4, 2, 2, 1}},
                 {3, {22, 4, 6}, 5, {22, 2, 2, 3, 2}},
                 {4, {128, 16, 2, 4}, 8, {128, 2, 2, 2, 2, 2, 2, 2}},
                 {2, {2, 4}, 3, {2, 2, 2}},
                 {1, {4}, 1, {4}},
                 {2, {7, 11}, 2, {7, 11}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t divided[TMAP_MAX_DIVIDED];
        assert_int_equal(tmap_divide_arities(cases[i].arity, cases[i].depth, divided),
                         cases[i].count);
        for (int l = 0; l < cases[i].count; l++)
            assert_int_equal(divided[l], cases[i].divided[l]);
    }
}

static void fast_grouping_begins_at_30000_groups(void **state)
{
    static const int first[][2] = {{2, 246}, {3, 58}, {4, 31}}, most = TMAP_GROUPS_THRESHOLD;
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tmap_count_groups(first[i][1], first[i][0], most), most);
        assert_true(tmap_count_groups(first[i][1] - 1, first[i][0], most) < most);
    }
    assert_int_equal(tmap_count_groups(245, 2, most), 245 * 244 / 2);
    assert_int_equal(tmap_count_groups(2000000000, 1000000000, most), most);
}

/* The sample 1 .. 256: pivots are the elements of rank 1, 2, 4, ... 64 from the largest. */
static void buckets_follow_the_pivots(void **state)
{
    static const uint64_t expected[7] = {256, 255, 253, 249, 241, 225, 193};
    static const struct {
        uint64_t value;
        int bucket;
    } cases[] = {{1000, 0}, {256, 0}, {255, 1}, {254, 2}, {253, 2}, {252, 3}, {249, 3}, {248, 4},
                 {240, 5},  {225, 5}, {224, 6}, {193, 6}, {192, 7}, {1, 7},   {0, 7}};
    uint64_t sample[256], pivot[TMAP_BUCKETS - 1];
    (void)state;
    for (int i = 0; i < 256; i++)
        sample[i] = (uint64_t)(i * 77 % 256) + 1;
    tmap_bucket_pivots(sample, TMAP_BUCKETS, pivot);
    for (int j = 0; j < TMAP_BUCKETS - 1; j++)
        assert_int_equal(pivot[j], expected[j]);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(tmap_bucket_of(pivot, TMAP_BUCKETS, cases[i].value), cases[i].bucket);
}

/* So their number changes no mapping. */
static void buckets_one_after_the_other_are_sorted(void **state)
{
    struct tmap_random random;
    struct tmap_buckets buckets;
    (void)state;
    tmap_random_init(&random, 1);
    struct tmap_matrix *matrix = random_matrix(&random, 100, 2000, 6);
    for (int count = 0; count <= TMAP_MOST_BUCKETS; count++) {
        assert_int_equal(tmap_buckets_init(&buckets, matrix, count), TMAP_OK);
        assert_int_equal(buckets.count, count ? count : TMAP_BUCKETS);
        for (int bucket = 0; bucket < buckets.count; bucket++)
            tmap_buckets_sort(&buckets, bucket);
        size_t elements = buckets.first[buckets.count];
        assert_int_equal(elements, tmap_matrix_pairs(matrix));
        for (size_t i = 1; i < elements; i++) {
            const struct tmap_entry *a = &buckets.element[i - 1], *b = &buckets.element[i];
            assert_true(
                a->weight > b->weight ||
                (a->weight == b->weight &&
                 (a->source < b->source || (a->source == b->source && a->target < b->target))));
        }
        tmap_buckets_fini(&buckets);
    }
    tmap_matrix_destroy(matrix);
}

/* Weights that differ in their lowest byte, in the highest, in all, in none; as many as are sorted by insertion,
 * and more. */
static void entries_are_sorted_by_falling_weight_and_equal_ones_stay_in_order(void **state)
{
    static const int shifts[] = {0, 56, 31, 64};
    static const size_t counts[] = {0, 1, 2, 31, 32, 33, 100, 5000};
    static struct tmap_entry entries[5000], scratch[5000];
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 7);
    for (size_t c = 0; c < 8 * sizeof shifts / sizeof *shifts; c++) {
        const size_t count = counts[c % 8];
        const int shift = shifts[c / 8];
        for (size_t i = 0; i < count; i++) {
            uint64_t byte = tmap_random_below(&random, 256);
            entries[i] = (struct tmap_entry){(int32_t)i, 0, shift < 64 ? byte << shift : 9};
            if (shift == 31)
                entries[i].weight = tmap_random_next(&random) << tmap_random_below(&random, 64);
        }
        tmap_sort_falling(entries, scratch, count);
        for (size_t i = 1; i < count; i++) {
            const struct tmap_entry *a = &entries[i - 1], *b = &entries[i];
            if (a->weight < b->weight || (a->weight == b->weight && a->source >= b->source))
                fail_msg("%zu entries, shift %d: %llu of %d is before %llu of %d", count, shift,
                         (unsigned long long)a->weight, (int)a->source,
                         (unsigned long long)b->weight, (int)b->source);
        }
    }
}

/* One entry is heavier than all others, by one byte of its weight. */
static void one_entry_that_differs_is_found(void **state)
{
    static const size_t counts[] = {2, 33, 100}, places[] = {0, 1, 2, SIZE_MAX};
    struct tmap_entry entries[100], scratch[100];
    (void)state;
    for (size_t c = 0; c < 3 * 4 * 8; c++) {
        const size_t count = counts[c % 3], place = places[c / 3 % 4];
        const int32_t heavy = (int32_t)(place < count ? place : count - 1);
        for (size_t i = 0; i < count; i++)
            entries[i] = (struct tmap_entry){(int32_t)i, 0, 0};
        entries[heavy].weight = UINT64_C(1) << 8 * (c / 12);
        tmap_sort_falling(entries, scratch, count);
        for (int32_t i = 0; i < (int32_t)count; i++) {
            int32_t expected = i == 0 ? heavy : i - (i <= heavy);
            if (entries[i].source != expected)
                fail_msg("%zu entries, byte %zu of %d: entry %d is at %d, expected %d", count,
                         c / 12, (int)heavy, (int)entries[i].source, (int)i, (int)expected);
        }
    }
}

static void weights_of_numbers_are_in_their_order(void **state)
{
    static const double ascending[] = {-INFINITY, -DBL_MAX, -1.5, -1,  -DBL_MIN, -4.9e-324, 0,
                                       4.9e-324,  DBL_MIN,  1,    1.5, DBL_MAX,  INFINITY};
    (void)state;
    for (size_t i = 1; i < sizeof ascending / sizeof *ascending; i++)
        if (tmap_weight_of_number(ascending[i - 1]) >= tmap_weight_of_number(ascending[i]))
            fail_msg("%g is not before %g", ascending[i - 1], ascending[i]);
    assert_true(tmap_weight_of_number(-0.0) == tmap_weight_of_number(0));
}

/* The pairs of up to 16 processes, by value and then by number. */
struct pairs {
    int32_t p, count, member[120][2];
    uint64_t value[120];
};

static void list_pairs(struct pairs *pairs, const struct tmap_all_groups *all, int32_t p)
{
    *pairs = (struct pairs){.p = p, .count = tmap_all_groups_count(all)};
    for (int32_t g = 0; g < pairs->count; g++) {
        const int32_t *members;
        uint64_t value = tmap_all_groups_value(all, g, &members);
        int32_t at = g;
        for (; at > 0 && pairs->value[at - 1] > value; at--) {
            pairs->value[at] = pairs->value[at - 1];
            memcpy(pairs->member[at], pairs->member[at - 1], sizeof pairs->member[at]);
        }
        pairs->value[at] = value;
        memcpy(pairs->member[at], members, sizeof pairs->member[at]);
    }
}

static int is_left(const struct pairs *pairs, int32_t pair, const int32_t *group_of)
{
    return group_of[pairs->member[pair][0]] < 0 && group_of[pairs->member[pair][1]] < 0;
}

/* Among the first `limit` pairs, the process with the fewest that are left takes the first of these, and so on.
 * Returns 0 if one has none. */
static int serve_pairs(const struct pairs *pairs, int32_t limit, int32_t *group_of)
{
    memset(group_of, 0xff, sizeof *group_of * (size_t)pairs->p);
    for (int32_t number = 0; number < pairs->p / 2; number++) {
        int32_t options[16] = {0}, hardest = -1, pair = 0;
        for (int32_t i = 0; i < limit; i++) {
            options[pairs->member[i][0]] += is_left(pairs, i, group_of);
            options[pairs->member[i][1]] += is_left(pairs, i, group_of);
        }
        for (int32_t i = 0; i < pairs->p; i++)
            if (group_of[i] < 0 && (hardest < 0 || options[i] < options[hardest]))
                hardest = i;
        if (options[hardest] == 0)
            return 0;
        while (!is_left(pairs, pair, group_of) ||
               (pairs->member[pair][0] != hardest && pairs->member[pair][1] != hardest))
            pair++;
        group_of[pairs->member[pair][0]] = group_of[pairs->member[pair][1]] = number;
    }
    return 1;
}

/* "Largest value last", slowly: the shortest prefix by bisection, below what "smallest first" needs. */
static void serve_largest_last(const struct pairs *pairs, int32_t *group_of)
{
    int32_t tried[16], little = pairs->p / 2 - 1, enough = 0;
    memset(group_of, 0xff, sizeof *group_of * (size_t)pairs->p);
    for (int32_t number = 0; number < pairs->p / 2; enough++)
        if (is_left(pairs, enough, group_of))
            group_of[pairs->member[enough][0]] = group_of[pairs->member[enough][1]] = number++;
    while (enough - little > 1) {
        int32_t middle = little + (enough - little) / 2;
        if (serve_pairs(pairs, middle, tried)) {
            enough = middle;
            memcpy(group_of, tried, sizeof *tried * (size_t)pairs->p);
        } else {
            little = middle;
        }
    }
}

static void pairs_are_served_as_the_heuristic_says(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 3);
    for (int round = 0; round < rounds(600); round++) {
        const int32_t p = 4 + 2 * (round % 7);
        struct tmap_matrix *matrix = random_matrix(&random, p, 4 * p, round % 2 ? 5 : 40);
        struct tmap_all_groups *all = NULL;
        struct pairs pairs;
        int32_t found[16], expected[16];
        uint64_t sum;
        assert_int_equal(tmap_all_groups_create(&all, matrix, p, 2), TMAP_OK);
        list_pairs(&pairs, all, p);
        serve_largest_last(&pairs, expected);
        assert_int_equal(tmap_independent_set(all, TMAP_SET_LARGEST_ABOUT, found, &sum), TMAP_OK);
        for (int32_t i = 0; i < p; i++)
            if (found[i] != expected[i])
                fail_msg("round %d: process %d of %d is in group %d, not %d", round, (int)i, (int)p,
                         (int)found[i], (int)expected[i]);
        tmap_all_groups_destroy(all);
        tmap_matrix_destroy(matrix);
    }
}

/* Of two sets of equal values that of the earlier heuristic. Weights of up to 7 make such ties. */
static void the_first_of_the_best_sets_is_taken(void **state)
{
    struct tmap_random random;
    int ties = 0, differ = 0;
    (void)state;
    tmap_random_init(&random, 11);
    for (int round = 0; round < rounds(400); round++) {
        const int32_t k = 2 + round % 2, p = k * (2 + round / 2 % 4);
        struct tmap_matrix *matrix = random_matrix(&random, p, 3 * p, 3);
        struct tmap_all_groups *all = NULL;
        int32_t best[2][16], found[16];
        assert_int_equal(tmap_all_groups_create(&all, matrix, p, k), TMAP_OK);
        for (int is_start = 0; is_start < 2; is_start++) {
            const enum tmap_set_heuristic heuristics[] = {
                TMAP_SET_SMALLEST_FIRST, is_start ? TMAP_SET_LARGEST_ABOUT : TMAP_SET_LARGEST_LAST,
                TMAP_SET_DEGREE};
            struct tmap_set_choice choice = {.is_start = is_start};
            const size_t size = sizeof found[0] * (size_t)p;
            uint64_t sum, least = UINT64_MAX;
            for (int h = 0; h < 3; h++) {
                int32_t set[16];
                assert_int_equal(tmap_independent_set(all, heuristics[h], set, &sum), TMAP_OK);
                ties += sum == least && memcmp(set, best[is_start], size) != 0;
                if (sum < least)
                    memcpy(best[is_start], set, size);
                least = sum < least ? sum : least;
            }
            assert_int_equal(tmap_group_all(matrix, p, k, &choice, found), TMAP_OK);
            if (memcmp(found, best[is_start], size) != 0)
                fail_msg("round %d: not the first of the best sets", round);
            int expected = is_start && memcmp(best[0], best[1], size) != 0;
            assert_int_equal(choice.differs, expected);
            differ += expected;
        }
        tmap_all_groups_destroy(all);
        tmap_matrix_destroy(matrix);
    }
    assert_true(rounds(400) < 400 || (ties > 0 && differ > 0));
}

/* Returns 1 if what has four fifths of this cost as its limit is given up below the top. */
static int ends_early(const struct tmap_problem *problem, double cost)
{
    struct tmap_grouped grouped = {.choice = {.limit = cost * 0.8}};
    int32_t divided[TMAP_MAX_DIVIDED];
    int levels;
    assert_int_equal(tmap_group_uniform(problem, &grouped, divided, &levels), TMAP_OK);
    const int is_early = grouped.choice.is_dearer && grouped.levels < levels;
    tmap_grouped_fini(&grouped);
    return is_early;
}

/* Given up is only what costs more than the limit, some of it early. */
static void what_is_sure_to_be_dearer_is_given_up(void **state)
{
    static const char *const trees[] = {"node:4 package:3 core:2",
                                        "node:2 package:2 numanode:2 core:2", "node:6 core:4",
                                        "node:3 package:2 numanode:2 core:2"};
    static const char *const patterns[] = {"planted:4,3,2-shuffled", "stencil2d5-shuffled",
                                           "geometric-shuffled", "alltoall", "rmat-shuffled"};
    int given_up = 0, early = 0, total = 0;
    (void)state;
    for (int p = 0; p < 5; p++)
        for (int t = 0; t < 4; t++) {
            struct tmap_tree *tree = make_tree(trees[t]);
            const int32_t roles = p == 0 ? 24 : tmap_tree_slots(tree) - p % 2;
            if (roles > tmap_tree_slots(tree)) {
                tmap_tree_destroy(tree);
                continue;
            }
            struct tmap_matrix *matrix = generate_matrix(patterns[p], roles, 7);
            struct tmap_problem problem = {.matrix = matrix, .tree = tree};
            int32_t free_of[64], slot_of[64];
            assert_int_equal(tmap_method_treematch(&problem, free_of, NULL), TMAP_OK);
            const double cost = mapping_cost(matrix, tree, free_of);
            struct tmap_set_choice above = {.limit = cost}, below = {.limit = cost * 0.99};
            assert_int_equal(tmap_treematch_below(&problem, &above, slot_of), TMAP_OK);
            if (above.is_dearer || memcmp(slot_of, free_of, sizeof *slot_of * (size_t)roles) != 0)
                fail_msg("%s on %s: not found with its cost as the limit", patterns[p], trees[t]);
            assert_int_equal(tmap_treematch_below(&problem, &below, slot_of), TMAP_OK);
            given_up += below.is_dearer;
            early += ends_early(&problem, cost);
            total++;
            tmap_matrix_destroy(matrix);
            tmap_tree_destroy(tree);
        }
    if (given_up < total || early == 0)
        fail_msg("%d of %d are given up, %d early", given_up, total, early);
}

static double cost_by_treematch(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                int32_t threshold, int32_t buckets)
{
    struct tmap_options options;
    struct tmap_error error;
    int32_t slot_of[64];
    tmap_options_init(&options, sizeof options);
    options.method = "treematch";
    options.group_threshold = threshold;
    options.buckets = buckets;
    assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
    return mapping_cost(matrix, tree, slot_of);
}

/* Pairs of six processes in a row: by elements the heaviest, (1,2) and (3,4), come first, and 0 and 5
 * stay alone; of all 15 pairs (0,1) (2,3) (4,5) are the best. */
static void the_threshold_says_which_grouping_is_used(void **state)
{
    struct entries entries = {NULL, 0, 0};
    struct tmap_tree *tree = make_tree("3 2");
    (void)state;
    for (int32_t i = 0; i < 5; i++)
        add_entry(&entries, i, i + 1, i % 2 ? 11 : 10);
    struct tmap_matrix *matrix = make_matrix(6, &entries);
    double all = cost_by_treematch(matrix, tree, 0, 0);
    assert_true(all == 2 * 30 + 4 * 22);
    assert_true(cost_by_treematch(matrix, tree, 16, 0) == all);
    assert_true(cost_by_treematch(matrix, tree, 15, 0) == 2 * 22 + 4 * 30);
    for (int32_t buckets = 1; buckets <= TMAP_MOST_BUCKETS; buckets++)
        assert_true(cost_by_treematch(matrix, tree, 1, buckets) == 2 * 22 + 4 * 30);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

static void options_of_grouping_that_are_refused(void **state)
{
    static const int32_t refused[][2] = {{-1, 0}, {TMAP_MOST_GROUPS + 1, 0}, {0, -1}, {0, 17}};
    struct tmap_matrix *matrix = figure_1_matrix();
    struct tmap_tree *tree = make_tree("2 3 2");
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct tmap_options options;
        struct tmap_error error;
        int32_t slot_of[8];
        tmap_options_init(&options, sizeof options);
        options.group_threshold = refused[i][0];
        options.buckets = refused[i][1];
        assert_int_equal(tmap_mapping_find(matrix, tree, &options, slot_of, &error), TMAP_EINVAL);
        assert_string_equal(error.text,
                            "the threshold of groups is 1 to 1000000, and buckets are 1 to 16");
    }
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* A planted hierarchy: the traffic of a pair falls with every level that separates it. */
static struct tmap_matrix *hierarchy(const struct tmap_tree *tree, const int32_t *slot_of,
                                     int32_t roles, struct tmap_random *random)
{
    struct entries entries = {NULL, 0, 0};
    for (int32_t i = 0; i < roles; i++) {
        for (int32_t j = i + 1; j < roles; j++) {
            uint64_t weight = 1;
            for (int l = tmap_tree_common_level(tree, slot_of[i], slot_of[j]); l > 0; l--)
                weight *= 40;
            add_entry(&entries, i, j, weight * 16 + tmap_random_below(random, 8));
        }
    }
    return make_matrix(roles, &entries);
}

/* Not every arity: "6 50", divided into 6 5 5 2, is not recovered. That is how the method is. */
static void planted_groups_of_many_arities_are_recovered(void **state)
{
    static const char *const trees[] = {"300 2", "100 3", "64 5",     "40 7",     "30 12",
                                        "30 20", "8 31",  "16 2 3 5", "9 3 3 3 2"};
    (void)state;
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++) {
        struct tmap_tree *tree = make_tree(trees[t]);
        struct tmap_random random;
        struct tmap_error error;
        int32_t roles = tmap_tree_slots(tree), planted[700], slot_of[700];
        struct tmap_options options;
        struct tmap_cost best, cost;
        tmap_random_init(&random, t);
        for (int32_t i = 0; i < roles; i++)
            planted[i] = i;
        tmap_random_shuffle(&random, planted, roles);
        struct tmap_matrix *matrix = hierarchy(tree, planted, roles, &random);
        tmap_options_init(&options, sizeof options);
        options.method = "treematch";
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
        assert_ok(tmap_mapping_evaluate(matrix, tree, planted, &best, &error), &error);
        if (cost.cost > best.cost)
            fail_msg("%s: cost %.0f, planted %.0f", trees[t], cost.cost, best.cost);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static void nodes_of_different_sizes_get_the_cliques_that_fit(void **state)
{
    static const int32_t path[10 * 2] = {0, 0, 0, 1, 0, 2, 0, 3, 1, 0,
                                         1, 1, 2, 0, 2, 1, 2, 2, 2, 3};
    static const int32_t clique[10] = {2, 0, 1, 0, 2, 1, 2, 0, 2, 0}; /* of 4, 2 and 4 */
    static const uint64_t heavy[3] = {100, 1000, 10};
    struct entries entries = {NULL, 0, 0};
    struct tmap_tree *tree = NULL;
    struct tmap_options options;
    struct tmap_error error;
    struct tmap_cost cost;
    int32_t slot_of[10];
    (void)state;
    assert_ok(tmap_tree_create_from_paths(&tree, 10, 2, path, NULL, NULL, NULL, &error), &error);
    for (int32_t i = 0; i < 10; i++) {
        for (int32_t j = i + 1; j < 10; j++)
            add_entry(&entries, i, j, clique[i] == clique[j] ? heavy[clique[i]] : 1);
    }
    struct tmap_matrix *matrix = make_matrix(10, &entries);
    tmap_options_init(&options, sizeof options);
    options.method = "treematch";
    assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
    assert_int_equal(cost.weight_at[0], 4 * 2 + 4 * 4 + 2 * 4);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_sums_are_those_of_the_paper),
        cmocka_unit_test(there_are_28_groups_and_the_first_is_worth_1218),
        cmocka_unit_test(the_three_heuristics_find_the_optimum_and_the_literal_third_does_not),
        cmocka_unit_test(neighbor_weights_agree_with_their_definition),
        cmocka_unit_test(aggregation_gives_figure_2),
        cmocka_unit_test(figure_1_costs_412_1218_and_6010),
        cmocka_unit_test(division_thresholds_are_those_of_table_2),
        cmocka_unit_test(division_thresholds_agree_with_a_search),
        cmocka_unit_test(arities_are_divided_as_in_the_paper),
        cmocka_unit_test(fast_grouping_begins_at_30000_groups),
        cmocka_unit_test(buckets_follow_the_pivots),
        cmocka_unit_test(buckets_one_after_the_other_are_sorted),
        cmocka_unit_test(entries_are_sorted_by_falling_weight_and_equal_ones_stay_in_order),
        cmocka_unit_test(one_entry_that_differs_is_found),
        cmocka_unit_test(weights_of_numbers_are_in_their_order),
        cmocka_unit_test(pairs_are_served_as_the_heuristic_says),
        cmocka_unit_test(the_first_of_the_best_sets_is_taken),
        cmocka_unit_test(the_threshold_says_which_grouping_is_used),
        cmocka_unit_test(options_of_grouping_that_are_refused),
        cmocka_unit_test(the_largest_value_is_the_smallest_possible),
        cmocka_unit_test(planted_groups_of_many_arities_are_recovered),
        cmocka_unit_test(what_is_sure_to_be_dearer_is_given_up),
        cmocka_unit_test(nodes_of_different_sizes_get_the_cliques_that_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
