/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithms.c - the messages that one process sends in the algorithms in which all ranks play the
 * same part. Rooted trees are in message-trees.c, reductions in reductions.c.
 *
 * With n ranks, r this rank, and v this rank counted from the root:
 *
 *   dissemination   step k to r + 2^k
 *   doubling        step k with v ^ 2^k, all that is known. Where n is no power of two, some ranks
 *                   have no partner in some steps; see algorithm_spread
 *   Bruck           step k to r - 2^k (allgather) or r + 2^k (alltoall), what is known or due
 *   ring            n - 1 steps to r + 1
 *   neighbors       n / 2 steps, with each of the two neighbors in turn: first this rank's block,
 *                   then the two blocks that arrived last
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
 * Operations in MPICH", IJHPCA 19(1), 2005, sections 4 and 5; E. Chan et al., "Collective
 * communication: theory, practice, and experience", CCPE 19, 2007; J. Bruck et al., IEEE TPDS
 * 8(11), 1997; J. Chen et al., "Performance evaluation of Allgather algorithms on terascale Linux
 * cluster with fast Ethernet", HPC Asia 2005 (neighbors).
 */
#include "collectives/algorithms.h"

static uint64_t algorithm_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- barrier ---- */

void send_dissemination(const struct sender *self)
{
    for (int64_t step = 1; step < self->size; step *= 2)
        algorithm_send(self, (int)((self->rank + step) % self->size), 1, 0);
}

void send_barrier_doubling(const struct sender *self)
{
    int power = largest_power(self->size);
    if (self->rank >= power)
        algorithm_send(self, self->rank - power, 1, 0);
    for (int bit = 1; self->rank < power && bit < power; bit *= 2)
        algorithm_send(self, self->rank ^ bit, 1, 0);
    if (self->rank < self->size - power)
        algorithm_send(self, self->rank + power, 1, 0);
}

/*
 * ---- doubling among n ranks, where each has a block of the `count` elements ----
 *
 * Blocks have equal counts, but the last ones may be smaller or empty. Before the step of `bit`,
 * the ranks of a run of `bit` ranks (0 .. bit-1, bit .. 2*bit-1, ...) all know the blocks of their
 * run. In the step, v and v ^ bit exchange them. Where n is no power of two, the last run may be
 * shorter than `bit`; then some ranks of the run before it have no partner. They get the blocks of
 * the last run from those that had a partner, down a binomial tree: algorithm_pass_on. 6 ranks, in
 * the step of bit 4, and what each knows before and after it:
 *
 *     v      0        1        2        3        4        5
 *          0123     0123     0123     0123     45       45
 *          0 <-> 4, 1 <-> 5     exchange 0123 and 45; 2 and 3 would have 6 and 7 as partners
 *          0 --> 2, 1 --> 3     45 is passed on
 *          012345   012345   012345   012345   012345   012345
 */

struct spread {
    int root;
    uint64_t count;
    uint64_t size;
    const struct blocks
        *others; /* of these all are sent but the known ones; NULL: the known ones */
};

/* The bytes that are sent when the blocks of v = first .. end-1 are known. */
static uint64_t algorithm_travels(const struct sender *self, const struct spread *s, int first,
                                  int end)
{
    uint64_t n = (uint64_t)self->size, block = (s->count + n - 1) / n;
    if (s->others)
        return blocks_between(s->others, 0, first) +
               (end < self->size ? blocks_between(s->others, end, self->size) : 0);
    return (algorithm_least(s->count, (uint64_t)end * block) -
            algorithm_least(s->count, (uint64_t)first * block)) *
           s->size;
}

/*
 * After the step of `bit`: v is in a full run, and the next run has only `there` ranks, so that
 * only the first `there` ranks of v's run have got its blocks. For half = bit/2 .. 1: in each run
 * of 2 * half ranks those below `had` have the blocks, and v sends them to v ^ half if that lacks
 * them. Above, with bit = 4 and there = 2, `had` is 2 for half = 2: 0 sends to 2 and 1 to 3. Then
 * no rank lacks anything, and half = 1 sends nothing.
 */
static void algorithm_pass_on(const struct sender *self, const struct spread *s, int v, int bit)
{
    int next = (v & -bit) + bit, there = self->size - next;
    for (int half = bit / 2; there > 0 && half > 0; half /= 2) {
        int other = v ^ half, had = (v & -(2 * half)) + there;
        if (other > v && v < had && other >= had)
            algorithm_send(self, (other + s->root) % self->size, 1,
                           algorithm_travels(self, s, next, next + bit));
    }
}

static void algorithm_spread(const struct sender *self, const struct spread *s)
{
    int n = self->size, v = (self->rank - s->root + n) % n;
    for (int bit = 1; bit < n; bit *= 2) {
        int other = v ^ bit, group = v & -bit;
        if (other < n)
            algorithm_send(self, (other + s->root) % n, 1,
                           algorithm_travels(self, s, group, group + bit));
        if (!(v & bit) && group + 2 * bit > n)
            algorithm_pass_on(self, s, v, bit);
    }
}

/* Reduce-scatter by doubling: in each step a rank sends its partial sums of all blocks but those of
 * its own run, which stay. */
void send_doubling_blocks(const struct sender *self, const struct blocks *blocks)
{
    struct spread s = {.others = blocks};
    algorithm_spread(self, &s);
}

/* ---- broadcast as scatter and allgather ---- */

/* Down a binomial tree by the lowest bit; ranks with empty blocks get no message. */
static void algorithm_send_scatter(const struct sender *self, const struct spread *s)
{
    struct position position;
    int n = self->size, v = (self->rank - s->root + n) % n;
    shape_lowest_bit(v, n, &position);
    for (int i = 0; i < position.children; i++) {
        int child = position.child[i], end = child + (child & -child);
        uint64_t bytes = algorithm_travels(self, s, child, end < n ? end : n);
        if (bytes)
            algorithm_send(self, (child + s->root) % n, 1, bytes);
    }
}

void send_scatter_doubling(const struct sender *self, int root, uint64_t count, uint64_t size)
{
    struct spread s = {.root = root, .count = count, .size = size};
    algorithm_send_scatter(self, &s);
    algorithm_spread(self, &s);
}

void send_scatter_ring(const struct sender *self, int root, uint64_t bytes)
{
    struct spread s = {.root = root, .count = bytes, .size = 1};
    int next = ((self->rank - root + self->size) % self->size + 1) % self->size;
    algorithm_send_scatter(self, &s);
    if (self->size > 1)
        algorithm_send(self, (self->rank + 1) % self->size, (uint64_t)self->size - 1,
                       bytes - algorithm_travels(self, &s, next, next + 1));
}

/* ---- allgather ---- */

void send_gather_doubling(const struct sender *self, const struct blocks *blocks)
{
    for (int bit = 1; bit < self->size; bit *= 2) {
        int first = self->rank & -bit;
        algorithm_send(self, self->rank ^ bit, 1, blocks_between(blocks, first, first + bit));
    }
}

/* Bytes of `count` blocks from `first` on, wrapping around at the end. */
static uint64_t algorithm_around(const struct sender *self, const struct blocks *blocks, int first,
                                 int count)
{
    int end = first + count;
    return end <= self->size ? blocks_between(blocks, first, end)
                             : blocks_between(blocks, first, self->size) +
                                   blocks_between(blocks, 0, end - self->size);
}

void send_gather_bruck(const struct sender *self, const struct blocks *blocks)
{
    for (int known = 1; known < self->size; known *= 2) {
        int count = known < self->size - known ? known : self->size - known;
        algorithm_send(self, (self->rank - known + self->size) % self->size, 1,
                       algorithm_around(self, blocks, self->rank, count));
    }
}

/* First this rank's block to its partner; then pairs of blocks, of ranks further and further away,
 * to the neighbor on the other side and to the partner in turn. */
void send_gather_neighbors(const struct sender *self, const struct blocks *blocks)
{
    int n = self->size, even = self->rank % 2 == 0, away = even ? -1 : 1;
    int partner = self->rank - away, other = (self->rank + away + n) % n;
    uint64_t msgs[2] = {1, 0};
    uint64_t bytes[2] = {blocks_between(blocks, self->rank, self->rank + 1), 0};
    for (int step = 1, pair = self->rank & -2, reached = 0; step < n / 2; step++) {
        msgs[step % 2]++;
        bytes[step % 2] += blocks_between(blocks, pair, pair + 2);
        reached = step % 2 ? (step + 1) / 2 * 2 * away : -(step / 2) * 2 * away;
        pair = ((self->rank & -2) + reached % n + n) % n;
    }
    algorithm_send(self, partner, msgs[0], bytes[0]);
    if (msgs[1])
        algorithm_send(self, other, msgs[1], bytes[1]);
}

/* In how many messages the blocks of all ranks but `next` are sent. */
static uint64_t algorithm_pieces(const struct sender *self, const struct blocks *blocks, int next,
                                 uint64_t chunk)
{
    uint64_t msgs = 0;
    if (!blocks->start)
        return (uint64_t)(self->size - 1) * (blocks->each ? (blocks->each - 1) / chunk + 1 : 1);
    for (int i = 0; i < self->size; i++) {
        uint64_t bytes = blocks_between(blocks, i, i + 1);
        if (i != next)
            msgs += bytes ? (bytes - 1) / chunk + 1 : 1;
    }
    return msgs;
}

void send_gather_ring(const struct sender *self, const struct blocks *blocks, uint64_t chunk)
{
    int next = (self->rank + 1) % self->size;
    if (self->size > 1)
        algorithm_send(self, next, algorithm_pieces(self, blocks, next, chunk),
                       blocks_between(blocks, 0, self->size) -
                           blocks_between(blocks, next, next + 1));
}

/* ---- the others ---- */

void send_to_each(const struct sender *self, uint64_t bytes)
{
    for (int j = 0; j < self->size; j++)
        if (j != self->rank)
            algorithm_send(self, j, 1, bytes);
}

void send_from_root(const struct sender *self, int root, uint64_t bytes)
{
    if (self->rank == root)
        send_to_each(self, bytes);
}

/* Number of integers in 0 .. n-1 that have the bit. */
static int algorithm_how_many(int n, int bit)
{
    int64_t period = 2 * (int64_t)bit, rest = n % period - bit;
    return (int)(n / period * bit + (rest > 0 ? rest : 0));
}

void send_bruck(const struct sender *self, uint64_t bytes)
{
    for (int bit = 1; bit < self->size; bit *= 2)
        algorithm_send(self, (self->rank + bit) % self->size, 1,
                       (uint64_t)algorithm_how_many(self->size, bit) * bytes);
}

void send_scan_linear(const struct sender *self, uint64_t bytes)
{
    if (self->rank + 1 < self->size)
        algorithm_send(self, self->rank + 1, 1, bytes);
}

void send_scan_doubling(const struct sender *self, uint64_t bytes)
{
    for (int bit = 1; bit < self->size; bit *= 2)
        if ((self->rank ^ bit) < self->size)
            algorithm_send(self, self->rank ^ bit, 1, bytes);
}
