/* SPDX-License-Identifier: BSD-3-Clause */
/* numbered-groups.h - patterns other than grids that show in the numbers of the ranks: all that
 * talk within groups, transpositions, trees, one with all others. */
#ifndef RESEAT_NUMBERED_GROUPS_H
#define RESEAT_NUMBERED_GROUPS_H

#include "recognize/traffic-edges.h"

int numbered_groups_has(const struct recognized_part *part, int32_t a, int32_t b);
double numbered_groups_pairs(const struct recognized_part *part, int32_t ranks);

/* Offer all that the distances between partners' numbers allow. */
void numbered_groups_search(struct traffic *traffic);
/* Only groups of 4 ranks or more in which all talk with all, without the group of all ranks. */
void numbered_groups_search_large(struct traffic *traffic);

#endif
