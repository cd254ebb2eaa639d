/* SPDX-License-Identifier: BSD-3-Clause */
/* test-rank-tree.c - what each rank gives comes to rank 0 in order of rank, what rank 0 tells comes to all,
 * and in few rounds: with up to 33 ranks one up and one down. The ranks are threads (ranks.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ranks.h"
#include "comm/rank-tree.h"

enum { LONG = 5000, MOST_RANKS = 2000 };

static const int sizes[] = {1, 2, 3, 16, 33, 34, 64, 256, 1100};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* How much a rank gives: nothing, a number, or more than goes into one piece. */
static size_t given(int rank)
{
    return rank % 7 == 3 ? 0 : rank % 7 == 5 ? LONG : sizeof(int);
}

static void check_parts(const struct rank_tree_parts *parts, int ranks)
{
    size_t at = 0, size;
    assert_int_equal(parts->is_cut, 0);
    for (int rank = 0; rank < ranks; rank++) {
        if (!given(rank))
            continue;
        const char *part = rank_tree_next(parts, &at, &size);
        assert_non_null(part);
        assert_int_equal(size, given(rank));
        assert_memory_equal(part, &rank, sizeof rank);
        assert_int_equal(part[size - 1], size > sizeof rank ? 7 : part[sizeof rank - 1]);
    }
    assert_null(rank_tree_next(parts, &at, &size));
}

static void up_and_down(int rank, void *context)
{
    int ranks = *(int *)context, mine[LONG / sizeof(int)], told[MOST_RANKS];
    static int numbers[MOST_RANKS];
    struct rank_tree rank_tree;
    struct rank_tree_parts parts;
    memset(mine, 7, sizeof mine);
    mine[0] = rank;
    rank_tree_open(&rank_tree, RANKS_COMM);
    int failed = rank_tree_gather(&rank_tree, RANK_TREE_NOBODY, mine, given(rank), &parts);
    if (rank == 0) {
        check_parts(&parts, ranks);
        assert_int_equal(failed, RANK_TREE_NOBODY);
        for (int i = 0; i < ranks; i++)
            numbers[i] = 10 * i;
    }
    free(parts.data);
    const struct rank_tree_wanted wanted = {told, (size_t)(ranks - rank % 2) * sizeof *told};
    told[ranks - 1] = -1;
    failed = rank_tree_broadcast(&rank_tree, RANK_TREE_NOBODY, numbers,
                                 (size_t)ranks * sizeof *told, &wanted);
    assert_int_equal(failed, RANK_TREE_NOBODY);
    for (int i = 0; i < ranks - rank % 2; i++)
        assert_int_equal(told[i], 10 * i);
    assert_true(rank % 2 == 0 || told[ranks - 1] == -1);
}

static void all_ranks_are_heard_and_told(void **state)
{
    (void)state;
    /* valgrind has no more than 500 threads */
    for (int i = 0; i < SIZES && (sizes[i] < 500 || !getenv("TEST_QUICK")); i++) {
        int ranks = sizes[i];
        ranks_run(ranks, up_and_down, &ranks);
        assert_in_range(ranks_most_partners(), ranks > 1, ranks > 33 ? 33 : ranks - 1);
    }
}

/* So much for each rank that pieces end within what is for a rank and for a child. */
enum { SHARE = 1003 };

static void combine(void *mine, const void *theirs)
{
    for (int i = 0; i < 2; i++)
        ((int *)mine)[i] += ((const int *)theirs)[i];
}

static void reduce_and_scatter(int rank, void *context)
{
    int ranks = ((int *)context)[0], failed = ((int *)context)[1];
    int sums[2] = {rank, 1};
    static char shares[MOST_RANKS * SHARE];
    char mine[SHARE] = {0};
    struct rank_tree rank_tree;
    rank_tree_open(&rank_tree, RANKS_COMM);
    int least = rank_tree_reduce(&rank_tree, rank == failed ? rank : RANK_TREE_NOBODY, sums,
                                 sizeof sums, combine);
    if (rank == 0) {
        assert_int_equal(least, failed);
        assert_int_equal(sums[0], ranks * (ranks - 1) / 2);
        assert_int_equal(sums[1], ranks);
        for (int i = 0; i < ranks * SHARE; i++)
            shares[i] = (char)(i % 127);
    }
    least = rank_tree_scatter(&rank_tree, least, rank ? NULL : shares, SHARE, mine);
    assert_int_equal(least, failed);
    for (int i = 0; i < SHARE; i++)
        assert_int_equal(mine[i], failed == RANK_TREE_NOBODY ? (rank * SHARE + i) % 127 : 0);
}

static void all_are_summed_and_get_their_share(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES && (sizes[i] < 500 || !getenv("TEST_QUICK")); i++) {
        int good[2] = {sizes[i], RANK_TREE_NOBODY}, bad[2] = {sizes[i], sizes[i] - 1};
        ranks_run(good[0], reduce_and_scatter, good);
        assert_in_range(ranks_most_partners(), good[0] > 1, good[0] > 33 ? 33 : good[0] - 1);
        assert_in_range(ranks_most_bytes(), 0, good[0] * (SHARE + 200) + 33 * 100);
        ranks_run(bad[0], reduce_and_scatter, bad);
    }
}

/* A share that does not come is known to those that it was for. */
static void scatter_in_vain(int rank, void *unused)
{
    int mine = 0, shares[40] = {0};
    struct rank_tree rank_tree;
    (void)unused;
    rank_tree_open(&rank_tree, RANKS_COMM);
    int failed = rank_tree_scatter(&rank_tree, RANK_TREE_NOBODY, shares, sizeof mine, &mine);
    assert_int_equal(failed, rank == 1 || rank == 2 ? 1 : RANK_TREE_NOBODY);
}

static void a_share_that_does_not_come_is_missed_below(void **state)
{
    (void)state;
    alarm(60);
    ranks_garble(1);
    ranks_run(40, scatter_in_vain, NULL);
    ranks_garble(-1);
    alarm(0);
}

static int failing[2];

static void agree(int rank, void *unused)
{
    struct rank_tree rank_tree;
    int mine = rank == failing[0] || rank == failing[1] ? rank : RANK_TREE_NOBODY;
    (void)unused;
    rank_tree_open(&rank_tree, RANKS_COMM);
    int least = failing[0] < failing[1] ? failing[0] : failing[1];
    assert_int_equal(rank_tree_agree(&rank_tree, mine), least < 0 ? RANK_TREE_NOBODY : least);
}

static void the_lowest_that_fails_is_known_to_all(void **state)
{
    static const int cases[][3] = {{1, -1, -1}, {2, -1, -1},     {2, 1, 1},    {33, 32, 32},
                                   {34, 33, 5}, {256, 255, 254}, {256, -1, -1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int ranks = cases[i][0];
        memcpy(failing, cases[i] + 1, sizeof failing);
        ranks_run(ranks, agree, NULL);
        assert_int_equal(ranks_most_rounds(), ranks == 1 ? 0 : ranks <= 33 ? 2 : 4);
    }
}

/* What cannot be sent is not waited for. */
static void agree_in_vain(int rank, void *unused)
{
    struct rank_tree rank_tree;
    (void)unused;
    if (rank == 1)
        ranks_refuse(0, 1);
    rank_tree_open(&rank_tree, RANKS_COMM);
    assert_int_equal(rank_tree_agree(&rank_tree, RANK_TREE_NOBODY), 1);
}

static void a_rank_that_cannot_send_has_failed(void **state)
{
    (void)state;
    alarm(60);
    ranks_run(2, agree_in_vain, NULL);
    alarm(0);
}

/* A message that has not come may come later, in the place of the next. So nothing more is received, and all
 * that follows fails as well. */
static void agree_twice(int rank, void *unused)
{
    struct rank_tree rank_tree;
    (void)unused;
    rank_tree_open(&rank_tree, RANKS_COMM);
    if (rank == 0)
        ranks_garble(0);
    assert_int_equal(rank_tree_agree(&rank_tree, RANK_TREE_NOBODY), 1);
    if (rank == 0)
        ranks_garble(-1);
    assert_int_equal(rank_tree_agree(&rank_tree, RANK_TREE_NOBODY), 1);
    if (rank == 0)
        ranks_garble(0); /* messages are left over */
}

static void after_a_lost_message_nothing_more_is_taken(void **state)
{
    (void)state;
    alarm(60);
    ranks_run(3, agree_twice, NULL);
    ranks_garble(-1);
    alarm(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ranks_are_heard_and_told),
        cmocka_unit_test(all_are_summed_and_get_their_share),
        cmocka_unit_test(a_share_that_does_not_come_is_missed_below),
        cmocka_unit_test(the_lowest_that_fails_is_known_to_all),
        cmocka_unit_test(a_rank_that_cannot_send_has_failed),
        cmocka_unit_test(after_a_lost_message_nothing_more_is_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
