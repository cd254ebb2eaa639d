/* SPDX-License-Identifier: BSD-3-Clause */
/* test-relay.c - every rank's answer reaches rank 0, complete, once and in order; no rank has more than
 * 33 partners or more waiting for it than a piece of each; as many steps as the tree is deep, and what
 * does not fit in a piece; all ranks return, also where MPI fails on the way. The ranks are threads
 * (ranks.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "profiler/relay.h"
#include "ranks.h"

enum { PATTERN = 251, LONG = 100000, HEAD = 16 };

static double relay_opened;
static const int context_of_all = 1; /* what every answer is asked with */

/* How much a rank says: nothing, a little, or what the question wants. */
static size_t said(int rank, const struct question *question)
{
    return rank % 4 == 3 ? (size_t)question->kind : (size_t)(rank % 4) * sizeof(int);
}

static char byte_of(int rank, size_t at)
{
    return (char)(((size_t)rank + at) % PATTERN);
}

static struct relay_answer say(const void *context, const struct question *question)
{
    struct relay_answer answer = {.data = NULL};
    int own;
    PMPI_Comm_rank(RANKS_COMM, &own);
    assert_in_range(own, question->first, question->last - 1);
    assert_int_equal(question->key, UINT64_C(0x123456789abcdef0));
    assert_ptr_equal(context, &context_of_all);
    answer.size = said(own, question);
    answer.data = answer.size ? malloc(answer.size) : NULL;
    for (size_t i = 0; i < answer.size; i++)
        answer.data[i] = byte_of(own, i);
    return answer;
}

static struct question question_to(int first, int last, int kind)
{
    return (struct question){.first = first,
                             .last = last,
                             .what = 1,
                             .kind = kind,
                             .phase = 3,
                             .key = UINT64_C(0x123456789abcdef0)};
}

static void serve(answering *answer)
{
    struct relay relay;
    relay_open(&relay, RANKS_COMM, answer, &context_of_all);
    relay_serve(&relay);
}

struct expected {
    const struct question *question;
    int next; /* rank */
};

static void expect(void *context, int32_t rank, const struct relay_answer *answer)
{
    struct expected *expected = context;
    while (expected->next < rank && said(expected->next, expected->question) == 0)
        expected->next++;
    assert_int_equal(rank, expected->next);
    assert_int_equal(answer->size, said(rank, expected->question));
    assert_int_equal(answer->is_cut, 0);
    for (size_t i = 0; i < answer->size; i++)
        if (answer->data[i] != byte_of(rank, i))
            fail_msg("byte %zu of rank %d is %d, not %d", i, rank, answer->data[i],
                     byte_of(rank, i));
    expected->next++;
}

/* All of a range answer. */
static void ask(struct relay *relay, int first, int last, int kind)
{
    const struct question question = question_to(first, last, kind);
    struct expected expected = {&question, first};
    assert_int_equal(relay_ask(relay, &question, expect, &expected), 0);
    while (expected.next < last && said(expected.next, &question) == 0)
        expected.next++;
    assert_int_equal(expected.next, last);
}

static void ask_everybody(int rank, void *context)
{
    const int ranks = *(int *)context;
    struct relay relay;
    if (rank) {
        serve(say);
        return;
    }
    relay_open(&relay, RANKS_COMM, say, &context_of_all);
    ask(&relay, 0, ranks, 40);
    for (int i = 0; i < ranks && i < 70; i++)
        ask(&relay, i, i + 1, 40);
    ask(&relay, ranks / 3, ranks - ranks / 4, 40);
    ask(&relay, 0, ranks, LONG / ranks);
    ask(&relay, ranks - 1, ranks, LONG);
    relay_end(&relay);
}

static void every_rank_answers(void **state)
{
    static const int sizes[] = {1, 2, 5, 33, 34, 35, 200, 1100};
    int quick = getenv("TEST_QUICK") != NULL;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] - (size_t)quick; i++) {
        int ranks = sizes[i];
        ranks_run(ranks, ask_everybody, &ranks);
        assert_in_range(ranks_most_partners(), ranks > 1, ranks > 33 ? 33 : ranks - 1);
    }
}

static void ask_once(int rank, void *context)
{
    const int ranks = ((int *)context)[0], kind = ((int *)context)[1];
    struct relay relay;
    if (rank) {
        serve(say);
        return;
    }
    relay_open(&relay, RANKS_COMM, say, &context_of_all);
    ask(&relay, 0, ranks, kind);
    relay_end(&relay);
}

/* The question, the answers, and the end, at each level; beyond a piece of each child, to send the next
 * and to hear that it has come. */
static void steps_grow_with_the_depth_of_the_tree(void **state)
{
    static const int cases[][2] = {{2, 1}, {33, 1}, {34, 2}, {200, 2}, {1057, 2}, {1100, 3}};
    size_t count = sizeof cases / sizeof cases[0];
    (void)state;
    for (size_t i = 0; i < (getenv("TEST_QUICK") ? 4 : count); i++) {
        int few[2] = {cases[i][0], 4}, many[2] = {cases[i][0], 1000};
        ranks_run(few[0], ask_once, few);
        assert_int_equal(ranks_most_rounds(), 3 * cases[i][1]);
        ranks_run(few[0], ask_once, many);
        int pieces = few[0] * (1000 + 3 * (int)sizeof(int) + 4 * HEAD) / 4 / RELAY_PIECE;
        assert_in_range(ranks_most_rounds(), 3 * cases[i][1], 6 * cases[i][1] + 2 * pieces);
        assert_in_range(ranks_most_waiting(), 1, 33 * (RELAY_PIECE + 100));
    }
}

/* Rank 0 is slow: nobody sends it more than it can take. */
static void take_slowly(void *context, int32_t rank, const struct relay_answer *answer)
{
    expect(context, rank, answer);
    usleep(rank < 40 ? 2000 : 0);
}

static void ask_slowly(int rank, void *unused)
{
    const struct question question = question_to(0, 40, LONG);
    struct expected expected = {&question, 0};
    struct relay relay;
    (void)unused;
    if (rank) {
        serve(say);
        return;
    }
    relay_open(&relay, RANKS_COMM, say, &context_of_all);
    assert_int_equal(relay_ask(&relay, &question, take_slowly, &expected), 0);
    relay_end(&relay);
}

static void no_child_is_more_than_a_piece_ahead(void **state)
{
    (void)state;
    ranks_run(40, ask_slowly, NULL);
    assert_in_range(ranks_most_waiting(), 1, 33 * (RELAY_PIECE + 100));
}

/* Here whoever waits for a message gets it in any case; so only what rank 0 tells in between is different. */
static void ask_impatiently(int rank, void *unused)
{
    struct relay relay;
    (void)unused;
    relay_open(&relay, RANKS_COMM, say, &context_of_all);
    relay.rank_tree.patience = 1e-9;
    if (rank) {
        relay_serve(&relay);
        return;
    }
    for (int i = 0; i < 40; i++)
        ask(&relay, 0, 40, i);
    assert_true(relay.spoken > relay_opened);
    relay_end(&relay);
}

static void that_rank_0_still_asks_is_no_question(void **state)
{
    (void)state;
    alarm(60);
    relay_opened = clock_now();
    ranks_run(40, ask_impatiently, NULL);
    alarm(0);
}

/* The ranks first to last-1 are asked in vain, because of one of them. */
static void ask_and_fail(struct relay *relay, int first, int last, int failed)
{
    const struct question question = question_to(first, last, 2);
    struct expected expected = {&question, first};
    assert_int_equal(relay_ask(relay, &question, expect, &expected), -1);
    assert_int_equal(relay->failed, failed);
    assert_int_equal(relay->is_late, 0);
    assert_in_range(expected.next, first, failed);
    assert_int_equal(relay_ask(relay, &question, expect, &expected), -1);
}

static const struct failing {
    int ranks;
    int refused; /* what is sent there, once; -1: nothing */
    int garbled; /* what is received there; -1: nothing */
    int first, last, failed;
} failings[] = {
    {3, 1, -1, 0, 3, 1},   /* the question */
    {3, 2, -1, 2, 3, 2},   /* and nobody else was asked */
    {3, 0, -1, 2, 3, 2},   /* the answer, but not that it has failed */
    {40, 0, -1, 1, 3, 1},  /* rank 1 has read what rank 2 says */
    {40, -1, 1, 0, 40, 1}, /* a question that cannot be received, by a rank with children */
    {40, -1, 39, 0, 40, 39}};

static void ask_in_vain(int rank, void *context)
{
    const struct failing *failing = context;
    struct relay relay;
    if (rank) {
        serve(say);
        return;
    }
    relay_open(&relay, RANKS_COMM, say, &context_of_all);
    ranks_refuse(failing->refused, 1);
    ask_and_fail(&relay, failing->first, failing->last, failing->failed);
    ranks_refuse(-1, 0);
    relay_end(&relay);
}

static void a_missing_answer_is_known_and_ends_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failings / sizeof failings[0]; i++) {
        struct failing failing = failings[i];
        alarm(60);
        ranks_garble(failing.garbled);
        ranks_run(failing.ranks, ask_in_vain, &failing);
        ranks_garble(-1);
        alarm(0);
    }
}

static void ask_nothing(int rank, void *unused)
{
    struct relay relay;
    (void)unused;
    if (rank) {
        serve(say);
        return;
    }
    relay_open(&relay, RANKS_COMM, say, &context_of_all);
    relay_end(&relay);
}

/* Rank 1 stands for rank 2 as well. */
static void nobody_waits_for_a_rank_that_receives_no_more(void **state)
{
    (void)state;
    alarm(60);
    ranks_garble(1);
    ranks_run(40, ask_nothing, NULL);
    ranks_garble(-1);
    alarm(0);
}

/* Out of memory at the rank that is asked: it has half of an answer, or nothing. */
static struct relay_answer cut(const void *context, const struct question *question)
{
    struct relay_answer answer = say(context, question);
    answer.size /= 2;
    answer.is_cut = 1;
    if (answer.size)
        return answer;
    free(answer.data);
    return (struct relay_answer){.is_cut = 1};
}

static void expect_half(void *context, int32_t rank, const struct relay_answer *answer)
{
    struct expected *expected = context;
    assert_int_equal(rank, expected->next++);
    assert_int_equal(answer->size, said(rank, expected->question) / 2);
    assert_int_equal(answer->is_cut, 1);
}

/* Of 70 ranks rank 66 is not a child of rank 0. */
static void ask_for_half(int rank, void *unused)
{
    const struct question question = question_to(0, 70, 10);
    struct expected expected = {&question, 0};
    struct relay relay;
    (void)unused;
    if (rank) {
        serve(cut);
        return;
    }
    relay_open(&relay, RANKS_COMM, cut, &context_of_all);
    assert_int_equal(relay_ask(&relay, &question, expect_half, &expected), 0);
    assert_int_equal(expected.next, 70);
    relay_end(&relay);
}

static void a_cut_answer_comes_and_says_so(void **state)
{
    (void)state;
    ranks_run(70, ask_for_half, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_answers),
        cmocka_unit_test(steps_grow_with_the_depth_of_the_tree),
        cmocka_unit_test(no_child_is_more_than_a_piece_ahead),
        cmocka_unit_test(that_rank_0_still_asks_is_no_question),
        cmocka_unit_test(a_missing_answer_is_known_and_ends_it),
        cmocka_unit_test(nobody_waits_for_a_rank_that_receives_no_more),
        cmocka_unit_test(a_cut_answer_comes_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
