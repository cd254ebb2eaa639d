/* SPDX-License-Identifier: BSD-3-Clause */
/* test-profile-time.c - how long a job ran, what its ranks spent in MPI, and the mean of several runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/gain.h"
#include "network/location.h"
#include "profile/profile-time.h"
#include "profile/world-profile.h"
#include "profile/seats-match.h"

/* A profile with these times. */
static struct reseat_profile *time_profile(uint64_t microseconds,
                                           const struct reseat_rank_time *times, size_t count)
{
    struct reseat_profile *profile = world_create(3);
    assert_non_null(profile);
    profile->microseconds = microseconds;
    if (!count)
        return profile;
    profile->times = malloc(count * sizeof *times);
    assert_non_null(profile->times);
    memcpy(profile->times, times, count * sizeof *times);
    profile->times_count = count;
    return profile;
}

static void assert_near(double found, double expected)
{
    if (found < expected - 1e-9 || found > expected + 1e-9)
        fail_msg("%.9g instead of %.9g", found, expected);
}

static void assert_share(const struct reseat_profile *profile, int32_t phase,
                         const double *expected)
{
    struct reseat_time_in_mpi found;
    reseat_profile_time_in_mpi(&found, profile, phase);
    assert_int_equal(found.ranks, (int)expected[0]);
    assert_near(found.all, expected[1]);
    assert_near(found.mean_all, expected[2]);
    assert_near(found.mean, expected[3]);
    assert_near(found.busiest, expected[4]);
    assert_near(found.most_gain, expected[5]);
}

static void assert_job(const struct reseat_profile *profile, double seconds, double most_gain,
                       int knows_mpi)
{
    struct reseat_job_time found = reseat_profile_job_time(profile);
    assert_near(found.seconds, seconds);
    assert_near(found.most_gain, most_gain);
    assert_int_equal(found.knows_mpi, knows_mpi);
}

/* Rank 1 computes for 9 s of 12: no order saves more than three. Rank 2, which had no memory for its times, may be
 * the one that took 12 s. */
static void nothing_gains_more_than_the_time_in_mpi(void **state)
{
    (void)state;
    const struct reseat_rank_time times[] = {
        {0, 0, 4000000, 6000000}, {0, 2, 2000000, 4000000}, {1, 0, 500000, 9500000}, {2, 0, 0, 0}};
    struct reseat_profile *profile = time_profile(12000000, times, 4);
    assert_near(reseat_profile_seconds(profile), 12);
    assert_share(profile, -1, (const double[]){2, 10, 9.75, 3.25, 6, 3});
    assert_share(profile, 0, (const double[]){2, 9.5, 7.75, 2.25, 4, 0.5});
    assert_share(profile, 2, (const double[]){1, 4, 4, 2, 2, 2});
    assert_share(profile, 5, (const double[]){0, 0, 0, 0, 0, 0});
    assert_job(profile, 12, 3, 1);
    reseat_profile_destroy(profile);
    profile = time_profile(3000000, NULL, 0);
    assert_job(profile, 3, 3, 0);
    reseat_profile_destroy(profile);
    profile = time_profile(0, NULL, 0);
    assert_job(profile, 0, -1, 0);
    assert_share(profile, -1, (const double[]){0, 0, 0, 0, 0, 0});
    reseat_profile_destroy(profile);
}

static void assert_worth(const struct reseat_worth *worth, double of_job, int suffices,
                         const char *text)
{
    char found[RESEAT_WORTH_SIZE];
    assert_near(reseat_worth_of_job(worth), of_job);
    assert_int_equal(reseat_worth_suffices(worth), suffices);
    assert_string_equal(reseat_worth_text(worth, "", found), text);
}

/* What is required is a share of the job: 6 of 8 s of messages are much of ten seconds, and little of an hour. */
static void an_order_is_worth_what_it_saves_of_the_job(void **state)
{
    static const struct {
        struct reseat_worth worth;
        double of_job;
        int suffices;
        const char *text;
    } cases[] = {
        /* nothing is known of the job */
        {{0.75, {8, 2}, {0, -1, 0}, 1, 0.5}, -1, 1, ""},
        {{0.75, {8, 2}, {0, -1, 0}, 1, 0.8}, -1, 0, ""},
        {{0.75, {0, 0}, {0, -1, 0}, 1, 0.5}, -1, 1, ""},
        /* how long it ran */
        {{0.75, {8, 2}, {10, 10, 0}, 1, 0.02}, 0.6, 1, "60.0 % of the job"},
        {{0.75, {8, 2}, {3600, 3600, 0}, 1, 0.02}, 6 / 3600., 0, "0.2 % of the job"},
        {{0.75, {8, 2}, {3600, 3600, 0}, 0, 0.02}, 6 / 3600., 0, "0.2 % of the job"},
        {{0.75, {8, 2}, {4, 4, 0}, 1, 0.02}, 1, 1, "100.0 % of the job"},
        {{0.75, {8, 2}, {4, 4, 0}, 0, 0.02}, 0.75, 1, "75.0 % of the job"},
        {{0.75, {0, 0}, {3600, 3600, 0}, 1, 0.02}, -1, 1, ""},
        /* and in MPI: 1 s of 10 there; of another order than the watched one, 9 s besides */
        {{0.75, {8, 2}, {10, 1, 1}, 1, 0.02}, 0.1, 1, "10.0 % of the job"},
        {{0.75, {8, 2}, {10, 1, 1}, 0, 0.5}, 6 / 17., 0, "35.3 % of the job"},
        {{0.75, {0, 0}, {10, 1, 1}, 1, 0.02}, 0.1, 1, ""},
        {{0.75, {0, 0}, {10, 1, 1}, 1, 0.2},
         0.1,
         0,
         "at most 10.0 % of the job, by its time in MPI"},
        {{0.75, {0, 0}, {10, 1, 1}, 0, 0.2}, -1, 1, ""},
        {{0.01, {0, 0}, {10, 1, 1}, 1, 0.02}, 0.1, 0, ""},
        /* no gain, whatever is required */
        {{0.0004, {8, 7.9968}, {10, 10, 0}, 1, 0}, 0.00032, 0, "0.0 % of the job"},
        {{-1, {2, 4}, {10, 10, 0}, 1, 0}, 0, 0, "0.0 % of the job"},
        {{0.5, {2e-3, 1e-3}, {3600, 3600, 0}, 1, 0}, 1e-3 / 3600, 1, "0.0 % of the job"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_worth(&cases[i].worth, cases[i].of_job, cases[i].suffices, cases[i].text);
}

/* Nodes by any number, hosts by any name; an unbound process is nowhere in particular. */
static void where_a_job_was_watched(void **state)
{
    static const struct {
        const char *hosts;
        int32_t node[4];
        int core[2][4];
        int same;
    } cases[] = {{"aabb", {0, 0, 1, 1}, {{0, 1, 0, 1}, {0, 1, 0, 1}}, 1},
                 {"baab", {3, 1, 1, 3}, {{-1, -1, -1, -1}, {-1, -1, -1, -1}}, 1},
                 {"abab", {0, 0, 1, 1}, {{-1, -1, -1, -1}, {-1, -1, -1, -1}}, 0},
                 {"aaaa", {0, 0, 1, 1}, {{-1, -1, -1, -1}, {-1, -1, -1, -1}}, 0},
                 {"aabb", {0, 0, 0, 0}, {{-1, -1, -1, -1}, {-1, -1, -1, -1}}, 0},
                 {"aabb", {0, 0, 4, 4}, {{-1, -1, -1, -1}, {-1, -1, -1, -1}}, 0},
                 {"aabb", {0, 0, 1, 1}, {{0, 1, 2, 3}, {0, 1, 0, 1}}, 1},
                 {"aabb", {0, 0, 1, 1}, {{0, 1, 0, 1}, {1, 0, 0, 1}}, 0},
                 {"aabb", {0, 0, 1, 1}, {{0, 1, 0, 1}, {-1, -1, -1, -1}}, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_location locations[4];
        struct reseat_seat seats[4];
        for (int r = 0; r < 4; r++) {
            locations[r].node = cases[i].node[r];
            snprintf(seats[r].host, sizeof seats[r].host, "%c", cases[i].hosts[r]);
            reseat_place_clear(&locations[r].place);
            reseat_place_clear(&seats[r].place);
            locations[r].place.at[TMAP_PLACE_CORE] = cases[i].core[0][r];
            seats[r].place.at[TMAP_PLACE_CORE] = cases[i].core[1][r];
        }
        seats[0].place.at[TMAP_PLACE_PACKAGE] = seats[0].place.at[TMAP_PLACE_CORE];
        if (reseat_seats_match(locations, seats, 4) != cases[i].same)
            fail_msg("%zu: not %d", i, cases[i].same);
    }
}

/* Sampled times may be too short by some standard errors: then the rank that seems to be outside for longest is
 * not. */
static void a_bound_by_a_sample_is_wider(void **state)
{
    (void)state;
    const struct reseat_rank_time times[] = {
        {0, 0, 4000000, 10000000}, {1, 0, 1000000, 10000000}, {2, 0, 5000000, 10000000}};
    struct reseat_profile *profile = time_profile(10000000, times, 3);
    profile->is_sampled = 1;
    profile->sampling_error = 100000;
    assert_job(profile, 10, 1.3, 1);
    profile->sampling_error = 5000000;
    assert_job(profile, 10, 10, 1);
    reseat_profile_destroy(profile);
}

static void time_add_calls(struct reseat_profile *profile, const char *kind, uint64_t calls,
                           uint64_t mean, uint64_t most)
{
    struct reseat_call_time *grown =
        realloc(profile->calls, (profile->calls_count + 1) * sizeof *grown);
    assert_non_null(grown);
    profile->calls = grown;
    grown[profile->calls_count] = (struct reseat_call_time){"", calls, mean, most};
    snprintf(grown[profile->calls_count++].kind, sizeof grown->kind, "%s", kind);
}

static void assert_calls(const struct reseat_call_time *calls, const char *kind, int number,
                         int mean, int most)
{
    assert_string_equal(calls->kind, kind);
    assert_int_equal(calls->calls, number);
    assert_int_equal(calls->mean, mean);
    assert_int_equal(calls->most, most);
}

/* A kind that only one run has counts as 0 in the other; the error is the largest. */
static void kinds_of_calls_have_their_mean(void **state)
{
    (void)state;
    const struct reseat_rank_time times[] = {{0, 0, 3, 5}, {1, 0, 1, 8}, {2, 0, 0, 0}};
    struct reseat_profile *runs[] = {time_profile(9, times, 3), time_profile(9, times, 3)};
    struct reseat_profile *result = world_create(3);
    time_add_calls(runs[0], "p2p", 10, 2, 4);
    time_add_calls(runs[0], "wait", 4, 1, 1);
    time_add_calls(runs[1], "bcast", 2, 0, 2);
    time_add_calls(runs[1], "p2p", 20, 4, 4);
    runs[1]->is_sampled = 1;
    runs[1]->sampling_error = 7;
    assert_int_equal(profile_time_merge(result, (const struct reseat_profile *const *)runs, 2), 0);
    assert_int_equal(result->calls_count, 3);
    assert_calls(&result->calls[0], "p2p", 15, 3, 4);
    assert_calls(&result->calls[1], "wait", 2, 0, 0);
    assert_calls(&result->calls[2], "bcast", 1, 0, 1);
    assert_int_equal(result->is_sampled, 1);
    assert_int_equal(result->sampling_error, 7);
    reseat_profile_destroy(result);
    reseat_profile_destroy(runs[0]);
    reseat_profile_destroy(runs[1]);
}

/* A phase that only one run has counts as 0 in the other. */
static void runs_have_their_mean(void **state)
{
    (void)state;
    const struct reseat_rank_time first[] = {
        {0, 0, 3, 5}, {0, 1, 2, 4}, {1, 0, 1, 8}, {2, 0, 0, 0}};
    const struct reseat_rank_time second[] = {{0, 0, 6, 9}, {1, 0, 2, 10}, {2, 0, 0, 1}};
    const struct reseat_rank_time mean[] = {{0, 0, 4, 7}, {0, 1, 1, 2}, {1, 0, 1, 9}, {2, 0, 0, 0}};
    struct reseat_profile *runs[] = {time_profile(9, first, 4), time_profile(10, second, 3),
                                     time_profile(9, NULL, 0), time_profile(0, NULL, 0)};
    const size_t counts[] = {2, 3, 4};
    const uint64_t durations[] = {10, 10, 0};
    for (int i = 0; i < 3; i++) {
        struct reseat_profile *result = world_create(3);
        assert_int_equal(
            profile_time_merge(result, (const struct reseat_profile *const *)runs, counts[i]), 0);
        assert_int_equal(result->microseconds, durations[i]);
        assert_int_equal(result->times_count, i == 0 ? 4 : 0);
        if (i == 0)
            assert_memory_equal(result->times, mean, sizeof mean);
        reseat_profile_destroy(result);
    }
    for (int i = 0; i < 4; i++)
        reseat_profile_destroy(runs[i]);
}

/* -100 % is nothing left, and 0 % no change. */
static void changes_are_not_rounded_to_all_or_nothing(void **state)
{
    static const struct {
        double change;
        int decimals;
        const char *text;
    } cases[] = {{-0.974, 0, "-97 %"},
                 {-0.996, 0, "-99.6 %"},
                 {-0.99996, 0, "-99.996 %"},
                 {-1 + 1e-9, 0, "-99.9999 %"},
                 {-1, 0, "-100 %"},
                 {-1, 1, "-100 %"},
                 {0, 1, "0 %"},
                 {0.003, 0, "+0.3 %"},
                 {-0.0003, 1, "-0.03 %"},
                 {9.994, 0, "+999 %"},
                 {39, 0, "40 times"},
                 {51295.33, 1, "51296 times"},
                 {0.123, 1, "+12.3 %"},
                 {-0.0004, 0, "-0.04 %"}};
    char text[RESEAT_CHANGE_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(reseat_change_print(cases[i].change, cases[i].decimals, text),
                            cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_not_rounded_to_all_or_nothing),
                                       cmocka_unit_test(nothing_gains_more_than_the_time_in_mpi),
                                       cmocka_unit_test(an_order_is_worth_what_it_saves_of_the_job),
                                       cmocka_unit_test(where_a_job_was_watched),
                                       cmocka_unit_test(a_bound_by_a_sample_is_wider),
                                       cmocka_unit_test(kinds_of_calls_have_their_mean),
                                       cmocka_unit_test(runs_have_their_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
