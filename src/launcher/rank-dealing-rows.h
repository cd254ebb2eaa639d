/* SPDX-License-Identifier: BSD-3-Clause */
/* rank-dealing-rows.h - private to rank-dealing.c and rank-dealing-openmpi.c. */
#ifndef RESEAT_RANK_DEALING_ROWS_H
#define RESEAT_RANK_DEALING_ROWS_H

#include "launcher/rank-dealing.h"

/* A visit of all options, and what is needed to find where the ranks sit. */
struct rank_dealing {
    const struct launcher_machine *machine;
    int32_t ranks;
    launcher_option_fn *visit;
    void *context;
    int32_t *slot_of;    /* by rank: the result */
    int32_t *used;       /* by node: ranks there */
    int32_t *next;       /* by object: its next free slot */
    int32_t *first_slot; /* by node, with an end */
    int32_t most;        /* slots of a node */
    int is_alike;        /* all nodes have as many */
};

/* The number of objects of a kind; 0: there are none. */
int32_t dealing_objects(const struct launcher_machine *machine, enum launcher_unit unit);

/* Returns 1 if a kind is not the same as an outer one: it has objects, and more of them. */
int dealing_differs(const struct launcher_machine *machine, enum launcher_unit unit);

/* Set next[object] of a kind to its first slots. */
void dealing_reset(struct rank_dealing *d, enum launcher_unit unit);

/* The next free slot of an object; -1: there is none. */
int32_t dealing_take(struct rank_dealing *d, enum launcher_unit unit, int32_t object);

/* All options of Open MPI up to 4, or from 5 on. Returns as launcher_visit_options. */
int dealing_visit_openmpi(struct rank_dealing *d, int version);

#endif
