/* SPDX-License-Identifier: BSD-3-Clause */
/* test-run-time.c - the time of a process in MPI functions, by a clock that the test moves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <pthread.h>

#include "profiler/run-time.h"

static long test_clock = 1000; /* microseconds */
static long test_nanoseconds;  /* besides */
static long test_reading;      /* nanoseconds that reading the clock takes */
static unsigned long test_reads;

int clock_gettime(clockid_t id, struct timespec *t)
{
    (void)id;
    test_nanoseconds += test_reading;
    test_reads++;
    test_clock += test_nanoseconds / 1000;
    test_nanoseconds %= 1000;
    t->tv_sec = test_clock / 1000000;
    t->tv_nsec = test_clock % 1000000 * 1000 + test_nanoseconds;
    return 0;
}

static void assert_times(int phase, uint64_t in_mpi, uint64_t all)
{
    struct run_time found;
    run_time_get(&found);
    assert_int_equal(found.phase[phase].phase, phase);
    assert_int_equal(found.phase[phase].in_mpi, in_mpi);
    assert_int_equal(found.phase[phase].all, all);
}

/* An MPI function, with all times each one. */
static void test_begin(void)
{
    assert_true(run_time_is_due(3));
    run_time_enter(3, 2, 1);
}

/* An MPI function called in another one. */
static void test_begin_within(void)
{
    assert_true(run_time_is_due(3));
    run_time_enter(3, 2, 0);
}

/* An MPI function of another thread, which lasts while this one goes on. */
static void *test_enter(void *nothing)
{
    test_begin();
    return nothing;
}

static void nothing_is_known_before_the_start(void **state)
{
    (void)state;
    struct run_time found;
    run_time_get(&found);
    assert_int_equal(found.microseconds, 0);
    assert_int_equal(found.measured, RESEAT_TIME_NO);
}

static void functions_within_functions_count_once(void **state)
{
    (void)state;
    struct run_time found;
    run_time_start(RESEAT_TIME_YES, 0);
    test_clock += 100;
    test_begin();
    test_clock += 10;
    test_begin_within();
    test_clock += 1;
    run_time_leave();
    test_clock += 2;
    run_time_leave();
    test_clock += 50;
    assert_times(0, 13, 163);
    run_time_get(&found);
    assert_int_equal(found.kind[2].calls, 1);
    assert_int_equal(found.kind[2].nanoseconds, 13000);
    assert_int_equal(found.microseconds, 163);
    assert_int_equal(found.measured, RESEAT_TIME_YES);
}

static void phases_have_times_of_their_own(void **state)
{
    (void)state;
    run_time_phase(7);
    test_begin();
    test_clock += 5;
    run_time_leave();
    test_clock += 20;
    run_time_phase(0);
    test_clock += 1;
    assert_times(7, 5, 25);
    assert_times(0, 13, 164);
}

/* Where calls were not counted right: here the clock was read before the start. What was before that does not
 * count either. */
static void nothing_takes_longer_than_its_phase(void **state)
{
    (void)state;
    run_time_start(RESEAT_TIME_YES, 0);
    assert_times(0, 0, 0);
    assert_times(7, 0, 0);
    test_clock -= 50;
    test_begin();
    test_clock += 54;
    run_time_leave();
    assert_times(0, 4, 4);
}

/* Two threads are in MPI at times; a moment counts once. A phase may end meanwhile. */
static void a_moment_of_several_threads_counts_once(void **state)
{
    (void)state;
    struct run_time found;
    pthread_t thread;
    run_time_start(RESEAT_TIME_YES, 1);
    test_begin();
    test_clock += 10;
    assert_int_equal(pthread_create(&thread, NULL, test_enter, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    test_clock += 10;
    run_time_leave();
    test_clock += 10;
    assert_times(0, 30, 30);
    run_time_phase(3);
    test_clock += 4;
    run_time_stop();
    test_clock += 1000;
    assert_times(0, 30, 30);
    assert_times(3, 4, 4);
    run_time_get(&found);
    assert_int_equal(found.microseconds, 34);
    assert_int_equal(found.measured, RESEAT_TIME_YES);
}

/* ---- sampled ---- */

/* An MPI function that takes that long, after the program has computed. Returns the nanoseconds. */
static double test_call(int slot, long computes, long takes)
{
    test_nanoseconds += computes;
    int is_due = run_time_is_due(slot);
    if (is_due)
        run_time_enter(slot, slot, 1);
    test_nanoseconds += takes;
    if (is_due)
        run_time_leave();
    return (double)takes;
}

/* The nanoseconds of call `i` in programs of several kinds: all alike; a wait in each 26; one in 64,
 * a power of two as blocks are at times; a heavy tail (Pareto, 1.5, up to
 * a millisecond), of a fixed sequence. */
enum { TEST_ALIKE, TEST_26, TEST_64, TEST_TAIL, TEST_PROGRAMS };
static long test_takes(int program, unsigned long i)
{
    if (program == TEST_TAIL) {
        uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
        double even = ((double)((x ^ x >> 32) >> 12) + 1) / 4503599627370497.;
        double takes = 200 / pow(even, 1 / 1.5);
        return takes < 1e6 ? (long)takes : 1000000;
    }
    return program == TEST_26   ? i % 26 == 0 ? 60000 : 90
           : program == TEST_64 ? i % 64 == 7 ? 20000 : 200
                                : 250;
}

/* `calls` calls of a program: the sampled time of a kind against the real one, and its standard
 * error, as parts of the real one. */
static void test_run(int program, unsigned long calls, double *found, double *error)
{
    struct run_time time;
    double all = 0;
    run_time_start(RESEAT_TIME_SAMPLED, 0);
    run_time_phase(0);
    for (unsigned long i = 0; i < calls; i++)
        all += test_call(program, 400, test_takes(program, i));
    run_time_get(&time);
    assert_int_equal(time.measured, RESEAT_TIME_SAMPLED);
    assert_int_equal(time.kind[program].calls, calls);
    *found = (double)time.kind[program].nanoseconds / all;
    *error = 1000 * (double)time.error / all;
}

/* Ten million calls (two where TEST_QUICK is set, but not of the tail): within 5 %, whatever the
 * rhythm, for a share of the time that nobody notices; or within the errors that are told, where
 * few calls take most of the time. */
static void a_sample_is_near_all_calls(void **state)
{
    (void)state;
    test_reading = 20;
    for (int program = 0; program < TEST_PROGRAMS; program++) {
        double found, error;
        unsigned long reads = test_reads;
        long before = test_clock;
        int is_short = program != TEST_TAIL && getenv("TEST_QUICK");
        test_run(program, is_short ? 2000000 : 10000000, &found, &error);
        double share = 20e-3 * (double)(test_reads - reads) / (double)(test_clock - before);
        if (fabs(found - 1) > fmax(0.05, 4 * error) || error > 0.05)
            fail_msg("%d: %.4f, error %.4f", program, found, error);
        if (share > 0.001)
            fail_msg("%d: %.4f of the time to read the clock", program, share);
    }
    test_reading = 0;
}

/* Of many short jobs the mean is that of all calls, and they differ as the standard error says, but for the last
 * block, which is not complete. */
static void a_sample_has_no_bias(void **state)
{
    (void)state;
    const int jobs = getenv("TEST_QUICK") ? 100 : 400;
    test_reading = 20;
    for (int program = 0; program < TEST_PROGRAMS; program++) {
        double sum = 0, squares = 0, variance = 0;
        for (int job = 0; job < jobs; job++) {
            double found, error;
            test_run(program, 20000, &found, &error);
            sum += found;
            squares += (found - 1) * (found - 1);
            variance += error * error;
        }
        double mean = sum / jobs, spread = sqrt(squares / jobs), told = sqrt(variance / jobs);
        if (fabs(mean - 1) > 5 * spread / sqrt(jobs) + 1e-9)
            fail_msg("%d: mean %.5f, they differ by %.5f", program, mean, spread);
        if (spread > 1.5 * told + 0.005)
            fail_msg("%d: they differ by %.5f instead of %.5f", program, spread, told);
    }
    test_reading = 0;
}

/* Where calls are few, each is timed. */
static void few_calls_are_all_timed(void **state)
{
    (void)state;
    struct run_time found;
    double all = 0;
    test_reading = 0;
    run_time_start(RESEAT_TIME_SAMPLED, 0);
    run_time_phase(0);
    for (int i = 0; i < 1000; i++)
        all += test_call(1, 10, 100 + i % 7);
    for (int i = 0; i < 1000; i++)
        all += test_call(2, 100000, 100 + i % 7 * 1000);
    run_time_get(&found);
    assert_int_equal(found.error, 0);
    assert_int_equal(found.kind[1].nanoseconds + found.kind[2].nanoseconds, (uint64_t)all);
}

/* What MPI calls inside its functions is their time. */
static void sampled_functions_within_functions(void **state)
{
    (void)state;
    struct run_time found;
    run_time_start(RESEAT_TIME_SAMPLED, 0);
    run_time_phase(0);
    assert_true(run_time_is_due(1));
    run_time_enter(1, 1, 1);
    test_clock += 10;
    assert_true(run_time_is_due(2));
    run_time_enter(2, 2, 0);
    test_clock += 5;
    run_time_leave();
    test_clock += 1;
    run_time_leave();
    assert_true(run_time_is_due(2)); /* below a call that is not timed */
    run_time_enter(2, 2, 0);
    test_clock += 100;
    run_time_leave();
    assert_times(0, 16, 116);
    run_time_get(&found);
    assert_int_equal(found.kind[1].nanoseconds, 16000);
    assert_int_equal(found.kind[2].nanoseconds, 0);
}

/* By longjmp from an error handler, or by an exception: that is not known before the program calls again. */
static void a_function_that_is_left_ends_with_the_next_call(void **state)
{
    (void)state;
    const enum reseat_time measures[] = {RESEAT_TIME_YES, RESEAT_TIME_SAMPLED};
    for (int i = 0; i < 2; i++) {
        run_time_start(measures[i], 0);
        run_time_phase(0);
        test_begin();
        test_clock += 10;
        test_begin();
        test_clock += 5;
        run_time_leave();
        test_clock += 20;
        run_time_leave();
        test_begin();
        test_clock += 7;
        run_time_leave();
        assert_times(0, 12, 42);
    }
}

static void *test_calls(void *nothing)
{
    for (int i = 0; i < 10; i++)
        test_call(1, 0, 100000);
    return nothing;
}

/* Sampled times of threads add up, to no more than the phase. */
static void sampled_threads_add_up(void **state)
{
    (void)state;
    struct run_time found;
    pthread_t thread;
    run_time_start(RESEAT_TIME_SAMPLED, 1);
    run_time_phase(0);
    assert_int_equal(pthread_create(&thread, NULL, test_calls, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    test_clock += 500;
    test_calls(NULL);
    assert_times(0, 2000, 2500);
    run_time_get(&found);
    assert_int_equal(found.kind[1].calls, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_before_the_start),
        cmocka_unit_test(functions_within_functions_count_once),
        cmocka_unit_test(phases_have_times_of_their_own),
        cmocka_unit_test(nothing_takes_longer_than_its_phase),
        cmocka_unit_test(a_sample_is_near_all_calls),
        cmocka_unit_test(a_sample_has_no_bias),
        cmocka_unit_test(few_calls_are_all_timed),
        cmocka_unit_test(sampled_functions_within_functions),
        cmocka_unit_test(a_function_that_is_left_ends_with_the_next_call),
        cmocka_unit_test(sampled_threads_add_up),
        cmocka_unit_test(a_moment_of_several_threads_counts_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
