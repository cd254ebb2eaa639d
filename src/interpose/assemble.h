/* SPDX-License-Identifier: BSD-3-Clause */
/* assemble.h - whether all ranks of the job take part. */
#ifndef RESEAT_ASSEMBLE_H
#define RESEAT_ASSEMBLE_H

#include <mpi.h>

enum { ASSEMBLE_WORDS = 3 };

struct meeting {
    const char *where;         /* the function of the application in which it is */
    const int *number_of;      /* of each rank, its number in the launcher's job; NULL: the same */
    int mode;                  /* what has to be the same everywhere */
    int patience;              /* in seconds: RESEAT_WAIT */
    int least[ASSEMBLE_WORDS]; /* numbers of this rank; after the meeting the least of all ranks' */
};

/*
 * Whether all ranks of `all` have loaded this library and want the same; called by all that have.
 * Returns 0, or -1 when some have not, the mode is not the same everywhere or MPI fails; one of
 * those that call it has said so then. Where the launcher has a key-value space (key-space.h) no
 * rank waits for one that does not come, and `*own` is MPI_COMM_NULL. Where it has none a rank
 * without the library cannot be told from a slow one: after `patience` seconds the job is ended,
 * with one line, and what it takes to find out is a communicator of all ranks, which is `*own` if
 * they all are there.
 */
int assemble(MPI_Comm all, struct meeting *meeting, MPI_Comm *own);

/* Make `*own`, a communicator of the ranks of MPI_COMM_WORLD, all of which call it, that the
 * application cannot see. 0, or -1 when MPI cannot; then *own is MPI_COMM_NULL. */
int assemble_communicator(MPI_Comm *own);

#endif
