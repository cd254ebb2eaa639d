/* SPDX-License-Identifier: BSD-3-Clause */
/* test-windows.c - phases that are found: which window what is sent belongs to, by a clock that the test moves, and which
 * windows have the same pattern. Of a job of four processes, of which this is the first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "groups.h"
#include "profiler/call-cache.h"
#include "profiler/run-time.h"
#include "profiler/windows.h"

static long seconds;

int clock_gettime(clockid_t id, struct timespec *t)
{
    (void)id;
    *t = (struct timespec){.tv_sec = 1000 + seconds};
    return 0;
}

void call_cache_flush(void)
{
}

/* A call that is timed, as each is at first. */
static void call(void)
{
    assert_true(run_time_is_due(0));
    run_time_enter(0, 0, 1);
    run_time_leave();
}

static void send(int role, uint64_t bytes)
{
    call();
    traffic_count(traffic_peer(traffic_world(), role), RESEAT_P2P, 1, bytes);
}

static int begin_job(void **state)
{
    (void)state;
    groups_size = 4;
    groups_rank = 0;
    seconds = 0;
    run_time_start(RESEAT_TIME_SAMPLED, 0);
    if (traffic_start(MPI_GROUP_EMPTY))
        return -1;
    windows_start();
    return 0;
}

static int end_job(void **state)
{
    (void)state;
    windows_stop();
    run_time_stop();
    traffic_stop();
    return 0;
}

/* Bytes to a role in a phase of traffic.h. */
struct sought {
    int32_t role, phase;
    uint64_t bytes;
};

static void look(const struct domain *domain, struct peer *peer, void *context)
{
    struct sought *sought = context;
    (void)domain;
    for (const struct phase_counters *s = peer->past; s; s = s->next)
        if (peer->role == sought->role && s->phase == sought->phase)
            for (const struct counter *c = &s->counters[RESEAT_P2P]; c; c = c->next)
                sought->bytes += c->bytes;
}

static uint64_t sent(int32_t role, int32_t phase)
{
    struct sought sought = {.role = role, .phase = phase};
    traffic_visit(NULL, look, &sought);
    return sought.bytes;
}

static uint64_t found(void)
{
    struct window_products products = {{{0}}};
    traffic_flush_phase();
    windows_add_products(&products);
    return windows_find_phases(&products, windows_count());
}

static void each_window_has_its_own(void **state)
{
    (void)state;
    for (seconds = 0; seconds < 40; seconds++)
        send(seconds < 20 ? 1 : 2, 100);
    assert_int_equal(windows_count(), 4);
    uint64_t phases = found();
    assert_int_equal(phases, 0x1100);
    windows_become(phases);
    assert_int_equal(sent(1, 0), 2000);
    assert_int_equal(sent(2, 1), 2000);
    assert_int_equal(sent(1, 1) + sent(2, 0), 0);
    struct run_time time;
    run_time_get(&time);
    assert_int_equal(time.phase[0].all, 20000000);
    assert_int_equal(time.phase[1].all, 20000000);
    assert_int_equal(windows_count(), 0);
}

/* A long job has as many windows; a process that does not call MPI for long notices late. */
static void windows_become_longer(void **state)
{
    (void)state;
    for (seconds = 0; seconds < 200; seconds++)
        send(seconds < 80 ? 1 : 2, 100);
    assert_int_equal(windows_count(), 10);
    assert_int_equal(found(), UINT64_C(0x1111110000));
    seconds = 1000;
    send(2, 100);
    assert_int_equal(windows_count(), 13); /* of 80 s */
    assert_int_equal(found(), UINT64_C(0x1111111111110));
    windows_stop();
    assert_int_equal(sent(1, 0), 8000);
    assert_int_equal(sent(2, 0), 12100);
}

/* Another process has merged its windows already. */
static void windows_become_as_long_as_others(void **state)
{
    (void)state;
    for (seconds = 0; seconds < 100; seconds++)
        send(seconds < 40 ? 1 : 2, 100);
    assert_int_equal(windows_merged(), 0);
    assert_int_equal(found(), UINT64_C(0x1111110000));
    windows_merge(1);
    assert_int_equal(windows_merged(), 1);
    assert_int_equal(found(), 0x11100);
}

static void announced_phases_are_not_looked_for(void **state)
{
    (void)state;
    for (seconds = 0; seconds < 40; seconds++)
        send(seconds < 20 ? 1 : 2, 100);
    windows_stop();
    traffic_set_phase(3);
    for (; seconds < 100; seconds++)
        send(3, 100);
    traffic_flush_phase();
    assert_int_equal(windows_count(), 0);
    assert_int_equal(sent(1, 0) + sent(2, 0), 4000);
    assert_int_equal(sent(3, 3), 6000);
}

/* A grid that is made anew has a domain of its own, with the same processes. */
static void a_pattern_is_that_of_processes(void **state)
{
    const struct domain_identity grid = {
        .function = "MPI_Cart_create", .parent = traffic_world()->key, .size = 4};
    struct domain *domain = traffic_add_domain(&grid, traffic_world(), MPI_COMM_WORLD);
    (void)state;
    assert_non_null(domain);
    for (seconds = 0; seconds < 40; seconds++) {
        call();
        traffic_count(traffic_peer(seconds < 20 ? traffic_world() : domain, 1), RESEAT_P2P, 1, 100);
    }
    assert_int_equal(found(), 0);
}

/* What others have fetched from here comes with their windows, also to a process without any. */
static void windows_of_others_become_phases(void **state)
{
    const struct reseat_entry fetched = {
        .target = 1, .msgs = 1, .bytes = 70, .phase = RESEAT_PHASES + 3};
    (void)state;
    windows_stop();
    assert_int_equal(traffic_put(traffic_world(), &fetched, RESEAT_P2P), 0);
    windows_become(0);
    assert_int_equal(sent(1, 0), 70);
}

static void there_is_no_window_without_a_clock(void **state)
{
    (void)state;
    windows_stop();
    run_time_start(RESEAT_TIME_NO, 0);
    windows_start();
    assert_int_equal(windows_count(), 0);
}

/* ---- which windows are alike ---- */

/* For each window what is sent to four peers, ten times as many digits. */
static uint64_t phases_of(const char *const *windows)
{
    struct window_products products = {{{0}}};
    int count = 0;
    for (; windows[count]; count++)
        for (int j = 0; j <= count; j++)
            for (int peer = 0; peer < 4; peer++)
                products.of[count][j] +=
                    (windows[count][peer] - '0') * (double)(windows[j][peer] - '0');
    return windows_find_phases(&products, count);
}

#define PHASES(...) phases_of((const char *const[]){__VA_ARGS__, NULL})

static void windows_of_one_pattern_are_one_phase(void **state)
{
    (void)state;
    assert_int_equal(PHASES("1200", "1200", "1200", "1200"), 0);
    assert_int_equal(PHASES("9800", "1100", "6400"), 0);              /* however much is sent */
    assert_int_equal(PHASES("9000", "9000", "0900", "0900"), 0x1100); /* no peer in common */
    assert_int_equal(PHASES("9000", "0900", "9000", "0090"), 0x2010); /* and one that comes back */
    assert_int_equal(PHASES("9000", "0000", "9000", "0900"), 0x1000); /* nothing is sent */
    assert_int_equal(PHASES("9900", "9900", "0090", "9900", "0009"), 0x20100);
    assert_int_equal(PHASES("0000", "0000", "9000", "0900", "0000"), 0x11000);
    assert_int_equal(PHASES("0000", "0000", "0000"), 0);
}

static void a_change_within_a_window_is_no_phase(void **state)
{
    (void)state;
    assert_int_equal(PHASES("9000", "9000", "4500", "0900", "0900"), 0x11100);
    assert_int_equal(PHASES("9000", "9000", "5400", "0900", "0900"), 0x11000);
    /* A window with a pattern of its own is one. */
    assert_int_equal(PHASES("9000", "9000", "0090", "0900", "0900"), 0x22100);
    assert_int_equal(PHASES("9000", "9000", "0090", "9000", "9000"), 0x00100);
}

static void a_pattern_that_always_changes_has_no_phases(void **state)
{
    struct window_products products = {{{0}}};
    (void)state;
    for (int i = 0; i < WINDOWS; i++)
        products.of[i][i] = 1;
    assert_int_equal(windows_find_phases(&products, WINDOWS), 0);
}

int main(void)
{
    unsetenv("RESEAT_WINDOW");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_window_has_its_own, begin_job, end_job),
        cmocka_unit_test_setup_teardown(windows_become_longer, begin_job, end_job),
        cmocka_unit_test_setup_teardown(windows_become_as_long_as_others, begin_job, end_job),
        cmocka_unit_test_setup_teardown(announced_phases_are_not_looked_for, begin_job, end_job),
        cmocka_unit_test_setup_teardown(a_pattern_is_that_of_processes, begin_job, end_job),
        cmocka_unit_test_setup_teardown(windows_of_others_become_phases, begin_job, end_job),
        cmocka_unit_test_setup_teardown(there_is_no_window_without_a_clock, begin_job, end_job),
        cmocka_unit_test(windows_of_one_pattern_are_one_phase),
        cmocka_unit_test(a_change_within_a_window_is_no_phase),
        cmocka_unit_test(a_pattern_that_always_changes_has_no_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
