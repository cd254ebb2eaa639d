/* SPDX-License-Identifier: BSD-3-Clause */
/* test-explain.c - decisions are printed in whole lines, each by one write, so that output of other
 * ranks on the same standard error cannot get in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "reorder/explain.h"

/* What is written to standard error, one piece for each write. */
static char pieces[64][512];
static int count;

static void say_and_read(const struct decision_report *report, int verbose)
{
    int ends[2], error = dup(2);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    dup2(ends[1], 2);
    close(ends[1]);
    explain_decision(report, verbose);
    dup2(error, 2);
    close(error);
    for (count = 0; count < 64; count++) {
        ssize_t length = read(ends[0], pieces[count], sizeof pieces[count] - 1);
        if (length <= 0)
            break;
        pieces[count][length] = '\0';
    }
    close(ends[0]);
}

static void assert_lines(void)
{
    for (int i = 0; i < count; i++) {
        assert_int_equal(strncmp(pieces[i], "reseat: ", 8), 0);
        assert_ptr_equal(strchr(pieces[i], '\n'), pieces[i] + strlen(pieces[i]) - 1);
    }
}

static const struct decision decision = {.method = "multilevel"};
static const struct timing timing = {.count = 1, .step = {{"places", 0.0015, 64}}};
static const struct decision_report reordered = {.function = "MPI_COMM_WORLD",
                                                 .ranks = 4,
                                                 .done = 1,
                                                 .cost = {200, 100},
                                                 .messages = {10, 30},
                                                 .between = {9e6, 3e5},
                                                 .worth = {.gain = 0.5, .min_gain = 0.02},
                                                 .source = RESEAT_PATTERN_PROFILE,
                                                 .strategy = RESEAT_STRATEGY_GLOBAL,
                                                 .decision = &decision,
                                                 .timing = &timing};

static void a_verdict_is_one_line(void **state)
{
    (void)state;
    say_and_read(&reordered, 1);
    assert_int_equal(count, 1);
    assert_string_equal(pieces[0], "reseat: MPI_COMM_WORLD, 4 ranks: reordered, 97 % fewer bytes "
                                   "between nodes, predicted; messages between nodes: 3.0 times as "
                                   "many (see RESEAT_METRIC)\n");
    say_and_read(&reordered, 2);
    assert_string_equal(pieces[1], "reseat: MPI_COMM_WORLD, 4 ranks: predicted cost 200 -> 100 "
                                   "(-50.0 %; multilevel, global, pattern from the profile, 1.5 "
                                   "ms)\n");
}

/* In words that a user has; "100 %" only where nothing is left. */
static void a_verdict_is_in_words(void **state)
{
    static const struct {
        double cost[2], between[2];
        enum reseat_metric metric;
        const char *words;
    } cases[] = {
        {{200, 100}, {1000, 1}, RESEAT_METRIC_SIZE, "99.9 % fewer bytes between nodes, predicted"},
        {{200, 100}, {1000, 0}, RESEAT_METRIC_SIZE, "100 % fewer bytes between nodes, predicted"},
        {{200, 100}, {8, 6}, RESEAT_METRIC_MSG, "25 % fewer messages between nodes, predicted"},
        {{200, 100},
         {8, 6},
         RESEAT_METRIC_AVG,
         "25 % lower mean message sizes between nodes, predicted"},
        {{200, 100}, {0, 0}, RESEAT_METRIC_SIZE, "bytes go 50 % less far, predicted"},
        {{200, 150}, {8, 8}, RESEAT_METRIC_MSG, "messages go 25 % less far, predicted"}};
    const char *begin = "reseat: MPI_COMM_WORLD, 4 ranks: reordered, ";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct decision_report report = reordered;
        memcpy(report.cost, cases[i].cost, sizeof report.cost);
        memcpy(report.between, cases[i].between, sizeof report.between);
        report.metric = cases[i].metric;
        report.messages[1] = 0;
        say_and_read(&report, 1);
        pieces[0][strcspn(pieces[0], "\n")] = '\0';
        assert_string_equal(pieces[0] + strlen(begin), cases[i].words);
    }
}

/* Where the busiest link is an objective, the order may cost a little more. */
static void a_verdict_has_the_busiest_link_where_that_counts(void **state)
{
    struct decision_report report = reordered;
    (void)state;
    report.cost[1] = 202;
    report.busiest[0] = 80;
    report.busiest[1] = 60;
    report.messages[1] = report.messages[0];
    report.between[1] = report.between[0];
    say_and_read(&report, 2);
    assert_string_equal(pieces[0], "reseat: MPI_COMM_WORLD, 4 ranks: reordered, bytes go 1 % more "
                                   "far, 25 % less on the busiest link, predicted\n");
    assert_string_equal(pieces[1], "reseat: MPI_COMM_WORLD, 4 ranks: predicted cost 200 -> 202, "
                                   "busiest link 80 -> 60 (+1.0 %; multilevel, global, pattern "
                                   "from the profile, 1.5 ms)\n");
    report.done = 0;
    report.worth.min_gain = 0.3;
    report.worth.gain = 0.25;
    say_and_read(&report, 1);
    assert_non_null(strstr(pieces[0], "predicted gain 25.0 %, RESEAT_MIN_GAIN is 30.0 %"));
}

static void so_is_why_the_launch_order_is_kept(void **state)
{
    static const struct {
        double before;
        int blind;
        const char *why;
    } cases[] = {{0, 0, "the pattern is empty\n"},
                 {200, 1, "one node, and no rank is bound to a part of it: no order is better\n"},
                 {200, 0, "predicted gain 50.0 %, RESEAT_MIN_GAIN is 2.0 %\n"}};
    const char *begin = "reseat: MPI_COMM_WORLD, 4 ranks: launch order kept: ";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct decision_report report = reordered;
        report.done = 0;
        report.cost[0] = cases[i].before;
        report.blind = cases[i].blind;
        say_and_read(&report, 1);
        assert_int_equal(count, 1);
        assert_int_equal(strncmp(pieces[0], begin, strlen(begin)), 0);
        assert_string_equal(pieces[0] + strlen(begin), cases[i].why);
    }
}

/* With seconds, what part of the job they are; and no more is promised than the job spent. */
static void seconds_are_a_part_of_the_job(void **state)
{
    struct decision_report report = reordered;
    (void)state;
    report.worth = (struct reseat_worth){0.5, {0.2, 0.1}, {3600, 0.05, 1}, 1, 0.02};
    report.messages[1] = 0;
    say_and_read(&report, 1);
    assert_non_null(strstr(pieces[0], "reordered, 50 % less time for the messages (0.1 s instead "
                                      "of 0.2), predicted; no order"));
    assert_non_null(strstr(pieces[0], "; no order saves more than 0.05 s, by the time of the job"));
    report.worth.is_watched = 0;
    say_and_read(&report, 1);
    assert_null(strstr(pieces[0], "no order saves"));
    report.done = 0;
    say_and_read(&report, 1);
    assert_non_null(strstr(
        pieces[0], "predicted gain 50.0 % of the time, 0.0 % of the job, RESEAT_MIN_GAIN is 2.0"));
    report.worth = (struct reseat_worth){0.5, {0, 0}, {3600, 0.05, 1}, 1, 0.02};
    say_and_read(&report, 1);
    assert_non_null(strstr(pieces[0], "predicted gain 50.0 %, at most 0.0 % of the job, by its "
                                      "time in MPI, RESEAT_MIN_GAIN is 2.0 %"));
}

static void tables_are_lines(void **state)
{
    (void)state;
    say_and_read(&reordered, 2);
    assert_true(count > 3);
    assert_lines();
    say_and_read(&reordered, 0);
    assert_int_equal(count, 0);
}

/* Levels with a network have what their links carry. */
static void tables_have_the_loads_of_links(void **state)
{
    static const struct decision with_loads = {
        .method = "multilevel",
        .levels = 2,
        .level = {{.name = "router",
                   .has_loads = 1,
                   .loads = {.busiest = {500, 250}, .mean = {20, 10}, .hops = {2.5, 1.25}}},
                  {.name = "core"}}};
    struct decision_report report = reordered;
    int loads = 0;
    (void)state;
    report.decision = &with_loads;
    say_and_read(&report, 2);
    assert_lines();
    for (int i = 0; i < count; i++) {
        loads += strstr(pieces[i], "- mean hops") && strstr(pieces[i], "2.50       1.25");
        loads += strstr(pieces[i], "- busiest link") && strstr(pieces[i], "500        250");
        loads += strstr(pieces[i], "- mean link") && strstr(pieces[i], "20         10");
    }
    assert_int_equal(loads, 3);
}

/* Where local ranks stay the line says so, and that there may be no other order at all. */
static void local_ranks_that_stay_are_in_the_line(void **state)
{
    static const struct {
        struct local_ranks_summary local;
        enum reseat_strategy strategy;
        int done;
        const char *words;
    } cases[] = {
        {{4, 4, 8},
         RESEAT_STRATEGY_GLOBAL,
         1,
         "predicted; local ranks stay where there are accelerators (RESEAT_KEEP_LOCAL)\n"},
        {{4, 4, 0},
         RESEAT_STRATEGY_TWOLEVEL,
         1,
         "predicted; local ranks stay (RESEAT_KEEP_LOCAL)\n"},
        {{4, 0, 8}, RESEAT_STRATEGY_GLOBAL, 1, "nodes, predicted\n"},
        {{4, 2, 8},
         RESEAT_STRATEGY_NODE,
         0,
         "RESEAT_MIN_GAIN is 2.0 %; local ranks stay where there are accelerators "
         "(RESEAT_KEEP_LOCAL)\n"},
        {{4, 4, 8},
         RESEAT_STRATEGY_NODE,
         0,
         "kept: no rank leaves its node, and local ranks stay where there are accelerators "
         "(RESEAT_KEEP_LOCAL): there is no other order\n"},
        {{1, 1, 8},
         RESEAT_STRATEGY_GLOBAL,
         0,
         "kept: one node, and local ranks stay where there are accelerators (RESEAT_KEEP_LOCAL): "
         "there is no other order\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct decision with_local = decision;
        struct decision_report report = reordered;
        with_local.local = cases[i].local;
        report.decision = &with_local;
        report.strategy = cases[i].strategy;
        report.done = cases[i].done;
        report.messages[1] = 0;
        say_and_read(&report, 1);
        const char *end = pieces[0] + strlen(pieces[0]) - strlen(cases[i].words);
        assert_string_equal(end, cases[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_is_one_line),
        cmocka_unit_test(a_verdict_is_in_words),
        cmocka_unit_test(a_verdict_has_the_busiest_link_where_that_counts),
        cmocka_unit_test(so_is_why_the_launch_order_is_kept),
        cmocka_unit_test(tables_are_lines),
        cmocka_unit_test(local_ranks_that_stay_are_in_the_line),
        cmocka_unit_test(seconds_are_a_part_of_the_job),
        cmocka_unit_test(tables_have_the_loads_of_links)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
