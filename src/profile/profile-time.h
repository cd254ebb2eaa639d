/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-time.h - how long the job of a profile ran, and how much of that its ranks were in
 * MPI. */
#ifndef RESEAT_PROFILE_TIME_H
#define RESEAT_PROFILE_TIME_H

#include "profile/profile.h"

/* Seconds that the job ran, from the end of MPI_Init to the beginning of MPI_Finalize; 0: not
 * known, as in profiles of earlier releases and of other programs. */
static inline double reseat_profile_seconds(const struct reseat_profile *profile)
{
    return 1e-6 * (double)profile->microseconds;
}

/*
 * The times of all ranks, in a phase or in all of them, in seconds. The rank that was outside MPI
 * for the longest time is as long there in any order of the ranks: so from the order that was
 * watched no other one can save more than what remains of the job's time, which is `most_gain`; in
 * a worse one the job takes longer, and more can be saved. (Unless it waits there, between calls
 * that only test.) Of sampled times it is more by three standard errors, as the rank that was
 * outside for longest may be one whose time was estimated too short.
 */
struct reseat_time_in_mpi {
    int32_t ranks;    /* that have times; 0: nothing is known, and all else is 0 */
    double all;       /* of the rank that took longest */
    double mean_all;  /* of a rank, in the mean */
    double mean;      /* in MPI, of a rank, in the mean */
    double busiest;   /* in MPI, of the rank that was there longest */
    double most_gain; /* that any order can have, from the one that was watched */
};

/* `phase`: a number, or -1 for all. */
void reseat_profile_time_in_mpi(struct reseat_time_in_mpi *result,
                                const struct reseat_profile *profile, int32_t phase);

/* The times of a job that tell how much an order is worth (gain.h). */
struct reseat_job_time {
    double seconds; /* that the job ran; 0: not known */
    /* The most that any order can save from the one that was watched: `most_gain` of all phases,
     * else `seconds`; negative: neither is known. */
    double most_gain;
    int knows_mpi; /* it is the former */
};
struct reseat_job_time reseat_profile_job_time(const struct reseat_profile *profile);

/* Give `result` the mean times of several runs with as many ranks, if all of them have any. 0,
 * or -1 if out of memory. */
int profile_time_merge(struct reseat_profile *result, const struct reseat_profile *const *runs,
                       size_t count);

#endif
