/* SPDX-License-Identifier: BSD-3-Clause */
/* replay-rounds.h - send the traffic of a replay once, round by round, so that memory stays
 * bounded, and say how long it takes. */
#ifndef RESEAT_REPLAY_ROUNDS_H
#define RESEAT_REPLAY_ROUNDS_H

#include "programs/replay-load.h"

enum replay_way { REPLAY_BY_ISEND, REPLAY_BY_ALLTOALLV };

struct replay_rounds {
    struct replay_traffic *traffic;
    enum replay_way way;
    struct replay_plan plan;
    uint64_t apart; /* how many rounds a rank may be ahead of another one */
    char *incoming, *outgoing;
    MPI_Request *request;
    MPI_Status
        *statuses; /* MPI_STATUSES_IGNORE: gcc takes MPICH's for an array that is too short */
    int *counts;   /* of MPI_Alltoallv: how much to and from each rank, and where */
};

/* Plan for the messages that each pair has now. Collective over MPI_COMM_WORLD; without memory for
 * it the job ends. */
void replay_rounds_open(struct replay_rounds *rounds, struct replay_traffic *traffic,
                        enum replay_way way);
void replay_rounds_close(struct replay_rounds *rounds);

/* Send everything. Returns the seconds of the slowest rank. Collective over MPI_COMM_WORLD. */
double replay_rounds_run(struct replay_rounds *rounds);

#endif
