/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-queueing.c - the simulation of servers against cases worked out by hand, a simulation without
 * any data structure, and what queueing theory says. All seeds are fixed: a result never changes.
 */
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
#include "simulate/sample.h"
#include "simulate/queueing.h"

enum { SERVERS = 6 };

static struct queueing_server servers[SERVERS];

static struct queueing_result run(const struct queueing_flow *flows, size_t count,
                                  const struct queueing_options *options)
{
    static const struct queueing_options fixed = {.seed = 1};
    struct queueing_result result = {.sent = 0};
    struct reseat_error error = {""};
    if (queueing_run(flows, count, servers, SERVERS, options ? options : &fixed, &result, &error))
        fail_msg("%s", error.text);
    return result;
}

/* ---- random numbers ---- */

static void exponential_numbers_are_the_same_everywhere(void **state)
{
    static const double first[] = {0x1.f36e52c1a0b22p+0, 0x1.46a1d8681d0cbp-1, 0x1.19c425d4588bdp+0,
                                   0x1.f16cb73f27d11p-2};
    struct draw draw = {2026}, same = {2026};
    (void)state;
    for (int i = 0; i < 100000; i++) {
        double found = draw_exponential(&draw), want = -log1p(-draw_uniform(&same));
        assert_true(fabs(found - want) <= 1e-15 * want);
        assert_true(i >= 4 || found == first[i]);
    }
    assert_true(draw_log(1) == 0 && -draw_log(0x1p-53) < 37);
}

/* ---- by hand ---- */

static void two_flows_share_a_server(void **state)
{
    /* arrivals 0 1 10 11 20 21; services begin at 0 6 12 18 24 30: waits 0 5 2 7 4 9 */
    static const struct queueing_flow flows[] = {
        {.start = 0, .interval = 10, .messages = 3, .stages = 1, .stage = {{3, 6}}},
        {.start = 1, .interval = 10, .messages = 3, .stages = 1, .stage = {{3, 6}}}};
    struct queueing_result r = run(flows, 2, NULL);
    (void)state;
    assert_int_equal(r.sent, 6);
    assert_int_equal(r.delivered, 6);
    assert_int_equal(r.events, 6);
    assert_int_equal(r.last, 36);
    assert_int_equal(servers[3].served, 6);
    assert_true(servers[3].waited == 27 && servers[3].busy == 36 && servers[3].longest == 9);
    assert_true(servers[0].served == 0 && servers[0].waited == 0);
}

static void two_senders_meet_at_a_receiver(void **state)
{
    /* Servers 0 and 1 send to 2, 3 later. From 0 messages arrive at 8 and 13, from 1 at 9 and 14;
     * services begin at 8 13 18 23: waits 0 4 5 9. */
    static const struct queueing_flow flows[] = {{.start = 0,
                                                  .interval = 5,
                                                  .messages = 2,
                                                  .stages = 2,
                                                  .delay = 3,
                                                  .stage = {{0, 5}, {2, 5}}},
                                                 {.start = 1,
                                                  .interval = 5,
                                                  .messages = 2,
                                                  .stages = 2,
                                                  .delay = 3,
                                                  .stage = {{1, 5}, {2, 5}}}};
    struct queueing_result r = run(flows, 2, NULL);
    (void)state;
    assert_int_equal(r.delivered, 4);
    assert_int_equal(r.events, 8);
    assert_int_equal(r.last, 28);
    assert_true(servers[0].waited == 0 && servers[1].waited == 0 && servers[2].waited == 18);
}

/* What leaves a server later can arrive earlier if its way is shorter. */
static void short_ways_overtake_long_ones(void **state)
{
    /* Server 0: 0-4, 4-8. The first arrives at 4 + 10 = 14, the second at 8 + 1 = 9: 9-12, 14-17. */
    static const struct queueing_flow flows[] = {{.start = 0,
                                                  .interval = 1,
                                                  .messages = 1,
                                                  .stages = 2,
                                                  .delay = 10,
                                                  .stage = {{0, 4}, {1, 3}}},
                                                 {.start = 0,
                                                  .interval = 1,
                                                  .messages = 1,
                                                  .stages = 2,
                                                  .delay = 1,
                                                  .stage = {{0, 4}, {1, 3}}}};
    struct queueing_result r = run(flows, 2, NULL);
    (void)state;
    assert_int_equal(r.last, 17);
    assert_true(servers[0].waited == 4 && servers[1].waited == 0);
}

static void without_a_server_nobody_waits(void **state)
{
    static const struct queueing_flow flows[] = {
        {.start = 2, .interval = 1, .messages = 4, .stages = 1, .stage = {{-1, 100}}},
        {.start = 0, .interval = 1, .messages = 0, .stages = 1, .stage = {{0, 100}}}};
    struct queueing_result r = run(flows, 2, NULL);
    (void)state;
    assert_int_equal(r.delivered, 4);
    assert_int_equal(r.events, 4);
    assert_int_equal(r.last, 105);
    assert_true(servers[0].waited == 0);
}

/* Ten messages at the same time are served flow by flow: flow f waits for 1 + 2 + ... + f. */
static void at_the_same_time_flows_take_turns_in_order(void **state)
{
    enum { FLOWS = 10 };
    struct queueing_flow flows[FLOWS];
    double waits = 0, longest = 0;
    (void)state;
    for (int f = 0; f < FLOWS; f++) {
        flows[f] = (struct queueing_flow){
            .start = 5, .messages = 1, .stages = 1, .stage = {{0, (uint64_t)f + 1}}};
        waits += longest;
        longest += f + 1;
    }
    run(flows, FLOWS, NULL);
    assert_true(servers[0].waited == waits);
    /* a message from elsewhere arrives at 10, and one that is sent then goes before it */
    struct queueing_flow two[] = {
        {.start = 0, .messages = 1, .stages = 2, .delay = 6, .stage = {{0, 4}, {1, 3}}},
        {.start = 10, .messages = 1, .stages = 1, .stage = {{1, 5}}}};
    run(two, 2, NULL);
    assert_true(servers[1].waited == 5);
}

/* ---- any network ---- */

/* A message of the simulation without data structures. */
struct plain {
    uint64_t arrival;
    int32_t flow, stage; /* stage == stages: delivered */
};

enum { MOST_FLOWS = 40, MOST_PLAIN = 2000 };

static uint64_t below(struct draw *draw, uint64_t bound)
{
    return draw_bits(draw) % bound;
}

static size_t make_flows(struct draw *draw, struct queueing_flow *flows)
{
    size_t count = 1 + below(draw, MOST_FLOWS);
    for (size_t f = 0; f < count; f++) {
        flows[f] = (struct queueing_flow){.start = below(draw, 1000000007),
                                          .interval = below(draw, 1000000007),
                                          .messages = below(draw, 40),
                                          .stages = 1 + (int32_t)below(draw, 2),
                                          .delay = below(draw, 3) * 300000011};
        for (int s = 0; s < 2; s++)
            flows[f].stage[s] =
                (struct queueing_stage){(int32_t)below(draw, SERVERS), below(draw, 200000033)};
    }
    return count;
}

/* The same by always taking the earliest arrival of all. */
static uint64_t run_plainly(const struct queueing_flow *flows, size_t count, uint64_t *free_at,
                            double *waited)
{
    static struct plain message[MOST_PLAIN];
    uint64_t last = 0;
    size_t messages = 0;
    for (size_t f = 0; f < count; f++)
        for (uint64_t m = 0; m < flows[f].messages; m++)
            message[messages++] =
                (struct plain){flows[f].start + m * flows[f].interval, (int32_t)f, 0};
    for (;;) {
        struct plain *next = NULL;
        for (size_t m = 0; m < messages; m++)
            if (message[m].stage < flows[message[m].flow].stages &&
                (!next || message[m].arrival < next->arrival))
                next = &message[m];
        if (!next)
            return last;
        const struct queueing_flow *flow = &flows[next->flow];
        const struct queueing_stage *stage = &flow->stage[next->stage++];
        uint64_t begin =
            free_at[stage->server] > next->arrival ? free_at[stage->server] : next->arrival;
        waited[stage->server] += (double)(begin - next->arrival);
        free_at[stage->server] = begin + stage->service;
        next->arrival = begin + stage->service + flow->delay;
        if (next->stage == flow->stages && begin + stage->service > last)
            last = begin + stage->service;
    }
}

static void any_network_is_simulated_as_without_data_structures(void **state)
{
    static struct queueing_flow flows[MOST_FLOWS];
    struct draw draw = {2026};
    (void)state;
    for (int round = 0; round < 60; round++) {
        uint64_t free_at[SERVERS] = {0}, sent = 0, served = 0, stages = 0;
        double waited[SERVERS] = {0};
        size_t count = make_flows(&draw, flows);
        uint64_t last = run_plainly(flows, count, free_at, waited);
        struct queueing_result r = run(flows, count, NULL);
        for (size_t f = 0; f < count; f++) {
            sent += flows[f].messages;
            stages += flows[f].messages * (uint64_t)flows[f].stages;
        }
        for (int s = 0; s < SERVERS; s++) {
            served += servers[s].served;
            if (servers[s].waited != waited[s] || servers[s].free_at != free_at[s])
                fail_msg("round %d, server %d: %.0f and %.0f", round, s, servers[s].waited,
                         waited[s]);
        }
        assert_int_equal(r.last, last);
        assert_true(r.sent == sent && r.delivered == sent && r.events == stages &&
                    served == stages);
    }
}

/* Everything that is sent arrives, also when gaps and lengths are random. */
static void everything_sent_arrives_and_a_seed_is_a_result(void **state)
{
    static struct queueing_flow flows[MOST_FLOWS];
    struct draw draw = {7};
    (void)state;
    for (uint64_t round = 0; round < 20; round++) {
        struct queueing_options options = {round, round & 1 ? QUEUEING_EXPONENTIAL : QUEUEING_FIXED,
                                           round & 2 ? QUEUEING_EXPONENTIAL : QUEUEING_FIXED};
        struct queueing_server first[SERVERS];
        size_t count = make_flows(&draw, flows);
        uint64_t sent = 0;
        for (size_t f = 0; f < count; f++)
            sent += flows[f].messages;
        struct queueing_result a = run(flows, count, &options);
        memcpy(first, servers, sizeof first);
        struct queueing_result b = run(flows, count, &options);
        assert_true(a.sent == sent && a.delivered == sent);
        assert_true(b.last == a.last && b.events == a.events);
        for (int s = 0; s < SERVERS; s++)
            assert_true(servers[s].waited == first[s].waited && servers[s].busy == first[s].busy);
        options.seed += 1000;
        b = run(flows, count, &options);
        assert_true((round & 3) == 0 || b.last != a.last);
    }
}

/* ---- queueing theory ---- */

/* Poisson arrivals from `sources` flows at one server that is busy `load` of the time: the mean wait
 * in service times, for lengths that are fixed (M/D/1) or exponential (M/M/1). */
static double mean_wait(double load, int sources, enum queueing_spread lengths)
{
    enum { SERVICE = 1000000 };
    int messages = getenv("TEST_QUICK") ? 100000 : 2000000; /* under valgrind */
    static struct queueing_flow flows[MOST_FLOWS];
    struct queueing_options options = {.seed = 3, .gaps = QUEUEING_EXPONENTIAL, .lengths = lengths};
    for (int f = 0; f < sources; f++)
        flows[f] = (struct queueing_flow){.interval = (uint64_t)(SERVICE / load * sources),
                                          .messages = (uint64_t)(messages / sources),
                                          .stages = 1,
                                          .stage = {{0, SERVICE}}};
    run(flows, (size_t)sources, &options);
    return servers[0].waited / (double)servers[0].served / SERVICE;
}

static void waits_are_as_queueing_theory_says(void **state)
{
    static const double loads[] = {0.2, 0.5, 0.8};
    double tolerance = getenv("TEST_QUICK") ? 0.1 : 0.02;
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int sources = 1; sources <= 20; sources += 19)
            for (int lengths = QUEUEING_FIXED; lengths <= QUEUEING_EXPONENTIAL; lengths++) {
                double load = loads[i];
                double want = load / (1 - load) / (lengths == QUEUEING_FIXED ? 2 : 1);
                double found = mean_wait(load, sources, (enum queueing_spread)lengths);
                if (fabs(found / want - 1) > tolerance)
                    fail_msg("M/%s/1 with load %g of %d sources: %g instead of %g",
                             lengths == QUEUEING_FIXED ? "D" : "M", load, sources, found, want);
            }
}

/* Behind a server with a fixed service time nobody waits at one that is not slower. */
static void behind_an_equal_server_nobody_waits(void **state)
{
    struct queueing_flow flow = {.interval = 120,
                                 .messages = 100000,
                                 .stages = 2,
                                 .delay = 7,
                                 .stage = {{0, 100}, {1, 100}}};
    struct queueing_options options = {.seed = 5, .gaps = QUEUEING_EXPONENTIAL};
    (void)state;
    run(&flow, 1, &options);
    assert_true(servers[0].waited > 0 && servers[1].waited == 0);
}

/* A server that never rests is busy from the first message to the end, however long messages are; and
 * a message is as long at its second server as at its first. */
static void random_messages_keep_their_length(void **state)
{
    struct queueing_flow flow = {
        .messages = 1000, .stages = 2, .delay = 7, .stage = {{0, 1000}, {1, 2000}}};
    struct queueing_options options = {.seed = 5, .lengths = QUEUEING_EXPONENTIAL};
    (void)state;
    run(&flow, 1, &options);
    assert_true(servers[0].busy == (double)servers[0].free_at);
    assert_true(fabs(servers[1].busy - 2 * servers[0].busy) <= 1000);
    /* a mean of few picoseconds is kept: 3 is 3, and not 2.5 by rounding down */
    flow = (struct queueing_flow){.messages = 100000, .stages = 1, .stage = {{0, 3}}};
    run(&flow, 1, &options);
    assert_true(fabs(servers[0].busy / 100000 - 3) < 0.1);
}

/* With random gaps there is one before the first message, too. */
static void the_first_gap_is_random(void **state)
{
    static struct queueing_flow flows[10000];
    struct queueing_options options = {.seed = 5, .gaps = QUEUEING_EXPONENTIAL};
    size_t count = sizeof flows / sizeof flows[0];
    (void)state;
    for (size_t f = 0; f < count; f++)
        flows[f] = (struct queueing_flow){
            .start = 100, .interval = 1000, .messages = 1, .stages = 1, .stage = {{0, 2000}}};
    run(flows, count, &options);
    /* all are there long before they can be served: one after the other, 2,000 each, and they have come
     * 1,100 after the beginning, in the mean */
    double served = 2000.0 * (double)(count * (count - 1)) / 2;
    double first = (double)servers[0].free_at - 2000.0 * (double)count;
    double arrived = ((double)count * first + served - servers[0].waited) / (double)count;
    assert_true(first >= 100 && fabs(arrived - 1100) < 50);
}

/* ---- trouble ---- */

static void what_takes_too_long_is_refused(void **state)
{
    struct queueing_result result = {.sent = 77};
    struct reseat_error error = {""};
    struct queueing_options options = {.seed = 0};
    struct queueing_flow flow = {
        .interval = QUEUEING_LONGEST / 10, .messages = 11, .stages = 1, .stage = {{0, 1}}};
    (void)state;
    assert_int_equal(queueing_run(&flow, 1, servers, SERVERS, &options, &result, &error), -1);
    assert_non_null(strstr(error.text, "too long"));
    flow.interval = 1;
    flow.stage[0].service = QUEUEING_LONGEST / 10;
    assert_int_equal(queueing_run(&flow, 1, servers, SERVERS, &options, &result, &error), -1);
    flow.messages = 9;
    assert_int_equal(queueing_run(&flow, 1, servers, SERVERS, &options, &result, &error), 0);
    options.lengths = QUEUEING_EXPONENTIAL;
    assert_int_equal(queueing_run(&flow, 1, servers, SERVERS, &options, &result, &error), -1);
    options = (struct queueing_options){.gaps = QUEUEING_EXPONENTIAL};
    assert_int_equal(queueing_run(&flow, 1, servers, SERVERS, &options, &result, &error), -1);
    /* a late start and a long delay count */
    options.gaps = QUEUEING_FIXED;
    flow.start = QUEUEING_LONGEST + QUEUEING_LONGEST / 10;
    assert_int_equal(queueing_run(&flow, 1, servers, SERVERS, &options, &result, &error), -1);
    flow.start = 0;
    flow.stages = 2;
    flow.stage[1] = (struct queueing_stage){1, 1};
    flow.delay = QUEUEING_LONGEST / 10;
    assert_int_equal(queueing_run(&flow, 1, servers, SERVERS, &options, &result, &error), -1);
}

static void running_out_of_memory_is_said(void **state)
{
    static const struct queueing_flow flow = {
        .interval = 1, .messages = 100, .stages = 2, .stage = {{0, 5}, {1, 5}}};
    struct queueing_options options = {.seed = 0};
    int refused = 0;
    (void)state;
    for (long k = 0;; k++) {
        struct queueing_result result = {.sent = 77};
        struct reseat_error error = {""};
        fail_at = k;
        int rc = queueing_run(&flow, 1, servers, SERVERS, &options, &result, &error);
        int done = fail_at >= 0;
        fail_at = -1;
        assert_int_equal(result.sent, rc ? 77 : 100);
        assert_string_equal(error.text, rc ? "out of memory" : "");
        refused += rc != 0;
        if (done)
            break;
    }
    assert_true(refused >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponential_numbers_are_the_same_everywhere),
        cmocka_unit_test(two_flows_share_a_server),
        cmocka_unit_test(two_senders_meet_at_a_receiver),
        cmocka_unit_test(short_ways_overtake_long_ones),
        cmocka_unit_test(without_a_server_nobody_waits),
        cmocka_unit_test(at_the_same_time_flows_take_turns_in_order),
        cmocka_unit_test(any_network_is_simulated_as_without_data_structures),
        cmocka_unit_test(everything_sent_arrives_and_a_seed_is_a_result),
        cmocka_unit_test(waits_are_as_queueing_theory_says),
        cmocka_unit_test(behind_an_equal_server_nobody_waits),
        cmocka_unit_test(random_messages_keep_their_length),
        cmocka_unit_test(the_first_gap_is_random),
        cmocka_unit_test(what_takes_too_long_is_refused),
        cmocka_unit_test(running_out_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
