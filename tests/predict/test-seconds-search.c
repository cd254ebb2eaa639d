/* SPDX-License-Identifier: BSD-3-Clause */
/* test-seconds-search.c - the objective time: when ranks are spread and when packed, cards that are
 * relieved, and that the result is never slower. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/failing.h"
#include "predict/seconds-search.h"

enum { MOST = 16 };

/* Traffic between up to MOST roles, as a profile of one domain. */
struct traffic {
    int32_t ranks;
    size_t count;
    struct reseat_entry entries[MOST * MOST];
};

static void add(struct traffic *t, int32_t source, int32_t target, uint64_t bytes)
{
    t->entries[t->count++] = (struct reseat_entry){source, target, 1, bytes, 0};
}

/* 10 us and 100 MB/s between nodes, and no more for a card; 1 us and 10 GB/s inside. */
static struct reseat_timings *make_timings(void)
{
    struct reseat_timings *t = NULL;
    const struct timings_point far[] = {{0, 1e-5, {0, 0}}, {1000000, 1.001e-2, {0, 0}}};
    const struct timings_point near[] = {{0, 1e-6, {0, 0}}, {1000000, 1.01e-4, {0, 0}}};
    assert_int_equal(reseat_timings_create(&t, NULL), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(reseat_timings_add_point(t, "machine", &far[i], NULL), 0);
        assert_int_equal(reseat_timings_add_point(t, "node", &near[i], NULL), 0);
    }
    return t;
}

/* A prediction on a tree, priced; `launched`: rank r on slot r. */
static void price(struct prediction *p, struct seconds_pricing *pricing,
                  const struct reseat_timings *timings, const struct traffic *traffic,
                  const char *tree, int launched)
{
    struct reseat_domain domain = {
        .function = "MPI_COMM_WORLD", .parent = -1, .size = traffic->ranks};
    struct reseat_profile profile = {
        .ranks = traffic->ranks, .domains = &domain, .domains_count = 1};
    struct reseat_error error;
    struct tmap_tree *parsed = NULL;
    domain.entries[RESEAT_P2P] = (struct reseat_entry *)traffic->entries;
    domain.count[RESEAT_P2P] = traffic->count;
    *p = (struct prediction){0};
    assert_int_equal(tmap_tree_parse(&parsed, tree, NULL), TMAP_OK);
    if (prediction_set_profile(p, &profile, RESEAT_METRIC_SIZE, &error))
        fail_msg("%s", error.text);
    prediction_set_tree(p, parsed, NULL);
    if ((launched && prediction_launch_in_order(p, &error)) ||
        seconds_pricing_open(pricing, timings, &profile, &error) ||
        seconds_pricing_set(pricing, p, RESEAT_METRIC_TIME, &error))
        fail_msg("%s", error.text);
}

/* The prediction by cost, then by time; *by_cost gets the seconds of the former. */
static struct seconds search(struct prediction *p, const struct traffic *traffic, const char *tree,
                             struct seconds *by_cost)
{
    struct reseat_timings *timings = make_timings();
    struct seconds_pricing pricing = {.timings = NULL};
    struct prediction_request request = {.role0 = ROLE0_MOVES};
    struct seconds seconds[2];
    struct tmap_options options;
    struct reseat_error error;
    tmap_options_init(&options, sizeof options);
    price(p, &pricing, timings, traffic, tree, 0);
    if (prediction_find(p, &request, &error) ||
        seconds_pricing_compare(&pricing, p, seconds, &error))
        fail_msg("%s", error.text);
    *by_cost = seconds[1];
    if (seconds_search(&pricing, p, &options, 0, &error) ||
        seconds_pricing_compare(&pricing, p, seconds, &error))
        fail_msg("%s", error.text);
    assert_true(tmap_mapping_is_valid(p->tree, traffic->ranks, p->best));
    p->costs = NULL;
    seconds_pricing_close(&pricing);
    reseat_timings_destroy(timings);
    return seconds[1];
}

/* How many roles the fullest of the first `nodes` nodes has. */
static int32_t fullest(const struct prediction *p, int32_t *nodes)
{
    int32_t count[MOST] = {0}, most = 0;
    *nodes = 0;
    for (int32_t role = 0; role < tmap_matrix_roles(p->matrix); role++) {
        int32_t node = tmap_tree_ancestor(p->tree, p->best[role], 1);
        *nodes += count[node]++ == 0;
        most = count[node] > most ? count[node] : most;
    }
    return most;
}

/* 8 ranks on 4 nodes of 4: two full nodes send 16 messages each, four half-empty ones 12. */
static void all_to_all_is_spread(void **state)
{
    struct traffic traffic = {.ranks = 8};
    struct prediction p;
    struct seconds by_cost;
    int32_t nodes;
    (void)state;
    for (int32_t a = 0; a < 8; a++)
        for (int32_t b = 0; b < 8; b++)
            if (a != b)
                add(&traffic, a, b, 1000000);
    struct seconds s = search(&p, &traffic, "node:4 package:2 core:2", &by_cost);
    assert_int_equal(fullest(&p, &nodes), 2);
    assert_int_equal(nodes, 4);
    assert_true(s.longest[SECONDS_CARD] > 0.119 && s.longest[SECONDS_CARD] < 0.121);
    assert_true(by_cost.longest[SECONDS_CARD] > 0.1599);
    prediction_close(&p);
}

/* A ring of 8 fits on one of the nodes. */
static void a_halo_is_packed(void **state)
{
    struct traffic traffic = {.ranks = 8};
    struct prediction p;
    struct seconds by_cost;
    int32_t nodes;
    (void)state;
    for (int32_t a = 0; a < 8; a++)
        add(&traffic, a, (a + 1) % 8, 1000000);
    struct seconds s = search(&p, &traffic, "node:4 core:8", &by_cost);
    assert_int_equal(fullest(&p, &nodes), 8);
    assert_int_equal(nodes, 1);
    assert_true(s.longest[SECONDS_CARD] == 0);
    prediction_close(&p);
}

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

/* Random traffic on nearly full and half empty machines: never slower, the same each time, and often
 * faster. */
static void it_is_never_slower(void **state)
{
    static const char *const trees[] = {"node:4 core:4", "node:8 core:4", "switch:2 node:3 core:3",
                                        "ring:4 core:4"};
    uint32_t seed = 1;
    int faster = 0;
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct traffic traffic = {.ranks = (int32_t)(6 + next(&seed) % 10)};
        struct prediction p, again;
        struct seconds by_cost;
        for (int32_t a = 0; a < traffic.ranks; a++)
            for (int32_t b = 0; b < traffic.ranks; b++)
                if (a != b && next(&seed) % 4 == 0)
                    add(&traffic, a, b, 1000 * (next(&seed) % 3000));
        struct seconds s = search(&p, &traffic, trees[round % 4], &by_cost);
        search(&again, &traffic, trees[round % 4], &by_cost);
        assert_memory_equal(p.best, again.best, (size_t)traffic.ranks * sizeof *p.best);
        if (s.estimate > by_cost.estimate * (1 + 1e-9))
            fail_msg("round %d: %g s, by cost %g s", round, s.estimate, by_cost.estimate);
        faster += s.estimate < 0.99 * by_cost.estimate;
        prediction_close(&p);
        prediction_close(&again);
    }
    assert_true(faster >= 10);
}

/* By cost, the four heaviest roles share a node, whose card carries all that they send to the others. Swapping one
 * of them with a light one is dearer and faster. */
static void a_card_is_relieved(void **state)
{
    struct traffic traffic = {.ranks = 8};
    struct prediction p;
    struct seconds by_cost;
    (void)state;
    for (int32_t a = 0; a < 4; a++)
        for (int32_t b = 0; b < 8; b++)
            if (a != b)
                add(&traffic, a, b, b < 4 ? 1100000 : 1000000);
    struct seconds s = search(&p, &traffic, "node:2 core:4", &by_cost);
    assert_true(by_cost.estimate > 0.16);
    if (!(s.estimate < by_cost.estimate / 1.5))
        fail_msg("%g s, by cost %g s", s.estimate, by_cost.estimate);
    prediction_close(&p);
}

/* Four roles, each with three of its own, are cheapest on one node, whose card then sends 12 MB. Best is a node
 * for each with its own; on the way there several cards are the busiest, and one exchange relieves only one. */
static void cards_are_relieved_one_after_the_other(void **state)
{
    struct traffic traffic = {.ranks = 16};
    struct prediction p;
    struct seconds by_cost;
    (void)state;
    for (int32_t a = 0; a < 4; a++)
        for (int32_t b = 0; b < 16; b++)
            if (a != b && (b < 4 || b % 4 == a))
                add(&traffic, a, b, b < 4 ? 1100000 : 1000000);
    struct seconds s = search(&p, &traffic, "node:4 core:4", &by_cost);
    assert_true(by_cost.longest[SECONDS_CARD] > 0.1199);
    if (!(s.longest[SECONDS_CARD] < 0.0331))
        fail_msg("%g s, by cost %g s", s.longest[SECONDS_CARD], by_cost.longest[SECONDS_CARD]);
    prediction_close(&p);
}

/* As an objective of prediction_find, on the slots of a job: role 0 stays, and the order found is never
 * slower than the launch order, nor than the cheapest one. */
static void role0_stays_in_a_job(void **state)
{
    const enum reseat_objective objectives[] = {RESEAT_OBJECTIVE_COST, RESEAT_OBJECTIVE_TIME};
    struct reseat_timings *timings = make_timings();
    uint32_t seed = 7;
    int faster = 0, cheaper = 0;
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct traffic traffic = {.ranks = 12};
        struct seconds found[2][2];
        struct reseat_error error;
        for (int32_t a = 0; a < 12; a++)
            for (int32_t b = 0; b < 12; b++)
                if (a != b && next(&seed) % 3 == 0)
                    add(&traffic, a, b, 1000 * (next(&seed) % 3000));
        for (int i = 0; i < 2; i++) {
            struct prediction p;
            struct seconds_pricing pricing = {.timings = NULL};
            struct prediction_request request = {.role0 = ROLE0_STAYS, .objective = objectives[i]};
            price(&p, &pricing, timings, &traffic, "node:3 core:4", 1);
            if (prediction_find(&p, &request, &error) ||
                seconds_pricing_compare(&pricing, &p, found[i], &error))
                fail_msg("%s", error.text);
            assert_int_equal(p.best[0], 0);
            assert_true(tmap_mapping_is_valid(p.tree, 12, p.best));
            assert_string_equal(prediction_method_name(prediction_method_number(p.method)),
                                p.method);
            prediction_close(&p);
            seconds_pricing_close(&pricing);
        }
        if (found[1][1].estimate > found[1][0].estimate * (1 + 1e-9) ||
            found[1][1].estimate > found[0][1].estimate * (1 + 1e-9))
            fail_msg("round %d: %g s, launched %g s, by cost %g s", round, found[1][1].estimate,
                     found[1][0].estimate, found[0][1].estimate);
        faster += found[1][1].estimate < 0.99 * found[0][1].estimate;
        cheaper += found[0][1].estimate < found[0][0].estimate;
    }
    assert_true(faster >= 5 && cheaper >= 5);
    reseat_timings_destroy(timings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_to_all_is_spread),
        cmocka_unit_test(a_halo_is_packed),
        cmocka_unit_test(a_card_is_relieved),
        cmocka_unit_test(cards_are_relieved_one_after_the_other),
        cmocka_unit_test(it_is_never_slower),
        cmocka_unit_test(role0_stays_in_a_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
