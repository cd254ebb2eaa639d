/* SPDX-License-Identifier: BSD-3-Clause */
/* test-choices-openmpi.c - the choices of Open MPI 4.1.4 against worked examples: the numbers of
 * algorithms are those of its ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, on both sides of
 * limits. Then what is not in that file: what an algorithm does when it cannot divide the data, and
 * nonblocking collectives (ompi/mca/coll/libnbc). */
#include "by-call.h"
#include "messages.h"
#include "sent.h"

enum { KB = 1024, MB = 1024 * KB };

/* ---- the algorithms by their numbers ---- */

static void down(const struct call *call, void (*shape)(int, int, struct position *))
{
    struct tree tree = {shape, call->root, 0};
    send_down_tree(&call->self, &tree, 1, call->bytes);
}

static void up(const struct call *call, void (*shape)(int, int, struct position *))
{
    struct tree tree = {shape, call->root, 0};
    send_up_tree(&call->self, &tree, 1, call->bytes);
}

static void none(const struct call *call)
{
    (void)call;
}

static void to_root(const struct call *call)
{
    send_to_root(&call->self, call->root, call->bytes);
}

static void from_root(const struct call *call)
{
    send_from_root(&call->self, call->root, call->bytes);
}

static void to_first_and_back(const struct call *call)
{
    send_to_root(&call->self, 0, call->bytes);
    send_from_root(&call->self, 0, call->bytes);
}

static void barrier_doubling(const struct call *call)
{
    send_barrier_doubling(&call->self);
}

static void up_and_down(const struct call *call)
{
    send_up_binomial(&call->self, 0, 0);
    send_down_binomial(&call->self, 0, 0);
}

static void down_chain(const struct call *call)
{
    down(call, shape_chain);
}

static void down_binary(const struct call *call)
{
    down(call, shape_binary);
}

static void down_binomial(const struct call *call)
{
    down(call, shape_highest_bit);
}

static void down_four_fold(const struct call *call)
{
    down(call, shape_four_fold);
}

static void down_split(const struct call *call)
{
    send_split_binary(&call->self, call->root, call->count, call->size);
}

static void scatter_doubling(const struct call *call)
{
    send_scatter_doubling(&call->self, call->root, call->count, call->size);
}

static void up_chain(const struct call *call)
{
    up(call, shape_chain);
}

static void up_binary(const struct call *call)
{
    up(call, shape_binary);
}

static void up_binomial(const struct call *call)
{
    up(call, shape_lowest_bit);
}

static void up_in_order(const struct call *call)
{
    struct tree tree = {shape_in_order, 0, 0};
    send_up_tree(&call->self, &tree, 1, call->bytes);
    if (call->self.rank == call->self.size - 1 && call->root != call->self.rank)
        algorithm_send(&call->self, call->root, 1, call->bytes);
}

static void rabenseifner_to(const struct call *call)
{
    send_rabenseifner_evenly_to(&call->self, call->root, call->count, call->size);
}

static void reduce_and_bcast(const struct call *call)
{
    struct call first = *call;
    first.root = 0;
    choose_reduce(&first);
    choose_bcast(&first);
}

static void ring(const struct call *call)
{
    send_reduce_ring(&call->self, call->count, call->size, 0);
}

static void rabenseifner(const struct call *call)
{
    send_rabenseifner_evenly(&call->self, call->count, call->size);
}

/* The root asks everybody, and gets the block in two messages. */
static void gather_asked(const struct call *call)
{
    send_from_root(&call->self, call->root, 0);
    if (call->self.rank != call->root)
        algorithm_send(&call->self, call->root, 2, call->bytes);
}

static void gather_neighbors(const struct call *call)
{
    send_gather_neighbors(&call->self, &call->blocks);
}

static void gatherv_and_bcast(const struct call *call)
{
    struct call all = {
        .self = call->self, .count = 1, .size = call->bytes * (uint64_t)call->self.size};
    all.bytes = all.size;
    send_to_root(&call->self, 0, call->bytes);
    choose_bcast(&all);
}

static void reduced_ring(const struct call *call)
{
    send_scatter_ring_reduced(&call->self, &call->blocks);
}

static void butterfly(const struct call *call)
{
    send_butterfly(&call->self, &call->blocks);
}

static void butterfly_permuted(const struct call *call)
{
    send_butterfly_permuted(&call->self, call->bytes);
}

static void doubling_blocks(const struct call *call)
{
    send_doubling_blocks(&call->self, &call->blocks);
}

static struct call all_to_first(const struct call *call)
{
    struct call first = *call;
    first.root = 0;
    first.count = first.bytes = blocks_between(&call->blocks, 0, call->self.size);
    return first;
}

static void reduce_and_scatterv(const struct call *call)
{
    struct call first = all_to_first(call);
    choose_reduce(&first);
    for (int j = 1; call->self.rank == 0 && j < call->self.size; j++)
        if (blocks_between(&call->blocks, j, j + 1))
            algorithm_send(&call->self, j, 1, blocks_between(&call->blocks, j, j + 1));
}

static void reduce_and_scatter(const struct call *call)
{
    struct call first = all_to_first(call), blocks = *call;
    choose_reduce(&first);
    blocks.root = 0;
    choose_scatter(&blocks);
}

enum collective {
    BARRIER,
    BCAST,
    REDUCE,
    ALLREDUCE,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    COLLECTIVES
};
enum { NUMBERS = 10 };
static const struct {
    const char *name;
    sending *choose;
    sending *algorithm[NUMBERS]; /* by Open MPI's number */
} collectives[COLLECTIVES] = {
    [BARRIER] =
        {"barrier",
         choose_barrier,
         {[1] = to_first_and_back, [3] = barrier_doubling, dissemination, [6] = up_and_down}},
    [BCAST] = {"bcast",
               choose_bcast,
               {[1] = from_root,
                down_chain,
                down_chain,
                down_split,
                down_binary,
                down_binomial,
                down_four_fold,
                scatter_doubling}},
    [REDUCE] =
        {"reduce",
         choose_reduce,
         {[1] = to_root, up_chain, up_chain, up_binary, up_binomial, up_in_order, rabenseifner_to}},
    [ALLREDUCE] = {"allreduce",
                   choose_allreduce,
                   {[1] = to_first_and_back, reduce_and_bcast, doubling, ring, ring, rabenseifner}},
    [GATHER] = {"gather", choose_gather, {[1] = to_root, gather_blocks, gather_asked}},
    [SCATTER] = {"scatter", choose_scatter, {[1] = from_root, scatter_blocks, from_root}},
    [ALLGATHER] = {"allgather",
                   choose_allgather,
                   {[2] = gather_bruck, gather_doubling, gather_ring, gather_neighbors, each}},
    [ALLGATHERV] = {"allgatherv",
                    choose_allgatherv,
                    {[1] = gatherv_and_bcast, gather_bruck, gather_ring, gather_neighbors, each}},
    [ALLTOALL] = {"alltoall", choose_alltoall, {[1] = each, each, bruck, each, each}},
    [REDUCE_SCATTER] = {"reduce_scatter",
                        choose_reduce_scatter,
                        {[1] = reduce_and_scatterv, halving, reduced_ring, butterfly}},
    [REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block",
                              choose_reduce_scatter_block,
                              {[1] = reduce_and_scatter, doubling_blocks, halving, butterfly}},
};

/* The bytes are those of one block for Allgather(v), Alltoall, Gather, Scatter,
 * Reduce_scatter_block, and of all data for the others, in Reduce_scatter in blocks of which the
 * last is the largest. */
struct decision {
    enum collective collective;
    int ranks;
    uint64_t bytes;
    int number;
    int ordered; /* the operation does not commute */
};

/* Two decisions: below `limit` bytes (MPI_Barrier: one rank fewer), and from there on. */
struct limit {
    enum collective collective;
    int ranks;
    uint64_t limit;
    int below, from;
    int ordered;
};

static struct call call_of(const struct decision *d)
{
    static uint64_t start[5001];
    struct call call = sent_call(d->ranks, d->bytes);
    call.ordered = d->ordered;
    if (d->collective != REDUCE_SCATTER)
        return call;
    for (int i = 0; i < d->ranks; i++)
        start[i + 1] = start[i] + d->bytes / (uint64_t)d->ranks;
    start[d->ranks] = d->bytes;
    call.blocks = (struct blocks){start, 0};
    return call;
}

static void check_decision(const struct decision *d)
{
    const char *name = collectives[d->collective].name;
    sending *algorithm = collectives[d->collective].algorithm[d->number];
    if (algorithm == butterfly && d->collective == REDUCE_SCATTER_BLOCK &&
        largest_power(d->ranks) == d->ranks)
        algorithm = butterfly_permuted;
    if (!sent_by_both(call_of(d), collectives[d->collective].choose, algorithm))
        fail_msg("%s%s of %llu bytes, %d ranks: not algorithm %d", name,
                 d->ordered ? " in order" : "", (unsigned long long)d->bytes, d->ranks, d->number);
}

static const struct limit limits[] = {
    {BCAST, 2, 32, 3, 5, 0},
    {BCAST, 2, 256, 5, 3, 0},
    {BCAST, 2, 512, 3, 7, 0},
    {BCAST, 2, 1 * KB, 7, 1, 0},
    {BCAST, 2, 32 * KB, 1, 5, 0},
    {BCAST, 2, 128 * KB, 5, 2, 0},
    {BCAST, 2, 256 * KB, 2, 1, 0},
    {BCAST, 2, 512 * KB, 1, 6, 0},
    {BCAST, 2, MB, 6, 5, 0},
    {BCAST, 7, 64, 5, 6, 0},
    {BCAST, 7, 128, 6, 5, 0},
    {BCAST, 7, 2 * KB, 5, 6, 0},
    {BCAST, 4, 8 * KB, 6, 1, 0},
    {BCAST, 4, MB, 1, 2, 0},
    {BCAST, 8, 8, 7, 5, 0},
    {BCAST, 8, 64, 5, 7, 0},
    {BCAST, 8, 4 * KB, 7, 5, 0},
    {BCAST, 8, 16 * KB, 5, 6, 0},
    {BCAST, 8, 32 * KB, 6, 1, 0},
    {BCAST, 16, 4 * KB, 7, 6, 0},
    {BCAST, 16, MB, 6, 8, 0},
    {BCAST, 32, 2 * KB, 6, 7, 0},
    {BCAST, 128, 2, 6, 5, 0},
    {BCAST, 128, 16 * KB, 5, 1, 0},
    {BCAST, 128, 32 * KB, 1, 5, 0},
    {BCAST, 128, 64 * KB, 5, 7, 0},
    {BCAST, 256, 16 * KB, 7, 4, 0},
    {BCAST, 256, 32 * KB, 4, 7, 0},
    {BCAST, 1024, 512 * KB, 7, 8, 0},
    {BCAST, 2048, 256 * KB, 7, 8, 0},
    {BCAST, 4096, 8 * KB, 7, 5, 0},
    {BCAST, 4096, 16 * KB, 5, 7, 0},
    {BCAST, 4096, 256 * KB, 7, 8, 0},
    {REDUCE, 2, 8, 7, 4, 0},
    {REDUCE, 2, 16, 4, 3, 0},
    {REDUCE, 2, 32, 3, 1, 0},
    {REDUCE, 2, 256 * KB, 1, 3, 0},
    {REDUCE, 2, 512 * KB, 3, 2, 0},
    {REDUCE, 2, MB, 2, 3, 0},
    {REDUCE, 4, 4 * KB, 4, 2, 0},
    {REDUCE, 4, 64 * KB, 2, 5, 0},
    {REDUCE, 4, 256 * KB, 5, 1, 0},
    {REDUCE, 4, 512 * KB, 1, 5, 0},
    {REDUCE, 4, MB, 5, 1, 0},
    {REDUCE, 8, 8 * KB, 4, 5, 0},
    {REDUCE, 16, 4 * KB, 4, 5, 0},
    {REDUCE, 256, 8 * KB, 5, 6, 0},
    {REDUCE, 256, 16 * KB, 6, 5, 0},
    {REDUCE, 2048, 512, 5, 6, 0},
    {REDUCE, 2048, 1 * KB, 6, 5, 0},
    {REDUCE, 2048, 8 * KB, 5, 6, 0},
    {REDUCE, 2048, 16 * KB, 6, 5, 0},
    {REDUCE, 4096, 16, 5, 6, 0},
    {REDUCE, 4096, 32, 6, 5, 0},
    {REDUCE, 4096, 1 * KB, 5, 6, 0},
    {REDUCE, 4096, 2 * KB, 6, 5, 0},
    {REDUCE, 4096, 8 * KB, 5, 6, 0},
    {REDUCE, 4096, 16 * KB, 6, 5, 0},
    {REDUCE, 2, 8, 6, 1, 1},
    {REDUCE, 8, 1 * KB, 6, 1, 1},
    {REDUCE, 8, 8 * KB, 1, 6, 1},
    {REDUCE, 8, 16 * KB, 6, 1, 1},
    {REDUCE, 8, 256 * KB, 1, 6, 1},
    {REDUCE, 128, 512, 6, 1, 1},
    {REDUCE, 128, 1 * KB, 1, 6, 1},
    {ALLREDUCE, 2, 8, 4, 3, 0},
    {ALLREDUCE, 2, 4 * KB, 3, 4, 0},
    {ALLREDUCE, 2, 8 * KB, 4, 3, 0},
    {ALLREDUCE, 2, 16 * KB, 3, 4, 0},
    {ALLREDUCE, 2, 64 * KB, 4, 5, 0},
    {ALLREDUCE, 2, 256 * KB, 5, 6, 0},
    {ALLREDUCE, 4, 16, 4, 3, 0},
    {ALLREDUCE, 4, 8 * KB, 3, 6, 0},
    {ALLREDUCE, 8, 8 * KB, 3, 6, 0},
    {ALLREDUCE, 16, 64, 5, 3, 0},
    {ALLREDUCE, 16, 4 * KB, 3, 6, 0},
    {ALLREDUCE, 32, 128, 5, 6, 0},
    {ALLREDUCE, 64, 256 * KB, 3, 6, 0},
    {ALLREDUCE, 128, 128 * KB, 2, 3, 0},
    {ALLREDUCE, 128, 256 * KB, 3, 6, 0},
    {ALLREDUCE, 256, 4 * KB, 2, 6, 0},
    {ALLREDUCE, 512, 2 * KB, 2, 3, 0},
    {ALLREDUCE, 512, 16 * KB, 3, 6, 0},
    {ALLREDUCE, 2048, 2 * KB, 2, 5, 0},
    {ALLREDUCE, 2048, 4 * KB, 5, 3, 0},
    {ALLREDUCE, 2048, 16 * KB, 3, 6, 0},
    {ALLREDUCE, 4096, 16 * KB, 5, 3, 0},
    {ALLREDUCE, 4096, 32 * KB, 3, 6, 0},
    {ALLREDUCE, 2, 128 * KB, 3, 1, 1},
    {ALLREDUCE, 8, MB, 3, 2, 1},
    {ALLREDUCE, 128, 128 * KB, 2, 3, 1},
    {ALLREDUCE, 128, 512 * KB, 3, 2, 1},
    {ALLREDUCE, 256, 4 * KB, 2, 3, 1},
    {ALLREDUCE, 256, 512 * KB, 3, 2, 1},
    {ALLREDUCE, 512, 2 * KB, 2, 3, 1},
    {GATHER, 2, 2, 3, 1, 0},
    {GATHER, 2, 4, 1, 2, 0},
    {GATHER, 2, 32 * KB, 2, 1, 0},
    {GATHER, 2, 64 * KB, 1, 2, 0},
    {GATHER, 2, 128 * KB, 2, 3, 0},
    {GATHER, 4, 1 * KB, 2, 1, 0},
    {GATHER, 4, 8 * KB, 1, 2, 0},
    {GATHER, 4, 32 * KB, 2, 1, 0},
    {GATHER, 4, 256 * KB, 1, 3, 0},
    {GATHER, 256, 2 * KB, 2, 1, 0},
    {GATHER, 256, 8 * KB, 1, 2, 0},
    {SCATTER, 2, 2, 3, 1, 0},
    {SCATTER, 2, 128 * KB, 1, 3, 0},
    {SCATTER, 2, 256 * KB, 3, 1, 0},
    {SCATTER, 4, 2 * KB, 2, 1, 0},
    {SCATTER, 4, 4 * KB, 1, 2, 0},
    {SCATTER, 4, 8 * KB, 2, 1, 0},
    {SCATTER, 4, 32 * KB, 1, 3, 0},
    {SCATTER, 4, MB, 3, 1, 0},
    {SCATTER, 8, 16 * KB, 2, 3, 0},
    {SCATTER, 8, MB, 3, 1, 0},
    {SCATTER, 16, 16 * KB, 2, 1, 0},
    {SCATTER, 16, 32 * KB, 1, 3, 0},
    {SCATTER, 32, 512, 2, 3, 0},
    {SCATTER, 32, 8 * KB, 3, 2, 0},
    {SCATTER, 32, 16 * KB, 2, 3, 0},
    {SCATTER, 64, 512, 2, 3, 0},
    {ALLGATHER, 32, 1 * KB, 3, 5, 0},
    {ALLGATHER, 32, 64 * KB, 5, 4, 0},
    {ALLGATHER, 64, 512, 3, 5, 0},
    {ALLGATHER, 64, 64 * KB, 5, 4, 0},
    {ALLGATHER, 128, 512, 3, 5, 0},
    {ALLGATHER, 128, 128 * KB, 5, 4, 0},
    {ALLGATHER, 128, 512 * KB, 4, 5, 0},
    {ALLGATHER, 128, MB, 5, 4, 0},
    {ALLGATHER, 256, 32, 3, 2, 0},
    {ALLGATHER, 256, 128, 2, 3, 0},
    {ALLGATHER, 256, 1 * KB, 3, 5, 0},
    {ALLGATHER, 256, 128 * KB, 5, 4, 0},
    {ALLGATHER, 256, 512 * KB, 4, 5, 0},
    {ALLGATHER, 256, MB, 5, 4, 0},
    {ALLGATHER, 512, 64, 3, 2, 0},
    {ALLGATHER, 512, 256, 2, 3, 0},
    {ALLGATHER, 512, 2 * KB, 3, 5, 0},
    {ALLGATHER, 1024, 4, 3, 2, 0},
    {ALLGATHER, 1024, 8, 2, 3, 0},
    {ALLGATHER, 1024, 16, 3, 2, 0},
    {ALLGATHER, 1024, 32, 2, 3, 0},
    {ALLGATHER, 1024, 256, 3, 2, 0},
    {ALLGATHER, 1024, 512, 2, 3, 0},
    {ALLGATHER, 1024, 4 * KB, 3, 5, 0},
    {ALLGATHER, 2048, 32, 2, 3, 0},
    {ALLGATHER, 2048, 128, 3, 2, 0},
    {ALLGATHER, 2048, 512, 2, 3, 0},
    {ALLGATHER, 2048, 4 * KB, 3, 5, 0},
    {ALLGATHER, 4096, 2, 3, 2, 0},
    {ALLGATHER, 4096, 8, 2, 3, 0},
    {ALLGATHER, 4096, 16, 3, 2, 0},
    {ALLGATHER, 4096, 512, 2, 3, 0},
    {ALLGATHER, 4096, 4 * KB, 3, 5, 0},
    {ALLGATHERV, 2, 2 * KB, 3, 5, 0},
    {ALLGATHERV, 2, 4 * KB, 5, 3, 0},
    {ALLGATHERV, 2, 8 * KB, 3, 5, 0},
    {ALLGATHERV, 4, 256, 1, 4, 0},
    {ALLGATHERV, 4, 4 * KB, 4, 3, 0},
    {ALLGATHERV, 4, 8 * KB, 3, 4, 0},
    {ALLGATHERV, 4, 16 * KB, 4, 2, 0},
    {ALLGATHERV, 4, 256 * KB, 2, 4, 0},
    {ALLGATHERV, 8, 1 * KB, 1, 2, 0},
    {ALLGATHERV, 16, 128, 1, 2, 0},
    {ALLGATHERV, 16, 256 * KB, 2, 3, 0},
    {ALLGATHERV, 32, 256, 1, 2, 0},
    {ALLGATHERV, 32, 8 * KB, 2, 3, 0},
    {ALLGATHERV, 64, 256, 1, 2, 0},
    {ALLGATHERV, 64, 4 * KB, 2, 3, 0},
    {ALLGATHERV, 128, 1 * KB, 2, 4, 0},
    {ALLGATHERV, 128, 64 * KB, 4, 3, 0},
    {ALLGATHERV, 256, 1 * KB, 2, 3, 0},
    {ALLGATHERV, 512, 512, 2, 1, 0},
    {ALLGATHERV, 512, 1 * KB, 1, 2, 0},
    {ALLGATHERV, 512, 4 * KB, 2, 4, 0},
    {ALLGATHERV, 512, MB, 4, 3, 0},
    {ALLGATHERV, 1024, 4 * KB, 2, 4, 0},
    {ALLTOALL, 2, 2, 2, 5, 0},
    {ALLTOALL, 2, 4, 5, 2, 0},
    {ALLTOALL, 2, 16, 2, 5, 0},
    {ALLTOALL, 2, 64, 5, 2, 0},
    {ALLTOALL, 2, 256, 2, 5, 0},
    {ALLTOALL, 2, 4 * KB, 5, 2, 0},
    {ALLTOALL, 2, 32 * KB, 2, 4, 0},
    {ALLTOALL, 2, 256 * KB, 4, 5, 0},
    {ALLTOALL, 2, MB, 5, 2, 0},
    {ALLTOALL, 3, 8 * KB, 4, 1, 0},
    {ALLTOALL, 3, 16 * KB, 1, 4, 0},
    {ALLTOALL, 3, 64 * KB, 4, 1, 0},
    {ALLTOALL, 3, 512 * KB, 1, 2, 0},
    {ALLTOALL, 3, MB, 2, 1, 0},
    {ALLTOALL, 8, 256 * KB, 4, 1, 0},
    {ALLTOALL, 16, 4, 4, 3, 0},
    {ALLTOALL, 16, 512, 3, 4, 0},
    {ALLTOALL, 16, 8 * KB, 4, 1, 0},
    {ALLTOALL, 16, 32 * KB, 1, 4, 0},
    {ALLTOALL, 16, 256 * KB, 4, 1, 0},
    {ALLTOALL, 16, 512 * KB, 1, 4, 0},
    {ALLTOALL, 32, 512, 3, 1, 0},
    {ALLTOALL, 32, 512 * KB, 1, 4, 0},
    {ALLTOALL, 64, 1 * KB, 3, 1, 0},
    {ALLTOALL, 64, 2 * KB, 1, 4, 0},
    {ALLTOALL, 64, 4 * KB, 4, 1, 0},
    {ALLTOALL, 64, 256 * KB, 1, 2, 0},
    {ALLTOALL, 128, 1 * KB, 3, 4, 0},
    {ALLTOALL, 128, 2 * KB, 4, 1, 0},
    {ALLTOALL, 128, 256 * KB, 1, 2, 0},
    {ALLTOALL, 256, 1 * KB, 3, 4, 0},
    {ALLTOALL, 256, 8 * KB, 4, 1, 0},
    {ALLTOALL, 256, 32 * KB, 1, 2, 0},
    {ALLTOALL, 512, 512, 3, 4, 0},
    {ALLTOALL, 512, 8 * KB, 4, 1, 0},
    {ALLTOALL, 512, 16 * KB, 1, 4, 0},
    {ALLTOALL, 512, 128 * KB, 4, 1, 0},
    {ALLTOALL, 512, 256 * KB, 1, 2, 0},
    {ALLTOALL, 1024, 512, 3, 4, 0},
    {ALLTOALL, 1024, 1 * KB, 4, 1, 0},
    {ALLTOALL, 1024, 2 * KB, 1, 4, 0},
    {ALLTOALL, 1024, 16 * KB, 4, 1, 0},
    {ALLTOALL, 1024, 256 * KB, 1, 4, 0},
    {ALLTOALL, 2048, 1 * KB, 3, 4, 0},
    {ALLTOALL, 2048, 4 * KB, 4, 1, 0},
    {ALLTOALL, 2048, 8 * KB, 1, 4, 0},
    {ALLTOALL, 2048, 128 * KB, 4, 1, 0},
    {ALLTOALL, 4096, 2 * KB, 3, 4, 0},
    {ALLTOALL, 4096, 8 * KB, 4, 1, 0},
    {ALLTOALL, 4096, 16 * KB, 1, 4, 0},
    {ALLTOALL, 4096, 32 * KB, 4, 1, 0},
    {ALLTOALL, 4096, 64 * KB, 1, 4, 0},
    {REDUCE_SCATTER, 2, 64 * KB, 3, 4, 0},
    {REDUCE_SCATTER, 2, 128 * KB, 4, 3, 0},
    {REDUCE_SCATTER, 4, 8, 1, 2, 0},
    {REDUCE_SCATTER, 4, 256 * KB, 2, 3, 0},
    {REDUCE_SCATTER, 8, 256 * KB, 2, 3, 0},
    {REDUCE_SCATTER, 32, 64, 1, 2, 0},
    {REDUCE_SCATTER, 32, 2 * KB, 2, 4, 0},
    {REDUCE_SCATTER, 32, 512 * KB, 4, 3, 0},
    {REDUCE_SCATTER, 64, 256, 1, 2, 0},
    {REDUCE_SCATTER, 64, 512, 2, 4, 0},
    {REDUCE_SCATTER, 64, 2 * KB, 4, 2, 0},
    {REDUCE_SCATTER, 64, 4 * KB, 2, 4, 0},
    {REDUCE_SCATTER, 128, 256, 1, 2, 0},
    {REDUCE_SCATTER, 128, 512, 2, 4, 0},
    {REDUCE_SCATTER, 256, 256, 1, 2, 0},
    {REDUCE_SCATTER, 256, 1 * KB, 2, 4, 0},
    {REDUCE_SCATTER, 512, 512, 1, 2, 0},
    {REDUCE_SCATTER, 512, 2 * KB, 2, 4, 0},
    {REDUCE_SCATTER, 512, 8 * KB, 4, 2, 0},
    {REDUCE_SCATTER, 512, 16 * KB, 2, 4, 0},
    {REDUCE_SCATTER, 1024, 512, 1, 2, 0},
    {REDUCE_SCATTER, 1024, 4 * KB, 2, 4, 0},
    {REDUCE_SCATTER, 1024, 16 * KB, 4, 2, 0},
    {REDUCE_SCATTER, 1024, 32 * KB, 2, 4, 0},
    {REDUCE_SCATTER, 2048, 512, 1, 2, 0},
    {REDUCE_SCATTER, 2048, 4 * KB, 2, 4, 0},
    {REDUCE_SCATTER, 4096, 1 * KB, 1, 2, 0},
    {REDUCE_SCATTER, 4096, 8 * KB, 2, 4, 0},
    {REDUCE_SCATTER_BLOCK, 2, 4, 2, 4, 0},
    {REDUCE_SCATTER_BLOCK, 2, 8, 4, 3, 0},
    {REDUCE_SCATTER_BLOCK, 2, 16, 3, 4, 0},
    {REDUCE_SCATTER_BLOCK, 2, 128, 4, 3, 0},
    {REDUCE_SCATTER_BLOCK, 2, 256, 3, 4, 0},
    {REDUCE_SCATTER_BLOCK, 2, 4 * KB, 4, 3, 0},
    {REDUCE_SCATTER_BLOCK, 2, 8 * KB, 3, 4, 0},
    {REDUCE_SCATTER_BLOCK, 2, 128 * KB, 4, 1, 0},
    {REDUCE_SCATTER_BLOCK, 4, 8, 3, 2, 0},
    {REDUCE_SCATTER_BLOCK, 4, 32, 2, 4, 0},
    {REDUCE_SCATTER_BLOCK, 4, 256, 4, 3, 0},
    {REDUCE_SCATTER_BLOCK, 4, 8 * KB, 3, 4, 0},
    {REDUCE_SCATTER_BLOCK, 4, 16 * KB, 4, 3, 0},
    {REDUCE_SCATTER_BLOCK, 4, MB, 3, 1, 0},
    {REDUCE_SCATTER_BLOCK, 8, 4, 1, 3, 0},
    {REDUCE_SCATTER_BLOCK, 8, 32, 3, 4, 0},
    {REDUCE_SCATTER_BLOCK, 8, 128, 4, 3, 0},
    {REDUCE_SCATTER_BLOCK, 8, 512 * KB, 3, 1, 0},
    {REDUCE_SCATTER_BLOCK, 8, 4 * MB, 1, 4, 0},
    {REDUCE_SCATTER_BLOCK, 16, 32, 1, 3, 0},
    {REDUCE_SCATTER_BLOCK, 16, 512 * KB, 3, 1, 0},
    {REDUCE_SCATTER_BLOCK, 16, 2 * MB, 1, 3, 0},
    {REDUCE_SCATTER_BLOCK, 16, 4 * MB, 3, 4, 0},
    {REDUCE_SCATTER_BLOCK, 32, 4, 3, 1, 0},
    {REDUCE_SCATTER_BLOCK, 32, 16, 1, 4, 0},
    {REDUCE_SCATTER_BLOCK, 32, 64 * KB, 4, 1, 0},
    {REDUCE_SCATTER_BLOCK, 32, 256 * KB, 1, 4, 0},
    {BARRIER, 4, 0, 3, 1, 0},
    {BARRIER, 8, 0, 1, 3, 0},
    {BARRIER, 64, 0, 3, 4, 0},
    {BARRIER, 256, 0, 4, 6, 0},
    {BARRIER, 512, 0, 6, 4, 0},
    {BARRIER, 1024, 0, 4, 6, 0},
    {BARRIER, 4096, 0, 6, 4, 0},
};

static void choices_change_at_the_limits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct limit *l = &limits[i];
        int barrier = l->collective == BARRIER;
        struct decision below = {l->collective, l->ranks - barrier, l->limit - !barrier, l->below,
                                 l->ordered};
        struct decision from = {l->collective, l->ranks, l->limit, l->from, l->ordered};
        check_decision(&below);
        check_decision(&from);
    }
}

/* ---- what is not in the tables ---- */

/* Fewer elements than an algorithm needs to part them, and just enough. */
static void too_few_elements_go_another_way(void **state)
{
    static const struct {
        sending *choose, *instead;
        int ranks;
        uint64_t count, size;
    } rows[] = {
        {choose_bcast, down_chain, 300, 1, 16 * KB},
        {choose_bcast, from_root, 20, 19, MB},
        {choose_bcast, scatter_doubling, 20, 20, MB},
        {choose_reduce, to_root, 3, 1, 4},
        {choose_allreduce, doubling, 3, 2, 2},
        {choose_reduce, rabenseifner_to, 3, 2, 2},
        {choose_allreduce, to_first_and_back, 16, 15, KB},
        {choose_allreduce, rabenseifner, 16, 16, KB},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct call call = sent_call(rows[i].ranks, rows[i].count * rows[i].size);
        call.count = rows[i].count;
        call.size = rows[i].size;
        assert_true(sent_by_both(call, rows[i].choose, rows[i].instead));
    }
}

static void some_algorithms_need_even_or_a_power(void **state)
{
    (void)state;
    assert_true(sent_by_both(sent_call(6, 100), choose_allgather, gather_bruck));
    assert_true(sent_by_both(sent_call(33, 2000), choose_allgather, gather_ring));
    assert_true(sent_by_both(sent_call(5, 1000), choose_allgatherv, gather_ring));
}

static void nothing_to_send_is_no_message(void **state)
{
    sending *const choose[] = {choose_bcast,
                               choose_reduce,
                               choose_allreduce,
                               choose_gather,
                               choose_scatter,
                               choose_allgather,
                               choose_allgatherv,
                               choose_alltoall,
                               choose_reduce_scatter,
                               choose_reduce_scatter_block,
                               choose_scan};
    (void)state;
    for (size_t i = 0; i < sizeof choose / sizeof choose[0]; i++)
        assert_true(sent_by_both(sent_call(6, 0), choose[i], none));
}

static void in_place_goes_to_each(void **state)
{
    struct call call = sent_call(40, 100);
    (void)state;
    assert_true(sent_by_both(call, choose_alltoall, bruck));
    call.in_place = 1;
    assert_true(sent_by_both(call, choose_alltoall, each));
}

static void a_prefix_goes_from_neighbor_to_neighbor(void **state)
{
    static struct messages m;
    (void)state;
    for (messages_begin(&m, 3); messages_more(&m); m.self.rank++) {
        struct call call = sent_call(3, 8);
        call.self = m.self;
        choose_scan(&call);
    }
    assert_string_equal(messages_text(&m), "0>1:8 1>2:8");
}

/* As seen with Open MPI 4.1.4. */
static void a_broadcast_to_eight_is_as_seen(void **state)
{
    static struct messages m;
    (void)state;
    for (messages_begin(&m, 8); messages_more(&m); m.self.rank++) {
        struct call call = sent_call(8, 1000);
        call.self = m.self;
        call.root = 0;
        choose_bcast(&call);
    }
    assert_string_equal(messages_text(&m), "0>1:1000 0>2:1000 0>3:1000 0>4:1000 "
                                           "4>5:1000 4>6:1000 4>7:1000");
}

/* ---- nonblocking ---- */

static void chain_of_pieces(const struct call *call)
{
    struct tree tree = {shape_chain, call->root, 1};
    send_up_tree(&call->self, &tree, call->bytes / (8 * KB), call->bytes);
}

static void up_swapped(const struct call *call)
{
    struct tree tree = {shape_lowest_bit, call->root, 1};
    send_up_tree(&call->self, &tree, 1, call->bytes);
}

static void up_in_order_of_ranks(const struct call *call)
{
    struct tree tree = {shape_lowest_bit, 0, 0};
    send_up_tree(&call->self, &tree, 1, call->bytes);
    if (call->self.rank == 0)
        algorithm_send(&call->self, call->root, 1, call->bytes);
}

static void down_swapped(const struct call *call)
{
    struct tree tree = {shape_highest_bit, call->root, 1};
    send_down_tree(&call->self, &tree, 1, call->bytes);
}

static void up_and_down_binomial(const struct call *call)
{
    struct tree there = {shape_lowest_bit, 0, 0}, back = {shape_highest_bit, 0, 0};
    send_up_tree(&call->self, &there, 1, call->bytes);
    send_down_tree(&call->self, &back, 1, call->bytes);
}

static void up_and_out(const struct call *call)
{
    struct tree tree = {shape_lowest_bit, 0, 0};
    send_up_tree(&call->self, &tree, 1, call->bytes * (uint64_t)call->self.size);
    send_from_root(&call->self, 0, call->bytes);
}

enum { ORDERED = 1, IN_PLACE = 2 };
static const struct {
    sending *choose, *algorithm;
    int ranks;
    uint64_t bytes;
    int flags;
} nonblocking[] = {
    {choose_barrier, dissemination, 6, 0, 0},
    {choose_bcast, from_root, 4, 100, 0},
    {choose_bcast, down_swapped, 5, 100, 0},
    {choose_reduce, rabenseifner_to, 3, 2, 0},
    {choose_reduce, up_swapped, 2, 64 * KB - 1, 0},
    {choose_reduce, chain_of_pieces, 2, 64 * KB, 0},
    {choose_reduce, up_in_order_of_ranks, 6, 100, ORDERED},
    {choose_allreduce, up_and_down_binomial, 3, 64 * KB, 0},
    {choose_allreduce, up_and_down_binomial, 4, 64 * KB - 1, 0},
    {choose_allreduce, rabenseifner, 4, 64 * KB, 0},
    {choose_allreduce, up_and_down_binomial, 4, 64 * KB, ORDERED},
    {choose_allreduce, up_and_down_binomial, 4, 64 * KB, IN_PLACE},
    {choose_gather, to_root, 9, 100, 0},
    {choose_scatter, from_root, 9, 100, 0},
    {choose_allgather, each, 9, 100, 0},
    {choose_allgatherv, each, 9, 100, 0},
    {choose_alltoall, each, 40, 100, 0},
    {choose_reduce_scatter_block, up_and_out, 6, 100, 0},
};

static void nonblocking_collectives_choose_for_themselves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nonblocking / sizeof nonblocking[0]; i++) {
        struct call call = sent_call(nonblocking[i].ranks, nonblocking[i].bytes);
        call.nonblocking = 1;
        call.ordered = nonblocking[i].flags == ORDERED;
        call.in_place = nonblocking[i].flags == IN_PLACE;
        if (!sent_by_both(call, nonblocking[i].choose, nonblocking[i].algorithm))
            fail_msg("row %d", (int)i);
    }
}

/* ---- releases ---- */

static void a_release_is_a_number(void **state)
{
    (void)state;
    assert_int_equal(choices_release("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4"),
                     40104);
    assert_int_equal(choices_release("Open MPI v5.0.7, package: Debian OpenMPI"), 50007);
    assert_int_equal(choices_release("something else"), 40100);
    assert_string_equal(choices_name(40104), "model (choices of Open MPI 4.1)");
    assert_string_equal(choices_name(50000), "model (choices of Open MPI 5.0)");
}

static void empty_blocks_travel_in_old_releases(void **state)
{
    struct call call = sent_call(4, 0), later = {.nonblocking = 1}, in_place = {.in_place = 1};
    (void)state;
    assert_true(empty_blocks_travel(&call, VECTOR_ALLTOALLV, 50002));
    assert_false(empty_blocks_travel(&call, VECTOR_ALLTOALLV, 50003));
    assert_false(empty_blocks_travel(&in_place, VECTOR_ALLTOALLV, 40104));
    assert_false(empty_blocks_travel(&later, VECTOR_ALLTOALLV, 40104));
    assert_false(empty_blocks_travel(&call, VECTOR_GATHERV, 40104));
    assert_true(empty_blocks_travel(&later, VECTOR_GATHERV, 40104));
    assert_true(empty_blocks_travel(&later, VECTOR_SCATTERV, 50007));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_change_at_the_limits),
        cmocka_unit_test(too_few_elements_go_another_way),
        cmocka_unit_test(some_algorithms_need_even_or_a_power),
        cmocka_unit_test(nothing_to_send_is_no_message),
        cmocka_unit_test(in_place_goes_to_each),
        cmocka_unit_test(a_prefix_goes_from_neighbor_to_neighbor),
        cmocka_unit_test(a_broadcast_to_eight_is_as_seen),
        cmocka_unit_test(nonblocking_collectives_choose_for_themselves),
        cmocka_unit_test(a_release_is_a_number),
        cmocka_unit_test(empty_blocks_travel_in_old_releases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
