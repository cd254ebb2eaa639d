/* SPDX-License-Identifier: BSD-3-Clause */
/* attempt.h - what a process knows while all look for a better order, and the two parts of the
 * search: private to reorder.c, group-order.c and new-order.c. */
#ifndef RESEAT_ATTEMPT_H
#define RESEAT_ATTEMPT_H

#include <mpi.h>

#include "profile/gain.h"
#include "reorder/decide.h"
#include "reorder/explain.h"
#include "reorder/job-seconds.h"
#include "reorder/pattern.h"
#include "reorder/seats.h"

struct attempt {
    const struct reseat_settings *settings;
    int strategy;   /* RESEAT_STRATEGY_NODE, _GLOBAL or _TWOLEVEL; as rank 0 has it set */
    int objective;  /* enum reseat_objective; as rank 0 has it set */
    int keep_local; /* enum reseat_keep_local; as rank 0 has it set */
    struct reseat_worth worth; /* at rank 0: of the order found */
    MPI_Comm plain;
    int rank;
    int size;
    struct seats seats;
    struct neighbor_lists lists; /* of the role that is this process's rank in plain */
    struct pattern pattern;
    struct job_seconds job_seconds;
    struct trouble trouble;
    MPI_Errhandler theirs;    /* of plain, on which errors return meanwhile */
    int kind;                 /* of the topology: MPI_DIST_GRAPH, MPI_CART, MPI_GRAPH */
    int world;                /* MPI_COMM_WORLD: no lists, and rank 0 stays where it is */
    int role;                 /* that this process will play */
    int *roles;               /* rank 0: those of all processes; NULL elsewhere */
    int *rank_of;             /* then, everywhere: the rank in plain of the process of each role */
    double cost[2];           /* before, after; of all traffic */
    double busiest[2];        /* links, as cost; zeros if that is no objective */
    double between[2];        /* what goes between nodes by the metric, as messages */
    uint64_t messages[2];     /* between nodes, as cost; of all, at rank 0 */
    struct decision decision; /* of a leader */
    struct timing timing;
};

/* ---- group-order.c: the order of each group, found by its leader ---- */

/* At rank 0: fill roles, and the decision and the costs of all traffic. Collective over plain;
 * trouble remains to be told. */
void group_order_find(struct attempt *a);

/* ---- new-order.c: communicators in the order that was found ---- */

/* Rank 0 tells all the roles that it has found, if the order is worth it. Collective. Returns
 * whether it is; 0 also if a rank is in trouble. */
int new_order_broadcast(struct attempt *a, int is_worth_it);

/* Then: the communicator, if all ranks have it; MPI_COMM_NULL on all if something went wrong. Then
 * it is not freed, because that is collective, and not all ranks may have it. */
MPI_Comm new_order_agree(struct attempt *a);

/* The same with the topology of plain. */
MPI_Comm new_order_rebuild(struct attempt *a, MPI_Info info);

#endif
