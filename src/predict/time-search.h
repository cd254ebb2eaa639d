/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time-search.h - the objective time: a mapping whose messages take the least predicted seconds.
 *
 * The cheapest mapping may have one network card carry too much, and where there are more slots
 * than roles, it packs them on as few nodes as it can, which is the worst for a job that exchanges
 * much with all. So several mappings are compared by the model of time (time-model.h): the fastest
 * candidate (prediction.h), the launch order, and, for several numbers of nodes, the default method
 * with the roles spread evenly over so many nodes, in two ways inside them: packed, and evenly over
 * their packages. The fastest is then improved: roles on the node with the busiest card, or below
 * the switch with the busiest link up, change places with others, or move to free slots, as long as
 * that lowers the seconds; of equal ones those of that card or link, or the sum of the squares of
 * the seconds of all, because several may be the busiest. Work is limited by a budget.
 * Deterministic.
 */
#ifndef RESEAT_TIME_SEARCH_H
#define RESEAT_TIME_SEARCH_H

#include "predict/time-prediction.h"

/* Improve `best` of a prediction on priced timings that has its order; `after` and `method` become
 * those of the result, which never takes longer than `best` or `launch` did. `options` are those of
 * the methods. `keeps_role0`: role 0 is where it was launched, and stays there; there are no free
 * slots then. 0, or -1 with *error. */
int time_search(const struct time_pricing *pricing, struct prediction *p,
                const struct tmap_options *options, int keeps_role0, struct reseat_error *error);

#endif
