/* SPDX-License-Identifier: BSD-3-Clause */
/* test-profile-time.c - how long a job ran, what its ranks spent in MPI, and the mean of several runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/profile-time.h"
#include "format/world-profile.h"

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
    assert_near(reseat_profile_most_gain(profile), 3);
    reseat_profile_destroy(profile);
    profile = time_profile(3000000, NULL, 0);
    assert_near(reseat_profile_most_gain(profile), 3);
    reseat_profile_destroy(profile);
    profile = time_profile(0, NULL, 0);
    assert_near(reseat_profile_most_gain(profile), -1);
    assert_near(reseat_profile_seconds(profile), 0);
    assert_share(profile, -1, (const double[]){0, 0, 0, 0, 0, 0});
    reseat_profile_destroy(profile);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_gains_more_than_the_time_in_mpi),
                                       cmocka_unit_test(runs_have_their_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
