/* SPDX-License-Identifier: BSD-3-Clause */
/* test-strategy.c - what the library's strategies find, in one process: which roles may move where,
 * and which traffic the costs are of. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "failing.h"
#include "predict/strategy.h"

enum { NODES = 3, CORES = 4, RANKS = NODES * CORES };
static const struct prediction_request of_run = {.role0 = ROLE0_STAYS};

/* Ranks were dealt out to the nodes one by one, two cores to a package; each talks most to the next one, a
 * little to the next one on its node. */
static void open_dealt(struct prediction *p, struct reseat_location *locations)
{
    struct tmap_entry entries[2 * RANKS];
    struct reseat_error error;
    for (int32_t rank = 0; rank < RANKS; rank++) {
        int32_t core = rank / NODES;
        entries[2 * rank] = (struct tmap_entry){rank, (rank + 1) % RANKS, rank % 2 ? 10 : 90};
        entries[2 * rank + 1] = (struct tmap_entry){rank, (rank + NODES) % RANKS, 7};
        locations[rank] = (struct reseat_location){.node = rank % NODES};
        reseat_place_clear(&locations[rank].place);
        locations[rank].place.at[TMAP_PLACE_PACKAGE] = core % 2;
        locations[rank].place.at[TMAP_PLACE_CORE] = core;
    }
    *p = (struct prediction){0};
    if (prediction_set_entries(p, RANKS, entries, 2 * RANKS, &error) ||
        prediction_set_locations(p, locations, NULL, &error))
        fail_msg("%s", error.text);
}

/* The order that is found; how many roles are then on another node. */
static int find(struct prediction *p, enum reseat_strategy strategy,
                const struct reseat_location *locations)
{
    struct reseat_error error;
    int32_t process_of[RANKS];
    int moved = 0;
    if (strategy_find(p, strategy, locations, NULL, &of_run, &error) ||
        prediction_order(p, process_of, &error))
        fail_msg("%s", error.text);
    for (int32_t role = 0; role < RANKS; role++)
        moved += locations[process_of[role]].node != locations[role].node;
    assert_int_equal(process_of[0], 0);
    assert_true(p->after.cost <= p->before.cost);
    assert_non_null(p->method);
    return moved;
}

static void a_node_keeps_its_roles(void **state)
{
    struct reseat_location locations[RANKS];
    struct prediction p;
    (void)state;
    open_dealt(&p, locations);
    assert_int_equal(find(&p, RESEAT_STRATEGY_NODE, locations), 0);
    assert_true(p.after.cost < p.before.cost);
    prediction_close(&p);
}

/* Also what stays between the nodes: 600 of the 684 units, whose distance makes what changes small. */
static void by_node_the_gain_is_a_share_of_all_traffic(void **state)
{
    struct reseat_location locations[RANKS];
    struct prediction p;
    double all = 0;
    (void)state;
    open_dealt(&p, locations);
    find(&p, RESEAT_STRATEGY_NODE, locations);
    for (int level = 0; level < tmap_tree_depth(p.tree); level++)
        all += (double)p.after.weight_at[level] * tmap_tree_level(p.tree, level)->cost;
    assert_true(p.after.weight_at[0] == 600 && p.before.weight_at[0] == 600);
    assert_true(p.after.cost == all && p.after.cost > 600 * tmap_tree_level(p.tree, 0)->cost);
    assert_true(prediction_gain(&p) > 0 && prediction_gain(&p) < 0.05);
    prediction_close(&p);
}

static void two_levels_find_what_one_does(void **state)
{
    struct reseat_location locations[RANKS];
    struct prediction one, two;
    (void)state;
    open_dealt(&one, locations);
    open_dealt(&two, locations);
    assert_true(find(&one, RESEAT_STRATEGY_GLOBAL, locations) > 0);
    assert_true(find(&two, RESEAT_STRATEGY_TWOLEVEL, locations) > 0);
    assert_true(one.after.cost < one.before.cost);
    assert_true(two.before.cost == one.before.cost);
    assert_true(two.after.cost == one.after.cost);
    prediction_close(&one);
    prediction_close(&two);
}

/* The launch order is the best division, and node 0 is right as it is; node 1 is not. */
static void an_order_inside_a_node_is_named(void **state)
{
    static const enum reseat_strategy strategies[] = {RESEAT_STRATEGY_NODE,
                                                      RESEAT_STRATEGY_TWOLEVEL};
    const struct tmap_entry entries[] = {{0, 1, 500}, {4, 6, 500}, {5, 7, 500}};
    struct reseat_location locations[RANKS];
    (void)state;
    for (int32_t rank = 0; rank < RANKS; rank++) {
        locations[rank] = (struct reseat_location){.node = rank / CORES};
        reseat_place_clear(&locations[rank].place);
        locations[rank].place.at[TMAP_PLACE_PACKAGE] = rank % CORES / 2;
        locations[rank].place.at[TMAP_PLACE_CORE] = rank % CORES;
    }
    for (int i = 0; i < 2; i++) {
        struct prediction p = {0};
        struct reseat_error error;
        if (prediction_set_entries(&p, RANKS, entries, 3, &error) ||
            prediction_set_locations(&p, locations, NULL, &error))
            fail_msg("%s", error.text);
        assert_int_equal(find(&p, strategies[i], locations), 0);
        assert_true(p.after.cost < p.before.cost);
        assert_string_equal(p.method, "multilevel");
        prediction_close(&p);
    }
}

/* Among nodes and inside of them. */
static void a_method_that_is_named_is_the_only_one(void **state)
{
    static const enum reseat_strategy strategies[] = {RESEAT_STRATEGY_NODE, RESEAT_STRATEGY_GLOBAL,
                                                      RESEAT_STRATEGY_TWOLEVEL};
    const char *name;
    (void)state;
    for (int i = 0; tmap_method_describe(i / 3, &name, NULL); i++) {
        const struct prediction_request request = {.role0 = ROLE0_STAYS, .method = name};
        struct reseat_location locations[RANKS];
        struct reseat_error error;
        struct prediction p;
        int32_t process_of[RANKS];
        open_dealt(&p, locations);
        if (strategy_find(&p, strategies[i % 3], locations, NULL, &request, &error) ||
            prediction_order(&p, process_of, &error))
            fail_msg("%s: %s", name, error.text);
        assert_string_equal(p.method, name);
        assert_int_equal(process_of[0], 0);
        prediction_close(&p);
    }
}

static void many_ranks_are_divided_first(void **state)
{
    (void)state;
    assert_int_equal(strategy_choose(RESEAT_STRATEGY_AUTO, 1024), RESEAT_STRATEGY_GLOBAL);
    assert_int_equal(strategy_choose(RESEAT_STRATEGY_AUTO, 1025), RESEAT_STRATEGY_TWOLEVEL);
    assert_int_equal(strategy_choose(RESEAT_STRATEGY_NODE, 1025), RESEAT_STRATEGY_NODE);
}

/* What the links between the nodes carry is judged by the order of both levels; with `node` it is what
 * those inside of a node carry, the most of all nodes. */
static void the_busiest_link_is_that_of_what_is_ordered(void **state)
{
    static const enum reseat_strategy strategies[] = {
        RESEAT_STRATEGY_GLOBAL, RESEAT_STRATEGY_TWOLEVEL, RESEAT_STRATEGY_NODE};
    const struct prediction_request request = {.role0 = ROLE0_STAYS,
                                               .objective = RESEAT_OBJECTIVE_CONGESTION};
    struct prediction p[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct reseat_location locations[RANKS];
        struct reseat_error error;
        open_dealt(&p[i], locations);
        if (strategy_find(&p[i], strategies[i], locations, NULL, &request, &error))
            fail_msg("%s", error.text);
        assert_true(p[i].busiest[1] > 0 && p[i].busiest[1] < p[i].busiest[0]);
    }
    /* As launched, all but the 7s leaves a node; inside, all 7s leave a package, afterwards half of them. */
    assert_true(p[0].busiest[0] == 4 * (90 + 10) && p[1].busiest[0] == p[0].busiest[0]);
    assert_true(p[1].busiest[1] == p[0].busiest[1]);
    assert_true(p[2].busiest[0] == 4 * 7 && p[2].busiest[1] == 2 * 7);
    for (int i = 0; i < 3; i++)
        prediction_close(&p[i]);
}

/* ---- threads ---- */

static atomic_int threads_asked;     /* how often a thread was to be started */
static atomic_int threads_left = -1; /* how many more can be started; -1: any number */
static int
    is_first_alone; /* a thread that is started ends before the one that started it goes on */
static struct {
    void *(*run)(void *);
    void *argument;
    sem_t is_over;
} alone;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);

static void *run_alone(void *unused)
{
    (void)unused;
    void *result = alone.run(alone.argument);
    sem_post(&alone.is_over);
    return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    threads_asked++;
    if (threads_left == 0)
        return EAGAIN;
    if (threads_left > 0)
        threads_left--;
    if (!is_first_alone)
        return __real_pthread_create(thread, attributes, run, argument);
    alone.run = run;
    alone.argument = argument;
    sem_init(&alone.is_over, 0, 0);
    int failed = __real_pthread_create(thread, attributes, run_alone, NULL);
    if (!failed)
        sem_wait(&alone.is_over);
    return failed;
}

/* Nodes of one to nine ranks, and traffic of no order. */
static void open_uneven(struct prediction *p, struct reseat_location *locations, int32_t ranks)
{
    struct tmap_entry entries[4 * 512];
    struct reseat_error error;
    uint32_t random = 1;
    int32_t node = 0, core = 0;
    for (int32_t rank = 0; rank < ranks; rank++) {
        locations[rank] = (struct reseat_location){.node = node};
        reseat_place_clear(&locations[rank].place);
        locations[rank].place.at[TMAP_PLACE_PACKAGE] = core % 2;
        locations[rank].place.at[TMAP_PLACE_CORE] = core;
        core = core < node % 9 ? core + 1 : 0;
        node += core == 0;
        for (int32_t i = 0; i < 4; i++) {
            random = random * 1103515245 + 12345;
            int32_t partner = (rank + 1 + (int32_t)(random >> 16) % (ranks - 1)) % ranks;
            entries[4 * rank + i] = (struct tmap_entry){rank, partner, 1 + (random >> 8) % 100};
        }
    }
    *p = (struct prediction){0};
    if (prediction_set_entries(p, ranks, entries, 4 * (size_t)ranks, &error) ||
        prediction_set_locations(p, locations, NULL, &error))
        fail_msg("%s", error.text);
}

/* However many are wanted, and of these can be started. */
static void threads_find_what_one_does(void **state)
{
    static const enum reseat_strategy strategies[] = {RESEAT_STRATEGY_NODE, RESEAT_STRATEGY_GLOBAL,
                                                      RESEAT_STRATEGY_TWOLEVEL};
    static const struct {
        int wanted, can_start;
    } threads[] = {{0, 0}, {1, 0}, {2, -1}, {5, -1}, {1000, -1}, {8, 0}, {8, 1}};
    enum { MANY = 512, CASES = sizeof threads / sizeof threads[0] };
    struct reseat_location locations[MANY];
    const int32_t ranks = getenv("TEST_QUICK") ? MANY / 4 : MANY;
    int32_t expected[MANY], found[MANY];
    (void)state;
    for (int s = 0; s < 3; s++) {
        struct prediction p[CASES];
        for (int t = 0; t < CASES; t++) {
            const struct prediction_request request = {.role0 = ROLE0_STAYS,
                                                       .objective = RESEAT_OBJECTIVE_CONGESTION,
                                                       .threads = threads[t].wanted};
            struct reseat_error error;
            open_uneven(&p[t], locations, ranks);
            threads_asked = 0;
            threads_left = threads[t].can_start;
            if (strategy_find(&p[t], strategies[s], locations, NULL, &request, &error) ||
                prediction_order(&p[t], t ? found : expected, &error))
                fail_msg("%s", error.text);
            threads_left = -1;
            if (t > 0)
                assert_memory_equal(found, expected, (size_t)ranks * sizeof *found);
            assert_true(p[t].before.cost == p[0].before.cost && p[t].after.cost == p[0].after.cost);
            assert_memory_equal(p[t].busiest, p[0].busiest, sizeof p[t].busiest);
            assert_string_equal(p[t].method, p[0].method);
            if (threads[t].wanted < 2)
                assert_int_equal(threads_asked, 0);
            else if (strategies[s] != RESEAT_STRATEGY_GLOBAL)
                assert_true(threads_asked > 0);
        }
        assert_true(p[0].after.cost < p[0].before.cost);
        for (int t = 0; t < CASES; t++)
            prediction_close(&p[t]);
    }
}

/* A thread that could find no node is not started: of nodes with 1, 2, 3 ... ranks the caller orders one. */
static void no_more_threads_than_nodes(void **state)
{
    static const struct {
        int32_t ranks;
        int wanted, asked;
    } cases[] = {{2, 8, 1}, {6, 8, 2}, {6, 3, 2}, {6, 2, 1}, {7, 8, 3}, {45, 64, 8}, {45, 5, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct prediction_request request = {.threads = cases[i].wanted};
        struct reseat_location locations[64];
        struct reseat_error error;
        struct prediction p;
        open_uneven(&p, locations, cases[i].ranks);
        threads_asked = 0;
        if (strategy_find(&p, RESEAT_STRATEGY_NODE, locations, NULL, &request, &error))
            fail_msg("%s", error.text);
        if (threads_asked != cases[i].asked)
            fail_msg("%d ranks, %d threads wanted: %d started, expected %d", (int)cases[i].ranks,
                     cases[i].wanted, (int)threads_asked, cases[i].asked);
        prediction_close(&p);
    }
}

/* Whichever thread sees it: all of them; or only one that is not the caller's, which finds no node left. */
static void an_error_of_a_thread_is_that_of_all(void **state)
{
    const struct prediction_request request = {.method = "none", .threads = 4};
    (void)state;
    for (is_first_alone = 0; is_first_alone < 2; is_first_alone++) {
        struct reseat_location locations[100];
        struct reseat_error error = {""};
        struct prediction p;
        open_uneven(&p, locations, 100);
        assert_int_equal(strategy_find(&p, RESEAT_STRATEGY_NODE, locations, NULL, &request, &error),
                         -1);
        assert_string_equal(error.text, "there is no mapping method 'none'");
        prediction_close(&p);
    }
    is_first_alone = 0;
}

static void any_allocation_may_fail(void **state)
{
    struct reseat_location locations[RANKS];
    int has_failed = 1;
    long k = 0;
    (void)state;
    for (; has_failed; k = next_to_fail(k)) {
        struct reseat_error error = {""};
        struct prediction p;
        open_dealt(&p, locations);
        fail_at = k;
        int rc = strategy_find(&p, RESEAT_STRATEGY_TWOLEVEL, locations, NULL, &of_run, &error);
        has_failed = fail_at < 0;
        fail_at = -1;
        prediction_close(&p);
        if (rc && (!has_failed || !strstr(error.text, "out of memory")))
            fail_msg("allocation %ld: %s", k, error.text);
    }
    assert_in_range(k, 50, 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_keeps_its_roles),
        cmocka_unit_test(by_node_the_gain_is_a_share_of_all_traffic),
        cmocka_unit_test(two_levels_find_what_one_does),
        cmocka_unit_test(an_order_inside_a_node_is_named),
        cmocka_unit_test(a_method_that_is_named_is_the_only_one),
        cmocka_unit_test(many_ranks_are_divided_first),
        cmocka_unit_test(the_busiest_link_is_that_of_what_is_ordered),
        cmocka_unit_test(threads_find_what_one_does),
        cmocka_unit_test(no_more_threads_than_nodes),
        cmocka_unit_test(an_error_of_a_thread_is_that_of_all),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
