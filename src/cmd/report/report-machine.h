/* SPDX-License-Identifier: BSD-3-Clause */
/* report-machine.h - the machine with the traffic on its links, as a picture of each order. */
#ifndef RESEAT_REPORT_MACHINE_H
#define RESEAT_REPORT_MACHINE_H

#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"
#include "draw/picture.h"

struct report_machine {
    struct picture *picture; /* one for each order; empty: the machine is too large for a picture */
    const int32_t *const *slot_of; /* of each order */
    int orders;
    int has_rank_numbers; /* the pictures say which rank is where */
};

/* Draw them, on one scale; the caller frees the pictures, which begin with all zeros. 0, or -1 with
 * *error. */
int report_machine_draw(struct report_machine *machine, const struct report *report,
                        const struct report_nodes *nodes, struct reseat_error *error);

#endif
