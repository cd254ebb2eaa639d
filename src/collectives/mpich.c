/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich.c - the choices of MPICH 4.0 and its relatives (maint/tuning/coll/mpir/generic.json in its
 * sources, https://github.com/pmodels/mpich: as of 4.0 to 4.2); nonblocking collectives are taken
 * to use the same algorithms, but for the limit of Iallreduce. With n ranks, p the largest power of
 * two up to n, m bytes in all, b bytes a block:
 *
 *   Barrier         dissemination
 *   Bcast           binomial tree; from n = 8 and m > 12288: scatter and doubling (n a power of two
 *                   and m <= 512 KiB) or scatter and ring
 *   Reduce          binomial tree; m > 2048 and at least p elements: Rabenseifner
 *                   an operation of the program's: always the tree, and if it does not commute,
 *                   that of rank 0, which sends the result to the root
 *   Allreduce       doubling; m > 8 (nonblocking: 2048) and at least p elements: Rabenseifner
 *                   an operation of the program's: always doubling
 *   Gather, Scatter binomial tree
 *   Allgather, -v   n a power of two: doubling to 512 KiB, else ring; other n: Bruck to 80 KiB,
 *                   ring; in the ring of -v a block comes in pieces of 32 KiB
 *   Alltoall        n > 8 and b <= 256: Bruck; else each to each
 *   Reduce_scatter, _block   halving to 512 KiB, then pairwise
 *                   an operation that does not commute: doubling; n a power of two and blocks of
 *                   equal size: a butterfly
 *   Scan, Exscan    doubling
 *
 * An MPI that knows which ranks share a node may do it in two steps, within nodes and between them.
 * Its messages then depend on where ranks are and not on their roles. A better order would not save
 * such traffic, so it is not modeled.
 */
#include <string.h>

#include "collectives/choices.h"

int choices_release(const char *library_version)
{
    return strncmp(library_version, "MPICH", 5) == 0 ? 0 : CHOICES_UNKNOWN;
}

const char *choices_name(int release)
{
    return release == CHOICES_UNKNOWN
               ? "model (choices of MPICH 4.0; those of this MPI are not known)"
               : "model (choices of MPICH 4.0)";
}

enum {
    BCAST_SHORT = 12288,
    BCAST_MEDIUM = 524288,
    REDUCE_SHORT = 2048,
    ALLREDUCE_SHORT = 8,
    IALLREDUCE_SHORT = 2048,
    ALLGATHER_SHORT = 81920,
    ALLGATHER_SHORT_POWER = 524288,
    ALLGATHERV_CHUNK = 32768,
    ALLTOALL_SHORT = 256,
    REDUCE_SCATTER_SHORT = 524288
};

static int mpich_is_power(const struct sender *self)
{
    return largest_power(self->size) == self->size;
}

/* Returns 1 if there are enough elements to divide them among the ranks, as the algorithms for
 * large messages do. */
static int mpich_can_be_parted(const struct call *call)
{
    return call->count > 0 && call->count >= (uint64_t)largest_power(call->self.size);
}

void choose_barrier(const struct call *call)
{
    send_dissemination(&call->self);
}

void choose_bcast(const struct call *call)
{
    struct tree tree = {shape_lowest_bit, call->root, 0};
    if (call->self.size < 8 || call->bytes <= BCAST_SHORT)
        send_down_tree(&call->self, &tree, 1, call->bytes);
    else if (mpich_is_power(&call->self) && call->bytes <= BCAST_MEDIUM)
        send_scatter_doubling(&call->self, call->root, call->bytes, 1);
    else
        send_scatter_ring(&call->self, call->root, call->bytes);
}

/* The tree of rank 0 adds in the order of the ranks. */
static void mpich_reduce_by_tree(const struct call *call)
{
    struct tree tree = {shape_lowest_bit, call->ordered ? 0 : call->root, 0};
    send_up_tree(&call->self, &tree, 1, call->bytes);
    if (call->self.rank == tree.root && tree.root != call->root)
        algorithm_send(&call->self, call->root, 1, call->bytes);
}

void choose_reduce(const struct call *call)
{
    if (call->bytes <= REDUCE_SHORT || call->user_defined || !mpich_can_be_parted(call))
        mpich_reduce_by_tree(call);
    else
        send_rabenseifner_to(&call->self, call->root, call->count, call->size);
}

void choose_allreduce(const struct call *call)
{
    uint64_t limit = call->nonblocking ? IALLREDUCE_SHORT : ALLREDUCE_SHORT;
    if (call->bytes <= limit || call->user_defined || !mpich_can_be_parted(call))
        send_doubling(&call->self, call->bytes);
    else
        send_rabenseifner(&call->self, call->count, call->size);
}

void choose_gather(const struct call *call)
{
    send_up_binomial(&call->self, call->root, call->bytes);
}

void choose_scatter(const struct call *call)
{
    send_down_binomial(&call->self, call->root, call->bytes);
}

static void mpich_gather_to_all(const struct call *call, uint64_t chunk)
{
    uint64_t bytes = blocks_between(&call->blocks, 0, call->self.size);
    if (bytes >= (mpich_is_power(&call->self) ? ALLGATHER_SHORT_POWER : ALLGATHER_SHORT))
        send_gather_ring(&call->self, &call->blocks, chunk);
    else if (mpich_is_power(&call->self))
        send_gather_doubling(&call->self, &call->blocks);
    else
        send_gather_bruck(&call->self, &call->blocks);
}

void choose_allgather(const struct call *call)
{
    mpich_gather_to_all(call, UINT64_MAX);
}

void choose_allgatherv(const struct call *call)
{
    mpich_gather_to_all(call, ALLGATHERV_CHUNK);
}

void choose_alltoall(const struct call *call)
{
    if (!call->in_place && call->self.size > 8 && call->bytes <= ALLTOALL_SHORT)
        send_bruck(&call->self, call->bytes);
    else
        send_to_each(&call->self, call->bytes);
}

static int mpich_blocks_are_equal(const struct call *call)
{
    const uint64_t *start = call->blocks.start;
    for (int i = 1; start && i < call->self.size; i++)
        if (start[i + 1] - start[i] != start[1] - start[0])
            return 0;
    return 1;
}

void choose_reduce_scatter(const struct call *call)
{
    if (call->ordered && mpich_is_power(&call->self) && mpich_blocks_are_equal(call))
        send_butterfly_permuted(&call->self, blocks_between(&call->blocks, 0, 1));
    else if (call->ordered)
        send_doubling_blocks(&call->self, &call->blocks);
    else if (blocks_between(&call->blocks, 0, call->self.size) < REDUCE_SCATTER_SHORT)
        send_halving(&call->self, &call->blocks);
    else
        send_pairwise(&call->self, &call->blocks);
}

void choose_reduce_scatter_block(const struct call *call)
{
    choose_reduce_scatter(call);
}

void choose_scan(const struct call *call)
{
    send_scan_doubling(&call->self, call->bytes);
}

int empty_blocks_travel(const struct call *call, enum vector collective, int release)
{
    (void)call;
    (void)collective;
    (void)release;
    return 0;
}
