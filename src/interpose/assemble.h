/* SPDX-License-Identifier: BSD-3-Clause */
/* assemble.h - whether all ranks of the job take part. */
#ifndef RESEAT_ASSEMBLE_H
#define RESEAT_ASSEMBLE_H

#include <mpi.h>

struct meeting {
    const char *where;    /* the function of the application in which it is */
    const int *number_of; /* of each rank, its number in the launcher's job; NULL: the same */
    int mode;             /* what has to be the same everywhere */
    int patience;         /* in seconds: RESEAT_WAIT */
};

/*
 * Make `*own`, a communicator of the ranks of `all` that the application cannot see; called by all
 * that have loaded this library. Returns 0, or -1 when some have not, the mode is not the same
 * everywhere or MPI fails; then *own is MPI_COMM_NULL on all ranks that call it and one of them has
 * said so. Where the launcher has a key-value space (key-space.h) no rank waits for one that does
 * not come. Where it has none a rank without the library cannot be told from a slow one: after
 * `patience` seconds the job is ended, with one line.
 */
int assemble(MPI_Comm all, const struct meeting *meeting, MPI_Comm *own);

#endif
