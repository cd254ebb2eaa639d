/* SPDX-License-Identifier: BSD-3-Clause */
/* test-replay-pairs.c - a replay sends what was recorded: rounds and stages leave nothing out, no
 * stage needs more than was planned, and a scaled replay has the right share of rare messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "programs/replay-pairs.h"

static const struct case_of_pair {
    uint64_t messages, bytes;
} cases[] = {{1, 0},
             {1, 1},
             {3, 10},
             {7, 7},
             {40, 8000007},
             {1000, 999},
             {100000, 100},
             {123457, 98765432},
             {UINT64_C(1) << 31, UINT64_C(1) << 50}};
enum { CASES = sizeof cases / sizeof cases[0] };

static void rounds_send_every_message_once(void **state)
{
    static const uint64_t rounds[] = {1, 2, 3, 10, 10000};
    (void)state;
    for (int c = 0; c < CASES; c++)
        for (int r = 0; r < 5; r++) {
            uint64_t count = cases[c].messages, most = count / rounds[r] + 1;
            assert_true(replay_before(count, rounds[r], 0) == 0);
            assert_true(replay_before(count, rounds[r], rounds[r]) == count);
            for (uint64_t round = 0; round < rounds[r]; round++) {
                uint64_t from = replay_before(count, rounds[r], round);
                uint64_t to = replay_before(count, rounds[r], round + 1);
                assert_true(from <= to && to - from <= most);
            }
        }
}

static void sizes_add_up(void **state)
{
    (void)state;
    for (int c = 0; c < CASES - 1; c++) {
        struct replay_pair pair = {
            .target = 1, .messages = cases[c].messages, .bytes = cases[c].bytes};
        uint64_t sum = 0;
        for (uint64_t i = 0; i < 2 * pair.messages; i++) {
            assert_true(replay_bytes_before(&pair, i) == sum);
            sum += replay_size(&pair, i);
        }
        assert_true(sum == 2 * pair.bytes);
    }
}

/* 30 messages of 1,222 bytes and 60 of 8 are sent in turns, one to two, as often as they are sent, and not as 90 of 412;
 * and a third kind among these. */
static void kinds_take_turns(void **state)
{
    static const struct replay_part small = {60, 480}, empty = {9, 0};
    struct replay_pair pair = {.target = 1, .messages = 30, .bytes = 30 * 1222, .count = 180};
    int large = 0;
    (void)state;
    assert_true(replay_largest_of(&pair) == 1222);
    replay_pair_add(&pair, &small);
    for (uint64_t i = 0; i < 180; i++) {
        uint64_t size = replay_size(&pair, i);
        if (size != 8 && size != 1222)
            fail_msg("message %d has %d bytes", (int)i, (int)size);
        large += size == 1222;
        assert_in_range(3 * large, i > 2 ? i - 2 : 0, i + 4);
    }
    assert_int_equal(large, 60);
    assert_true(replay_largest_of(&pair) == 1222);
    assert_true(replay_bytes_of_small(&pair, 1000) == 960);
    replay_pair_add(&pair, &empty);
    int of[3] = {0, 0, 0};
    for (uint64_t i = 99; i < 198; i++)
        of[replay_size(&pair, i) == 0 ? 0 : replay_size(&pair, i) == 8 ? 1 : 2]++;
    assert_true(of[0] == 9 && of[1] == 60 && of[2] == 30);
    struct replay_pairs pairs = {&pair, 1, 2};
    assert_true(replay_pairs_need(&pairs, &(struct replay_plan){180, 1}).bytes == 1222);
    /* so many that products would not fit: one size */
    pair = (struct replay_pair){.target = 1, .messages = UINT32_MAX, .bytes = 0};
    replay_pair_add(&pair, &small);
    assert_true(replay_largest_of(&pair) == 1);
}

/* A rank that gets something from each of `ranks`. */
static struct replay_pairs pairs_of(int32_t ranks, uint64_t messages, uint64_t bytes)
{
    struct replay_pairs pairs = {calloc((size_t)ranks, sizeof *pairs.pair), (size_t)ranks, ranks};
    assert_non_null(pairs.pair);
    for (int32_t i = 0; i < ranks; i++)
        pairs.pair[i] = (struct replay_pair){
            .source = i, .target = ranks / 2, .messages = messages, .bytes = bytes};
    replay_pairs_sort(&pairs);
    replay_pairs_scale(&pairs, 1);
    return pairs;
}

static void stages_have_every_pair_once(void **state)
{
    (void)state;
    struct replay_pairs pairs = pairs_of(37, 5, 1000);
    for (int32_t stages = 1; stages <= 37; stages++) {
        struct replay_plan plan = {5, stages};
        size_t at = 0;
        for (int32_t stage = 0; stage < stages; stage++) {
            size_t end = replay_pairs_stage_end(&pairs, &plan, stage, at);
            for (; at < end; at++)
                assert_int_equal((int64_t)replay_pair_offset(&pairs.pair[at], 37) * stages / 37,
                                 stage);
        }
        assert_int_equal(at, pairs.n);
    }
    free(pairs.pair);
}

static void stages_bound_memory(void **state)
{
    (void)state;
    struct replay_pairs pairs = pairs_of(64, 10, 10000);
    const struct replay_plan whole = {1, 1}, by_round = {10, 1}, by_stage = {10, 64};
    assert_true(replay_pairs_need(&pairs, &whole).bytes == 640000);
    assert_true(replay_pairs_need(&pairs, &whole).messages == 640);
    assert_true(replay_pairs_need(&pairs, &by_round).bytes == 64000);
    assert_true(replay_pairs_need(&pairs, &by_stage).bytes == 1000);
    assert_true(replay_pairs_need(&pairs, &by_stage).messages == 1);
    free(pairs.pair);
}

/* Also of pairs that are all alike, as those of a ring are. */
static void scaling_keeps_shares(void **state)
{
    (void)state;
    struct replay_pairs pairs = pairs_of(10000, 3, 30);
    for (double scale = 0.01; scale < 3; scale *= 3) {
        replay_pairs_scale(&pairs, scale);
        double sum = (double)replay_pairs_sum(&pairs).messages, wanted = 30000 * scale;
        assert_true(sum > 0.8 * wanted && sum < 1.2 * wanted);
    }
    replay_pairs_scale(&pairs, 0);
    assert_true(replay_pairs_sum(&pairs).messages == 10000);
    replay_pairs_scale(&pairs, 2);
    assert_true(replay_pairs_sum(&pairs).bytes == 600000);
    assert_true(replay_pairs_most(&pairs) == 6);
    free(pairs.pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_send_every_message_once),
                                       cmocka_unit_test(sizes_add_up),
                                       cmocka_unit_test(kinds_take_turns),
                                       cmocka_unit_test(stages_have_every_pair_once),
                                       cmocka_unit_test(stages_bound_memory),
                                       cmocka_unit_test(scaling_keeps_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
