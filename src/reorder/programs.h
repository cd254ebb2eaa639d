/* SPDX-License-Identifier: BSD-3-Clause */
/* programs.h - whether the ranks of a job are interchangeable: a better order gives the role of one
 * to another. */
#ifndef RESEAT_PROGRAMS_H
#define RESEAT_PROGRAMS_H

#include <mpi.h>

#include "reorder/trouble.h"

/* Trouble on all ranks if they do not run the same program with the same arguments, or were started
 * by different parts of one command (`mpirun -n 1 a : -n 2 b`). Collective over `comm`. */
void programs_compare(MPI_Comm comm, struct trouble *trouble);

#endif
