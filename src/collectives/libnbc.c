/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libnbc.c - the choices of Open MPI 4.1 for nonblocking collectives (its component coll/libnbc:
 * ompi/mca/coll/libnbc/nbc_i*.c, https://github.com/open-mpi/ompi). With n ranks, p the largest
 * power of two up to n, m bytes:
 *
 *   Ibarrier        dissemination
 *   Ibcast          n <= 4: linear; else binomial tree by the highest bit
 *   Ireduce         the operation commutes, n > 2 and at least p elements: Rabenseifner; else
 *                   binomial tree, but for n <= 4, 64 KiB and an operation that commutes a chain in
 *                   pieces of 8 KiB
 *   Iallreduce      n < 4, below 64 KiB, in place or not commutative: binomial trees to rank 0 and
 *                   back; else at least p elements: Rabenseifner; else ring
 *   Ireduce_scatter, _block   binomial tree to rank 0, and linear from there
 *   Iscan, Iexscan  linear
 *   others          each to each, to the root, or from the root
 *
 * The root of a tree swaps places with rank 0. An operation that does not commute is reduced to
 * rank 0, which sends the result on to the root.
 */
#include "collectives/tuned.h"

enum { LARGE = 65536, PIECE = 8192 };

static int libnbc_can_be_parted(const struct call *call)
{
    return !call->ordered && call->count >= (uint64_t)largest_power(call->self.size);
}

void libnbc_bcast(const struct call *call)
{
    struct tree binomial = {shape_highest_bit, call->root, 1};
    if (call->self.size <= 4)
        send_from_root(&call->self, call->root, call->bytes);
    else
        send_down_tree(&call->self, &binomial, 1, call->bytes);
}

void libnbc_reduce(const struct call *call)
{
    struct tree chain = {shape_chain, call->root, 1};
    struct tree binomial = {shape_lowest_bit, call->ordered ? 0 : call->root, 1};
    if (libnbc_can_be_parted(call) && call->self.size > 2) {
        send_rabenseifner_evenly_to(&call->self, call->root, call->count, call->size);
    } else if (call->self.size > 4 || call->bytes < LARGE || call->ordered) {
        send_up_tree(&call->self, &binomial, 1, call->bytes);
        if (binomial.root != call->root && call->self.rank == binomial.root)
            algorithm_send(&call->self, call->root, 1, call->bytes);
    } else {
        send_up_tree(&call->self, &chain, (call->bytes + PIECE - 1) / PIECE, call->bytes);
    }
}

void libnbc_allreduce(const struct call *call)
{
    struct tree up = {shape_lowest_bit, 0, 0};
    struct tree down = {shape_highest_bit, 0, 0};
    if (call->self.size < 4 || call->bytes < LARGE || call->ordered || call->in_place) {
        send_up_tree(&call->self, &up, 1, call->bytes);
        send_down_tree(&call->self, &down, 1, call->bytes);
    } else if (libnbc_can_be_parted(call)) {
        send_rabenseifner_evenly(&call->self, call->count, call->size);
    } else {
        send_reduce_ring(&call->self, call->count, call->size, 1);
    }
}

void libnbc_allgather(const struct call *call)
{
    send_to_each(&call->self, blocks_between(&call->blocks, call->self.rank, call->self.rank + 1));
}

void libnbc_reduce_scatter(const struct call *call)
{
    struct tree up = {shape_lowest_bit, 0, 0};
    send_up_tree(&call->self, &up, 1, blocks_between(&call->blocks, 0, call->self.size));
    if (call->self.rank == 0)
        send_pairwise(&call->self, &call->blocks);
}
