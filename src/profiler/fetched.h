/* SPDX-License-Identifier: BSD-3-Clause */
/* fetched.h - hand fetched bytes over to the processes that sent them. */
#ifndef RESEAT_FETCHED_H
#define RESEAT_FETCHED_H

#include <mpi.h>

/*
 * Collective over `own`, the processes of the world: every TRAFFIC_FETCHED counter of a phase
 * becomes RESEAT_OSC traffic of the process it was fetched from. If one process is out of memory,
 * nothing is handed over anywhere: the counters stay, and that is noted as unseen.
 */
void fetched_return(MPI_Comm own);

#endif
