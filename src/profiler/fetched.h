/* SPDX-License-Identifier: BSD-3-Clause */
/* fetched.h - give what was fetched to those whose traffic it is. */
#ifndef RESEAT_FETCHED_H
#define RESEAT_FETCHED_H

#include <mpi.h>

/*
 * Collective over `own`, the processes of the world: every TRAFFIC_FETCHED counter of a phase
 * becomes RESEAT_OSC traffic of the process it was fetched from. Where memory is short on one
 * process nothing is handed over, the counters stay, and that is noted as unseen.
 */
void fetched_return(MPI_Comm own);

#endif
