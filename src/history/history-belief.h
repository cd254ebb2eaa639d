/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history-belief.h - what is to be believed about the better order after a few jobs on one number
 * of nodes, and whether one more job in an order teaches more than it costs.
 */
#ifndef RESEAT_HISTORY_BELIEF_H
#define RESEAT_HISTORY_BELIEF_H

#include <stddef.h>

#include "history/history-shift.h"

struct belief {
    size_t jobs[2]; /* in launch order, in the better order */
    /* Of one job: standard deviation of the logarithm of its seconds, without outliers. */
    double scale;
    double mean, deviation; /* of the better order's shift, a logarithm: below 0 it gains */
};

/* From the samples of `stratum`, at most SHIFT_MOST of each order; those of others are passed
 * over. */
void belief_form(struct belief *belief, const struct shift_sample *sample, size_t count,
                 int stratum);

/* Standard error of the mean difference of samples that have pairs, a stratum weighed by its pairs.
 * The noise of a stratum is seen from three jobs in an order on; before that it is the prior's. */
double belief_error(const struct shift_sample *sample, size_t count);

/* Returns 1 if a job in the order that looks worse is worth what it costs: if what it may correct,
 * in the jobs to come, is more than what it takes longer. */
int belief_wants_more(const struct belief *belief);

#endif
