/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trouble.h - all or none: what keeps one rank from reordering keeps every rank from it.
 *
 * A rank that fails notes the reason and keeps taking part in every collective step; at fixed
 * points all ranks agree whether any of them has failed. So no rank ever waits for one that has
 * left.
 */
#ifndef RESEAT_TROUBLE_H
#define RESEAT_TROUBLE_H

#include <mpi.h>

struct trouble {
    int failed;
    int said;       /* a line about it has been printed, by some rank */
    char text[512]; /* the first reason */
};

/* Note a reason; only the first one is kept. */
void trouble_note(struct trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Note `what` if an MPI call failed. Returns whether it succeeded. */
int trouble_mpi(struct trouble *trouble, int rc, const char *what);

/*
 * Collective over `comm`: 0 if no rank is in trouble. Otherwise -1 on every rank; every rank is in
 * trouble from then on, and the lowest one that was has printed its reason, one line on standard
 * error.
 */
int trouble_agree(struct trouble *trouble, MPI_Comm comm);

#endif
