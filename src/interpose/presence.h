/* SPDX-License-Identifier: BSD-3-Clause */
/* presence.h - whether all ranks have loaded this library, found out by those that have, without a
 * message to one that has not and without waiting for it. */
#ifndef RESEAT_PRESENCE_H
#define RESEAT_PRESENCE_H

#include <mpi.h>

#include "interpose/assemble.h"
#include "interpose/waiting.h"

struct presence {
    int missing;               /* whether some rank has not loaded it */
    int lowest;                /* some rank that has, the lowest that was heard of */
    int least, most;           /* of the modes of those that have */
    int words[ASSEMBLE_WORDS]; /* the least that any of them has said of each */
};

/*
 * Fill `presence` on each rank of `all` that has put its word into the key-value space; `missing`
 * is the same on all of them, and so is the rest where none is missing. Such ranks only call it,
 * and no rank has left the function of the application in which they do. WAITING_TOO_LONG: a rank
 * that has the library does not come; *presence->lowest is its rank then.
 */
enum waiting presence_exchange(MPI_Comm all, const struct meeting *meeting,
                               struct presence *presence);

/* After that, where some are missing: say which, on one rank, and once: programs with sessions come
 * here for each of their communicators. */
void presence_explain(MPI_Comm all, const struct meeting *meeting, const struct presence *presence);

#endif
