/* SPDX-License-Identifier: BSD-3-Clause */
/* watched.h - a job that ranks shall come to MPI_Init of with the library, and what there is to say
 * when none has. */
#ifndef RESEAT_WATCHED_H
#define RESEAT_WATCHED_H

#include "cmd/mark.h"
#include "cmd/reasons.h"

struct watched {
    enum mark_found found;
    char why[REASON_SIZE]; /* no rank had the library; empty: nothing, or it has been said */
};

/* The exit status of a job with these variables, and one for a mark beside `near` (mark.h); or dies
 * of the signal that it died of. What is certain to keep the library out is said before. */
int launch_watched(const char *command, const struct job *job, struct variables *v, char **argv,
                   const char *near, struct watched *watched);

/* After a job that has left none: say so, and return the exit status of `reseat profile`. */
int watched_left_no_profile(int status, const struct watched *watched);

#endif
