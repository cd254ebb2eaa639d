/* SPDX-License-Identifier: BSD-3-Clause */
/* test-history.c - the jobs of a program: their lines, how they compare, and which order is next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "history/history-shift.h"
#include "history/history.h"

/* ---- lines ---- */

static const struct past_job whole = {.when = 1795493106,
                                      .status = 0,
                                      .seconds = 3.15,
                                      .seconds_in_mpi = 0.91,
                                      .predicted = 0.19,
                                      .nodes = 4,
                                      .cores = 64,
                                      .machine = 0x5a1c,
                                      .pattern = UINT64_MAX,
                                      .order = 0x9b04,
                                      .method = "multilevel",
                                      .hosts = "node[0-3]"};
static const char whole_line[] =
    "job 2026-11-24T04:05:06Z status 0 seconds 3.15 mpi 0.91 predicted 0.19 nodes 4 cores 64 "
    "machine 5a1c "
    "pattern ffffffffffffffff order 9b04 method multilevel hosts node[0-3] end\n";

static void assert_same_job(const struct past_job *a, const struct past_job *b)
{
    char one[HISTORY_LINE_SIZE], other[HISTORY_LINE_SIZE];
    history_write_line(one, a);
    history_write_line(other, b);
    assert_string_equal(one, other);
}

static void test_a_line_gives_the_job_back(void **state)
{
    char line[HISTORY_LINE_SIZE];
    struct past_job job;
    assert_int_equal(history_write_line(line, &whole), strlen(whole_line));
    assert_string_equal(line, whole_line);
    assert_int_equal(history_read_line(&job, line),
                     0); /* with its newline: not what a caller hands over */
    line[strlen(line) - 1] = '\0';
    assert_int_equal(history_read_line(&job, line), 1);
    assert_same_job(&job, &whole);
    assert_true(job.when == whole.when && job.seconds == 3.15 && job.pattern == UINT64_MAX);
    assert_string_equal(job.hosts, "node[0-3]");
    (void)state;
}

static void test_what_is_not_known_stays_so(void **state)
{
    const struct past_job job = {.when = 1,
                                 .status = 137,
                                 .seconds = NAN,
                                 .seconds_in_mpi = NAN,
                                 .predicted = NAN,
                                 .method = "-",
                                 .hosts = "two words\n\\x41"};
    struct past_job read;
    char line[HISTORY_LINE_SIZE];
    size_t length = history_write_line(line, &job);
    assert_non_null(strstr(line, "seconds - mpi - predicted -"));
    assert_ptr_equal(strchr(line, '\n'), line + length - 1);
    line[length - 1] = '\0';
    assert_int_equal(history_read_line(&read, line), 1);
    assert_true(isnan(read.seconds) && isnan(read.seconds_in_mpi) && isnan(read.predicted));
    assert_int_equal(read.status, 137);
    assert_string_equal(read.method, "-");
    assert_string_equal(read.hosts, "two words\\x0a\\x41");
    (void)state;
}

static void test_the_longest_line_fits(void **state)
{
    struct past_job job = whole, read;
    char line[HISTORY_LINE_SIZE];
    memset(job.hosts, '\x01', sizeof job.hosts - 1);
    memset(job.method, ' ', sizeof job.method - 1);
    job.nodes = job.cores = job.status = -INT32_MAX;
    job.seconds = job.seconds_in_mpi = job.predicted = 1.23456789e-8;
    job.machine = job.order = UINT64_MAX;
    size_t length = history_write_line(line, &job);
    assert_true(length < HISTORY_LINE_SIZE);
    line[length - 1] = '\0';
    assert_int_equal(history_read_line(&read, line), 1);
    assert_int_equal(read.cores, job.cores);
    job.predicted = 1.1e-17; /* as differences of equal numbers are */
    length = history_write_line(line, &job);
    line[length - 1] = '\0';
    assert_int_equal(history_read_line(&read, line), 1);
    assert_true(read.predicted == 0);
    (void)state;
}

/* Each beginning of a line is skipped, and so is one that another job was written behind. */
static void test_a_torn_line_is_skipped(void **state)
{
    char torn[2 * HISTORY_LINE_SIZE];
    struct past_job job = {.cores = 77};
    for (size_t length = 0; length < strlen(whole_line) - 1; length++) {
        memcpy(torn, whole_line, length);
        torn[length] = '\0';
        assert_int_equal(history_read_line(&job, torn), 0);
        if (length > 0) {
            strcat(torn, whole_line);
            torn[strlen(torn) - 1] = '\0';
            if (history_read_line(&job, torn))
                fail_msg("'%s' is read as a job", torn);
        }
        assert_int_equal(job.cores, 77);
    }
    (void)state;
}

static const struct {
    const char *line;
    int is_job;
} forms[] = {
    {"", 0},
    {"# a comment", 0},
    {"job2 2026-11-24T04:05:06Z status 0 end", 0},
    {"job 2026-11-24T04:05:06Z end", 1},
    {"job 2026-11-24T04:05:06Z  status 0\tseconds 1e3 end", 1},
    {"job 2026-11-24T04:05:06Z status 0 end later 5 fields 6", 1},
    {"job 2026-11-24T04:05:06Z new 5 status 0 end", 0},
    {"job 2026-11-24 status 0 end", 0},
    {"job 2026-11-24T04:05:06Z status zero end", 0},
    {"job 2026-11-24T04:05:06Z status 0 seconds 3,15 end", 0},
    {"job 2026-11-24T04:05:06Z status 0 seconds nan end", 0},
    {"job 2026-11-24T04:05:06Z status 0 machine 0x5 end", 0},
    {"job 2026-11-24T04:05:06Z status 0 nodes 99999999999 end", 0},
    {"job 2026-11-24T04:05:06Z status 0 hosts a\\x00b end", 0},
};

static void test_lines_of_other_forms(void **state)
{
    struct past_job job;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (history_read_line(&job, forms[i].line) != forms[i].is_job)
            fail_msg("'%s': not %d", forms[i].line, forms[i].is_job);
    assert_int_equal(history_read_line(&job, "job 2026-11-24T04:05:06Z end"), 1);
    assert_int_equal(job.status, -1); /* not known to have ended well */
    (void)state;
}

/* ---- the shift and its interval ---- */

static void test_shift_of_few(void **state)
{
    /* sizes with which an interval at 95 % has ends: 2 / (m + n choose m) is at most 0.05 */
    static const struct {
        size_t launch, better;
        int has_ends;
    } sizes[] = {{1, 1, 0}, {3, 3, 0}, {4, 4, 1},  {3, 4, 0},  {3, 5, 1},
                 {2, 7, 0}, {2, 8, 1}, {1, 32, 0}, {32, 32, 1}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct shift_sample sample[2 * SHIFT_MOST];
        struct shift shift;
        size_t count = 0;
        for (size_t i = 0; i < sizes[k].launch; i++)
            sample[count++] = (struct shift_sample){(double)i, 4, 0};
        for (size_t i = 0; i < sizes[k].better; i++)
            sample[count++] = (struct shift_sample){(double)i - 100, 4, 1};
        shift_estimate(&shift, sample, count);
        assert_int_equal(shift.pairs, sizes[k].launch * sizes[k].better);
        assert_int_equal(isfinite(shift.low) && isfinite(shift.high), sizes[k].has_ends);
        assert_true(shift.low <= shift.estimate && shift.estimate <= shift.high);
    }
    (void)state;
}

/* By hand: with 5 and 5, P(U <= 2) = 4 / 252, P(U <= 3) = 7 / 252: the third of 25 from each end. */
static void test_shift_by_hand(void **state)
{
    static const double better[] = {0, 10, 20, 30, 40}, launch[] = {100, 101, 102, 103, 104};
    struct shift_sample sample[10];
    struct shift shift;
    for (int i = 0; i < 5; i++) {
        sample[i] = (struct shift_sample){launch[i], 0, 0};
        sample[5 + i] = (struct shift_sample){better[i], 0, 1};
    }
    shift_estimate(&shift, sample, 10);
    assert_true(shift.estimate == -82);
    assert_true(shift.low == -102 && shift.high == -62);
    (void)state;
}

/* Two numbers of nodes with other durations: only jobs on as many nodes are compared, and two and
 * two in each of three strata together are enough for an interval (2 / 6^3 < 0.05). */
static void test_shift_by_strata(void **state)
{
    struct shift_sample sample[12];
    struct shift shift;
    size_t count = 0;
    for (int nodes = 0; nodes < 3; nodes++)
        for (int i = 0; i < 4; i++)
            sample[count++] =
                (struct shift_sample){100 * nodes + i / 2 - 5 * (i % 2), nodes, i % 2};
    shift_estimate(&shift, sample, count);
    assert_int_equal(shift.pairs, 12);
    assert_true(shift.estimate == -5 && shift.low >= -6 && shift.high <= -4);
    sample[0].stratum = 7; /* alone */
    shift_estimate(&shift, sample, 1);
    assert_int_equal(shift.pairs, 0);
    (void)state;
}

/* ---- the next job ---- */

enum { MOST = 64 };
struct story {
    struct past_job job[MOST];
    size_t jobs;
    struct next_job next;
};

static void story_begin(struct story *story)
{
    memset(story, 0, sizeof *story);
    story->next =
        (struct next_job){.nodes = 4, .machine = 1, .pattern = 2, .order = 3, .predicted = 0.3};
}

static void story_add(struct story *story, int better, double seconds)
{
    story->job[story->jobs] = (struct past_job){.when = (time_t)(1000 + story->jobs),
                                                .seconds = seconds,
                                                .seconds_in_mpi = NAN,
                                                .predicted = NAN,
                                                .nodes = story->next.nodes,
                                                .machine = story->next.machine,
                                                .pattern = story->next.pattern,
                                                .order = better ? story->next.order : 0};
    story->jobs++;
}

static struct history_decision story_next(const struct story *story)
{
    struct history_decision decision;
    history_decide(&decision, story->job, story->jobs, &story->next);
    return decision;
}

static void assert_next(const struct story *story, enum history_choice run,
                        enum history_reason reason, const char *text)
{
    char got[HISTORY_TEXT_SIZE];
    struct history_decision decision = story_next(story);
    history_decision_text(&decision, got, sizeof got);
    if (decision.run != run || decision.reason != reason || strcmp(got, text) != 0)
        fail_msg("after %zu jobs: run %d reason %d '%s' instead of %d %d '%s'", story->jobs,
                 decision.run, decision.reason, got, run, reason, text);
}

/* Jobs as they are decided, with the seconds of each order and a spread of 1 %, up to `jobs`. The
 * number in the better order. */
static int story_run(struct story *story, size_t jobs, double launch, double better)
{
    static const double spread[] = {1, 1.007, 0.994, 1.002, 0.989, 1.011, 0.998};
    int in_better = 0;
    while (story->jobs < jobs) {
        struct history_decision decision = story_next(story);
        double seconds = decision.run == HISTORY_BETTER ? better : launch;
        in_better += decision.run == HISTORY_BETTER;
        story_add(story, decision.run == HISTORY_BETTER, seconds * spread[story->jobs % 7]);
    }
    return in_better;
}

static void test_the_first_jobs(void **state)
{
    struct story story;
    story_begin(&story);
    story.next.pattern = 0;
    assert_next(&story, HISTORY_LAUNCH, HISTORY_FIRST, "launch order, recorded");
    story_begin(&story);
    story_add(&story, 0, 3.88);
    assert_next(&story, HISTORY_BETTER, HISTORY_TRY, "better order for the first time here");
    story_add(&story, 1, 3.15);
    assert_next(&story, HISTORY_BETTER, HISTORY_TO_KNOW, "better order again, to know (2 of 2)");
    story_add(&story, 1, 3.16);
    assert_next(&story, HISTORY_BETTER, HISTORY_NOT_SURE,
                "better order, not sure yet: 3.15 s instead of 3.88 (-19 %, too few jobs for an "
                "interval)");
    for (int i = 0; i < 14; i++)
        story_add(&story, 1, 3.13 + 0.01 * (i % 6));
    assert_next(&story, HISTORY_LAUNCH, HISTORY_TO_KNOW, "launch order again, to know (2 of 2)");
    story_add(&story, 0, 3.89);
    assert_next(&story, HISTORY_BETTER, HISTORY_GAINS,
                "better order: 3.15 s instead of 3.88 (-19 %, 95 %: -20 to -18)");
    (void)state;
}

static void test_an_order_that_gains_is_kept(void **state)
{
    struct story story;
    story_begin(&story);
    assert_true(story_run(&story, 40, 10, 8) == 38); /* the first is not recorded here */
    struct history_decision decision = story_next(&story);
    assert_int_equal(decision.reason, HISTORY_GAINS);
    assert_true(fabs(decision.gain.change + 0.2) < 0.01);
    assert_true(decision.gain.low > -0.25 && decision.gain.high < -0.15);
    (void)state;
}

/* A second job in launch order waits until it costs an eighth of what was gained, whatever the
 * gain; but it comes, since the first may have been disturbed. */
static void test_the_launch_order_is_looked_at_late(void **state)
{
    struct story story;
    story_begin(&story);
    story_add(&story, 0, 10);
    story_add(&story, 1, 3);
    story_add(&story, 1, 3.04);
    assert_next(
        &story, HISTORY_BETTER, HISTORY_NOT_SURE,
        "better order, not sure yet: 3.02 s instead of 10 (-70 %, too few jobs for an interval)");
    assert_int_equal(story_run(&story, 17, 10, 3), 14);
    assert_next(&story, HISTORY_LAUNCH, HISTORY_TO_KNOW, "launch order again, to know (2 of 2)");
    story_add(&story, 0, 2.5);
    assert_int_equal(story_next(&story).run, HISTORY_LAUNCH);
    story_begin(&story);
    story_add(&story, 0, 10);
    assert_int_equal(story_run(&story, 17, 10, 9.3), 16);
    assert_int_equal(story_next(&story).run, HISTORY_LAUNCH);
    (void)state;
}

static void test_an_order_that_is_slower_is_dropped(void **state)
{
    struct story story;
    char text[HISTORY_TEXT_SIZE];
    story_begin(&story);
    assert_int_equal(story_run(&story, 40, 10, 12), 2);
    struct history_decision decision = story_next(&story);
    assert_int_equal(decision.reason, HISTORY_DROPPED);
    history_decision_text(&decision, text, sizeof text);
    assert_memory_equal(text, "better order dropped: ", 22);
    (void)state;
}

/* Where the two are equal, any order will do, and nothing is tried for long. */
static void test_equal_orders(void **state)
{
    struct story story;
    int switches = 0;
    story_begin(&story);
    story_run(&story, 40, 10, 10);
    for (size_t i = 21; i < 40; i++)
        switches += (story.job[i].order != 0) != (story.job[i - 1].order != 0);
    if (switches > 4)
        fail_msg("%d changes of the order in the last 20 jobs", switches);
    (void)state;
}

/* Where no order gains, one job in eight is recorded, and in launch order. */
static void test_jobs_that_are_not_watched(void **state)
{
    struct story story;
    int watched = 0;
    story_begin(&story);
    while (story.jobs < 40) {
        struct history_decision decision = story_next(&story);
        story_add(&story, decision.run == HISTORY_BETTER, 5);
        if (decision.is_watched)
            story.job[story.jobs - 1].seconds_in_mpi = 2;
        if (story.jobs > 8) {
            assert_int_equal(decision.run, HISTORY_LAUNCH);
            watched += decision.is_watched;
        }
    }
    assert_int_equal(watched, 4);
    story.next.pattern++;
    assert_int_equal(story_next(&story).is_watched, 1);
    story_begin(&story);
    story_run(&story, 30, 10, 8);
    assert_int_equal(story_next(&story).is_watched, 1);
    (void)state;
}

static void test_failed_jobs_say_nothing(void **state)
{
    struct story story;
    story_begin(&story);
    story_add(&story, 0, 10);
    for (int i = 0; i < 9; i++) {
        story_add(&story, i % 2, 0.1);
        story.job[story.jobs - 1].status = i % 3 == 0 ? 1 : 0;
        if (i % 3 == 1)
            story.job[story.jobs - 1].seconds = NAN;
        if (i % 3 == 2)
            story.job[story.jobs - 1].seconds = 0;
    }
    struct history_decision decision = story_next(&story);
    assert_int_equal(decision.reason, HISTORY_TRY);
    assert_int_equal(decision.gain.launch_jobs, 1);
    assert_int_equal(decision.gain.better_jobs, 0);
    (void)state;
}

/* One job that took twenty times as long, whichever it is, changes nothing in the end. */
static void test_one_outlier(void **state)
{
    for (int gains = 0; gains < 2; gains++)
        for (size_t outlier = 0; outlier < 12; outlier++) {
            struct story story;
            story_begin(&story);
            story_run(&story, outlier, 10, gains ? 8 : 12);
            struct history_decision decision = story_next(&story);
            story_add(&story, decision.run == HISTORY_BETTER, 200);
            story_run(&story, 20, 10, gains ? 8 : 12);
            if ((story_next(&story).leads == HISTORY_BETTER) != gains)
                fail_msg("outlier %zu, %s: wrong after 20 jobs", outlier,
                         gains ? "gains" : "slower");
        }
    (void)state;
}

static void test_no_order_no_trying(void **state)
{
    struct story story;
    story_begin(&story);
    story_add(&story, 0, 10);
    story.next.predicted = 0;
    assert_next(&story, HISTORY_LAUNCH, HISTORY_NO_ORDER,
                "launch order: no order is predicted to be better");
    story.next.predicted = NAN;
    assert_int_equal(story_next(&story).run, HISTORY_BETTER);
    story.next.order = 0;
    assert_int_equal(story_next(&story).reason, HISTORY_NO_ORDER);
    story.next.order = 3;
    story.job[0].seconds_in_mpi = 0.04;
    assert_next(&story, HISTORY_LAUNCH, HISTORY_NO_ROOM,
                "launch order: ranks spend 0.4 % of the time in MPI");
    (void)state;
}

/* A launch order that was as good as any order says nothing about one that is not. */
static void test_launch_orders_that_were_good(void **state)
{
    struct story story;
    story_begin(&story);
    story_add(&story, 0, 8);
    story.job[0].predicted = 0;
    story_add(&story, 1, 8);
    assert_int_equal(story_next(&story).gain.launch_jobs, 0);
    (void)state;
}

static void test_it_starts_again(void **state)
{
    for (int change = 0; change < 3; change++) {
        struct story story;
        story_begin(&story);
        story_run(&story, 30, 10, 12);
        assert_int_equal(story_next(&story).reason, HISTORY_DROPPED);
        story.next.pattern += change == 0;
        story.next.machine += change == 1;
        story.next.order += change == 2; /* the launch order's jobs are known already */
        assert_int_equal(story_next(&story).gain.better_jobs, 0);
        if (change == 0) {
            assert_next(&story, HISTORY_LAUNCH, HISTORY_NOT_SURE,
                        "launch order: the better order was slower for another pattern");
            assert_int_equal(story_run(&story, 38, 10, 8), 0);
        }
        assert_int_equal(story_next(&story).reason, HISTORY_TRY);
        assert_int_equal(story_run(&story, 60, 10, 8), change == 2 ? 30 : change == 1 ? 28 : 22);
    }
    (void)state;
}

/* With another pattern the order that gained for the one before is trusted for eight jobs, or for
 * sixteen where one was lost already, and one that did not is compared at once. */
static void test_another_pattern(void **state)
{
    struct story story;
    story_begin(&story);
    story_run(&story, 20, 10, 6);
    story.next.pattern++;
    assert_int_equal(story_run(&story, 28, 9, 6), 8);
    assert_next(&story, HISTORY_LAUNCH, HISTORY_TO_KNOW, "launch order again, to know (1 of 2)");
    story_add(&story, 0, 3);
    assert_int_equal(story_next(&story).run, HISTORY_LAUNCH);
    story_begin(&story);
    story_run(&story, 20, 10, 6);
    story.next.pattern++;
    story_run(&story, 22, 9, 6);
    assert_next(&story, HISTORY_BETTER, HISTORY_NOT_SURE,
                "better order, as for another pattern: nothing to compare yet");
    story_begin(&story);
    story_run(&story, 20, 10, 6);
    story.next.pattern++;
    story_add(&story, 1, 9);
    story.job[20].order++; /* the one for the pattern before */
    assert_int_equal(story_run(&story, 37, 9, 6), 16);
    assert_next(&story, HISTORY_LAUNCH, HISTORY_TO_KNOW, "launch order again, to know (1 of 2)");
    story_begin(&story);
    story_run(&story, 20, 10, 10);
    story.next.pattern++;
    assert_int_equal(story_run(&story, 23, 10, 10), 2);
    (void)state;
}

/* A difference within the noise of the jobs makes no order wait: not the launch order for this
 * pattern, and not the better one for the next. */
static void test_noise_is_no_difference(void **state)
{
    static const double noisy[] = {8.8, 11.5, 10.4};
    for (int loses = 0; loses < 2; loses++) {
        struct story story;
        story_begin(&story);
        story_add(&story, 0, loses ? 8.2 : 10.9);
        for (int i = 0; i < 3; i++)
            story_add(&story, 1, noisy[i]);
        assert_next(&story, HISTORY_LAUNCH, HISTORY_TO_KNOW,
                    "launch order again, to know (2 of 2)");
        story_add(&story, 0, loses ? 8.6 : 10.6);
        story.next.pattern++;
        assert_int_equal(story_next(&story).run, HISTORY_BETTER);
        assert_int_equal(story_run(&story, 12, 10, 10), 7);
    }
    (void)state;
}

/* What is sure on four nodes holds on eight, until eight nodes say something else. */
static void test_another_number_of_nodes(void **state)
{
    struct story story;
    story_begin(&story);
    story_run(&story, 30, 10, 8);
    story.next.nodes = 8;
    struct history_decision decision = story_next(&story);
    assert_int_equal(decision.reason, HISTORY_GAINS);
    assert_true(decision.gain.launch_seconds > 9);
    for (int i = 0; i < 8; i++)
        story_add(&story, i % 2, i % 2 ? 6 + 0.01 * i : 5 + 0.01 * i);
    decision = story_next(&story);
    assert_int_equal(decision.reason, HISTORY_DROPPED);
    assert_int_equal(decision.gain.launch_jobs, 4);
    story.next.nodes = 4;
    assert_int_equal(story_next(&story).reason, HISTORY_GAINS);
    (void)state;
}

/* A gain over four and eight nodes is as sure as the jobs on both let it be, though those on eight,
 * which are too few for a gain of their own, show no noise. */
static void test_noise_on_another_number_of_nodes(void **state)
{
    static const double noisy[] = {8.8, 11.5, 10.4};
    struct story story;
    story_begin(&story);
    for (int i = 0; i < 3; i++) {
        story_add(&story, 0, 1.07 * noisy[i]);
        story_add(&story, 1, noisy[i]);
    }
    story.next.nodes = 8;
    story_add(&story, 0, 5.35);
    story_add(&story, 1, 5);
    story_add(&story, 1, 5.01);
    assert_int_equal(story_next(&story).gain.better_jobs, 5);
    assert_next(&story, HISTORY_LAUNCH, HISTORY_TO_KNOW, "launch order again, to know (2 of 2)");
    for (int i = 0; i < 6; i++)
        story.job[i].seconds = i % 2 ? 10 : 10.7;
    assert_int_equal(story_next(&story).run, HISTORY_BETTER);
    (void)state;
}

static void test_the_same_jobs_the_same_answer(void **state)
{
    struct story story;
    story_begin(&story);
    for (size_t jobs = 0; jobs < 40; jobs++) {
        struct history_decision a = story_next(&story), b = story_next(&story);
        assert_true(a.run == b.run && a.reason == b.reason && a.job == b.job);
        story_add(&story, a.run == HISTORY_BETTER, 10 + (double)(jobs * 7919 % 13));
    }
    (void)state;
}

static void test_summary(void **state)
{
    struct story story;
    struct history_summary summary;
    char text[HISTORY_TEXT_SIZE];
    story_begin(&story);
    history_summarize(&summary, story.job, 0);
    assert_int_equal(summary.verdict, HISTORY_FIRST);
    history_summary_text(&summary, text, sizeof text);
    assert_string_equal(text, "0 jobs, none in a better order");
    story_add(&story, 0, 3.88);
    history_summarize(&summary, story.job, story.jobs);
    history_summary_text(&summary, text, sizeof text);
    assert_string_equal(text, "1 job, none in a better order");
    story_add(&story, 1, 3.1);
    story.job[1].status = 1;
    for (int i = 0; i < 9; i++)
        story_add(&story, 1, 3.11 + 0.01 * i);
    story_add(&story, 0, 3.89);
    history_summarize(&summary, story.job, story.jobs);
    history_summary_text(&summary, text, sizeof text);
    assert_string_equal(text, "12 jobs, 1 failed, 10 in a better order: 3.15 s instead of 3.88 "
                              "(-19 %, 95 %: -20 to -18)");
    assert_int_equal(summary.verdict, HISTORY_GAINS);
    assert_true(summary.first == 1000 && summary.last == 1011);
    story.next.pattern++;
    story_add(&story, 1, 3);
    history_summarize(&summary, story.job, story.jobs);
    history_summary_text(&summary, text, sizeof text);
    assert_string_equal(
        text, "13 jobs, 1 failed, 11 in a better order: with an earlier "
              "pattern, machine or order 3.15 s instead of 3.88 (-19 %, 95 %: -20 to -18)");
    assert_int_equal(summary.verdict, HISTORY_NOT_SURE);
    story.next.pattern--;
    story.next.machine++; /* as where `auto` is in each rank, and no longer before the launcher */
    story_add(&story, 1, 3);
    history_summarize(&summary, story.job, story.jobs);
    history_summary_text(&summary, text, sizeof text);
    assert_string_equal(
        text, "14 jobs, 1 failed, 12 in a better order: with an earlier "
              "pattern, machine or order 3.15 s instead of 3.88 (-19 %, 95 %: -20 to -18)");
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_gives_the_job_back),
        cmocka_unit_test(test_what_is_not_known_stays_so),
        cmocka_unit_test(test_the_longest_line_fits),
        cmocka_unit_test(test_a_torn_line_is_skipped),
        cmocka_unit_test(test_lines_of_other_forms),
        cmocka_unit_test(test_shift_of_few),
        cmocka_unit_test(test_shift_by_hand),
        cmocka_unit_test(test_shift_by_strata),
        cmocka_unit_test(test_the_first_jobs),
        cmocka_unit_test(test_an_order_that_gains_is_kept),
        cmocka_unit_test(test_the_launch_order_is_looked_at_late),
        cmocka_unit_test(test_an_order_that_is_slower_is_dropped),
        cmocka_unit_test(test_equal_orders),
        cmocka_unit_test(test_jobs_that_are_not_watched),
        cmocka_unit_test(test_failed_jobs_say_nothing),
        cmocka_unit_test(test_one_outlier),
        cmocka_unit_test(test_no_order_no_trying),
        cmocka_unit_test(test_launch_orders_that_were_good),
        cmocka_unit_test(test_it_starts_again),
        cmocka_unit_test(test_another_pattern),
        cmocka_unit_test(test_noise_is_no_difference),
        cmocka_unit_test(test_another_number_of_nodes),
        cmocka_unit_test(test_noise_on_another_number_of_nodes),
        cmocka_unit_test(test_the_same_jobs_the_same_answer),
        cmocka_unit_test(test_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
