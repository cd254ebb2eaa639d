/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned-reductions.c - the choices of Open MPI 4.1 for reductions; see tuned.c. Fewer algorithms
 * work with an operation that does not commute, so such calls have tables of their own.
 */
#include "collectives/tuned.h"

/* ---- Reduce ---- */

static void tuned_go_up(const struct call *call, void (*shape)(int, int, struct position *))
{
    struct tree tree = {shape, call->root, 0};
    send_up_tree(&call->self, &tree, 1, call->bytes);
}

static void tuned_reduce_chain(const struct call *call)
{
    tuned_go_up(call, shape_chain);
}

static void tuned_reduce_binary(const struct call *call)
{
    tuned_go_up(call, shape_binary);
}

static void tuned_reduce_binomial(const struct call *call)
{
    tuned_go_up(call, shape_lowest_bit);
}

/* To the last rank, which sends the result on to the root. */
static void tuned_reduce_in_order(const struct call *call)
{
    struct tree tree = {shape_in_order, 0, 0};
    int last = call->self.size - 1;
    send_up_tree(&call->self, &tree, 1, call->bytes);
    if (call->root != last && call->self.rank == last)
        algorithm_send(&call->self, call->root, 1, call->bytes);
}

static void tuned_reduce_rabenseifner(const struct call *call)
{
    if (call->count < (uint64_t)largest_power(call->self.size))
        tuned_to_root(call);
    else
        send_rabenseifner_evenly_to(&call->self, call->root, call->count, call->size);
}

static const struct choice reduce_choices[] = {
    {4, 8, tuned_reduce_rabenseifner},
    {4, 16, tuned_reduce_binary},
    {4, 32, tuned_reduce_chain},
    {4, 256 * KiB, tuned_to_root},
    {4, ANY_BYTES, tuned_reduce_chain},
    {8, 4 * KiB, tuned_reduce_binary},
    {8, 64 * KiB, tuned_reduce_chain},
    {8, 256 * KiB, tuned_reduce_binomial},
    {8, 512 * KiB, tuned_to_root},
    {8, MiB, tuned_reduce_binomial},
    {8, ANY_BYTES, tuned_to_root},
    {16, 8 * KiB, tuned_reduce_binary},
    {16, ANY_BYTES, tuned_reduce_binomial},
    {32, 4 * KiB, tuned_reduce_binary},
    {32, ANY_BYTES, tuned_reduce_binomial},
    {256, ANY_BYTES, tuned_reduce_binomial},
    {512, 8 * KiB, tuned_reduce_binomial},
    {512, 16 * KiB, tuned_reduce_in_order},
    {512, ANY_BYTES, tuned_reduce_binomial},
    {2048, ANY_BYTES, tuned_reduce_binomial},
    {4096, 512, tuned_reduce_binomial},
    {4096, 1 * KiB, tuned_reduce_in_order},
    {4096, 8 * KiB, tuned_reduce_binomial},
    {4096, 16 * KiB, tuned_reduce_in_order},
    {4096, ANY_BYTES, tuned_reduce_binomial},
    {ANY_RANKS, 16, tuned_reduce_binomial},
    {ANY_RANKS, 32, tuned_reduce_in_order},
    {ANY_RANKS, 1 * KiB, tuned_reduce_binomial},
    {ANY_RANKS, 2 * KiB, tuned_reduce_in_order},
    {ANY_RANKS, 8 * KiB, tuned_reduce_binomial},
    {ANY_RANKS, 16 * KiB, tuned_reduce_in_order},
    {ANY_RANKS, ANY_BYTES, tuned_reduce_binomial},
};

static const struct choice reduce_ordered_choices[] = {
    {4, 8, tuned_reduce_in_order},
    {4, ANY_BYTES, tuned_to_root},
    {8, ANY_BYTES, tuned_to_root},
    {16, 1 * KiB, tuned_reduce_in_order},
    {16, 8 * KiB, tuned_to_root},
    {16, 16 * KiB, tuned_reduce_in_order},
    {16, 256 * KiB, tuned_to_root},
    {16, ANY_BYTES, tuned_reduce_in_order},
    {128, ANY_BYTES, tuned_reduce_in_order},
    {256, 512, tuned_reduce_in_order},
    {256, 1 * KiB, tuned_to_root},
    {256, ANY_BYTES, tuned_reduce_in_order},
    {ANY_RANKS, ANY_BYTES, tuned_reduce_in_order},
};

void choose_reduce(const struct call *call)
{
    if (call->count && call->nonblocking)
        libnbc_reduce(call);
    else if (call->count)
        choice_apply(call->ordered ? reduce_ordered_choices : reduce_choices, call);
}

/* ---- Allreduce ---- */

static void tuned_allreduce_linear(const struct call *call)
{
    send_to_root(&call->self, 0, call->bytes);
    send_from_root(&call->self, 0, call->bytes);
}

static void tuned_allreduce_reduce_bcast(const struct call *call)
{
    struct call to_first = *call;
    to_first.root = 0;
    choose_reduce(&to_first);
    choose_bcast(&to_first);
}

static void tuned_allreduce_doubling(const struct call *call)
{
    send_doubling(&call->self, call->bytes);
}

static void tuned_allreduce_ring(const struct call *call)
{
    if (call->count < (uint64_t)call->self.size)
        send_doubling(&call->self, call->bytes);
    else
        send_reduce_ring(&call->self, call->count, call->size, 0);
}

static void tuned_allreduce_rabenseifner(const struct call *call)
{
    if (call->count < (uint64_t)largest_power(call->self.size))
        tuned_allreduce_linear(call);
    else
        send_rabenseifner_evenly(&call->self, call->count, call->size);
}

static const struct choice allreduce_choices[] = {
    {4, 8, tuned_allreduce_ring},
    {4, 4 * KiB, tuned_allreduce_doubling},
    {4, 8 * KiB, tuned_allreduce_ring},
    {4, 16 * KiB, tuned_allreduce_doubling},
    {4, 256 * KiB, tuned_allreduce_ring},
    {4, ANY_BYTES, tuned_allreduce_rabenseifner},
    {8, 16, tuned_allreduce_ring},
    {8, 8 * KiB, tuned_allreduce_doubling},
    {8, ANY_BYTES, tuned_allreduce_rabenseifner},
    {16, 8 * KiB, tuned_allreduce_doubling},
    {16, ANY_BYTES, tuned_allreduce_rabenseifner},
    {32, 64, tuned_allreduce_ring},
    {32, 4 * KiB, tuned_allreduce_doubling},
    {32, ANY_BYTES, tuned_allreduce_rabenseifner},
    {64, 128, tuned_allreduce_ring},
    {64, ANY_BYTES, tuned_allreduce_rabenseifner},
    {128, 256 * KiB, tuned_allreduce_doubling},
    {128, ANY_BYTES, tuned_allreduce_rabenseifner},
    {256, 128 * KiB, tuned_allreduce_reduce_bcast},
    {256, 256 * KiB, tuned_allreduce_doubling},
    {256, ANY_BYTES, tuned_allreduce_rabenseifner},
    {512, 4 * KiB, tuned_allreduce_reduce_bcast},
    {512, ANY_BYTES, tuned_allreduce_rabenseifner},
    {2048, 2 * KiB, tuned_allreduce_reduce_bcast},
    {2048, 16 * KiB, tuned_allreduce_doubling},
    {2048, ANY_BYTES, tuned_allreduce_rabenseifner},
    {4096, 2 * KiB, tuned_allreduce_reduce_bcast},
    {4096, 4 * KiB, tuned_allreduce_ring},
    {4096, 16 * KiB, tuned_allreduce_doubling},
    {4096, ANY_BYTES, tuned_allreduce_rabenseifner},
    {ANY_RANKS, 2 * KiB, tuned_allreduce_reduce_bcast},
    {ANY_RANKS, 16 * KiB, tuned_allreduce_ring},
    {ANY_RANKS, 32 * KiB, tuned_allreduce_doubling},
    {ANY_RANKS, ANY_BYTES, tuned_allreduce_rabenseifner},
};

static const struct choice allreduce_ordered_choices[] = {
    {4, 128 * KiB, tuned_allreduce_doubling},
    {4, ANY_BYTES, tuned_allreduce_linear},
    {8, ANY_BYTES, tuned_allreduce_doubling},
    {16, MiB, tuned_allreduce_doubling},
    {16, ANY_BYTES, tuned_allreduce_reduce_bcast},
    {128, ANY_BYTES, tuned_allreduce_doubling},
    {256, 128 * KiB, tuned_allreduce_reduce_bcast},
    {256, 512 * KiB, tuned_allreduce_doubling},
    {256, ANY_BYTES, tuned_allreduce_reduce_bcast},
    {512, 4 * KiB, tuned_allreduce_reduce_bcast},
    {512, 512 * KiB, tuned_allreduce_doubling},
    {512, ANY_BYTES, tuned_allreduce_reduce_bcast},
    {ANY_RANKS, 2 * KiB, tuned_allreduce_reduce_bcast},
    {ANY_RANKS, ANY_BYTES, tuned_allreduce_doubling},
};

void choose_allreduce(const struct call *call)
{
    if (call->count && call->nonblocking)
        libnbc_allreduce(call);
    else if (call->count)
        choice_apply(call->ordered ? allreduce_ordered_choices : allreduce_choices, call);
}

/* ---- Reduce_scatter, Reduce_scatter_block ---- */

/* All of it to rank 0. */
static void tuned_reduce_to_first(const struct call *call)
{
    uint64_t bytes = blocks_between(&call->blocks, 0, call->self.size);
    struct call to_first = *call;
    to_first.root = 0;
    to_first.count = bytes / call->size;
    to_first.bytes = bytes;
    choose_reduce(&to_first);
}

static void tuned_scattered_reduce_scatterv(const struct call *call)
{
    tuned_reduce_to_first(call);
    for (int j = 1; call->self.rank == 0 && j < call->self.size; j++)
        if (blocks_between(&call->blocks, j, j + 1))
            algorithm_send(&call->self, j, 1, blocks_between(&call->blocks, j, j + 1));
}

static void tuned_scattered_halving(const struct call *call)
{
    send_halving(&call->self, &call->blocks);
}

static void tuned_scattered_ring(const struct call *call)
{
    send_scatter_ring_reduced(&call->self, &call->blocks);
}

static void tuned_scattered_butterfly(const struct call *call)
{
    send_butterfly(&call->self, &call->blocks);
}

static const struct choice reduce_scatter_choices[] = {
    {4, 64 * KiB, tuned_scattered_ring},
    {4, 128 * KiB, tuned_scattered_butterfly},
    {4, ANY_BYTES, tuned_scattered_ring},
    {8, 8, tuned_scattered_reduce_scatterv},
    {8, 256 * KiB, tuned_scattered_halving},
    {8, ANY_BYTES, tuned_scattered_ring},
    {32, 256 * KiB, tuned_scattered_halving},
    {32, ANY_BYTES, tuned_scattered_ring},
    {64, 64, tuned_scattered_reduce_scatterv},
    {64, 2 * KiB, tuned_scattered_halving},
    {64, 512 * KiB, tuned_scattered_butterfly},
    {64, ANY_BYTES, tuned_scattered_ring},
    {128, 256, tuned_scattered_reduce_scatterv},
    {128, 512, tuned_scattered_halving},
    {128, 2 * KiB, tuned_scattered_butterfly},
    {128, 4 * KiB, tuned_scattered_halving},
    {128, ANY_BYTES, tuned_scattered_butterfly},
    {256, 256, tuned_scattered_reduce_scatterv},
    {256, 512, tuned_scattered_halving},
    {256, ANY_BYTES, tuned_scattered_butterfly},
    {512, 256, tuned_scattered_reduce_scatterv},
    {512, 1 * KiB, tuned_scattered_halving},
    {512, ANY_BYTES, tuned_scattered_butterfly},
    {1024, 512, tuned_scattered_reduce_scatterv},
    {1024, 2 * KiB, tuned_scattered_halving},
    {1024, 8 * KiB, tuned_scattered_butterfly},
    {1024, 16 * KiB, tuned_scattered_halving},
    {1024, ANY_BYTES, tuned_scattered_butterfly},
    {2048, 512, tuned_scattered_reduce_scatterv},
    {2048, 4 * KiB, tuned_scattered_halving},
    {2048, 16 * KiB, tuned_scattered_butterfly},
    {2048, 32 * KiB, tuned_scattered_halving},
    {2048, ANY_BYTES, tuned_scattered_butterfly},
    {4096, 512, tuned_scattered_reduce_scatterv},
    {4096, 4 * KiB, tuned_scattered_halving},
    {4096, ANY_BYTES, tuned_scattered_butterfly},
    {ANY_RANKS, 1 * KiB, tuned_scattered_reduce_scatterv},
    {ANY_RANKS, 8 * KiB, tuned_scattered_halving},
    {ANY_RANKS, ANY_BYTES, tuned_scattered_butterfly},
};

void choose_reduce_scatter(const struct call *call)
{
    if (!call->bytes)
        return;
    if (call->nonblocking)
        libnbc_reduce_scatter(call);
    else if (call->ordered)
        tuned_scattered_reduce_scatterv(call);
    else
        choice_apply(reduce_scatter_choices, call);
}

static void tuned_block_reduce_scatter(const struct call *call)
{
    struct call from_first = *call;
    from_first.root = 0;
    tuned_reduce_to_first(call);
    choose_scatter(&from_first);
}

static void tuned_block_doubling(const struct call *call)
{
    send_doubling_blocks(&call->self, &call->blocks);
}

static void tuned_block_butterfly(const struct call *call)
{
    if (largest_power(call->self.size) == call->self.size)
        send_butterfly_permuted(&call->self, call->bytes);
    else
        send_butterfly(&call->self, &call->blocks);
}

static const struct choice reduce_scatter_block_choices[] = {
    {4, 4, tuned_block_doubling},
    {4, 8, tuned_block_butterfly},
    {4, 16, tuned_scattered_halving},
    {4, 128, tuned_block_butterfly},
    {4, 256, tuned_scattered_halving},
    {4, 4 * KiB, tuned_block_butterfly},
    {4, 8 * KiB, tuned_scattered_halving},
    {4, 128 * KiB, tuned_block_butterfly},
    {4, ANY_BYTES, tuned_block_reduce_scatter},
    {8, 8, tuned_scattered_halving},
    {8, 32, tuned_block_doubling},
    {8, 256, tuned_block_butterfly},
    {8, 8 * KiB, tuned_scattered_halving},
    {8, 16 * KiB, tuned_block_butterfly},
    {8, MiB, tuned_scattered_halving},
    {8, ANY_BYTES, tuned_block_reduce_scatter},
    {16, 4, tuned_block_reduce_scatter},
    {16, 32, tuned_scattered_halving},
    {16, 128, tuned_block_butterfly},
    {16, 512 * KiB, tuned_scattered_halving},
    {16, 4 * MiB, tuned_block_reduce_scatter},
    {16, ANY_BYTES, tuned_block_butterfly},
    {32, 32, tuned_block_reduce_scatter},
    {32, 512 * KiB, tuned_scattered_halving},
    {32, 2 * MiB, tuned_block_reduce_scatter},
    {32, 4 * MiB, tuned_scattered_halving},
    {32, ANY_BYTES, tuned_block_butterfly},
    {ANY_RANKS, 4, tuned_scattered_halving},
    {ANY_RANKS, 16, tuned_block_reduce_scatter},
    {ANY_RANKS, 64 * KiB, tuned_block_butterfly},
    {ANY_RANKS, 256 * KiB, tuned_block_reduce_scatter},
    {ANY_RANKS, ANY_BYTES, tuned_block_butterfly},
};

void choose_reduce_scatter_block(const struct call *call)
{
    if (!call->bytes)
        return;
    if (call->nonblocking)
        libnbc_reduce_scatter(call);
    else if (call->ordered)
        tuned_block_reduce_scatter(call);
    else
        choice_apply(reduce_scatter_block_choices, call);
}

/* ---- Scan, Exscan ---- */

void choose_scan(const struct call *call)
{
    if (call->count)
        send_scan_linear(&call->self, call->bytes);
}
