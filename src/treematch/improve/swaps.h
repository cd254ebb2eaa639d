/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * swaps.h - improve a mapping by exchanging roles, measured by its true cost.
 */
#ifndef TMAP_SWAPS_H
#define TMAP_SWAPS_H

#include "treematch/model/objects.h"

struct tmap_swaps {
    int groups;         /* groups of slots tried for a role, at most */
    int partners;       /* roles tried in each, at most */
    double budget;      /* limit on the work: how often the stored matrix may be read */
    const char *fixed;  /* by role: 1: stays where it is; NULL: none does */
    double disturbance; /* the same for disturbing and repairing a mapping; 0: not done */
    double worth;       /* the share of the cost that a twentieth of that has to save, or it ends */
};

/* The parameters of the exchanges for an effort. */
struct tmap_swaps tmap_swaps_for(enum tmap_effort effort);

/*
 * Exchange roles, and move roles to free units, as long as that lowers the cost; or, with a
 * disturbance, do only that to a mapping which has been improved so before. slot_of is valid before
 * and after. TMAP_ENOMEM or TMAP_OK.
 */
enum tmap_status tmap_improve(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                              const struct tmap_swaps *swaps, int32_t *slot_of);

#endif
