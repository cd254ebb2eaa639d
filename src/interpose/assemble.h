/* SPDX-License-Identifier: BSD-3-Clause */
/* assemble.h - whether all ranks of the job take part. */
#ifndef RESEAT_ASSEMBLE_H
#define RESEAT_ASSEMBLE_H

#include <mpi.h>

/*
 * Make `*own`, a communicator of all ranks that the application cannot see. Collective over
 * MPI_COMM_WORLD: it waits for every rank, and says on standard error when that takes long, for a
 * rank without this library never comes. Returns 0, or -1 when MPI fails or `mode` is not the same
 * everywhere; then *own is MPI_COMM_NULL on all ranks and rank 0 has said so.
 */
int assemble(int mode, MPI_Comm *own);

#endif
