/* SPDX-License-Identifier: BSD-3-Clause */
/* exchanges.h - lowering how long the messages of a workload wait, by exchanges of ranks. */
#ifndef RESEAT_EXCHANGES_H
#define RESEAT_EXCHANGES_H

#include <stdint.h>

#include "text/error.h"
#include "simulate/rates.h"
#include "simulate/workload.h"

/*
 * Improve a mapping, a core of its own for each rank, by exchanges of two ranks and moves to free
 * cores, as long as the estimated waiting falls; work is limited by a budget, and deterministic.
 * Cores that the workload says are taken stay without a rank. At most `most_messages` of a pair are
 * sent (0: all). 0, or -1 with *error: out of memory.
 */
int exchanges_improve(const struct reseat_workload *workload, const struct reseat_rates *rates,
                      uint64_t most_messages, int32_t *core_of, struct reseat_error *error);

#endif
