/* SPDX-License-Identifier: BSD-3-Clause */
/* test-exchanges.c - exchanges of ranks that lower how long messages wait: cases where the best is
 * known, and any workload. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "failing.h"
#include "simulate/cluster-run.h"
#include "simulate/sample.h"
#include "simulate/exchanges.h"

enum { MOST_RANKS = 64 };

/* A job of these flows, each of 100 messages of 64 KB in a second if nothing else is said. */
static struct reseat_workload workload_of(struct reseat_job *job, int32_t ranks,
                                          struct reseat_flow *flows, size_t count)
{
    for (size_t f = 0; f < count; f++) {
        flows[f].length = flows[f].length ? flows[f].length : 65536;
        flows[f].messages = flows[f].messages ? flows[f].messages : 100;
        flows[f].rate = (double)flows[f].messages;
    }
    *job = (struct reseat_job){.ranks = ranks, .seconds = 1, .flows = flows, .count = count};
    return (struct reseat_workload){.jobs = job, .count = 1, .ranks = ranks};
}

static void improve(const struct reseat_workload *workload, const struct reseat_rates *rates,
                    int32_t *core_of)
{
    struct reseat_error error = {""};
    if (exchanges_improve(workload, rates, 0, core_of, &error))
        fail_msg("%s", error.text);
}

static double waiting(const struct reseat_workload *workload, const struct reseat_rates *rates,
                      const int32_t *core_of)
{
    struct simulate_options options = {.queueing = {.seed = 2}};
    struct simulate_result result;
    struct reseat_error error = {""};
    if (simulate_run(workload, rates, core_of, &options, &result, &error))
        fail_msg("%s", error.text);
    return result.waiting_seconds;
}

/* 4 nodes of one package with `cores` cores, whose cards are busy with 20 MB/s. */
static struct reseat_rates slow_cards(int32_t cores)
{
    struct reseat_rates rates;
    reseat_rates_init(&rates);
    rates.nodes = 4;
    rates.packages = 1;
    rates.cores = cores;
    rates.card_bytes_per_second = 20e6;
    return rates;
}

static void partners_come_together(void **state)
{
    struct reseat_rates rates = slow_cards(2);
    struct reseat_flow flows[] = {{.source = 0, .target = 4},
                                  {.source = 1, .target = 5},
                                  {.source = 2, .target = 6},
                                  {.source = 3, .target = 7}};
    struct reseat_job job;
    struct reseat_workload workload = workload_of(&job, 8, flows, 4);
    int32_t core_of[] = {0, 1, 2, 3, 4, 5, 6, 7};
    (void)state;
    improve(&workload, &rates, core_of);
    for (int r = 0; r < 4; r++)
        assert_int_equal(core_of[r] / 2, core_of[r + 4] / 2);
}

/* Ranks that all send to each other are best on one node; where they do not fit, and the cards are
 * too slow, on as many nodes as there are. */
static void heavy_senders_part_to_free_nodes(void **state)
{
    struct reseat_rates rates = slow_cards(4);
    /* 0 to 3 send to 4 to 7, each to all of them: 4 x 6.5 MB/s */
    struct reseat_flow flows[16] = {{.source = 0}};
    struct reseat_job job;
    int32_t core_of[] = {0, 1, 2, 3, 4, 5, 6, 7}, senders[4] = {0};
    (void)state;
    for (int f = 0; f < 16; f++)
        flows[f] = (struct reseat_flow){.source = f / 4, .target = 4 + f % 4};
    struct reseat_workload workload = workload_of(&job, 8, flows, 16);
    double before = waiting(&workload, &rates, core_of);
    improve(&workload, &rates, core_of);
    double after = waiting(&workload, &rates, core_of);
    if (!(after < before / 3))
        fail_msg("waiting %g, before %g", after, before);
    for (int r = 0; r < 4; r++)
        senders[core_of[r] / 4]++;
    for (int node = 0; node < 4; node++)
        assert_true(senders[node] <= 2);
}

static void any_mapping_stays_one(void **state)
{
    static struct reseat_flow flows[MOST_RANKS * 4];
    struct draw draw = {17};
    (void)state;
    for (int round = 0; round < 30; round++) {
        struct reseat_rates rates = slow_cards(2 + (int32_t)(draw_bits(&draw) % 3));
        rates.packages = 1 + (int32_t)(draw_bits(&draw) % 3);
        rates.card_directions = 1 + (int32_t)(draw_bits(&draw) % 2);
        int32_t cores = reseat_rates_all_cores(&rates), core_of[MOST_RANKS], on[MOST_RANKS] = {0};
        int32_t ranks = 2 + (int32_t)(draw_bits(&draw) % (uint64_t)(cores - 1));
        struct reseat_job job;
        assert_true(cores <= MOST_RANKS);
        for (int32_t f = 0; f < 3 * ranks; f++) {
            flows[f].source = (int32_t)(draw_bits(&draw) % (uint64_t)ranks);
            flows[f].target = (flows[f].source + 1 + f % (ranks - 1)) % ranks;
            flows[f].length = 1 + draw_bits(&draw) % 100000;
            flows[f].messages = 1 + draw_bits(&draw) % 100;
        }
        struct reseat_workload workload = workload_of(&job, ranks, flows, (size_t)ranks * 3);
        for (int32_t r = 0; r < ranks; r++)
            core_of[r] = cores - 1 - r;
        double before = waiting(&workload, &rates, core_of);
        improve(&workload, &rates, core_of);
        for (int32_t r = 0; r < ranks; r++)
            assert_true(core_of[r] >= 0 && core_of[r] < cores && !on[core_of[r]]++);
        /* what is improved is an estimate: close to the simulation, not the same */
        double after = waiting(&workload, &rates, core_of);
        if (after > before * 1.05)
            fail_msg("round %d: %g after %g", round, after, before);
    }
}

/* A million cores are 5 x 10^11 pairs. */
static void few_ranks_on_many_cores_take_no_longer(void **state)
{
    struct reseat_rates rates = slow_cards(4096);
    struct reseat_flow flows[] = {{.source = 0, .target = 2}, {.source = 1, .target = 3}};
    struct reseat_job job;
    struct reseat_workload workload = workload_of(&job, 4, flows, 2);
    int32_t core_of[] = {9, 5000, 1000000, 1048575};
    (void)state;
    rates.nodes = 256;
    alarm(60);
    improve(&workload, &rates, core_of);
    alarm(0);
    for (int r = 0; r < 2; r++)
        assert_int_equal(core_of[r] / 4096, core_of[r + 2] / 4096);
}

/* All but the last two of 20,000 nodes are taken: 8 x 10^8 pairs of cores, of which 6 can be exchanged. */
static void taken_cores_take_no_time(void **state)
{
    enum { NODES = 20000 };
    static struct reseat_taken taken[NODES - 2];
    struct reseat_rates rates = slow_cards(2);
    struct reseat_flow flows[] = {{.source = 0, .target = 2}, {.source = 1, .target = 3}};
    struct reseat_job job;
    struct reseat_workload workload = workload_of(&job, 4, flows, 2);
    int32_t first = 2 * (NODES - 2), core_of[] = {first, first + 1, first + 2, first + 3};
    (void)state;
    rates.nodes = NODES;
    for (int32_t n = 0; n < NODES - 2; n++)
        taken[n] = (struct reseat_taken){n, 2};
    workload.taken = taken;
    workload.taken_nodes = NODES - 2;
    improve(&workload, &rates, core_of);
    for (int r = 0; r < 2; r++)
        assert_int_equal(core_of[r] / 2, core_of[r + 2] / 2);
}

static void running_out_of_memory_is_said(void **state)
{
    struct reseat_rates rates = slow_cards(2);
    struct reseat_flow flows[] = {{.source = 0, .target = 2}};
    struct reseat_job job;
    struct reseat_workload workload = workload_of(&job, 3, flows, 1);
    int refused = 0;
    (void)state;
    for (long k = 0;; k++) {
        int32_t core_of[] = {0, 1, 2};
        struct reseat_error error = {""};
        fail_at = k;
        int rc = exchanges_improve(&workload, &rates, 0, core_of, &error);
        int done = fail_at >= 0;
        fail_at = -1;
        assert_string_equal(error.text, rc ? "out of memory" : "");
        refused += rc != 0;
        if (done)
            break;
    }
    assert_int_equal(refused, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partners_come_together),
        cmocka_unit_test(heavy_senders_part_to_free_nodes),
        cmocka_unit_test(any_mapping_stays_one),
        cmocka_unit_test(few_ranks_on_many_cores_take_no_longer),
        cmocka_unit_test(taken_cores_take_no_time),
        cmocka_unit_test(running_out_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
