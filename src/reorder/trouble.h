/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trouble.h - all or none: what keeps one rank from reordering keeps every rank from it.
 *
 * A rank that fails notes the reason and keeps taking part in every collective step; at fixed
 * points all ranks agree whether any of them has failed. So no rank ever waits for one that has
 * left.
 */
#ifndef RESEAT_TROUBLE_H
#define RESEAT_TROUBLE_H

#include <mpi.h>

#include "comm/rank-tree.h"

struct trouble {
    int failed;
    int heard;      /* 1 + the lowest rank in trouble that trouble_gather has heard of; 0: none */
    int said;       /* a line about it has been printed, by some rank */
    char text[512]; /* the first reason */
};

/* Note a reason; only the first one is kept. */
void trouble_note(struct trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Note `what` if an MPI call failed. Returns whether it succeeded. */
int trouble_mpi(struct trouble *trouble, int rc, const char *what);

/* Returns 1 if this process is in trouble, or has heard of any. */
static inline int trouble_is_known(const struct trouble *trouble)
{
    return trouble->failed || trouble->heard;
}

/* rank_tree_gather; rank 0 also hears of the trouble of all, as it is if what they tell is cut. */
void trouble_gather(struct trouble *trouble, struct rank_tree *rank_tree, const void *mine,
                    size_t size, struct rank_tree_parts *parts);

/*
 * rank_tree_broadcast: 0 if rank 0 is not in trouble and has not heard of any. Otherwise -1 on
 * every rank; every rank is in trouble from then on, and the lowest one that was has printed its
 * reason, one line on standard error.
 */
int trouble_broadcast(struct trouble *trouble, struct rank_tree *rank_tree, const void *data,
                      size_t size, const struct rank_tree_wanted *wanted);

/* The same with rank_tree_scatter. */
int trouble_scatter(struct trouble *trouble, struct rank_tree *rank_tree, const void *data,
                    size_t size, void *mine);

/* Both, without data: all ranks of `comm` agree whether any of them is in trouble. */
int trouble_agree(struct trouble *trouble, MPI_Comm comm);

#endif
