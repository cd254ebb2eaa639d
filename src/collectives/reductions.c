/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reductions.c - reductions whose result goes to all ranks, or one block of it to each.
 *
 * With n ranks, r this rank, p the largest power of two up to n:
 *
 *   fold           where n > p, in each of the n - p lowest pairs one takes part for both; v
 *                  numbers the p ranks that take part, which give their partners the result at the
 *                  end
 *   doubling       step k with v ^ 2^k, everything
 *   Rabenseifner   halving: in step k, v gives half of the elements it has left to v ^ 2^k; then
 *                  doubling in reverse. MPICH makes p parts at the start, whose sizes differ by at
 *                  most one element; Open MPI halves what is left in each step, and the two of a
 *                  pair begin by reducing one half each
 *   halving        the same for the blocks of ranks, largest distance first
 *   butterfly      smallest distance first, so that v ends up with the block of the rank whose
 *                  number is v with its bits reversed, and sends it there
 *   ring           n - 1 steps to r + 1, a block each; for a reduction to all, once more around
 *   pairwise       step k to r + k
 *
 * Example, butterfly on 4 ranks: rank 1 sends blocks 0 and 1 to rank 0, then block 3 to rank 3; it
 * is left with block 2 and sends that to rank 2.
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
 * Operations in MPICH", IJHPCA 19(1), 2005, section 4; J. L. Traff, "An Improved Algorithm for
 * (Non-commutative) Reduce-Scatter with an Application", EuroPVM/MPI 2005; for counts that n does
 * not divide: Open MPI 4.1's ompi/mca/coll/base (https://github.com/open-mpi/ompi), MPICH 4.0.
 */
#include "collectives/algorithms.h"

struct folded {
    int power;
    int rest;   /* how many pairs */
    int keeper; /* which of a pair takes part: 0 the even one, 1 the odd one */
    int v;      /* number among those that take part; -1: its partner takes part for it */
};

static struct folded reduction_pair_up(const struct sender *self, int keeper)
{
    struct folded f = {.power = largest_power(self->size), .keeper = keeper};
    f.rest = self->size - f.power;
    f.v = self->rank >= 2 * f.rest   ? self->rank - f.rest
          : self->rank % 2 == keeper ? self->rank / 2
                                     : -1;
    return f;
}

/* The other one of a pair sends `bytes` bytes to the keeper. */
static struct folded reduction_fold(const struct sender *self, uint64_t bytes, int keeper)
{
    struct folded f = reduction_pair_up(self, keeper);
    if (f.v < 0)
        algorithm_send(self, self->rank ^ 1, 1, bytes);
    return f;
}

/* The rank of v in the communicator. */
static int reduction_unfolded(const struct folded *f, int v)
{
    return v < f->rest ? 2 * v + f->keeper : v + f->rest;
}

/* The keeper sends its partner the result. */
static void reduction_tell_partner(const struct sender *self, const struct folded *f,
                                   uint64_t bytes)
{
    if (f->v >= 0 && self->rank < 2 * f->rest)
        algorithm_send(self, self->rank ^ 1, 1, bytes);
}

void send_doubling(const struct sender *self, uint64_t bytes)
{
    struct folded f = reduction_fold(self, bytes, 1);
    for (int bit = 1; f.v >= 0 && bit < f.power; bit *= 2)
        algorithm_send(self, reduction_unfolded(&f, f.v ^ bit), 1, bytes);
    reduction_tell_partner(self, &f, bytes);
}

/* Bytes of part i of n, i modulo n; the first parts have one element more. */
static uint64_t reduction_share(uint64_t count, uint64_t size, int n, int i)
{
    uint64_t parts = (uint64_t)n;
    return (count / parts + ((uint64_t)(i % n) < count % parts)) * size;
}

/* Each time around the ring a rank sends all parts but one, downward from part r + ahead. */
void send_reduce_ring(const struct sender *self, uint64_t count, uint64_t size, int ahead)
{
    int n = self->size, first = self->rank + ahead;
    if (n > 1)
        algorithm_send(self, (self->rank + 1) % n, 2 * (uint64_t)(n - 1),
                       2 * count * size - reduction_share(count, size, n, first + 1) -
                           reduction_share(count, size, n, first + 2));
}

/* ---- Rabenseifner's, p parts ---- */

/* Elements before part i of `power`; the first parts have one more. */
static uint64_t reduction_offset(uint64_t count, int power, int i)
{
    uint64_t rest = count % (uint64_t)power, n = (uint64_t)i;
    return count / (uint64_t)power * n + (n < rest ? n : rest);
}

/* Bytes of parts first .. last-1. */
static uint64_t reduction_parts(uint64_t count, uint64_t size, int power, int first, int last)
{
    return (reduction_offset(count, power, last) - reduction_offset(count, power, first)) * size;
}

/* Halving. Returns the part that this process ends up with. */
static int reduction_halve(const struct sender *self, const struct folded *f, uint64_t count,
                           uint64_t size)
{
    int low = 0;
    for (int bit = 1, half = f->power / 2; bit < f->power; bit *= 2, half /= 2) {
        int upper = (f->v & bit) != 0, gives = upper ? low : low + half;
        algorithm_send(self, reduction_unfolded(f, f->v ^ bit), 1,
                       reduction_parts(count, size, f->power, gives, gives + half));
        low += upper ? half : 0;
    }
    return low;
}

void send_rabenseifner(const struct sender *self, uint64_t count, uint64_t size)
{
    struct folded f = reduction_fold(self, count * size, 1);
    if (f.v < 0)
        return;
    int low = reduction_halve(self, &f, count, size);
    for (int bit = f.power / 2, width = 1; bit > 0; bit /= 2, width *= 2) {
        algorithm_send(self, reduction_unfolded(&f, f.v ^ bit), 1,
                       reduction_parts(count, size, f.power, low, low + width));
        low -= f.v & bit ? width : 0;
    }
    reduction_tell_partner(self, &f, count * size);
}

/* The parts go up a binomial tree. A root whose partner takes part for it then replaces rank 0,
 * which sends it its part. */
void send_rabenseifner_to(const struct sender *self, int root, uint64_t count, uint64_t size)
{
    struct folded f = reduction_fold(self, count * size, 0);
    int replaced = root < 2 * f.rest && root % 2 == 1;
    int target = replaced ? 0 : root < 2 * f.rest ? root / 2 : root - f.rest;
    int low = f.v >= 0 ? reduction_halve(self, &f, count, size) : 0;
    if (replaced && self->rank == 0) {
        algorithm_send(self, root, 1, reduction_parts(count, size, f.power, 0, 1));
        return;
    }
    for (int bit = f.power / 2, width = 1; f.v >= 0 && bit > 0; bit /= 2, width *= 2) {
        int other = f.v ^ bit;
        if ((f.v ^ target) & bit) {
            algorithm_send(self, replaced && other == 0 ? root : reduction_unfolded(&f, other), 1,
                           reduction_parts(count, size, f.power, low, low + width));
            return;
        }
        low -= f.v & bit ? width : 0;
    }
}

/* ---- Rabenseifner's, evenly ---- */

enum { MOST_STEPS = 31 };

/* Halving; kept[k]: the bytes left after step k. The two of a pair first reduce one half each; then
 * the even one gets the other half. */
static struct folded reduction_halve_evenly(const struct sender *self, uint64_t count,
                                            uint64_t size, uint64_t kept[MOST_STEPS])
{
    struct folded f = reduction_pair_up(self, 0);
    if (f.v < 0)
        algorithm_send(self, self->rank - 1, 2, count * size);
    else if (self->rank < 2 * f.rest)
        algorithm_send(self, self->rank + 1, 1, (count - count / 2) * size);
    for (int step = 0; f.v >= 0 && 1 << step < f.power; step++) {
        uint64_t gives = f.v >> step & 1 ? count / 2 : count - count / 2;
        algorithm_send(self, reduction_unfolded(&f, f.v ^ (1 << step)), 1, gives * size);
        count -= gives;
        kept[step] = count * size;
    }
    return f;
}

void send_rabenseifner_evenly(const struct sender *self, uint64_t count, uint64_t size)
{
    uint64_t kept[MOST_STEPS];
    struct folded f = reduction_halve_evenly(self, count, size, kept);
    for (int step = 0; f.v >= 0 && 1 << step < f.power; step++)
        algorithm_send(self, reduction_unfolded(&f, f.v ^ (1 << step)), 1, kept[step]);
    reduction_tell_partner(self, &f, count * size);
}

/* Backwards through the steps: in the first one whose bit differs between v and the root, v sends
 * what it has. A root whose partner takes part for it replaces rank 0, which sends it its part. */
void send_rabenseifner_evenly_to(const struct sender *self, int root, uint64_t count, uint64_t size)
{
    uint64_t kept[MOST_STEPS];
    struct folded f = reduction_halve_evenly(self, count, size, kept);
    int replaced = root < 2 * f.rest && root % 2 == 1;
    int target = replaced ? 0 : root < 2 * f.rest ? root / 2 : root - f.rest;
    int differs = f.v < 0 ? 0 : f.v ^ target;
    if (replaced && self->rank == 0) {
        int step = 0;
        while (2 << step < f.power)
            step++;
        algorithm_send(self, root, 1, kept[step]);
    } else if (differs) {
        int bit = largest_power(differs), step = 0, other = f.v ^ bit;
        while (1 << step < bit)
            step++;
        algorithm_send(self, replaced && other == 0 ? root : reduction_unfolded(&f, other), 1,
                       kept[step]);
    }
}

/* ---- each a block ---- */

/* The first rank whose block belongs to v or a later number; both blocks of a pair belong to its
 * keeper. */
static int reduction_first_of(const struct folded *f, int v)
{
    return v < f->rest ? 2 * v : v + f->rest;
}

void send_halving(const struct sender *self, const struct blocks *blocks)
{
    struct folded f = reduction_fold(self, blocks_between(blocks, 0, self->size), 1);
    int low = 0;
    for (int bit = f.power / 2; f.v >= 0 && bit > 0; bit /= 2) {
        int upper = (f.v & bit) != 0, gives = upper ? low : low + bit;
        uint64_t bytes = blocks_between(blocks, reduction_first_of(&f, gives),
                                        reduction_first_of(&f, gives + bit));
        if (bytes)
            algorithm_send(self, reduction_unfolded(&f, f.v ^ bit), 1, bytes);
        low += upper ? bit : 0;
    }
    if (self->rank % 2 && blocks_between(blocks, self->rank - 1, self->rank))
        reduction_tell_partner(self, &f, blocks_between(blocks, self->rank - 1, self->rank));
}

void send_pairwise(const struct sender *self, const struct blocks *blocks)
{
    for (int j = 0; j < self->size; j++)
        if (j != self->rank)
            algorithm_send(self, j, 1, blocks_between(blocks, j, j + 1));
}

void send_scatter_ring_reduced(const struct sender *self, const struct blocks *blocks)
{
    if (self->size > 1)
        algorithm_send(self, (self->rank + 1) % self->size, (uint64_t)self->size - 1,
                       blocks_between(blocks, 0, self->size) -
                           blocks_between(blocks, self->rank, self->rank + 1));
}

void send_butterfly(const struct sender *self, const struct blocks *blocks)
{
    struct folded f = reduction_fold(self, blocks_between(blocks, 0, self->size), 1);
    int low = 0;
    for (int bit = 1, half = f.power / 2; f.v >= 0 && bit < f.power; bit *= 2, half /= 2) {
        int upper = (f.v & bit) != 0, gives = upper ? low : low + half;
        algorithm_send(self, reduction_unfolded(&f, f.v ^ bit), 1,
                       blocks_between(blocks, reduction_first_of(&f, gives),
                                      reduction_first_of(&f, gives + half)));
        low += upper ? half : 0;
    }
    int owner = reduction_unfolded(&f, low);
    if (f.v >= 0 && low < f.rest)
        algorithm_send(self, owner - 1, 1, blocks_between(blocks, owner - 1, owner));
    if (f.v >= 0 && low != f.v)
        algorithm_send(self, owner, 1, blocks_between(blocks, owner, owner + 1));
}

void send_butterfly_permuted(const struct sender *self, uint64_t bytes)
{
    for (int bit = 1; bit < self->size; bit *= 2)
        algorithm_send(self, self->rank ^ bit, 1, bytes * (uint64_t)(self->size / (2 * bit)));
}
