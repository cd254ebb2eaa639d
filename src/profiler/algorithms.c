/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithms.c - the messages of the algorithms, as one process sends them.
 *
 * With n ranks, r this rank, v the rank counted from the root, p the largest power of two up to n:
 *
 *   dissemination   step k to r + 2^k
 *   binomial tree   the parent of v is v without its lowest bit; a subtree is a run of ranks
 *   doubling        step k with r ^ 2^k. Where n > p, the n - p lowest pairs hand their part to one
 *                   of the two first and get the result from it last
 *   Rabenseifner    halving: step k gives half of what is left to v ^ 2^k; then doubling back
 *   halving         the same for blocks, largest distance first
 *   Bruck           step k to r - 2^k (allgather) or r + 2^k (alltoall), what is known or due
 *   ring            n - 1 steps to r + 1
 *   pairwise        step k to r + k
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
 * Operations in MPICH", IJHPCA 19(1), 2005, sections 4 and 5; E. Chan et al., "Collective
 * communication: theory, practice, and experience", CCPE 19, 2007; J. Bruck et al., IEEE TPDS
 * 8(11), 1997.
 */
#include "profiler/algorithms.h"

#include "profiler/record.h"

void algorithm_send(struct communicator *c, int rank, uint64_t msgs, uint64_t bytes)
{
    record_traffic(c, rank, RESEAT_COLL, msgs, bytes);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static int relative(const struct communicator *c, int root)
{
    return (c->rank - root + c->size) % c->size;
}

static int absolute(const struct communicator *c, int root, int v)
{
    return (v + root) % c->size;
}

int largest_power(int n)
{
    int power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

void send_dissemination(struct communicator *c)
{
    for (int64_t step = 1; step < c->size; step *= 2)
        algorithm_send(c, (int)((c->rank + step) % c->size), 1, 0);
}

/* ---- binomial trees ---- */

/* The lowest set bit of v; for the root the first power of two that is not below n. Children of v
 * are v + b for the powers of two b below it. */
static int reach(int v, int n)
{
    if (v)
        return v & -v;
    int bit = 1;
    while (bit < n)
        bit *= 2;
    return bit;
}

/* How many ranks are in the subtree of v. */
static int subtree(int v, int n)
{
    int bit = reach(v, n);
    return bit < n - v ? bit : n - v;
}

void send_down_binomial(struct communicator *c, int root, uint64_t bytes, int each)
{
    int v = relative(c, root);
    for (int bit = reach(v, c->size) / 2; bit > 0; bit /= 2)
        if (v + bit < c->size)
            algorithm_send(c, absolute(c, root, v + bit), 1,
                           each ? bytes * (uint64_t)subtree(v + bit, c->size) : bytes);
}

void send_up_binomial(struct communicator *c, int root, uint64_t bytes, int each)
{
    int v = relative(c, root);
    if (v)
        algorithm_send(c, absolute(c, root, v & (v - 1)), 1,
                       each ? bytes * (uint64_t)subtree(v, c->size) : bytes);
}

/* ---- broadcast as scatter and allgather: n blocks of equal size, the last ones smaller ---- */

static uint64_t blocks(const struct communicator *c, uint64_t bytes, int first, int last)
{
    uint64_t n = (uint64_t)c->size, block = (bytes + n - 1) / n;
    return least(bytes, (uint64_t)last * block) - least(bytes, (uint64_t)first * block);
}

static void send_scatter(struct communicator *c, int root, uint64_t bytes)
{
    int v = relative(c, root);
    for (int bit = reach(v, c->size) / 2; bit > 0; bit /= 2) {
        int child = v + bit;
        uint64_t part =
            child < c->size ? blocks(c, bytes, child, child + subtree(child, c->size)) : 0;
        if (part)
            algorithm_send(c, absolute(c, root, child), 1, part);
    }
}

void send_scatter_doubling(struct communicator *c, int root, uint64_t bytes)
{
    int v = relative(c, root);
    send_scatter(c, root, bytes);
    for (int bit = 1; bit < c->size; bit *= 2)
        algorithm_send(c, absolute(c, root, v ^ bit), 1,
                       blocks(c, bytes, v & -bit, (v & -bit) + bit));
}

void send_scatter_ring(struct communicator *c, int root, uint64_t bytes)
{
    int v = relative(c, root), next = (v + 1) % c->size;
    send_scatter(c, root, bytes);
    if (c->size > 1)
        algorithm_send(c, (c->rank + 1) % c->size, (uint64_t)c->size - 1,
                       bytes - blocks(c, bytes, next, next + 1));
}

/* ---- reductions among a power of two: the pairs of the lowest ranks are one each ---- */

struct folded {
    int power;
    int rest;   /* how many pairs */
    int keeper; /* which of a pair stays: 0 the even one, 1 the odd one */
    int v;      /* this rank among the power; -1: its partner speaks for it */
};

/* The other one of a pair hands `bytes` to the keeper. */
static struct folded fold(struct communicator *c, uint64_t bytes, int keeper)
{
    struct folded f = {.power = largest_power(c->size), .keeper = keeper};
    f.rest = c->size - f.power;
    f.v = c->rank >= 2 * f.rest ? c->rank - f.rest : c->rank % 2 == keeper ? c->rank / 2 : -1;
    if (f.v < 0)
        algorithm_send(c, c->rank ^ 1, 1, bytes);
    return f;
}

/* The rank in the communicator of v. */
static int unfolded(const struct folded *f, int v)
{
    return v < f->rest ? 2 * v + f->keeper : v + f->rest;
}

/* The keeper tells its partner the result. */
static void tell_partner(struct communicator *c, const struct folded *f, uint64_t bytes)
{
    if (f->v >= 0 && c->rank < 2 * f->rest)
        algorithm_send(c, c->rank ^ 1, 1, bytes);
}

void send_doubling(struct communicator *c, uint64_t bytes)
{
    struct folded f = fold(c, bytes, 1);
    for (int bit = 1; f.v >= 0 && bit < f.power; bit *= 2)
        algorithm_send(c, unfolded(&f, f.v ^ bit), 1, bytes);
    tell_partner(c, &f, bytes);
}

/* Bytes of parts first .. last-1 of `power` parts of equal counts; the last has the rest too. */
static uint64_t parts(uint64_t count, uint64_t size, int power, int first, int last)
{
    uint64_t part = count / (uint64_t)power;
    uint64_t end = last == power ? count : part * (uint64_t)last;
    return (end - part * (uint64_t)first) * size;
}

/* Halving. Returns the part that this process is left with. */
static int halve(struct communicator *c, const struct folded *f, uint64_t count, uint64_t size)
{
    int low = 0;
    for (int bit = 1, half = f->power / 2; bit < f->power; bit *= 2, half /= 2) {
        int upper = (f->v & bit) != 0, gives = upper ? low : low + half;
        algorithm_send(c, unfolded(f, f->v ^ bit), 1,
                       parts(count, size, f->power, gives, gives + half));
        low += upper ? half : 0;
    }
    return low;
}

void send_rabenseifner(struct communicator *c, uint64_t count, uint64_t size)
{
    struct folded f = fold(c, count * size, 1);
    if (f.v < 0)
        return;
    int low = halve(c, &f, count, size);
    for (int bit = f.power / 2, width = 1; bit > 0; bit /= 2, width *= 2) {
        algorithm_send(c, unfolded(&f, f.v ^ bit), 1,
                       parts(count, size, f.power, low, low + width));
        low -= f.v & bit ? width : 0;
    }
    tell_partner(c, &f, count * size);
}

/* The parts go up a binomial tree. A root that was spoken for takes the place of rank 0, whose part
 * it gets. */
void send_rabenseifner_to(struct communicator *c, int root, uint64_t count, uint64_t size)
{
    struct folded f = fold(c, count * size, 0);
    int replaced = root < 2 * f.rest && root % 2 == 1;
    int target = replaced ? 0 : root < 2 * f.rest ? root / 2 : root - f.rest;
    int low = f.v >= 0 ? halve(c, &f, count, size) : 0;
    if (replaced && c->rank == 0) {
        algorithm_send(c, root, 1, parts(count, size, f.power, 0, 1));
        return;
    }
    for (int bit = f.power / 2, width = 1; f.v >= 0 && bit > 0; bit /= 2, width *= 2) {
        int other = f.v ^ bit;
        if ((f.v ^ target) & bit) {
            algorithm_send(c, replaced && other == 0 ? root : unfolded(&f, other), 1,
                           parts(count, size, f.power, low, low + width));
            return;
        }
        low -= f.v & bit ? width : 0;
    }
}

/* ---- reduce and scatter ---- */

/* The first rank whose block belongs to v or later ones, when pairs are one. */
static int first_of(const struct folded *f, int v)
{
    return v < f->rest ? 2 * v : v + f->rest;
}

void send_halving(struct communicator *c, const uint64_t *start)
{
    struct folded f = fold(c, start[c->size], 1);
    int low = 0;
    for (int bit = f.power / 2; f.v >= 0 && bit > 0; bit /= 2) {
        int upper = (f.v & bit) != 0, gives = upper ? low : low + bit;
        uint64_t bytes = start[first_of(&f, gives + bit)] - start[first_of(&f, gives)];
        if (bytes)
            algorithm_send(c, unfolded(&f, f.v ^ bit), 1, bytes);
        low += upper ? bit : 0;
    }
    if (c->rank % 2 && start[c->rank] > start[c->rank - 1])
        tell_partner(c, &f, start[c->rank] - start[c->rank - 1]);
}

void send_pairwise(struct communicator *c, const uint64_t *start)
{
    for (int j = 0; j < c->size; j++)
        if (j != c->rank)
            algorithm_send(c, j, 1, start[j + 1] - start[j]);
}

/* ---- allgather ---- */

void send_gather_doubling(struct communicator *c, const uint64_t *start)
{
    for (int bit = 1; bit < c->size; bit *= 2) {
        int first = c->rank & -bit;
        algorithm_send(c, c->rank ^ bit, 1, start[first + bit] - start[first]);
    }
}

/* Bytes of `count` blocks from `first` on, around the end. */
static uint64_t around(const struct communicator *c, const uint64_t *start, int first, int count)
{
    int end = first + count;
    return end <= c->size ? start[end] - start[first]
                          : start[c->size] - start[first] + start[end - c->size];
}

void send_gather_bruck(struct communicator *c, const uint64_t *start)
{
    for (int known = 1; known < c->size; known *= 2) {
        int count = known < c->size - known ? known : c->size - known;
        algorithm_send(c, (c->rank - known + c->size) % c->size, 1,
                       around(c, start, c->rank, count));
    }
}

void send_gather_ring(struct communicator *c, const uint64_t *start, uint64_t chunk)
{
    int next = (c->rank + 1) % c->size;
    uint64_t msgs = 0;
    for (int i = 0; i < c->size; i++) {
        uint64_t bytes = start[i + 1] - start[i];
        if (i != next)
            msgs += bytes ? (bytes - 1) / chunk + 1 : 1;
    }
    if (c->size > 1)
        algorithm_send(c, next, msgs, start[c->size] - (start[next + 1] - start[next]));
}

/* ---- the others ---- */

void send_bruck(struct communicator *c, uint64_t bytes)
{
    for (int bit = 1; bit < c->size; bit *= 2) {
        uint64_t count = 0;
        for (int i = bit; i < c->size; i++)
            count += (i & bit) != 0;
        algorithm_send(c, (c->rank + bit) % c->size, 1, count * bytes);
    }
}

void send_scan_doubling(struct communicator *c, uint64_t bytes)
{
    for (int bit = 1; bit < c->size; bit *= 2)
        if ((c->rank ^ bit) < c->size)
            algorithm_send(c, c->rank ^ bit, 1, bytes);
}
