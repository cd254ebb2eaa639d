/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithms.h - what one rank sends in the algorithms that MPIs use for collectives. Rooted trees:
 * message-trees.c; reductions to all or in blocks: reductions.c; the others: algorithms.c. The
 * literature is cited there. Sizes are in bytes, ranks those of the group. No MPI is needed and no
 * state is kept: the same arguments give the same messages.
 */
#ifndef RESEAT_ALGORITHMS_H
#define RESEAT_ALGORITHMS_H

#include <stdint.h>

/* One of the `size` ranks of a group, and the callback for what it sends: `msgs` messages of
 * `bytes` bytes in all to `rank`, never itself. */
struct sender {
    int rank;
    int size;
    void (*send)(void *context, int rank, uint64_t msgs, uint64_t bytes);
    void *context;
};

static inline void algorithm_send(const struct sender *self, int rank, uint64_t msgs,
                                  uint64_t bytes)
{
    self->send(self->context, rank, msgs, bytes);
}

/* The largest power of two up to n. */
int largest_power(int n);

/* A block for each rank: block i is start[i] .. start[i + 1]; `start` NULL: `each` bytes each. */
struct blocks {
    const uint64_t *start;
    uint64_t each;
};

static inline uint64_t blocks_between(const struct blocks *blocks, int first, int end)
{
    return blocks->start ? blocks->start[end] - blocks->start[first]
                         : blocks->each * (uint64_t)(end - first);
}

/* ---- rooted trees ---- */

/* The position of v = 0 .. n-1 in a tree with root 0. */
enum { POSITION_CHILDREN = 64 };
struct position {
    int parent; /* -1: none */
    int children;
    int child[POSITION_CHILDREN];
};

/*
 * The shapes. In a binomial tree by the lowest bit the parent of v is v without its lowest bit, and
 * a subtree is a run of ranks; by the highest bit, the children of v are v + 2^k for all 2^k > v.
 * The root of the in-order binary tree is n - 1.
 */
void shape_chain(int v, int n, struct position *position);
void shape_binary(int v, int n, struct position *position);
void shape_in_order(int v, int n, struct position *position);
void shape_lowest_bit(int v, int n, struct position *position);
void shape_highest_bit(int v, int n, struct position *position);
void shape_four_fold(int v, int n, struct position *position); /* k-nomial, k = 4 */

/* A shape with its 0 at `root`: all ranks shifted, or (`swaps`) 0 and the root exchanged. */
struct tree {
    void (*shape)(int v, int n, struct position *position);
    int root;
    int swaps;
};

/* All of it, `bytes` in `msgs` messages, to each child, or to the parent. */
void send_down_tree(const struct sender *self, const struct tree *tree, uint64_t msgs,
                    uint64_t bytes);
void send_up_tree(const struct sender *self, const struct tree *tree, uint64_t msgs,
                  uint64_t bytes);

/* The binomial tree by the lowest bit where every rank has a block of `bytes` of its own. */
void send_down_binomial(const struct sender *self, int root, uint64_t bytes);
void send_up_binomial(const struct sender *self, int root, uint64_t bytes);

/* Straight from or to the root. */
void send_from_root(const struct sender *self, int root, uint64_t bytes);
void send_to_root(const struct sender *self, int root, uint64_t bytes);

/* One half of `count` elements goes down each side of a binary tree; then the sides exchange them.
 * count >= 2. */
void send_split_binary(const struct sender *self, int root, uint64_t count, uint64_t size);

/* ---- reductions; `count` elements of `size` bytes ---- */

void send_doubling(const struct sender *self, uint64_t bytes);
void send_reduce_ring(const struct sender *self, uint64_t count, uint64_t size, int ahead);

/* Rabenseifner's, to all and to `root`; count at least largest_power(n): as MPICH divides the
 * elements, and (`evenly`) as Open MPI does, which halves the rest in each step. */
void send_rabenseifner(const struct sender *self, uint64_t count, uint64_t size);
void send_rabenseifner_to(const struct sender *self, int root, uint64_t count, uint64_t size);
void send_rabenseifner_evenly(const struct sender *self, uint64_t count, uint64_t size);
void send_rabenseifner_evenly_to(const struct sender *self, int root, uint64_t count,
                                 uint64_t size);

/* Reduce_scatter. */
void send_halving(const struct sender *self, const struct blocks *blocks);
void send_pairwise(const struct sender *self, const struct blocks *blocks);
void send_scatter_ring_reduced(const struct sender *self, const struct blocks *blocks);
void send_butterfly(const struct sender *self, const struct blocks *blocks);
/* n a power of two, blocks of equal size, which are first put in the order in which the last step
 * needs them. */
void send_butterfly_permuted(const struct sender *self, uint64_t bytes);
void send_doubling_blocks(const struct sender *self, const struct blocks *blocks);

/* ---- the others ---- */

/* Barrier. In the second the n - p highest ranks each have a partner take part for them. */
void send_dissemination(const struct sender *self);
void send_barrier_doubling(const struct sender *self);

/* A broadcast as scatter and allgather: by doubling or a ring. */
void send_scatter_doubling(const struct sender *self, int root, uint64_t count, uint64_t size);
void send_scatter_ring(const struct sender *self, int root, uint64_t bytes);

/* Allgather. Doubling needs a power of two as n, neighbors an even n. */
void send_gather_doubling(const struct sender *self, const struct blocks *blocks);
void send_gather_bruck(const struct sender *self, const struct blocks *blocks);
void send_gather_neighbors(const struct sender *self, const struct blocks *blocks);
/* Blocks are sent in pieces of at most `chunk` bytes. */
void send_gather_ring(const struct sender *self, const struct blocks *blocks, uint64_t chunk);

/* Alltoall of equal blocks: each to each, and Bruck's. */
void send_to_each(const struct sender *self, uint64_t bytes);
void send_bruck(const struct sender *self, uint64_t bytes);

/* Scan, Exscan. */
void send_scan_linear(const struct sender *self, uint64_t bytes);
void send_scan_doubling(const struct sender *self, uint64_t bytes);

#endif
