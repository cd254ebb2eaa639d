/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-search-bounds.c - how much is looked at until a pattern is found, or none: counted, not timed. traffic_offer, which
 * reads all pairs, and the searches are wrapped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "recognize/numbered.h"

static size_t offered_grids, offered_groups, offered_others, searches;
static int offers_count_only;

void __real_traffic_offer(struct traffic *traffic, const struct recognized_part *part);
void __wrap_traffic_offer(struct traffic *traffic, const struct recognized_part *part);
void __real_numbered_groups_search(struct traffic *traffic);
void __wrap_numbered_groups_search(struct traffic *traffic);

void __wrap_traffic_offer(struct traffic *traffic, const struct recognized_part *part)
{
    offered_grids += part->kind == RECOGNIZED_GRID;
    offered_groups += part->kind >= RECOGNIZED_GROUPS && part->kind <= RECOGNIZED_RINGS;
    offered_others += part->kind > RECOGNIZED_RINGS;
    if (!offers_count_only)
        __real_traffic_offer(traffic, part);
}

void __wrap_numbered_groups_search(struct traffic *traffic)
{
    searches++;
    __real_numbered_groups_search(traffic);
}

static void start_counting(int only)
{
    offered_grids = offered_groups = offered_others = searches = 0;
    offers_count_only = only;
}

/* How many patterns a search may look at. */
static size_t tries_of(const struct traffic *traffic)
{
    size_t tries = ((size_t)1 << 25) / (traffic->count + 1);
    return tries > 16 ? tries : 16;
}

/* ---- Traffic at some distances of the ranks' numbers ---- */

/* Without edges, which only those that read pairs need. */
static void traffic_at_distances(struct traffic *traffic, int32_t ranks, int (*talk)(int32_t))
{
    *traffic = (struct traffic){.ranks = ranks};
    traffic->weight_at = calloc((size_t)ranks + 1, sizeof *traffic->weight_at);
    traffic->count_at = calloc((size_t)ranks + 1, sizeof *traffic->count_at);
    assert_non_null(traffic->weight_at);
    assert_non_null(traffic->count_at);
    for (int32_t distance = 1; distance < ranks; distance++)
        if (talk(distance)) {
            traffic->count_at[distance] = ranks - distance;
            traffic->weight_at[distance] = ranks - distance;
            traffic->count += (size_t)(ranks - distance);
        }
    traffic->total = traffic->unexplained = (double)traffic->count;
}

static void traffic_add_edges(struct traffic *traffic)
{
    size_t count = 0;
    traffic->edge = malloc(traffic->count * sizeof *traffic->edge);
    assert_non_null(traffic->edge);
    for (int32_t distance = 1; distance < traffic->ranks; distance++)
        for (int32_t a = 0; traffic->count_at[distance] && a + distance < traffic->ranks; a++)
            traffic->edge[count++] = (struct traffic_edge){a, a + distance, 0, 1};
    assert_int_equal(count, traffic->count);
}

static void traffic_destroy(struct traffic *traffic)
{
    free(traffic->edge);
    free(traffic->weight_at);
    free(traffic->count_at);
}

static int at_powers_of_two(int32_t distance)
{
    return (distance & (distance - 1)) == 0;
}

static int at_divisors(int32_t distance)
{
    return distance <= 20 && 55440 % distance == 0;
}

static int at_short_distances(int32_t distance)
{
    return distance <= 64;
}

static int at_any_distance(int32_t distance)
{
    return distance > 0;
}

/* ---- */

/* With 64 ranks there are as many grids as 6 can be written as a sum of one to four numbers. */
static void few_pairs_are_no_reason_to_stop(void **state)
{
    struct traffic traffic;
    (void)state;
    traffic_at_distances(&traffic, 64, at_powers_of_two);
    traffic_add_edges(&traffic);
    start_counting(1);
    numbered_grid_search(&traffic);
    assert_int_equal(tries_of(&traffic) - traffic.tries_left, 1 + 5 + 10 + 10);
    traffic_destroy(&traffic);
}

/* Then it would be all of 378. */
static void grids_are_measured_until_enough_pairs_are_read(void **state)
{
    struct traffic traffic;
    (void)state;
    if (getenv("TEST_QUICK"))
        return; /* 2^25 pairs take long under valgrind */
    traffic_at_distances(&traffic, 1 << 14, at_powers_of_two);
    traffic_add_edges(&traffic);
    start_counting(1);
    numbered_grid_search(&traffic);
    assert_int_equal(traffic.tries_left, 0);
    assert_in_range(offered_grids, 1, tries_of(&traffic));
    traffic_destroy(&traffic);
}

/* What is at the distances of a grid is too little. */
static void grids_without_traffic_are_not_measured(void **state)
{
    struct traffic traffic;
    (void)state;
    traffic_at_distances(&traffic, 64, at_powers_of_two);
    traffic.total *= 1000;
    start_counting(1);
    numbered_grid_search(&traffic);
    assert_int_equal(tries_of(&traffic) - traffic.tries_left, 0);
    traffic_destroy(&traffic);
}

/* Chains of hundreds of lengths and distances. Of each other pattern there are a few. */
static void groups_are_looked_at_until_enough_pairs_are_read(void **state)
{
    struct traffic traffic;
    (void)state;
    traffic_at_distances(&traffic, 55440, at_divisors);
    traffic_add_edges(&traffic);
    start_counting(1);
    numbered_groups_search(&traffic);
    assert_in_range(tries_of(&traffic), 17, 100);
    assert_int_equal(offered_groups, tries_of(&traffic));
    assert_int_equal(traffic.tries_left, 0);
    assert_in_range(offered_others, 1, 25);
    traffic_destroy(&traffic);
}

static void but_at_least_at_sixteen_of_them(void **state)
{
    struct traffic traffic;
    (void)state;
    traffic_at_distances(&traffic, 55440, at_short_distances);
    assert_true(traffic.count > (1 << 25) / 16);
    start_counting(1);
    numbered_groups_search_large(&traffic);
    assert_int_equal(offered_groups, 16);
    traffic_destroy(&traffic);
}

/* All ranks talk with all, so the distances of all groups have more than enough, and no more than by chance. */
static void groups_that_cannot_be_the_best_are_not_looked_at(void **state)
{
    struct traffic traffic;
    (void)state;
    traffic_at_distances(&traffic, 720, at_any_distance);
    start_counting(1);
    numbered_groups_search_large(&traffic);
    assert_int_equal(offered_groups, 0);
    traffic_destroy(&traffic);
    traffic_at_distances(&traffic, 720, at_short_distances);
    numbered_groups_search_large(&traffic);
    assert_in_range(offered_groups, 2, 1000);
    start_counting(1);
    traffic.total *= 10; /* only the largest have a share worth a word */
    numbered_groups_search_large(&traffic);
    assert_in_range(offered_groups, 1, 6);
    traffic.total /= 10;
    start_counting(1);
    traffic.best_score = 1;
    numbered_groups_search_large(&traffic);
    assert_int_equal(offered_groups, 0);
    traffic.best_score = 0;
    for (int32_t distance = 2; distance <= 64; distance++)
        traffic.count_at[distance] /= 10; /* of pairs further apart few talk */
    numbered_groups_search_large(&traffic);
    assert_int_equal(offered_groups, 0);
    traffic_destroy(&traffic);
}

/* ---- All of it ---- */

/* Each rank talks with those 1, 2, 4 ... after it. */
static struct tmap_matrix *powers_matrix(int32_t ranks)
{
    struct tmap_matrix *matrix;
    struct tmap_entry entries[1000];
    size_t count = 0;
    for (int32_t a = 0; a < ranks; a++)
        for (int32_t step = 1; step < ranks; step *= 2)
            entries[count++] = (struct tmap_entry){a, (a + step) % ranks, 1};
    assert_int_equal(tmap_matrix_create(&matrix, ranks, entries, count, NULL), TMAP_OK);
    return matrix;
}

static void when_all_is_explained_nothing_is_searched(void **state)
{
    struct recognized recognized;
    struct tmap_matrix *matrix = powers_matrix(100);
    (void)state;
    start_counting(0);
    assert_int_equal(recognize(&recognized, matrix), TMAP_OK);
    assert_int_equal(recognized.parts, 1);
    assert_int_equal(searches, 1);
    recognize_fini(&recognized);
    tmap_matrix_destroy(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pairs_are_no_reason_to_stop),
        cmocka_unit_test(grids_are_measured_until_enough_pairs_are_read),
        cmocka_unit_test(grids_without_traffic_are_not_measured),
        cmocka_unit_test(groups_are_looked_at_until_enough_pairs_are_read),
        cmocka_unit_test(but_at_least_at_sixteen_of_them),
        cmocka_unit_test(groups_that_cannot_be_the_best_are_not_looked_at),
        cmocka_unit_test(when_all_is_explained_nothing_is_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
