/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.h - what the profile of a job shows to auto: where its ranks ran, the pattern, and whether
 * that is still the one from which the order is made. */
#ifndef RESEAT_SHOWN_H
#define RESEAT_SHOWN_H

#include "history/history.h"
#include "profile/profile.h"
#include "text/error.h"

/* Fill nodes, cores, hosts, the lower half of `machine` and, if it was measured, the time in MPI of
 * a job. 0, or -1: out of memory. */
int shown_fill(struct past_job *job, const struct reseat_profile *profile);

/* The hash of who sends what to whom; never 0. */
uint64_t shown_pattern(const struct reseat_profile *profile);

/* Bytes between hosts; NaN: not known. */
double shown_between(const struct reseat_profile *profile);

/* The share that the order of `run` saves where the ranks of the profile ran; 0: the launch order
 * is kept; NaN: not known. */
double shown_prediction(const struct reseat_profile *profile);

/*
 * Returns 1 if the pattern is another one than that of `known`: the order for that is no longer
 * good for it, by the measure of `reseat report KNOWN PROFILE`. With `by_amount` also if a quarter
 * more or less is sent: then the durations cannot be compared either.
 */
int shown_drifts(const struct reseat_profile *known, const struct reseat_profile *profile,
                 int by_amount);

#endif
