/* SPDX-License-Identifier: BSD-3-Clause */
/* assemble.h - whether all ranks of the job take part. */
#ifndef RESEAT_ASSEMBLE_H
#define RESEAT_ASSEMBLE_H

#include <mpi.h>

enum { ASSEMBLE_WORDS = 4 };

struct meeting {
    const char *where;         /* the function of the application in which it is */
    const int *number_of;      /* by rank: its number in the launcher's job; NULL: the same */
    int mode;                  /* what must be the same everywhere */
    int patience;              /* in seconds: RESEAT_WAIT */
    int least[ASSEMBLE_WORDS]; /* numbers of this rank; then the minimum over all ranks */
};

/*
 * Find out whether all ranks of `all` have loaded this library with the same mode; called by all
 * that have loaded it. Returns 0, or -1 if some have not, the modes differ or MPI fails; then one
 * of the callers has printed a line. If the launcher has a key-value space (key-space.h), no rank
 * waits for one that does not come, and `*own` is MPI_COMM_NULL. Without one, a rank that lacks the
 * library looks like a slow one: after `patience` seconds the job is ended, with one line. Finding
 * out then takes a communicator of all ranks, which is left in `*own` on success.
 */
int assemble(MPI_Comm all, struct meeting *meeting, MPI_Comm *own);

/* Create `*own`, a communicator of all ranks of MPI_COMM_WORLD that the application cannot see.
 * Collective. NULL, or on all ranks why any of them cannot; then *own is MPI_COMM_NULL. Ranks may
 * come as late as they like; once all have waited for `patience` seconds, that is the end. */
const char *assemble_communicator(MPI_Comm *own, int patience);

/* Returns 1 if `mine` is nonzero on every rank. Collective over `comm`. */
int assemble_agree(MPI_Comm comm, int mine);

#endif
