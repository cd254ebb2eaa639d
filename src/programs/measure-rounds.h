/* SPDX-License-Identifier: BSD-3-Clause */
/* measure-rounds.h - measure everything again and again for a time, each thing once in a round, so
 * that what disturbs the machine for a while disturbs all alike; the medians are the result. */
#ifndef RESEAT_MEASURE_ROUNDS_H
#define RESEAT_MEASURE_ROUNDS_H

#include "timings/timings.h"
#include "programs/measure-plan.h"

struct measure_limits {
    double seconds; /* of all, about */
    int progress;   /* write lines about it on standard error */
};

/* Of rank 0, while the others follow (measure-tasks.h). 0, or -1 with *error. */
int measure_rounds(struct reseat_timings *timings, const struct measure_plan *plan,
                   const struct measure_limits *limits, char *room, struct reseat_error *error);

#endif
