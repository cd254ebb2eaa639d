/* SPDX-License-Identifier: BSD-3-Clause */
/* replay-load.h - rank 0 reads a profile and gives each rank its part of it. */
#ifndef RESEAT_REPLAY_LOAD_H
#define RESEAT_REPLAY_LOAD_H

#include <mpi.h>

#include "text/error.h"
#include "programs/replay-pairs.h"

/* The messages that a rank sends and gets. */
struct replay_traffic {
    int rank, ranks;
    struct replay_pairs out, in;
};

/*
 * Collective over MPI_COMM_WORLD. `phase` -1: all phases. 0, or -1 on every rank, with the reason
 * in *error at rank 0. Free with replay_unload in either case.
 */
int replay_load(struct replay_traffic *traffic, const char *path, int phase,
                struct reseat_error *error);
void replay_unload(struct replay_traffic *traffic);

#endif
