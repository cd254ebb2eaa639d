/* SPDX-License-Identifier: BSD-3-Clause */
/* time-prediction.h - a prediction on a machine whose timings are known. */
#ifndef RESEAT_TIME_PREDICTION_H
#define RESEAT_TIME_PREDICTION_H

#include "predict/prediction.h"
#include "time-model/time-model.h"

/* The timings and the traffic that goes with them. Filled by time_pricing_open. */
struct time_pricing {
    const struct reseat_timings *timings; /* the caller's */
    struct time_costs costs;
    enum reseat_metric metric;    /* of the prediction's traffic */
    struct reseat_entry *entries; /* of all domains (reseat_profile_phases) */
    size_t count;
};

/* Get the traffic of a profile. 0, or -1 with *error. */
int time_pricing_open(struct time_pricing *pricing, const struct reseat_timings *timings,
                      const struct reseat_profile *profile, struct reseat_error *error);
void time_pricing_close(struct time_pricing *pricing);

/*
 * Give the tree of a prediction that has it the costs of the timings, and with metric time replace
 * its traffic by seconds (time-weights.h). The prediction points to *pricing from then on. 0, or -1
 * with *error.
 */
int time_pricing_set(struct time_pricing *pricing, struct prediction *p, enum reseat_metric metric,
                     struct reseat_error *error);

/* The traffic between the roles of a prediction, which has a tree, in bytes, messages or seconds.
 * 0, or -1 with *error. */
int time_pricing_matrix(struct tmap_matrix **matrix, const struct time_pricing *pricing,
                        const struct prediction *p, enum reseat_metric metric,
                        struct reseat_error *error);

/* The seconds of launch ([0]; all 0 without one) and best ([1]). 0, or -1 with *error. */
int time_pricing_compare(const struct time_pricing *pricing, const struct prediction *p,
                         struct time_estimate seconds[2], struct reseat_error *error);

#endif
