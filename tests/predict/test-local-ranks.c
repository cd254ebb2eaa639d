/* SPDX-License-Identifier: BSD-3-Clause */
/* test-local-ranks.c - nodes with accelerators: whichever roles they get, local ranks stay as they
 * are, with each strategy and objective; the other nodes are free. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "predict/strategy.h"
#include "predict/time-search.h"

enum { NODES = 4, CORES = 8, RANKS = NODES * CORES, CASES = 40 };

/* A job whose ranks were dealt to the nodes at random; two packages a node. */
struct job {
    struct reseat_location locations[RANKS];
    struct reseat_entry sent[RANKS * RANKS];
    struct tmap_entry entries[RANKS * RANKS];
    size_t count;
    const struct reseat_network *network;
};

static void deal(struct job *job, unsigned seed)
{
    int32_t seat[RANKS];
    srand(seed);
    for (int32_t i = 0; i < RANKS; i++)
        seat[i] = i;
    for (int32_t i = RANKS - 1; i > 0; i--) {
        int32_t other = rand() % (i + 1), mine = seat[i];
        seat[i] = seat[other];
        seat[other] = mine;
    }
    for (int32_t rank = 0; rank < RANKS; rank++) {
        struct reseat_location *location = &job->locations[rank];
        *location = (struct reseat_location){.node = seat[rank] / CORES};
        reseat_place_clear(&location->place);
        location->place.at[TMAP_PLACE_PACKAGE] = seat[rank] % CORES / (CORES / 2);
        location->place.at[TMAP_PLACE_CORE] = seat[rank] % CORES;
    }
}

/* Groups of neighbors that talk much, and a little with anyone. */
static uint64_t bytes_of_groups(int32_t a, int32_t b)
{
    if (a / 4 == b / 4)
        return 1000 + (uint64_t)(rand() % 1000);
    return rand() % 9 == 0 ? (uint64_t)(rand() % 300) : 0;
}

/* Some talk with all, and more among each other: together they cost least, and their node's card is
 * the busiest. */
static uint64_t bytes_of_hubs(int32_t a, int32_t b)
{
    if (a % 4 == 0)
        return (b % 4 == 0 ? 3000 : 1000) + (uint64_t)(rand() % 100);
    return (uint64_t)(rand() % 100);
}

static void talk(struct job *job, uint64_t (*bytes_of)(int32_t a, int32_t b))
{
    job->count = 0;
    for (int32_t a = 0; a < RANKS; a++)
        for (int32_t b = 0; b < RANKS; b++) {
            uint64_t bytes = a == b ? 0 : bytes_of(a, b);
            if (bytes == 0)
                continue;
            job->entries[job->count] = (struct tmap_entry){a, b, bytes};
            job->sent[job->count++] = (struct reseat_entry){a, b, 1, bytes, 0};
        }
}

/* One process of each node in `nodes`, a bit for each, knows its accelerators. */
static void add_accelerators(struct job *job, unsigned nodes)
{
    for (int32_t rank = RANKS - 1; rank >= 0; rank--) {
        unsigned node = 1u << job->locations[rank].node;
        if (nodes & node)
            job->locations[rank].accelerators = 4;
        nodes &= ~node;
    }
}

static void find(struct prediction *p, const struct job *job, enum reseat_keep_local keep,
                 enum reseat_strategy strategy, const struct prediction_request *request)
{
    struct reseat_error error;
    p->keep_local = keep;
    if (prediction_set_entries(p, RANKS, job->entries, job->count, &error) ||
        prediction_set_locations(p, job->locations, job->network, &error) ||
        strategy_find(p, strategy, job->locations, job->network, request, &error))
        fail_msg("%s", error.text);
}

/* How many nodes, a bit for each, have their roles in ascending order on their processes. */
static unsigned nodes_in_order(const struct prediction *p, const struct job *job)
{
    int32_t process_of[RANKS], last[NODES] = {-1, -1, -1, -1};
    unsigned in_order = (1u << NODES) - 1;
    struct reseat_error error;
    assert_int_equal(prediction_order(p, process_of, &error), 0);
    for (int32_t role = 0; role < RANKS; role++) {
        int32_t node = job->locations[process_of[role]].node;
        if (process_of[role] < last[node])
            in_order &= ~(1u << node);
        last[node] = process_of[role];
    }
    return in_order;
}

static void local_ranks_stay_where_there_are_accelerators(void **state)
{
    static const enum reseat_strategy strategies[] = {RESEAT_STRATEGY_GLOBAL, RESEAT_STRATEGY_NODE,
                                                      RESEAT_STRATEGY_TWOLEVEL};
    static const enum prediction_role0 roles[] = {ROLE0_MOVES, ROLE0_STAYS_IF_FREE, ROLE0_STAYS};
    static struct job job;
    const unsigned step = getenv("TEST_QUICK") ? 5 : 1; /* of each role 0, strategy and objective */
    unsigned others_moved = 0;
    (void)state;
    for (unsigned i = 0; i < CASES * 9; i += step) {
        const unsigned kept = i / 9 % 15 + 1;
        const struct prediction_request request = {.role0 = roles[i / 3 % 3],
                                                   .objective = i % 2 ? RESEAT_OBJECTIVE_CONGESTION
                                                                      : RESEAT_OBJECTIVE_COST};
        struct prediction p = {.matrix = NULL};
        int32_t process_of[RANKS];
        struct reseat_error error;
        deal(&job, i);
        talk(&job, bytes_of_groups);
        add_accelerators(&job, kept);
        find(&p, &job, RESEAT_KEEP_LOCAL_AUTO, strategies[i % 3], &request);
        if ((nodes_in_order(&p, &job) & kept) != kept)
            fail_msg("case %u: nodes %x are in order, expected %x", i, nodes_in_order(&p, &job),
                     kept);
        others_moved += (nodes_in_order(&p, &job) & ~kept) != (~kept & 15u);
        assert_int_equal(prediction_order(&p, process_of, &error), 0);
        if (request.role0 == ROLE0_STAYS)
            assert_int_equal(process_of[0], 0);
        assert_true(p.after.cost <= p.before.cost * (i % 2 ? 1.02 : 1));
        struct tmap_cost found = p.after; /* it is the cost of the order that is really taken */
        assert_int_equal(prediction_judge(&p, process_of, &error), 0);
        assert_true(p.after.cost == found.cost);
        prediction_close(&p);
    }
    assert_true(others_moved > CASES / step);
}

static void a_setting_has_the_last_word(void **state)
{
    static const struct prediction_request request = {.role0 = ROLE0_STAYS};
    static struct job job;
    struct prediction p = {.matrix = NULL};
    (void)state;
    deal(&job, 1);
    talk(&job, bytes_of_groups);
    find(&p, &job, RESEAT_KEEP_LOCAL_AUTO, RESEAT_STRATEGY_GLOBAL, &request);
    assert_int_not_equal(nodes_in_order(&p, &job), 15);
    assert_int_equal(p.local.of_all.kept, 0);
    assert_string_equal(local_ranks_words(&p.local.of_all), "");
    double free_cost = p.after.cost;
    prediction_close(&p);
    find(&p, &job, RESEAT_KEEP_LOCAL_YES, RESEAT_STRATEGY_GLOBAL, &request);
    assert_int_equal(nodes_in_order(&p, &job), 15);
    assert_int_equal(p.local.of_all.kept, NODES);
    assert_string_equal(local_ranks_words(&p.local.of_all), "local ranks stay (RESEAT_KEEP_LOCAL)");
    assert_true(p.after.cost >= free_cost);
    prediction_close(&p);
    add_accelerators(&job, 1);
    find(&p, &job, RESEAT_KEEP_LOCAL_YES, RESEAT_STRATEGY_GLOBAL, &request);
    assert_string_equal(local_ranks_words(&p.local.of_all), "local ranks stay (RESEAT_KEEP_LOCAL)");
    prediction_close(&p);
    add_accelerators(&job, 15);
    find(&p, &job, RESEAT_KEEP_LOCAL_NO, RESEAT_STRATEGY_GLOBAL, &request);
    assert_int_not_equal(nodes_in_order(&p, &job), 15);
    assert_true(p.after.cost == free_cost);
    prediction_close(&p);
}

/* Inside one node, or with strategy node, there is no other order. */
static void with_one_node_the_launch_order_stays(void **state)
{
    static const struct prediction_request request = {.role0 = ROLE0_STAYS};
    static struct job job;
    (void)state;
    for (int one = 0; one < 2; one++) {
        struct prediction p = {.matrix = NULL};
        deal(&job, 5);
        talk(&job, bytes_of_groups);
        for (int32_t rank = 0; rank < RANKS && one; rank++)
            job.locations[rank].node = 0;
        add_accelerators(&job, one ? 1 : 15);
        find(&p, &job, RESEAT_KEEP_LOCAL_AUTO, one ? RESEAT_STRATEGY_GLOBAL : RESEAT_STRATEGY_NODE,
             &request);
        assert_memory_equal(p.best, p.launch, RANKS * sizeof *p.best);
        assert_true(p.after.cost == p.before.cost);
        prediction_close(&p);
    }
}

/* 10 us and 100 MB/s between nodes; inside a package 1 us, else 2 us. */
static struct reseat_timings *make_timings(void)
{
    static const struct {
        const char *level;
        struct timings_point points[2];
    } levels[] = {{"machine", {{0, 1e-5, {0, 0}}, {1000000, 1.001e-2, {0, 0}}}},
                  {"node", {{0, 2e-6, {0, 0}}, {1000000, 2.02e-4, {0, 0}}}},
                  {"package", {{0, 1e-6, {0, 0}}, {1000000, 1.01e-4, {0, 0}}}}};
    struct reseat_timings *t = NULL;
    assert_int_equal(reseat_timings_create(&t, NULL), 0);
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < 2; i++)
            assert_int_equal(
                reseat_timings_add_point(t, levels[l].level, &levels[l].points[i], NULL), 0);
    return t;
}

/* And never an order that is predicted to take longer than the launch order. */
static void by_seconds_local_ranks_stay_as_well(void **state)
{
    struct reseat_timings *timings = make_timings();
    static struct job job;
    (void)state;
    for (unsigned i = 0; i < CASES; i += getenv("TEST_QUICK") ? 5 : 1) {
        const struct prediction_request request = {.role0 = ROLE0_STAYS,
                                                   .objective = i % 2 ? RESEAT_OBJECTIVE_TIME
                                                                      : RESEAT_OBJECTIVE_COST};
        struct prediction p = {.matrix = NULL};
        struct reseat_error error;
        struct time_estimate seconds[2];
        deal(&job, i);
        talk(&job, i % 4 < 2 ? bytes_of_groups : bytes_of_hubs);
        struct time_pricing pricing = {.timings = timings, .entries = job.sent, .count = job.count};
        add_accelerators(&job, 15);
        if (prediction_set_entries(&p, RANKS, job.entries, job.count, &error) ||
            prediction_set_locations(&p, job.locations, NULL, &error) ||
            time_pricing_set(&pricing, &p, RESEAT_METRIC_SIZE, &error) ||
            prediction_find(&p, &request, &error) ||
            time_pricing_compare(&pricing, &p, seconds, &error))
            fail_msg("%s", error.text);
        assert_int_equal(nodes_in_order(&p, &job), 15);
        assert_true(seconds[1].estimate <= seconds[0].estimate * (1 + 1e-9));
        assert_true(seconds[1].estimate < seconds[0].estimate);
        prediction_close(&p);
    }
    reseat_timings_destroy(timings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_ranks_stay_where_there_are_accelerators),
        cmocka_unit_test(a_setting_has_the_last_word),
        cmocka_unit_test(with_one_node_the_launch_order_stays),
        cmocka_unit_test(by_seconds_local_ranks_stay_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
