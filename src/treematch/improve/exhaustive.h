/* SPDX-License-Identifier: BSD-3-Clause */
/* exhaustive.h - the best of all mappings, where they are few. */
#ifndef TMAP_EXHAUSTIVE_H
#define TMAP_EXHAUSTIVE_H

#include "treematch/model/objects.h"

/*
 * If there are at most 100,000 ways to place the roles (8 on 8 slots), make slot_of, which is
 * valid, one of the cheapest, unless it is that already; so it changes only for something better.
 * TMAP_ENOMEM (slot_of is as before) or TMAP_OK.
 */
enum tmap_status tmap_try_all(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                              int32_t *slot_of);

#endif
