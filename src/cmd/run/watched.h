/* SPDX-License-Identifier: BSD-3-Clause */
/* watched.h - a job whose ranks should reach MPI_Init with the library, and if none has, why. */
#ifndef RESEAT_WATCHED_H
#define RESEAT_WATCHED_H

#include "cmd/run/mark.h"
#include "cmd/run/reasons.h"

struct watched {
    enum mark_found found;
    int is_known;          /* what keeps the library out was certain, and printed, before the job */
    char why[REASON_SIZE]; /* why no rank had the library; empty: one had, or it has been printed */
    int ended;             /* as from waitpid; -1: it has not run, with its errno */
    int error;
};

/* Run a job with these variables and one for a mark next to `near` (mark.h). First prints what is
 * certain to keep the library out. */
void watched_run(struct watched *watched, const struct job *job, struct variables *v, char **argv,
                 const char *near);

/* Return the job's exit status, or die of the signal that it died of. */
int watched_end(const struct watched *watched);

/* That status as a shell has it, 128 + the signal. */
int watched_status(const struct watched *watched);

#endif
