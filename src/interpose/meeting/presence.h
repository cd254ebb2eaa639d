/* SPDX-License-Identifier: BSD-3-Clause */
/* presence.h - whether all ranks have loaded this library. Those that have find out without sending
 * a message to one that has not, and without waiting for it. */
#ifndef RESEAT_PRESENCE_H
#define RESEAT_PRESENCE_H

#include <mpi.h>

#include "interpose/meeting/assemble.h"
#include "comm/waiting.h"

struct presence {
    int missing;               /* whether some rank has not loaded it */
    int lowest;                /* the lowest rank known to have loaded it */
    int least, most;           /* of the modes of those that have loaded it */
    int words[ASSEMBLE_WORDS]; /* the minimum of each word */
};

/*
 * Fill `presence` on each rank of `all` that has put its number into the key-value space; only such
 * ranks call it. `missing` is the same on all of them, and so is the rest if no rank is missing. No
 * rank may leave the MPI function in which it calls this before it returns. WAITING_TOO_LONG: a
 * rank that has the library does not come; presence->lowest is that rank.
 */
enum waiting presence_exchange(MPI_Comm all, const struct meeting *meeting,
                               struct presence *presence);

/* After that, if ranks are missing: one rank prints which, and only once, since programs with
 * sessions come here for each of their communicators. */
void presence_explain(MPI_Comm all, const struct meeting *meeting, const struct presence *presence);

#endif
