/* SPDX-License-Identifier: BSD-3-Clause */
/* exhaustive.h - the best of all mappings, where they are few. */
#ifndef TMAP_EXHAUSTIVE_H
#define TMAP_EXHAUSTIVE_H

#include "treematch/model/problem.h"

/*
 * If there are at most 12 roles and 256 slots, make slot_of, which is valid, one of the cheapest
 * mappings, unless it is that already; so it changes only for something better. Where the search
 * would take long, for its effort, what it has found until then is taken. On plain trees 12 roles
 * on as many slots are searched to the end, on networks about 8. TMAP_ENOMEM (slot_of is as before)
 * or TMAP_OK.
 */
enum tmap_status tmap_try_all(const struct tmap_problem *problem, int32_t *slot_of);

#endif
