/* SPDX-License-Identifier: BSD-3-Clause */
/* test-choices-openmpi.c - the choices of Open MPI 4.1.4 against worked examples: the numbers of
 * algorithms are those of its ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, on both sides of
 * limits. Then what is not in that file: what an algorithm does when it cannot divide the data, and
 * nonblocking collectives (ompi/mca/coll/libnbc). */
#include <stdlib.h>

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
    if (call->self.rank != call->root) {
        algorithm_send(&call->self, call->root, 1, call->bytes);
        algorithm_send(&call->self, call->root, 1, 0);
    }
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

/* The algorithms by rising bytes: "3 32 5 1K 2" is 3 below 32 bytes, 5 from there to below 1 KB, and
 * then 2. MPI_Barrier changes with the ranks: "3 0 1" is 3 below so many, and then 1. */
struct limits {
    enum collective collective;
    int ranks;
    int ordered; /* the operation does not commute */
    const char *changes;
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

static const struct limits limits[] = {
    {BCAST, 2, 0, "3 32 5 256 3 512 7 1K 1 32K 5 128K 2 256K 1 512K 6 1M 5"},
    {BCAST, 7, 0, "5 64 6 128 5 2K 6"},
    {BCAST, 4, 0, "6 8K 1 1M 2"},
    {BCAST, 8, 0, "7 8 5 64 7 4K 5 16K 6 32K 1"},
    {BCAST, 16, 0, "7 4K 6 1M 8"},
    {BCAST, 32, 0, "6 2K 7"},
    {BCAST, 128, 0, "6 2 5 16K 1 32K 5 64K 7"},
    {BCAST, 256, 0, "7 16K 4 32K 7"},
    {BCAST, 1024, 0, "7 512K 8"},
    {BCAST, 2048, 0, "7 256K 8"},
    {BCAST, 4096, 0, "7 8K 5 16K 7 256K 8"},
    {REDUCE, 2, 0, "7 8 4 16 3 32 1 256K 3 512K 2 1M 3"},
    {REDUCE, 4, 0, "4 4K 2 64K 5 256K 1 512K 5 1M 1"},
    {REDUCE, 8, 0, "4 8K 5"},
    {REDUCE, 16, 0, "4 4K 5"},
    {REDUCE, 256, 0, "5 8K 6 16K 5"},
    {REDUCE, 2048, 0, "5 512 6 1K 5 8K 6 16K 5"},
    {REDUCE, 4096, 0, "5 16 6 32 5 1K 6 2K 5 8K 6 16K 5"},
    {REDUCE, 2, 1, "6 8 1"},
    {REDUCE, 8, 1, "6 1K 1 8K 6 16K 1 256K 6"},
    {REDUCE, 128, 1, "6 512 1 1K 6"},
    {ALLREDUCE, 2, 0, "4 8 3 4K 4 8K 3 16K 4 64K 5 256K 6"},
    {ALLREDUCE, 4, 0, "4 16 3 8K 6"},
    {ALLREDUCE, 8, 0, "3 8K 6"},
    {ALLREDUCE, 16, 0, "5 64 3 4K 6"},
    {ALLREDUCE, 32, 0, "5 128 6"},
    {ALLREDUCE, 64, 0, "3 256K 6"},
    {ALLREDUCE, 128, 0, "2 128K 3 256K 6"},
    {ALLREDUCE, 256, 0, "2 4K 6"},
    {ALLREDUCE, 512, 0, "2 2K 3 16K 6"},
    {ALLREDUCE, 2048, 0, "2 2K 5 4K 3 16K 6"},
    {ALLREDUCE, 4096, 0, "5 16K 3 32K 6"},
    {ALLREDUCE, 2, 1, "3 128K 1"},
    {ALLREDUCE, 8, 1, "3 1M 2"},
    {ALLREDUCE, 128, 1, "2 128K 3 512K 2"},
    {ALLREDUCE, 256, 1, "2 4K 3 512K 2"},
    {ALLREDUCE, 512, 1, "2 2K 3"},
    {GATHER, 2, 0, "3 2 1 4 2 32K 1 64K 2 128K 3"},
    {GATHER, 4, 0, "2 1K 1 8K 2 32K 1 256K 3"},
    {GATHER, 256, 0, "2 2K 1 8K 2"},
    {SCATTER, 2, 0, "3 2 1 128K 3 256K 1"},
    {SCATTER, 4, 0, "2 2K 1 4K 2 8K 1 32K 3 1M 1"},
    {SCATTER, 8, 0, "2 16K 3 1M 1"},
    {SCATTER, 16, 0, "2 16K 1 32K 3"},
    {SCATTER, 32, 0, "2 512 3 8K 2 16K 3"},
    {SCATTER, 64, 0, "2 512 3"},
    {ALLGATHER, 32, 0, "3 1K 5 64K 4"},
    {ALLGATHER, 64, 0, "3 512 5 64K 4"},
    {ALLGATHER, 128, 0, "3 512 5 128K 4 512K 5 1M 4"},
    {ALLGATHER, 256, 0, "3 32 2 128 3 1K 5 128K 4 512K 5 1M 4"},
    {ALLGATHER, 512, 0, "3 64 2 256 3 2K 5"},
    {ALLGATHER, 1024, 0, "3 4 2 8 3 16 2 32 3 256 2 512 3 4K 5"},
    {ALLGATHER, 2048, 0, "2 32 3 128 2 512 3 4K 5"},
    {ALLGATHER, 4096, 0, "3 2 2 8 3 16 2 512 3 4K 5"},
    {ALLGATHERV, 2, 0, "3 2K 5 4K 3 8K 5"},
    {ALLGATHERV, 4, 0, "1 256 4 4K 3 8K 4 16K 2 256K 4"},
    {ALLGATHERV, 8, 0, "1 1K 2"},
    {ALLGATHERV, 16, 0, "1 128 2 256K 3"},
    {ALLGATHERV, 32, 0, "1 256 2 8K 3"},
    {ALLGATHERV, 64, 0, "1 256 2 4K 3"},
    {ALLGATHERV, 128, 0, "2 1K 4 64K 3"},
    {ALLGATHERV, 256, 0, "2 1K 3"},
    {ALLGATHERV, 512, 0, "2 512 1 1K 2 4K 4 1M 3"},
    {ALLGATHERV, 1024, 0, "2 4K 4"},
    {ALLTOALL, 2, 0, "2 2 5 4 2 16 5 64 2 256 5 4K 2 32K 4 256K 5 1M 2"},
    {ALLTOALL, 3, 0, "4 8K 1 16K 4 64K 1 512K 2 1M 1"},
    {ALLTOALL, 8, 0, "4 256K 1"},
    {ALLTOALL, 16, 0, "4 4 3 512 4 8K 1 32K 4 256K 1 512K 4"},
    {ALLTOALL, 32, 0, "3 512 1 512K 4"},
    {ALLTOALL, 64, 0, "3 1K 1 2K 4 4K 1 256K 2"},
    {ALLTOALL, 128, 0, "3 1K 4 2K 1 256K 2"},
    {ALLTOALL, 256, 0, "3 1K 4 8K 1 32K 2"},
    {ALLTOALL, 512, 0, "3 512 4 8K 1 16K 4 128K 1 256K 2"},
    {ALLTOALL, 1024, 0, "3 512 4 1K 1 2K 4 16K 1 256K 4"},
    {ALLTOALL, 2048, 0, "3 1K 4 4K 1 8K 4 128K 1"},
    {ALLTOALL, 4096, 0, "3 2K 4 8K 1 16K 4 32K 1 64K 4"},
    {REDUCE_SCATTER, 2, 0, "3 64K 4 128K 3"},
    {REDUCE_SCATTER, 4, 0, "1 8 2 256K 3"},
    {REDUCE_SCATTER, 8, 0, "2 256K 3"},
    {REDUCE_SCATTER, 32, 0, "1 64 2 2K 4 512K 3"},
    {REDUCE_SCATTER, 64, 0, "1 256 2 512 4 2K 2 4K 4"},
    {REDUCE_SCATTER, 128, 0, "1 256 2 512 4"},
    {REDUCE_SCATTER, 256, 0, "1 256 2 1K 4"},
    {REDUCE_SCATTER, 512, 0, "1 512 2 2K 4 8K 2 16K 4"},
    {REDUCE_SCATTER, 1024, 0, "1 512 2 4K 4 16K 2 32K 4"},
    {REDUCE_SCATTER, 2048, 0, "1 512 2 4K 4"},
    {REDUCE_SCATTER, 4096, 0, "1 1K 2 8K 4"},
    {REDUCE_SCATTER_BLOCK, 2, 0, "2 4 4 8 3 16 4 128 3 256 4 4K 3 8K 4 128K 1"},
    {REDUCE_SCATTER_BLOCK, 4, 0, "3 8 2 32 4 256 3 8K 4 16K 3 1M 1"},
    {REDUCE_SCATTER_BLOCK, 8, 0, "1 4 3 32 4 128 3 512K 1 4M 4"},
    {REDUCE_SCATTER_BLOCK, 16, 0, "1 32 3 512K 1 2M 3 4M 4"},
    {REDUCE_SCATTER_BLOCK, 32, 0, "3 4 1 16 4 64K 1 256K 4"},
    {BARRIER, 4, 0, "3 0 1"},
    {BARRIER, 8, 0, "1 0 3"},
    {BARRIER, 64, 0, "3 0 4"},
    {BARRIER, 256, 0, "4 0 6"},
    {BARRIER, 512, 0, "6 0 4"},
    {BARRIER, 1024, 0, "4 0 6"},
    {BARRIER, 4096, 0, "6 0 4"},
};

static uint64_t read_bytes(char **text)
{
    uint64_t number = strtoull(*text, text, 10);
    uint64_t unit = **text == 'K' ? KB : **text == 'M' ? MB : 1;
    *text += unit > 1;
    return number * unit;
}

static void choices_change_at_the_limits(void **state)
{
    int changes = 0;
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct limits *l = &limits[i];
        const int barrier = l->collective == BARRIER;
        char *at = (char *)l->changes;
        int below = (int)strtol(at, &at, 10);
        for (; *at; changes++) {
            uint64_t limit = read_bytes(&at);
            int from = (int)strtol(at, &at, 10);
            check_decision(&(struct decision){l->collective, l->ranks - barrier, limit - !barrier,
                                              below, l->ordered});
            check_decision(&(struct decision){l->collective, l->ranks, limit, from, l->ordered});
            below = from;
        }
    }
    assert_int_equal(changes, 292);
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
