/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trouble.h - all or none: what keeps one rank from reordering keeps every rank from it.
 *
 * A rank that fails notes the reason and goes on taking part in every collective step; at fixed
 * points all ranks agree whether anybody has failed. So nobody ever waits for a rank that left.
 */
#ifndef RESEAT_TROUBLE_H
#define RESEAT_TROUBLE_H

#include <mpi.h>

struct trouble {
    int failed;
    int said;       /* a line about it has been printed, by whichever rank */
    char text[512]; /* the first reason */
};

/* Note a reason; only the first one is kept. */
void trouble_note(struct trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Note `what` when an MPI call did not succeed. Returns whether it did. */
int trouble_mpi(struct trouble *trouble, int rc, const char *what);

/*
 * Collective over `comm`: 0 when no rank is in trouble. Else -1 on every rank, every rank is in
 * trouble from then on, and the lowest one that was has said why in one line on standard error.
 */
int trouble_agree(struct trouble *trouble, MPI_Comm comm);

#endif
