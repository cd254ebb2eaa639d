/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned-reductions.c - the choices of Open MPI 4.1 where an operation adds up: see tuned.c. With an
 * operation that does not commute fewer algorithms will do; they have tables of their own.
 */
#include "profiler/tuned.h"

/* ---- Reduce ---- */

static void go_up(const struct call *call, void (*shape)(int, int, struct position *))
{
    struct tree tree = {shape, call->root, 0};
    send_up_tree(call->c, &tree, 1, call->bytes);
}

static void reduce_linear(const struct call *call)
{
    send_to_root(call->c, call->root, call->bytes);
}

static void reduce_chain(const struct call *call)
{
    go_up(call, shape_chain);
}

static void reduce_binary(const struct call *call)
{
    go_up(call, shape_binary);
}

static void reduce_binomial(const struct call *call)
{
    go_up(call, shape_lowest_bit);
}

/* To the last rank, who sends it on. */
static void reduce_in_order(const struct call *call)
{
    struct tree tree = {shape_in_order, 0, 0};
    int last = call->c->size - 1;
    send_up_tree(call->c, &tree, 1, call->bytes);
    if (call->root != last && call->c->rank == last)
        algorithm_send(call->c, call->root, 1, call->bytes);
}

static void reduce_rabenseifner(const struct call *call)
{
    if (call->count < (uint64_t)largest_power(call->c->size))
        reduce_linear(call);
    else
        send_rabenseifner_evenly_to(call->c, call->root, call->count, call->size);
}

static const struct choice reduce_choices[] = {
    {4, 8, reduce_rabenseifner},
    {4, 16, reduce_binary},
    {4, 32, reduce_chain},
    {4, 256 * KiB, reduce_linear},
    {4, ALL, reduce_chain},
    {8, 4 * KiB, reduce_binary},
    {8, 64 * KiB, reduce_chain},
    {8, 256 * KiB, reduce_binomial},
    {8, 512 * KiB, reduce_linear},
    {8, MiB, reduce_binomial},
    {8, ALL, reduce_linear},
    {16, 8 * KiB, reduce_binary},
    {16, ALL, reduce_binomial},
    {32, 4 * KiB, reduce_binary},
    {32, ALL, reduce_binomial},
    {256, ALL, reduce_binomial},
    {512, 8 * KiB, reduce_binomial},
    {512, 16 * KiB, reduce_in_order},
    {512, ALL, reduce_binomial},
    {2048, ALL, reduce_binomial},
    {4096, 512, reduce_binomial},
    {4096, 1 * KiB, reduce_in_order},
    {4096, 8 * KiB, reduce_binomial},
    {4096, 16 * KiB, reduce_in_order},
    {4096, ALL, reduce_binomial},
    {MANY, 16, reduce_binomial},
    {MANY, 32, reduce_in_order},
    {MANY, 1 * KiB, reduce_binomial},
    {MANY, 2 * KiB, reduce_in_order},
    {MANY, 8 * KiB, reduce_binomial},
    {MANY, 16 * KiB, reduce_in_order},
    {MANY, ALL, reduce_binomial},
};

static const struct choice reduce_ordered_choices[] = {
    {4, 8, reduce_in_order},        {4, ALL, reduce_linear},       {8, ALL, reduce_linear},
    {16, 1 * KiB, reduce_in_order}, {16, 8 * KiB, reduce_linear},  {16, 16 * KiB, reduce_in_order},
    {16, 256 * KiB, reduce_linear}, {16, ALL, reduce_in_order},    {128, ALL, reduce_in_order},
    {256, 512, reduce_in_order},    {256, 1 * KiB, reduce_linear}, {256, ALL, reduce_in_order},
    {MANY, ALL, reduce_in_order},
};

void choose_reduce(const struct call *call)
{
    if (call->count && call->nonblocking)
        libnbc_reduce(call);
    else if (call->count)
        take(call->ordered ? reduce_ordered_choices : reduce_choices, call);
}

/* ---- Allreduce ---- */

static void allreduce_linear(const struct call *call)
{
    send_to_root(call->c, 0, call->bytes);
    send_from_root(call->c, 0, call->bytes);
}

static void allreduce_reduce_bcast(const struct call *call)
{
    struct call to_first = *call;
    to_first.root = 0;
    choose_reduce(&to_first);
    choose_bcast(&to_first);
}

static void allreduce_doubling(const struct call *call)
{
    send_doubling(call->c, call->bytes);
}

static void allreduce_ring(const struct call *call)
{
    if (call->count < (uint64_t)call->c->size)
        send_doubling(call->c, call->bytes);
    else
        send_reduce_ring(call->c, call->count, call->size, 0);
}

static void allreduce_rabenseifner(const struct call *call)
{
    if (call->count < (uint64_t)largest_power(call->c->size))
        allreduce_linear(call);
    else
        send_rabenseifner_evenly(call->c, call->count, call->size);
}

static const struct choice allreduce_choices[] = {
    {4, 8, allreduce_ring},
    {4, 4 * KiB, allreduce_doubling},
    {4, 8 * KiB, allreduce_ring},
    {4, 16 * KiB, allreduce_doubling},
    {4, 256 * KiB, allreduce_ring},
    {4, ALL, allreduce_rabenseifner},
    {8, 16, allreduce_ring},
    {8, 8 * KiB, allreduce_doubling},
    {8, ALL, allreduce_rabenseifner},
    {16, 8 * KiB, allreduce_doubling},
    {16, ALL, allreduce_rabenseifner},
    {32, 64, allreduce_ring},
    {32, 4 * KiB, allreduce_doubling},
    {32, ALL, allreduce_rabenseifner},
    {64, 128, allreduce_ring},
    {64, ALL, allreduce_rabenseifner},
    {128, 256 * KiB, allreduce_doubling},
    {128, ALL, allreduce_rabenseifner},
    {256, 128 * KiB, allreduce_reduce_bcast},
    {256, 256 * KiB, allreduce_doubling},
    {256, ALL, allreduce_rabenseifner},
    {512, 4 * KiB, allreduce_reduce_bcast},
    {512, ALL, allreduce_rabenseifner},
    {2048, 2 * KiB, allreduce_reduce_bcast},
    {2048, 16 * KiB, allreduce_doubling},
    {2048, ALL, allreduce_rabenseifner},
    {4096, 2 * KiB, allreduce_reduce_bcast},
    {4096, 4 * KiB, allreduce_ring},
    {4096, 16 * KiB, allreduce_doubling},
    {4096, ALL, allreduce_rabenseifner},
    {MANY, 2 * KiB, allreduce_reduce_bcast},
    {MANY, 16 * KiB, allreduce_ring},
    {MANY, 32 * KiB, allreduce_doubling},
    {MANY, ALL, allreduce_rabenseifner},
};

static const struct choice allreduce_ordered_choices[] = {
    {4, 128 * KiB, allreduce_doubling},
    {4, ALL, allreduce_linear},
    {8, ALL, allreduce_doubling},
    {16, MiB, allreduce_doubling},
    {16, ALL, allreduce_reduce_bcast},
    {128, ALL, allreduce_doubling},
    {256, 128 * KiB, allreduce_reduce_bcast},
    {256, 512 * KiB, allreduce_doubling},
    {256, ALL, allreduce_reduce_bcast},
    {512, 4 * KiB, allreduce_reduce_bcast},
    {512, 512 * KiB, allreduce_doubling},
    {512, ALL, allreduce_reduce_bcast},
    {MANY, 2 * KiB, allreduce_reduce_bcast},
    {MANY, ALL, allreduce_doubling},
};

void choose_allreduce(const struct call *call)
{
    if (call->count && call->nonblocking)
        libnbc_allreduce(call);
    else if (call->count)
        take(call->ordered ? allreduce_ordered_choices : allreduce_choices, call);
}

/* ---- Reduce_scatter, Reduce_scatter_block ---- */

/* All of it to rank 0. */
static void reduce_to_first(const struct call *call)
{
    uint64_t bytes = blocks_between(&call->blocks, 0, call->c->size);
    struct call to_first = *call;
    to_first.root = 0;
    to_first.count = bytes / call->size;
    to_first.bytes = bytes;
    choose_reduce(&to_first);
}

static void scattered_reduce_scatterv(const struct call *call)
{
    reduce_to_first(call);
    for (int j = 1; call->c->rank == 0 && j < call->c->size; j++)
        if (blocks_between(&call->blocks, j, j + 1))
            algorithm_send(call->c, j, 1, blocks_between(&call->blocks, j, j + 1));
}

static void scattered_halving(const struct call *call)
{
    send_halving(call->c, &call->blocks);
}

static void scattered_ring(const struct call *call)
{
    send_scatter_ring_reduced(call->c, &call->blocks);
}

static void scattered_butterfly(const struct call *call)
{
    send_butterfly(call->c, &call->blocks);
}

static const struct choice reduce_scatter_choices[] = {
    {4, 64 * KiB, scattered_ring},
    {4, 128 * KiB, scattered_butterfly},
    {4, ALL, scattered_ring},
    {8, 8, scattered_reduce_scatterv},
    {8, 256 * KiB, scattered_halving},
    {8, ALL, scattered_ring},
    {32, 256 * KiB, scattered_halving},
    {32, ALL, scattered_ring},
    {64, 64, scattered_reduce_scatterv},
    {64, 2 * KiB, scattered_halving},
    {64, 512 * KiB, scattered_butterfly},
    {64, ALL, scattered_ring},
    {128, 256, scattered_reduce_scatterv},
    {128, 512, scattered_halving},
    {128, 2 * KiB, scattered_butterfly},
    {128, 4 * KiB, scattered_halving},
    {128, ALL, scattered_butterfly},
    {256, 256, scattered_reduce_scatterv},
    {256, 512, scattered_halving},
    {256, ALL, scattered_butterfly},
    {512, 256, scattered_reduce_scatterv},
    {512, 1 * KiB, scattered_halving},
    {512, ALL, scattered_butterfly},
    {1024, 512, scattered_reduce_scatterv},
    {1024, 2 * KiB, scattered_halving},
    {1024, 8 * KiB, scattered_butterfly},
    {1024, 16 * KiB, scattered_halving},
    {1024, ALL, scattered_butterfly},
    {2048, 512, scattered_reduce_scatterv},
    {2048, 4 * KiB, scattered_halving},
    {2048, 16 * KiB, scattered_butterfly},
    {2048, 32 * KiB, scattered_halving},
    {2048, ALL, scattered_butterfly},
    {4096, 512, scattered_reduce_scatterv},
    {4096, 4 * KiB, scattered_halving},
    {4096, ALL, scattered_butterfly},
    {MANY, 1 * KiB, scattered_reduce_scatterv},
    {MANY, 8 * KiB, scattered_halving},
    {MANY, ALL, scattered_butterfly},
};

void choose_reduce_scatter(const struct call *call)
{
    if (!call->bytes)
        return;
    if (call->nonblocking)
        libnbc_reduce_scatter(call);
    else if (call->ordered)
        scattered_reduce_scatterv(call);
    else
        take(reduce_scatter_choices, call);
}

static void block_reduce_scatter(const struct call *call)
{
    struct call from_first = *call;
    from_first.root = 0;
    reduce_to_first(call);
    choose_scatter(&from_first);
}

static void block_doubling(const struct call *call)
{
    send_doubling_blocks(call->c, call->bytes);
}

static void block_butterfly(const struct call *call)
{
    if (largest_power(call->c->size) == call->c->size)
        send_butterfly_permuted(call->c, call->bytes);
    else
        send_butterfly(call->c, &call->blocks);
}

static const struct choice reduce_scatter_block_choices[] = {
    {4, 4, block_doubling},
    {4, 8, block_butterfly},
    {4, 16, scattered_halving},
    {4, 128, block_butterfly},
    {4, 256, scattered_halving},
    {4, 4 * KiB, block_butterfly},
    {4, 8 * KiB, scattered_halving},
    {4, 128 * KiB, block_butterfly},
    {4, ALL, block_reduce_scatter},
    {8, 8, scattered_halving},
    {8, 32, block_doubling},
    {8, 256, block_butterfly},
    {8, 8 * KiB, scattered_halving},
    {8, 16 * KiB, block_butterfly},
    {8, MiB, scattered_halving},
    {8, ALL, block_reduce_scatter},
    {16, 4, block_reduce_scatter},
    {16, 32, scattered_halving},
    {16, 128, block_butterfly},
    {16, 512 * KiB, scattered_halving},
    {16, 4 * MiB, block_reduce_scatter},
    {16, ALL, block_butterfly},
    {32, 32, block_reduce_scatter},
    {32, 512 * KiB, scattered_halving},
    {32, 2 * MiB, block_reduce_scatter},
    {32, 4 * MiB, scattered_halving},
    {32, ALL, block_butterfly},
    {MANY, 4, scattered_halving},
    {MANY, 16, block_reduce_scatter},
    {MANY, 64 * KiB, block_butterfly},
    {MANY, 256 * KiB, block_reduce_scatter},
    {MANY, ALL, block_butterfly},
};

void choose_reduce_scatter_block(const struct call *call)
{
    if (!call->bytes)
        return;
    if (call->nonblocking)
        libnbc_reduce_scatter(call);
    else if (call->ordered)
        block_reduce_scatter(call);
    else
        take(reduce_scatter_block_choices, call);
}

/* ---- Scan, Exscan ---- */

void choose_scan(const struct call *call)
{
    if (call->count)
        send_scan_linear(call->c, call->bytes);
}
