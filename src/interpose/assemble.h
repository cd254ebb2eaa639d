/* SPDX-License-Identifier: BSD-3-Clause */
/* assemble.h - whether all ranks of the job take part. */
#ifndef RESEAT_ASSEMBLE_H
#define RESEAT_ASSEMBLE_H

#include <mpi.h>

/*
 * Make `*own`, a communicator of the ranks of `all` that the application cannot see. Collective
 * over `all`, inside the function `where` of the application: it waits for every rank, and says on
 * standard error when that takes long, for a rank without this library never comes. Returns 0, or
 * -1 when MPI fails or `mode` is not the same everywhere; then *own is MPI_COMM_NULL on all ranks
 * and the first of them has said so, once.
 */
int assemble(MPI_Comm all, const char *where, int mode, MPI_Comm *own);

#endif
