/* SPDX-License-Identifier: BSD-3-Clause */
/* watched.h - run a job whose ranks should reach MPI_Init with the library, and report if none
 * does. */
#ifndef RESEAT_WATCHED_H
#define RESEAT_WATCHED_H

#include "cmd/run/mark.h"
#include "cmd/run/reasons.h"

struct watched {
    enum mark_found found;
    int is_known;          /* what keeps the library out was certain, and printed, before the job */
    char why[REASON_SIZE]; /* why no rank had the library; empty: one had, or it has been printed */
};

/* Run a job with these variables and one for a mark next to `near` (mark.h). Returns its exit
 * status, or dies of the signal that it died of. First prints what is certain to keep the library
 * out. */
int launch_watched(const char *command, const struct job *job, struct variables *v, char **argv,
                   const char *near, struct watched *watched);

/* After a job that has left no profile: print that, and return the exit status of `reseat
 * profile`. */
int watched_left_no_profile(int status, const struct watched *watched);

#endif
