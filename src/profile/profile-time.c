/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-time.c - see profile-time.h. */
#include "profile/profile-time.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Standard errors by which a sampled time may be too short: more than one rank in a thousand is
 * not. */
enum { PROFILE_TIME_ERRORS = 3 };

/* ---- in MPI ---- */

/* Add what a rank was in MPI and in the program. */
static void profile_time_add(struct reseat_time_in_mpi *result, double in_mpi, double all,
                             double *outside)
{
    result->ranks++;
    result->mean += in_mpi;
    result->mean_all += all;
    result->all = all > result->all ? all : result->all;
    result->busiest = in_mpi > result->busiest ? in_mpi : result->busiest;
    *outside = all - in_mpi > *outside ? all - in_mpi : *outside;
}

void reseat_profile_time_in_mpi(struct reseat_time_in_mpi *result,
                                const struct reseat_profile *profile, int32_t phase)
{
    const struct reseat_rank_time *times = profile->times;
    double outside = 0;
    *result = (struct reseat_time_in_mpi){.ranks = 0};
    for (size_t i = 0; i < profile->times_count;) {
        double in_mpi = 0, all = 0;
        int32_t rank = times[i].rank;
        for (; i < profile->times_count && times[i].rank == rank; i++)
            if (phase < 0 || times[i].phase == phase) {
                in_mpi += 1e-6 * (double)times[i].in_mpi;
                all += 1e-6 * (double)times[i].all;
            }
        if (all > 0) /* it told its time, and was in this phase */
            profile_time_add(result, in_mpi, all, &outside);
    }
    if (!result->ranks)
        return;
    result->mean /= result->ranks;
    result->mean_all /= result->ranks;
    /* a rank that has told nothing may have taken longest */
    double job =
        phase < 0 && result->ranks < profile->ranks ? reseat_profile_seconds(profile) : result->all;
    outside -= PROFILE_TIME_ERRORS * 1e-6 * (double)profile->sampling_error;
    outside = outside > 0 ? outside : 0;
    result->most_gain = job > outside ? job - outside : 0;
}

struct reseat_job_time reseat_profile_job_time(const struct reseat_profile *profile)
{
    struct reseat_time_in_mpi time;
    double seconds = reseat_profile_seconds(profile);
    reseat_profile_time_in_mpi(&time, profile, -1);
    return (struct reseat_job_time){.seconds = seconds,
                                    .most_gain = time.ranks    ? time.most_gain
                                                 : seconds > 0 ? seconds
                                                               : -1,
                                    .knows_mpi = time.ranks > 0};
}

/* ---- the mean of several runs ---- */

static int profile_time_compare(const void *a, const void *b)
{
    const struct reseat_rank_time *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->phase > y->phase) - (x->phase < y->phase);
}

/* Rounded up, so that no rank takes longer than the job: the times of ranks are rounded down. */
static uint64_t profile_time_mean_duration(const struct reseat_profile *const *runs, size_t count)
{
    uint64_t sum = 0;
    for (size_t r = 0; r < count; r++) {
        if (!runs[r]->microseconds)
            return 0;
        sum += runs[r]->microseconds;
    }
    return (sum + count - 1) / count;
}

/* Add the times of a run by kind of call to those of the same kinds. 0, or -1 if out of memory. */
static int profile_time_add_calls(struct reseat_profile *result, const struct reseat_profile *run)
{
    for (size_t i = 0; i < run->calls_count; i++) {
        const struct reseat_call_time *calls = &run->calls[i];
        size_t at = 0;
        while (at < result->calls_count && strcmp(result->calls[at].kind, calls->kind) != 0)
            at++;
        if (at == RESEAT_CALL_KINDS)
            continue;
        if (at == result->calls_count) {
            struct reseat_call_time none = {.calls = 0};
            memcpy(none.kind, calls->kind, sizeof none.kind);
            if (array_add(&result->calls, &result->calls_count, &none, sizeof none))
                return -1;
        }
        result->calls[at].calls += calls->calls;
        result->calls[at].mean += calls->mean;
        result->calls[at].most += calls->most;
    }
    return 0;
}

/* Merge what comes with the times of ranks: by kind of call, and the error. 0, or -1 if out of
 * memory. */
static int profile_time_merge_calls(struct reseat_profile *result,
                                    const struct reseat_profile *const *runs, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        result->is_sampled |= runs[r]->is_sampled;
        if (runs[r]->sampling_error > result->sampling_error)
            result->sampling_error = runs[r]->sampling_error;
        if (profile_time_add_calls(result, runs[r]))
            return -1;
    }
    for (size_t i = 0; i < result->calls_count; i++) {
        result->calls[i].calls /= count;
        result->calls[i].mean /= count;
        result->calls[i].most /= count;
    }
    return 0;
}

int profile_time_merge(struct reseat_profile *result, const struct reseat_profile *const *runs,
                       size_t count)
{
    size_t total = 0, kept = 0;
    result->microseconds = profile_time_mean_duration(runs, count);
    for (size_t r = 0; r < count; r++) {
        if (!runs[r]->times_count || !result->microseconds)
            return 0;
        total += runs[r]->times_count;
    }
    struct reseat_rank_time *times = malloc(total * sizeof *times);
    if (!times)
        return -1;
    size_t n = 0;
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < runs[r]->times_count; i++) {
            times[n] = runs[r]->times[i];
            if (reseat_profile_has_found_phases(runs[r]))
                times[n].phase = 0; /* as profile-merge.c does with traffic */
            n++;
        }
    qsort(times, n, sizeof *times, profile_time_compare);
    for (size_t i = 0; i < n; i++)
        if (kept && profile_time_compare(&times[kept - 1], &times[i]) == 0) {
            times[kept - 1].in_mpi += times[i].in_mpi;
            times[kept - 1].all += times[i].all;
        } else {
            times[kept++] = times[i];
        }
    for (size_t i = 0; i < kept; i++) {
        times[i].in_mpi /= count;
        times[i].all /= count;
    }
    result->times = times;
    result->times_count = kept;
    return profile_time_merge_calls(result, runs, count);
}
