/* SPDX-License-Identifier: BSD-3-Clause */
/* recall.h - a collective that was called before in the same way is not worked out again. */
#ifndef RESEAT_RECALL_H
#define RESEAT_RECALL_H

#include "profiler/choices.h"

/* What the application asked for, on a communicator of one group, without blocks of its own. */
struct asked {
    void (*choose)(const struct call *call);
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op; /* MPI_OP_NULL: none */
    int root;
    int in_place;
    int nonblocking;
};

/* Record what it sends on `c`, if that is known: 1. Neither this nor recall_learn may be called by
 * two threads at once for one communicator, as the collectives themselves. */
int recall(const struct communicator *c, const struct asked *asked);

/* asked->choose(call), and remember it. */
void recall_learn(const struct asked *asked, const struct call *call);

/* Free what communicator->recalled has; NULL is nothing. */
struct recalled;
void recall_free(struct recalled *recalled);

#endif
