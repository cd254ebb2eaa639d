/* SPDX-License-Identifier: BSD-3-Clause */
/* strategy.h - what reordering by a strategy would gain: what the processes of a job do together in
 * reorder/reorder.c, in one process and without MPI. */
#ifndef RESEAT_STRATEGY_H
#define RESEAT_STRATEGY_H

#include "predict/prediction.h"

/* Up to this many ranks, one process decides for all. */
enum { STRATEGY_FEW_RANKS = 1024 };

/* Resolves RESEAT_STRATEGY for a job; the result is never `auto`. */
static inline enum reseat_strategy strategy_choose(enum reseat_strategy asked, int32_t ranks)
{
    if (asked != RESEAT_STRATEGY_AUTO)
        return asked;
    return ranks > STRATEGY_FEW_RANKS ? RESEAT_STRATEGY_TWOLEVEL : RESEAT_STRATEGY_GLOBAL;
}

/*
 * Fill best, method and both costs of a prediction that has its matrix, tree and launch order with
 * what the library finds by `strategy`, which is not `auto`. Role r was launched at locations[r];
 * node numbers are less than the number of roles. Both costs are of all traffic; with `node`,
 * busiest is of the links inside nodes, which alone can carry less. Of the request role0, the
 * objective, the method and the threads count; with `twolevel` the cost alone is the objective
 * inside nodes. The method that is named divided the roles among the nodes; where that left the
 * launch order, or was not done, it is that of the first node that has got another order. 0, or -1
 * with *error.
 */
int strategy_find(struct prediction *p, enum reseat_strategy strategy,
                  const struct reseat_location *locations, const struct reseat_network *network,
                  const struct prediction_request *request, struct reseat_error *error);

#endif
