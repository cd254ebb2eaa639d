/* SPDX-License-Identifier: BSD-3-Clause */
/* test-run-time.c - the time of a process in MPI functions, by a clock that the test moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <pthread.h>

#include "profiler/run-time.h"

static long test_clock = 1000; /* microseconds */

int clock_gettime(clockid_t id, struct timespec *t)
{
    (void)id;
    t->tv_sec = test_clock / 1000000;
    t->tv_nsec = test_clock % 1000000 * 1000;
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

/* An MPI function of another thread, which lasts while this one goes on. */
static void *test_enter(void *nothing)
{
    run_time_enter();
    return nothing;
}

static void nothing_is_known_before_the_start(void **state)
{
    (void)state;
    struct run_time found;
    run_time_get(&found);
    assert_int_equal(found.microseconds, 0);
    assert_false(found.is_measured);
}

static void functions_within_functions_count_once(void **state)
{
    (void)state;
    struct run_time found;
    run_time_start(1, 0);
    test_clock += 100;
    run_time_enter();
    test_clock += 10;
    run_time_enter();
    test_clock += 1;
    run_time_leave();
    test_clock += 2;
    run_time_leave();
    test_clock += 50;
    assert_times(0, 13, 163);
    run_time_get(&found);
    assert_int_equal(found.microseconds, 163);
    assert_true(found.is_measured);
}

static void phases_have_times_of_their_own(void **state)
{
    (void)state;
    run_time_phase(7);
    run_time_enter();
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
    run_time_start(1, 0);
    assert_times(0, 0, 0);
    assert_times(7, 0, 0);
    test_clock -= 50;
    run_time_enter();
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
    run_time_start(1, 1);
    run_time_enter();
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
    assert_true(found.is_measured);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_known_before_the_start),
                                       cmocka_unit_test(functions_within_functions_count_once),
                                       cmocka_unit_test(phases_have_times_of_their_own),
                                       cmocka_unit_test(nothing_takes_longer_than_its_phase),
                                       cmocka_unit_test(a_moment_of_several_threads_counts_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
