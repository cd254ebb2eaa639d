/* SPDX-License-Identifier: BSD-3-Clause */
/* test-relay.c - every rank's answer reaches rank 0, complete and only once, no rank has more than
 * 33 partners, and all ranks return, also where MPI fails on the way. The ranks are threads
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

enum { LONG = 100000 };

static double relay_opened;
static const int context_of_all = 1; /* what every answer is asked with */

/* What the rank was asked, as often as the question says, so that answers have all lengths. */
static struct relay_answer repeat(const void *context, const struct question *question)
{
    struct relay_answer answer = {.size = (size_t)question->kind * sizeof *question};
    int own;
    PMPI_Comm_rank(RANKS_COMM, &own);
    assert_int_equal(own, question->rank);
    assert_ptr_equal(context, &context_of_all);
    answer.data = malloc(answer.size + 1);
    assert_non_null(answer.data);
    for (int i = 0; i < question->kind; i++)
        memcpy(answer.data + (size_t)i * sizeof *question, question, sizeof *question);
    return answer;
}

static void serve(answering *answer)
{
    struct relay relay;
    relay_open(&relay, RANKS_COMM, answer, &context_of_all);
    relay_serve(&relay);
}

static void ask_one(struct relay *relay, int rank, int times)
{
    struct question question = {rank, 1, times, 3, UINT64_C(0x123456789abcdef0) + (uint64_t)rank};
    struct relay_answer answer = relay_ask(relay, &question);
    assert_int_equal(answer.has_failed, 0);
    assert_int_equal(answer.size, (size_t)times * sizeof question);
    assert_int_equal(answer.is_cut, 0);
    for (int i = 0; i < times; i++)
        assert_memory_equal(answer.data + (size_t)i * sizeof question, &question, sizeof question);
    free(answer.data);
}

static void ask_everybody(int rank, void *ranks)
{
    struct relay relay;
    if (rank) {
        serve(repeat);
        return;
    }
    relay_open(&relay, RANKS_COMM, repeat, &context_of_all);
    for (int i = 0; i < *(int *)ranks; i++)
        ask_one(&relay, i, i % 4);
    ask_one(&relay, *(int *)ranks - 1, LONG / (int)sizeof(struct question));
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

/* Here whoever waits for a message gets it in any case; so only what rank 0 tells in between is different. */
static void ask_impatiently(int rank, void *unused)
{
    struct relay relay;
    (void)unused;
    relay_open(&relay, RANKS_COMM, repeat, &context_of_all);
    relay.rank_tree.patience = 1e-9;
    if (rank) {
        relay_serve(&relay);
        return;
    }
    for (int i = 0; i < 40; i++)
        ask_one(&relay, i, i % 4);
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

static void ask_and_fail(struct relay *relay, int rank)
{
    struct question question = {.rank = rank, .kind = 2};
    struct relay_answer answer = relay_ask(relay, &question);
    assert_int_equal(answer.has_failed, 1);
    assert_null(answer.data);
    assert_int_equal(answer.size, 0);
}

static void ask_in_vain(int rank, void *unused)
{
    struct relay relay;
    (void)unused;
    if (rank) {
        serve(repeat);
        return;
    }
    relay_open(&relay, RANKS_COMM, repeat, &context_of_all);
    ranks_refuse(1, 1);
    ask_and_fail(&relay, 1);
    ask_one(&relay, 1, 2);
    ask_one(&relay, 2, 1);
    ranks_refuse(0, 1); /* rank 2 cannot send its answer, but that it has failed */
    ask_and_fail(&relay, 2);
    ask_one(&relay, 2, 1);
    relay_end(&relay);
}

static void what_cannot_be_sent_has_failed(void **state)
{
    (void)state;
    alarm(60);
    ranks_run(3, ask_in_vain, NULL);
    alarm(0);
}

static void ask_nothing(int rank, void *unused)
{
    struct relay relay;
    (void)unused;
    if (rank) {
        serve(repeat);
        return;
    }
    relay_open(&relay, RANKS_COMM, repeat, &context_of_all);
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

static void ask_the_deaf(int rank, void *unused)
{
    struct relay relay;
    (void)unused;
    if (rank) {
        serve(repeat);
        return;
    }
    relay_open(&relay, RANKS_COMM, repeat, &context_of_all);
    ask_and_fail(&relay, 2);
    ask_and_fail(&relay, 1);
    ask_one(&relay, 3, 2);
    relay_end(&relay);
}

/* Nor for its answer. */
static void a_question_that_cannot_be_received_has_failed(void **state)
{
    (void)state;
    alarm(60);
    ranks_garble(1);
    ranks_run(40, ask_the_deaf, NULL);
    ranks_garble(-1);
    alarm(0);
}

/* Out of memory at the rank that is asked: it has half of an answer, or nothing. */
static struct relay_answer cut(const void *context, const struct question *question)
{
    struct relay_answer answer = repeat(context, question);
    answer.size /= 2;
    answer.is_cut = 1;
    if (answer.size)
        return answer;
    free(answer.data);
    return (struct relay_answer){.is_cut = 1};
}

/* Of 70 ranks rank 66 is not a child of rank 0. */
static void ask_for_half(int rank, void *unused)
{
    static const struct question questions[] = {
        {.rank = 1, .kind = 2}, {.rank = 66, .kind = 2}, {.rank = 66, .kind = 0}};
    struct relay relay;
    (void)unused;
    if (rank) {
        serve(cut);
        return;
    }
    relay_open(&relay, RANKS_COMM, cut, &context_of_all);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        struct relay_answer answer = relay_ask(&relay, &questions[i]);
        assert_int_equal(answer.size, (size_t)questions[i].kind / 2 * sizeof *questions);
        assert_int_equal(answer.is_cut, 1);
        free(answer.data);
    }
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
        cmocka_unit_test(that_rank_0_still_asks_is_no_question),
        cmocka_unit_test(what_cannot_be_sent_has_failed),
        cmocka_unit_test(nobody_waits_for_a_rank_that_receives_no_more),
        cmocka_unit_test(a_question_that_cannot_be_received_has_failed),
        cmocka_unit_test(a_cut_answer_comes_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
