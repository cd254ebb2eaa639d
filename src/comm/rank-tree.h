/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank-tree.h - all ranks to rank 0 and back: with any number of ranks, no process has more than 33
 * partners (32 children and a parent). Messages go both ways between two partners, and whoever
 * waits gives its processor away (waiting.h).
 *
 * A process stands for a run of ranks and is the first of them; the rest of the run is cut into at
 * most 32 runs of equal length, whose first ranks are its children. 70 ranks (69 below rank 0, in
 * runs of 3):
 *
 *   0 ... 69
 *   |-- 1 2 3          1 has the children 2 and 3
 *   |-- 4 5 6
 *   :
 *   `-- 67 68 69
 */
#ifndef RESEAT_RANK_TREE_H
#define RESEAT_RANK_TREE_H

#include <limits.h>
#include <mpi.h>
#include <stddef.h>

enum { RANK_TREE_FAN_OUT = 32, RANK_TREE_PIECE = 4000, RANK_TREE_NOBODY = INT_MAX };

/* A process in the tree. */
struct rank_tree {
    MPI_Comm comm;
    double patience; /* seconds; rank_tree_open: WAITING_FOREVER, and the caller may set it */
    /* The first rank whose message has not come, or this one, if that was its parent's;
     * RANK_TREE_NOBODY: none. Nothing more is received then: it might be that message. */
    int lost;
    int is_late;     /* because it took too long */
    int parent;      /* -1: none */
    int first, last; /* the ranks that this process stands for are first .. last-1 */
};

void rank_tree_open(struct rank_tree *rank_tree, MPI_Comm comm);

/*
 * Seconds that a process waits for a child, and for any other. Each waits `patience` for what
 * should come at once, for a child as often as there are levels below, and for a parent, which
 * waits for others meanwhile, ten times. Who does not come in time counts as one to whom MPI has
 * failed.
 */
double rank_tree_patience_down(const struct rank_tree *rank_tree);
double rank_tree_patience_up(const struct rank_tree *rank_tree);

/* The number of the child whose run has `rank`. */
int rank_tree_child_of(const struct rank_tree *rank_tree, int rank);
/* The rank of a child; from rank_tree->last on: there is none of that number. */
int rank_tree_child(const struct rank_tree *rank_tree, int child);

/* The parts that the ranks have given, one after the other. */
struct rank_tree_parts {
    char *data; /* the receiver frees it */
    size_t size;
    int is_cut; /* some process was out of memory: there is nothing in it */
};

/*
 * Up: rank 0 gets the `size` bytes of each rank. Returns the lowest `failed` of this process and
 * those below it; a rank to which nothing happened gives RANK_TREE_NOBODY, others their number. In
 * *parts the other ranks have nothing to use, but to free. Collective.
 */
int rank_tree_gather(struct rank_tree *rank_tree, int failed, const void *mine, size_t size,
                     struct rank_tree_parts *parts);

/* The part of the next rank, from *at on, and its size; NULL: there are no more. */
const void *rank_tree_next(const struct rank_tree_parts *parts, size_t *at, size_t *size);

/*
 * Up: rank 0 has in `mine` what `combine` makes of the `size` bytes (at most RANK_TREE_PIECE) of
 * all ranks, in any order. The rest is as with rank_tree_gather.
 */
typedef void rank_tree_combine(void *mine, const void *theirs);
int rank_tree_reduce(struct rank_tree *rank_tree, int failed, void *mine, size_t size,
                     rank_tree_combine *combine);

/*
 * Down: each rank gets the `size` bytes that are its own in `data` at rank 0, where those of rank r
 * begin at r * size. A process passes on only what is for the ranks that it stands for. Returns
 * rank 0's `failed` on all ranks; if that is not RANK_TREE_NOBODY, nobody gets anything, and `data`
 * may be NULL. Needs no memory. Collective.
 */
int rank_tree_scatter(struct rank_tree *rank_tree, int failed, const void *data, size_t size,
                      void *mine);

/* The place for the bytes that rank 0 tells. */
struct rank_tree_wanted {
    void *data;  /* NULL: nothing is wanted */
    size_t size; /* of the first bytes */
};

/* Down: everybody gets what it wants of the `size` bytes at rank 0. Returns rank 0's `failed` on
 * all ranks. Needs no memory. Collective. */
int rank_tree_broadcast(struct rank_tree *rank_tree, int failed, const void *data, size_t size,
                        const struct rank_tree_wanted *wanted);

/* Both, without data: the lowest of all ranks' `failed`, on all of them. */
int rank_tree_agree(struct rank_tree *rank_tree, int failed);

#endif
