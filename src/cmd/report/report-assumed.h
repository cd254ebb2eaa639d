/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-assumed.h - seconds without the timings of a machine: how long the busiest network card
 * needs for its bytes at an assumed rate, in each direction. The rate is that of a network which is
 * named, or else of the slowest card of the nodes on which the ranks were watched. It is what is
 * published, no job gets all of it, and latencies are not in it: so nothing is decided by these
 * seconds, and they are shown with the rate, and for half of it.
 */
#ifndef RESEAT_REPORT_ASSUMED_H
#define RESEAT_REPORT_ASSUMED_H

#include "network/card.h"
#include "page/document.h"
#include "predict/prediction.h"

struct report_assumed {
    const char *network; /* its name; NULL: the cards of the nodes */
    uint32_t megabits;   /* per second; 0: nothing is assumed, and all else is 0 */
    double seconds[2];   /* in launch order, and in the better one */
};

/* `network`: its name, or NULL; slot_of: in both orders, which may be the same. Nothing is assumed
 * where the tree has no nodes. 0, or -1 with *error. */
int report_assumed_find(struct report_assumed *assumed, const char *network,
                        const struct reseat_profile *profile, const struct tmap_tree *tree,
                        const int32_t *const slot_of[2], struct reseat_error *error);

/* Add assumed_seconds, null if nothing is assumed. */
void report_assumed_add(struct document *document, const struct report_assumed *assumed);

#endif
