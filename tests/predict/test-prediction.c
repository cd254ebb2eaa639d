/* SPDX-License-Identifier: BSD-3-Clause */
/* test-prediction.c - what another order would gain: which candidate wins, whether role 0 moves,
 * and that every number belongs to an order that the ranks can really get. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "failing.h"
#include "network/network-source.h"
#include "predict/prediction.h"

enum { RANKS = 6 };

/* A pair of roles 0 and 1, and four others that all talk: they belong on the node of four. */
static const struct tmap_entry pair_and_four[] = {{0, 1, 10}, {2, 3, 90}, {2, 4, 90}, {2, 5, 90},
                                                  {3, 4, 90}, {3, 5, 90}, {4, 5, 90}};
enum { PAIR_AND_FOUR = sizeof pair_and_four / sizeof pair_and_four[0] };

/* Cores: the first `first` ranks on node 0, the others on node 1. */
static void place_on_two_nodes(struct reseat_location *locations, int32_t first)
{
    for (int32_t rank = 0; rank < RANKS; rank++) {
        locations[rank] = (struct reseat_location){.node = rank >= first};
        reseat_place_clear(&locations[rank].place);
        locations[rank].place.at[TMAP_PLACE_CORE] = rank < first ? rank : rank - first;
    }
}

/* Four cores on the first node, two on the other. */
static void open_uneven(struct prediction *p)
{
    struct reseat_location locations[RANKS];
    struct reseat_error error;
    place_on_two_nodes(locations, 4);
    *p = (struct prediction){0};
    if (prediction_set_entries(p, RANKS, pair_and_four, PAIR_AND_FOUR, &error) ||
        prediction_set_locations(p, locations, NULL, &error))
        fail_msg("%s", error.text);
}

static void find(struct prediction *p, enum prediction_role0 role0)
{
    const struct prediction_request request = {.role0 = role0};
    struct reseat_error error;
    if (prediction_find(p, &request, &error))
        fail_msg("%s", error.text);
}

static void role_0_stays_where_it_has_to(void **state)
{
    static const enum prediction_role0 all[] = {ROLE0_MOVES, ROLE0_STAYS_IF_FREE, ROLE0_STAYS};
    double cost[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct prediction p;
        open_uneven(&p);
        find(&p, all[i]);
        cost[i] = p.after.cost;
        assert_int_equal(p.best[0] == p.launch[0], all[i] == ROLE0_STAYS);
        assert_true(p.after.cost < p.before.cost);
        prediction_close(&p);
    }
    assert_true(cost[0] == cost[1]);
    assert_true(cost[2] > cost[1]);
}

static void role_0_stays_for_nothing_where_nodes_are_alike(void **state)
{
    static const struct tmap_entry entries[] = {{0, 3, 100}, {1, 4, 90}, {2, 5, 90}};
    struct reseat_location locations[RANKS];
    double cost[2];
    (void)state;
    place_on_two_nodes(locations, 3);
    for (int i = 0; i < 2; i++) {
        struct prediction p = {0};
        struct reseat_error error;
        assert_int_equal(prediction_set_entries(&p, RANKS, entries, 3, &error), 0);
        assert_int_equal(prediction_set_locations(&p, locations, NULL, &error), 0);
        find(&p, i ? ROLE0_STAYS_IF_FREE : ROLE0_MOVES);
        cost[i] = p.after.cost;
        if (i)
            assert_int_equal(p.best[0], p.launch[0]);
        prediction_close(&p);
    }
    assert_true(cost[0] == cost[1]);
}

static void the_launch_order_wins_a_tie(void **state)
{
    static const struct tmap_entry entries[] = {{0, 1, 5}, {4, 5, 5}};
    struct prediction p;
    struct reseat_error error;
    (void)state;
    open_uneven(&p);
    assert_int_equal(prediction_set_entries(&p, RANKS, entries, 2, &error), 0);
    find(&p, ROLE0_MOVES);
    assert_string_equal(p.method, "launch order");
    assert_memory_equal(p.best, p.launch, sizeof *p.best * RANKS);
    assert_true(prediction_gain(&p) == 0);
    prediction_close(&p);
}

static void the_cheapest_candidate_wins(void **state)
{
    static const char *const names[] = {"launch order", "multilevel", "packed", "roundrobin"};
    struct prediction p;
    double least = INFINITY;
    (void)state;
    open_uneven(&p);
    find(&p, ROLE0_STAYS);
    assert_int_equal(p.candidates, 4);
    for (int i = 0; i < p.candidates; i++) {
        assert_string_equal(p.candidate[i].name, names[i]);
        if (p.candidate[i].cost < least)
            least = p.candidate[i].cost;
    }
    assert_true(p.candidate[0].cost == p.before.cost);
    assert_true(p.after.cost == least);
    prediction_close(&p);
}

static void a_method_that_is_named_is_alone(void **state)
{
    static const struct tmap_entry entries[] = {{0, 1, 5}, {4, 5, 5}};
    struct tmap_options options;
    const struct prediction_request request = {.options = &options};
    struct prediction p;
    struct reseat_error error;
    (void)state;
    tmap_options_init(&options, sizeof options);
    options.method = "roundrobin";
    open_uneven(&p);
    assert_int_equal(prediction_set_entries(&p, RANKS, entries, 2, &error), 0);
    assert_int_equal(prediction_find(&p, &request, &error), 0);
    assert_int_equal(p.candidates, 1);
    assert_string_equal(p.method, "roundrobin");
    assert_true(p.after.cost > p.before.cost);
    prediction_close(&p);
}

static void an_order_costs_what_was_predicted(void **state)
{
    struct prediction p;
    struct reseat_error error;
    int32_t process_of[RANKS], seen[RANKS] = {0};
    (void)state;
    open_uneven(&p);
    find(&p, ROLE0_STAYS);
    const struct tmap_cost before = p.before, after = p.after;
    assert_int_equal(prediction_order(&p, process_of, &error), 0);
    for (int32_t role = 0; role < RANKS; role++)
        seen[process_of[role]]++;
    for (int32_t process = 0; process < RANKS; process++)
        assert_int_equal(seen[process], 1);
    assert_int_equal(process_of[0], 0);
    memset(&p.before, 0, sizeof p.before);
    memset(&p.after, 0, sizeof p.after);
    assert_int_equal(prediction_judge(&p, process_of, &error), 0);
    assert_memory_equal(&before, &p.before, sizeof before);
    assert_memory_equal(&after, &p.after, sizeof after);
    prediction_close(&p);
}

/* Six ranks on two nodes of four cores: two cores are nobody's, and no order hands them out. */
static void slots_without_a_rank_are_none(void **state)
{
    struct prediction seats, p = {0};
    struct tmap_tree *tree;
    struct reseat_error error;
    (void)state;
    open_uneven(&seats);
    find(&seats, ROLE0_STAYS);
    assert_int_equal(prediction_set_entries(&p, RANKS, pair_and_four, PAIR_AND_FOUR, &error), 0);
    assert_int_equal(tmap_tree_parse(&tree, "node:2 core:4", NULL), TMAP_OK);
    prediction_set_tree(&p, tree, NULL);
    assert_int_equal(prediction_launch_in_order(&p, &error), 0);
    assert_int_equal(tmap_tree_slots(p.tree), RANKS);
    find(&p, ROLE0_STAYS);
    assert_true(p.before.cost == seats.before.cost);
    assert_true(p.after.cost == seats.after.cost);
    prediction_close(&p);
    prediction_close(&seats);
}

static void ranks_that_do_not_fit_are_refused(void **state)
{
    struct prediction p = {0};
    struct tmap_tree *tree;
    struct reseat_error error;
    (void)state;
    assert_int_equal(prediction_set_entries(&p, RANKS, pair_and_four, PAIR_AND_FOUR, &error), 0);
    assert_int_equal(tmap_tree_parse(&tree, "5", NULL), TMAP_OK);
    prediction_set_tree(&p, tree, NULL);
    assert_int_equal(prediction_launch_in_order(&p, &error), -1);
    assert_string_equal(error.text, "6 ranks do not fit on a tree for 5");
    assert_null(p.launch);
    prediction_close(&p);
}

/* A mapping to a machine, on which nothing was launched. */
static void without_a_launch_order_there_is_no_gain(void **state)
{
    struct prediction p = {0};
    struct tmap_tree *tree;
    struct reseat_error error;
    int32_t process_of[RANKS];
    (void)state;
    assert_int_equal(prediction_set_entries(&p, RANKS, pair_and_four, PAIR_AND_FOUR, &error), 0);
    assert_int_equal(tmap_tree_parse(&tree, "node:2 core:4", NULL), TMAP_OK);
    prediction_set_tree(&p, tree, NULL);
    find(&p, ROLE0_STAYS);
    assert_int_equal(p.candidates, 3);
    assert_true(p.before.cost == 0 && p.after.cost > 0 && prediction_gain(&p) == 0);
    assert_int_equal(prediction_order(&p, process_of, &error), -1);
    prediction_close(&p);
}

static void a_profile_is_all_of_its_traffic(void **state)
{
    struct reseat_entry p2p[] = {{0, 1, 1, 60, 0}}, coll[] = {{0, 1, 2, 40, 0}, {2, 3, 1, 90, 3}};
    struct reseat_domain world = {.function = "MPI_COMM_WORLD",
                                  .parent = -1,
                                  .size = 4,
                                  .entries = {p2p, coll, NULL},
                                  .count = {1, 2, 0}};
    const struct reseat_profile profile = {.ranks = 4, .domains = &world, .domains_count = 1};
    struct prediction p = {0};
    struct reseat_error error;
    (void)state;
    assert_int_equal(prediction_set_profile(&p, &profile, RESEAT_METRIC_SIZE, &error), 0);
    assert_int_equal(tmap_matrix_total(p.matrix), 190);
    assert_int_equal(prediction_set_profile(&p, &profile, RESEAT_METRIC_MSG, &error), 0);
    assert_int_equal(tmap_matrix_total(p.matrix), 4);
    prediction_close(&p);
}

/* The k-th allocation fails, -1: none does. 0, or -1 with *error. */
/* A ring of messages on 16 nodes of a torus of 4 x 4, which a file of coordinates describes: they are
 * 44 hops as launched, and 16 at best. As equal nodes, no order is better than another. */
static void a_torus_by_coordinates_counts_hops(void **state)
{
    enum { NODES = 16 };
    static const char path[] = "test-prediction.tmp";
    struct network_node nodes[NODES] = {0};
    struct reseat_location locations[NODES];
    struct tmap_entry ring[NODES];
    struct reseat_network network = {0};
    struct prediction p = {0};
    struct reseat_error error = {""};
    char name[NODES][8];
    FILE *file = fopen(path, "w");
    (void)state;
    assert_non_null(file);
    fprintf(file, "# torus 4x4\n");
    for (int n = 0; n < NODES; n++) {
        snprintf(name[n], sizeof name[n], "n%d", n);
        fprintf(file, "n%d %d %d\n", n, n / 4, n % 4);
        nodes[n].address.host = name[n];
        locations[n] = (struct reseat_location){.node = n};
        reseat_place_clear(&locations[n].place);
        ring[n] = (struct tmap_entry){n * 7 % NODES, (n + 1) * 7 % NODES, 100};
    }
    assert_int_equal(fclose(file), 0);
    if (reseat_network_find(&network, NETWORK_FROM_FILE, path, nodes, NODES, &error) ||
        prediction_set_entries(&p, NODES, ring, NODES, &error) ||
        prediction_set_locations(&p, locations, &network, &error))
        fail_msg("%s", error.text);
    find(&p, ROLE0_STAYS);
    double hop = 100 * tmap_level_default_cost("machine");
    assert_true(p.before.cost == 44 * hop);
    assert_true(p.after.cost >= NODES * hop && p.after.cost < 22 * hop);
    assert_int_equal(p.best[0], p.launch[0]);
    assert_int_equal(prediction_set_locations(&p, locations, NULL, &error), 0);
    find(&p, ROLE0_STAYS);
    assert_true(p.before.cost == p.after.cost);
    prediction_close(&p);
    reseat_network_free(&network);
    remove(path);
}

static int predict_with_failure(long k, struct reseat_error *error)
{
    const struct prediction_request request = {.role0 = ROLE0_STAYS,
                                               .objective = RESEAT_OBJECTIVE_CONGESTION};
    struct reseat_location locations[RANKS];
    struct prediction p = {0};
    int32_t process_of[RANKS];
    place_on_two_nodes(locations, 4);
    fail_at = k;
    int rc = prediction_set_entries(&p, RANKS, pair_and_four, PAIR_AND_FOUR, error) ||
             prediction_set_locations(&p, locations, NULL, error) ||
             prediction_find(&p, &request, error) || prediction_order(&p, process_of, error) ||
             prediction_judge(&p, process_of, error);
    prediction_close(&p);
    return rc ? -1 : 0;
}

static void any_allocation_may_fail(void **state)
{
    struct reseat_error error = {""};
    int has_failed = 1;
    long k = 0;
    (void)state;
    for (; has_failed; k++) {
        int rc = predict_with_failure(k, &error);
        has_failed = fail_at < 0;
        fail_at = -1;
        if (rc && !strstr(error.text, "out of memory"))
            fail_msg("allocation %ld: %s", k, error.text);
        if (rc && !has_failed)
            fail_msg("nothing failed: %s", error.text);
    }
    assert_in_range(k, 50, 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(role_0_stays_where_it_has_to),
        cmocka_unit_test(role_0_stays_for_nothing_where_nodes_are_alike),
        cmocka_unit_test(the_launch_order_wins_a_tie),
        cmocka_unit_test(the_cheapest_candidate_wins),
        cmocka_unit_test(a_method_that_is_named_is_alone),
        cmocka_unit_test(an_order_costs_what_was_predicted),
        cmocka_unit_test(slots_without_a_rank_are_none),
        cmocka_unit_test(ranks_that_do_not_fit_are_refused),
        cmocka_unit_test(without_a_launch_order_there_is_no_gain),
        cmocka_unit_test(a_profile_is_all_of_its_traffic),
        cmocka_unit_test(a_torus_by_coordinates_counts_hops),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
