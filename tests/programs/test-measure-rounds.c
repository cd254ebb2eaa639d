/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-measure-rounds.c - what is made of what ranks measure, on a machine that is a formula and by a clock that the
 * test moves: medians of what is disturbed at times, what is left out on a slow network, and how long it all takes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "programs/measure-rounds.h"
#include "programs/measure-tasks.h"

/* ---- a machine ---- */

static struct {
    double latency[2], bandwidth[2]; /* between nodes, inside */
    double hop;                      /* each further one between nodes */
    double card,
        memory; /* bytes per second, for all users together; cards carry as much each way */
    int is_disturbed;
} machine;

/* On it: ranks 0 to 3 on node 0, 4 to 7 on node 1, and 8 two hops further away. */
static const struct measure_plan machine_plan = {
    .levels = 2,
    .level = {{.kind = "machine",
               .near = {.pair = {{0, 4}, {1, 5}}, .count = 2, .hops = 1},
               .far = {.pair = {{0, 8}}, .count = 1, .hops = 3},
               .node = {.pair = {{0, 4}, {1, 5}, {2, 6}}, .count = 3}},
              {.kind = "node",
               .near = {.pair = {{0, 1}}, .count = 1, .hops = 1},
               .node = {.pair = {{0, 1}, {2, 3}}, .count = 2},
               .all = {.pair = {{0, 1}, {2, 3}, {4, 5}, {6, 7}}, .count = 4}}},
    .card = {{0, 4}, {1, 5}, {2, 6}},
    .cards = 3,
    .nearest = 2,
    .memory = {{0, 1}},
    .memories = 1};

static double machine_clock;
static int machine_rounds; /* begun */
static int machine_others; /* pings of the second pair between nodes */
static int machine_shared; /* streams of a card of one rank to two others at once */
static uint32_t machine_chance;

int clock_gettime(clockid_t id, struct timespec *t)
{
    (void)id;
    t->tv_sec = (time_t)machine_clock;
    t->tv_nsec = (long)(1e9 * (machine_clock - floor(machine_clock)));
    return 0;
}

/* The first round takes twice as long. Of 32 samples of a disturbed machine one is wrong. */
static double machine_disturb(double seconds)
{
    machine_chance = machine_chance * 1664525 + 1013904223;
    int chance = machine.is_disturbed ? machine_chance >> 16 & 63 : 63;
    return seconds * (machine_rounds < 2 ? 2 : chance == 0 ? 10 : chance == 1 ? 0.1 : 1);
}

static double machine_one_way(struct measure_pair pair, double bytes)
{
    int inside = pair.first / 4 == pair.second / 4;
    return machine.latency[inside] + bytes / machine.bandwidth[inside] +
           (pair.second == 8 ? 2 * machine.hop : 0);
}

/* An exchange of several messages: each further one takes what its bytes do. More pairs take turns. */
static double machine_exchange(const struct measure_task *task, const struct measure_pair *pairs,
                               int count)
{
    int inside = pairs[0].first / 4 == pairs[0].second / 4;
    return count * (machine.latency[inside] +
                    (double)task->messages * task->bytes / machine.bandwidth[inside]);
}

double measure_lead(const struct measure_task *task, const struct measure_pair *pairs, int count,
                    char *room)
{
    (void)room;
    int begins = task->kind == MEASURE_PING && task->bytes == 8 && pairs[0].second >= 4 &&
                 pairs[0].second < 8;
    machine_rounds += begins;
    machine_others += task->kind == MEASURE_PING && pairs[0].second == 5;
    double ways = task->kind == MEASURE_BOTH ? 2 : 1, seconds;
    if (task->kind == MEASURE_PING) {
        seconds = machine_disturb(machine_one_way(pairs[0], task->bytes));
        machine_clock += 2 * task->times * seconds;
        return seconds;
    }
    if (task->kind == MEASURE_EXCHANGE) {
        seconds = machine_disturb(machine_exchange(task, pairs, count));
        machine_clock += task->times * seconds;
        return seconds;
    }
    int is_card = pairs[0].second >= 4;
    machine_shared += is_card && count == 2 && pairs[0].first == pairs[1].first &&
                      pairs[1].second == 5 && task->kind == MEASURE_SEND;
    seconds = machine_disturb(ways * count * (double)task->bytes * task->times /
                              (is_card ? ways * machine.card : machine.memory));
    machine_clock += seconds;
    return seconds;
}

static void machine_set(double latency, double bandwidth, int is_disturbed)
{
    machine.is_disturbed = is_disturbed;
    machine.latency[0] = latency;
    machine.latency[1] = latency / 50;
    machine.bandwidth[0] = machine.card = bandwidth;
    machine.bandwidth[1] = machine.memory = 50 * bandwidth;
    machine.hop = latency / 4;
    machine_clock = 0;
    machine_rounds = machine_others = machine_shared = 0;
    machine_chance = 1;
}

/* ---- what is found ---- */

static struct reseat_timings *measured_by(const struct measure_plan *plan, double seconds)
{
    const struct measure_limits limits = {seconds, 0};
    struct reseat_timings *timings = NULL;
    struct reseat_error error;
    if (reseat_timings_create(&timings, &error) ||
        measure_rounds(timings, plan, &limits, NULL, &error))
        fail_msg("%s", error.text);
    return timings;
}

static struct reseat_timings *measured(double seconds)
{
    return measured_by(&machine_plan, seconds);
}

/* `times`: how often at least. */
static void assert_is(const char *what, double expected, double found,
                      const struct timings_sample *sample, int times)
{
    if (!(fabs(found - expected) <= 1e-6 * expected) || sample->times < times)
        fail_msg("%s: %g expected, %g found, %d times", what, expected, found, (int)sample->times);
}

static void assert_points(const struct timings_level *level, struct measure_pair pair, int times)
{
    for (size_t i = 0; i < level->points; i++)
        assert_is(level->kind, machine_one_way(pair, (double)level->point[i].bytes),
                  level->point[i].seconds, &level->point[i].sample, times);
}

static void assert_exchanges(const struct timings_level *level, struct measure_pair pair, int times)
{
    for (size_t i = 0; i < level->exchanges; i++) {
        const struct timings_exchange *e = &level->exchange[i];
        struct measure_task task = {.bytes = (int32_t)e->bytes, .messages = e->messages};
        assert_is("exchange", machine_exchange(&task, &pair, e->ranks / 2), e->seconds, &e->sample,
                  times);
    }
}

static void medians_are_those_of_the_machine(void **state)
{
    static const double ways[] = {1, 1, 2};
    (void)state;
    machine_set(1e-5, 1e9, 1);
    struct reseat_timings *t = measured(20);
    assert_true(machine_clock > 10 && machine_clock < 25); /* what is disturbed takes longer */
    assert_true(machine_others > 9);                       /* pairs take turns */
    assert_true(machine_shared > 2);                       /* a rank sends to two nodes at once */
    assert_int_equal(t->levels, 2);
    for (int i = 0; i < 2; i++) {
        struct measure_pair pair = {0, i ? 1 : 4};
        assert_int_equal(t->level[i].points, 9);
        assert_points(&t->level[i], pair, 5);
        assert_int_equal(t->level[i].exchanges, i ? 9 : 6);
        assert_exchanges(&t->level[i], pair, 3);
    }
    assert_is("hop", machine.hop, t->level[0].hop_seconds, &t->level[0].hop, 3);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(t->rates[r], 3); /* 1, 2 and 3 ranks */
        for (int i = 0; i < 3; i++) {
            assert_int_equal(t->rate[r][i].users, i + 1);
            assert_is("card", ways[r] * machine.card, t->rate[r][i].bytes_per_second,
                      &t->rate[r][i].sample, 3);
        }
    }
    assert_int_equal(t->rates[TIMINGS_MEMORY], 1);
    assert_is("memory", machine.memory, t->rate[TIMINGS_MEMORY][0].bytes_per_second,
              &t->rate[TIMINGS_MEMORY][0].sample, 3);
    reseat_timings_destroy(t);
}

/* At 10 MB/s a message of 4 MB takes 0.4 s; nor do all send large ones at once. */
static void what_takes_too_long_is_left_out(void **state)
{
    (void)state;
    machine_set(1e-3, 1e7, 0);
    struct reseat_timings *t = measured(10);
    assert_true(machine_clock < 12);
    assert_in_range(t->level[0].points, 2, 8);
    assert_int_equal(t->level[1].points, 9);
    assert_int_equal(t->level[0].exchanges, 6);
    assert_points(&t->level[0], (struct measure_pair){0, 4}, 2);
    reseat_timings_destroy(t);
    machine_set(1e-3, 1e7, 0);
    t = measured(3);
    assert_in_range(t->level[0].exchanges, 4, 5);
    reseat_timings_destroy(t);
}

/* Of 300 pairs those exchange that have the time for it, or 64, with small messages as many as with large ones. */
static void as_many_exchange_as_there_is_time_for(void **state)
{
    static const struct {
        double latency, bandwidth;
        int ranks;
    } of[] = {{1e-5, 1e9, 600}, {1e-5, 2e8, 150}, {1e-5, 1e8, 128}, {1e-4, 1e9, 300}};
    struct measure_plan plan = machine_plan;
    (void)state;
    plan.level[0].all.count = 300;
    for (int i = 0; i < 4; i++) {
        machine_set(of[i].latency, of[i].bandwidth, 0);
        struct reseat_timings *t = measured_by(&plan, 10);
        assert_int_equal(t->level[0].exchanges, 9);
        for (size_t e = 0; e < 9; e++)
            if (t->level[0].exchange[e].scope == TIMINGS_ALL)
                assert_int_equal(t->level[0].exchange[e].ranks, of[i].ranks);
        reseat_timings_destroy(t);
    }
}

/* With little time left after the first round, which takes twice as long, there are few others, and all ends in time.
 * Of what is repeated more often than in the first round, that one does not count. */
static void little_time_is_kept(void **state)
{
    (void)state;
    machine_set(1e-3, 1e7, 0);
    struct reseat_timings *t = measured(4);
    assert_true(machine_clock > 3.5 && machine_clock < 4.001);
    assert_points(&t->level[1], (struct measure_pair){0, 1}, 1);
    reseat_timings_destroy(t);
}

/* The first two sizes of a level are measured in any case: latency and bandwidth are made of them. */
static void two_sizes_are_there_in_no_time(void **state)
{
    (void)state;
    machine_set(1e-3, 1e6, 0);
    struct reseat_timings *t = measured(1e-3);
    for (int i = 0; i < 2; i++)
        assert_int_equal(t->level[i].points, 2);
    reseat_timings_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(medians_are_those_of_the_machine),
                                       cmocka_unit_test(what_takes_too_long_is_left_out),
                                       cmocka_unit_test(as_many_exchange_as_there_is_time_for),
                                       cmocka_unit_test(little_time_is_kept),
                                       cmocka_unit_test(two_sizes_are_there_in_no_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
