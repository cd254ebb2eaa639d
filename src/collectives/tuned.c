/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned.c - the choices of Open MPI 4.1 (reductions: tuned-reductions.c): the fixed decisions of
 * its component coll/tuned, as tables by number of ranks and bytes, and those of coll/basic for
 * what tuned leaves to it (Gatherv, Scatterv, Alltoallw, Scan, Exscan); nonblocking collectives:
 * libnbc.c. As of 4.1.4: the limits are from ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, and
 * what an algorithm does with counts that it cannot divide from ompi/mca/coll/base
 * (https://github.com/open-mpi/ompi).
 *
 * Several of its algorithms send the same messages, only at other times, and are one here: chain
 * and pipeline (the decisions pass no segment size, and one chain), ring and segmented ring, linear
 * with and without nonblocking sends, all of Alltoall but Bruck's, two processes and ring.
 *
 * Some are built from other collectives, which make their own choice: Allreduce of Reduce and
 * Bcast, Reduce_scatter of Reduce and Scatterv, Allgatherv of Gatherv and Bcast.
 *
 * Open MPI 5.0 has the same decisions (5.0.7: the file is the same), but since 5.0.3 sends no
 * messages for empty blocks of MPI_Alltoallv; so the library that is loaded is asked for its
 * release. On several nodes it prefers its component coll/han for seven collectives, whose messages
 * depend on which ranks share a node: that is not modeled (doc/collectives.md).
 *
 * A table is searched from its start, so a choice costs at most some 40 comparisons.
 */
#include <stdio.h>

#include "collectives/tuned.h"

int choices_release(const char *library_version)
{
    int part[3] = {4, 1, 0};
    sscanf(library_version, "Open MPI v%d.%d.%d", &part[0], &part[1], &part[2]);
    return 10000 * part[0] + 100 * part[1] + part[2];
}

const char *choices_name(int release)
{
    return release >= 50000 ? "model (choices of Open MPI 5.0)" : "model (choices of Open MPI 4.1)";
}

/* ---- Barrier ---- */

static void tuned_barrier_linear(const struct call *call)
{
    send_to_root(&call->self, 0, 0);
    send_from_root(&call->self, 0, 0);
}

static void tuned_barrier_doubling(const struct call *call)
{
    send_barrier_doubling(&call->self);
}

static void tuned_barrier_dissemination(const struct call *call)
{
    send_dissemination(&call->self);
}

static void tuned_barrier_tree(const struct call *call)
{
    send_up_binomial(&call->self, 0, 0);
    send_down_binomial(&call->self, 0, 0);
}

static const struct choice barrier_choices[] = {
    {4, ANY_BYTES, tuned_barrier_doubling},  {8, ANY_BYTES, tuned_barrier_linear},
    {64, ANY_BYTES, tuned_barrier_doubling}, {256, ANY_BYTES, tuned_barrier_dissemination},
    {512, ANY_BYTES, tuned_barrier_tree},    {1024, ANY_BYTES, tuned_barrier_dissemination},
    {4096, ANY_BYTES, tuned_barrier_tree},   {ANY_RANKS, ANY_BYTES, tuned_barrier_dissemination},
};

void choose_barrier(const struct call *call)
{
    if (call->nonblocking)
        send_dissemination(&call->self);
    else
        choice_apply(barrier_choices, call);
}

/* ---- Bcast ---- */

static void tuned_go_down(const struct call *call, void (*shape)(int, int, struct position *))
{
    struct tree tree = {shape, call->root, 0};
    send_down_tree(&call->self, &tree, 1, call->bytes);
}

static void tuned_bcast_chain(const struct call *call)
{
    tuned_go_down(call, shape_chain);
}

static void tuned_bcast_binary(const struct call *call)
{
    tuned_go_down(call, shape_binary);
}

static void tuned_bcast_binomial(const struct call *call)
{
    tuned_go_down(call, shape_highest_bit);
}

static void tuned_bcast_knomial(const struct call *call)
{
    tuned_go_down(call, shape_four_fold);
}

static void tuned_bcast_split(const struct call *call)
{
    if (call->count < 2)
        tuned_bcast_chain(call);
    else
        send_split_binary(&call->self, call->root, call->count, call->size);
}

static void tuned_bcast_scatter(const struct call *call)
{
    if (call->count < (uint64_t)call->self.size)
        tuned_from_root(call);
    else
        send_scatter_doubling(&call->self, call->root, call->count, call->size);
}

static const struct choice bcast_choices[] = {
    {4, 32, tuned_bcast_chain},
    {4, 256, tuned_bcast_binary},
    {4, 512, tuned_bcast_chain},
    {4, 1 * KiB, tuned_bcast_knomial},
    {4, 32 * KiB, tuned_from_root},
    {4, 128 * KiB, tuned_bcast_binary},
    {4, 256 * KiB, tuned_bcast_chain},
    {4, 512 * KiB, tuned_from_root},
    {4, MiB, tuned_bcast_binomial},
    {4, ANY_BYTES, tuned_bcast_binary},
    {8, 64, tuned_bcast_binary},
    {8, 128, tuned_bcast_binomial},
    {8, 2 * KiB, tuned_bcast_binary},
    {8, 8 * KiB, tuned_bcast_binomial},
    {8, MiB, tuned_from_root},
    {8, ANY_BYTES, tuned_bcast_chain},
    {16, 8, tuned_bcast_knomial},
    {16, 64, tuned_bcast_binary},
    {16, 4 * KiB, tuned_bcast_knomial},
    {16, 16 * KiB, tuned_bcast_binary},
    {16, 32 * KiB, tuned_bcast_binomial},
    {16, ANY_BYTES, tuned_from_root},
    {32, 4 * KiB, tuned_bcast_knomial},
    {32, MiB, tuned_bcast_binomial},
    {32, ANY_BYTES, tuned_bcast_scatter},
    {64, 2 * KiB, tuned_bcast_binomial},
    {64, ANY_BYTES, tuned_bcast_knomial},
    {128, ANY_BYTES, tuned_bcast_knomial},
    {256, 2, tuned_bcast_binomial},
    {256, 16 * KiB, tuned_bcast_binary},
    {256, 32 * KiB, tuned_from_root},
    {256, 64 * KiB, tuned_bcast_binary},
    {256, ANY_BYTES, tuned_bcast_knomial},
    {1024, 16 * KiB, tuned_bcast_knomial},
    {1024, 32 * KiB, tuned_bcast_split},
    {1024, ANY_BYTES, tuned_bcast_knomial},
    {2048, 512 * KiB, tuned_bcast_knomial},
    {2048, ANY_BYTES, tuned_bcast_scatter},
    {4096, 256 * KiB, tuned_bcast_knomial},
    {4096, ANY_BYTES, tuned_bcast_scatter},
    {ANY_RANKS, 8 * KiB, tuned_bcast_knomial},
    {ANY_RANKS, 16 * KiB, tuned_bcast_binary},
    {ANY_RANKS, 256 * KiB, tuned_bcast_knomial},
    {ANY_RANKS, ANY_BYTES, tuned_bcast_scatter},
};

void choose_bcast(const struct call *call)
{
    if (call->count && call->nonblocking)
        libnbc_bcast(call);
    else if (call->count)
        choice_apply(bcast_choices, call);
}

/* ---- Gather, Scatter ---- */

static void tuned_gather_binomial(const struct call *call)
{
    send_up_binomial(&call->self, call->root, call->bytes);
}

/* The root asks each rank, which sends its block and then the rest of it: an empty message. */
static void tuned_gather_linear_sync(const struct call *call)
{
    send_from_root(&call->self, call->root, 0);
    if (call->self.rank == call->root)
        return;
    algorithm_send(&call->self, call->root, 1, call->bytes);
    algorithm_send(&call->self, call->root, 1, 0);
}

static const struct choice gather_choices[] = {
    {4, 2, tuned_gather_linear_sync},         {4, 4, tuned_to_root},
    {4, 32 * KiB, tuned_gather_binomial},     {4, 64 * KiB, tuned_to_root},
    {4, 128 * KiB, tuned_gather_binomial},    {4, ANY_BYTES, tuned_gather_linear_sync},
    {8, 1 * KiB, tuned_gather_binomial},      {8, 8 * KiB, tuned_to_root},
    {8, 32 * KiB, tuned_gather_binomial},     {8, 256 * KiB, tuned_to_root},
    {8, ANY_BYTES, tuned_gather_linear_sync}, {256, ANY_BYTES, tuned_gather_binomial},
    {512, 2 * KiB, tuned_gather_binomial},    {512, 8 * KiB, tuned_to_root},
    {512, ANY_BYTES, tuned_gather_binomial},  {ANY_RANKS, ANY_BYTES, tuned_gather_binomial},
};

void choose_gather(const struct call *call)
{
    if (call->nonblocking)
        tuned_to_root(call);
    else if (call->count)
        choice_apply(gather_choices, call);
}

static void tuned_scatter_binomial(const struct call *call)
{
    send_down_binomial(&call->self, call->root, call->bytes);
}

static const struct choice scatter_choices[] = {
    {4, ANY_BYTES, tuned_from_root},         {8, 2 * KiB, tuned_scatter_binomial},
    {8, 4 * KiB, tuned_from_root},           {8, 8 * KiB, tuned_scatter_binomial},
    {8, ANY_BYTES, tuned_from_root},         {32, 16 * KiB, tuned_scatter_binomial},
    {32, ANY_BYTES, tuned_from_root},        {64, 512, tuned_scatter_binomial},
    {64, 8 * KiB, tuned_from_root},          {64, 16 * KiB, tuned_scatter_binomial},
    {64, ANY_BYTES, tuned_from_root},        {ANY_RANKS, 512, tuned_scatter_binomial},
    {ANY_RANKS, ANY_BYTES, tuned_from_root},
};

void choose_scatter(const struct call *call)
{
    if (call->nonblocking)
        tuned_from_root(call);
    else if (call->count)
        choice_apply(scatter_choices, call);
}

/* ---- Allgather, Allgatherv ---- */

static void tuned_allgather_bruck(const struct call *call)
{
    send_gather_bruck(&call->self, &call->blocks);
}

static void tuned_allgather_doubling(const struct call *call)
{
    if (largest_power(call->self.size) == call->self.size)
        send_gather_doubling(&call->self, &call->blocks);
    else
        send_gather_bruck(&call->self, &call->blocks);
}

static void tuned_allgather_ring(const struct call *call)
{
    send_gather_ring(&call->self, &call->blocks, UINT64_MAX);
}

static void tuned_allgather_neighbors(const struct call *call)
{
    if (call->self.size % 2 == 0)
        send_gather_neighbors(&call->self, &call->blocks);
    else
        tuned_allgather_ring(call);
}

/* For the broadcast all blocks together are one element, which cannot be divided. */
static void tuned_allgatherv_gatherv_bcast(const struct call *call)
{
    const struct sender *self = &call->self;
    uint64_t bytes = blocks_between(&call->blocks, 0, self->size);
    uint64_t own = blocks_between(&call->blocks, self->rank, self->rank + 1);
    struct call all = {.self = *self, .count = 1, .size = bytes, .bytes = bytes};
    if (own)
        send_to_root(self, 0, own);
    choose_bcast(&all);
}

static const struct choice allgather_choices[] = {
    {32, ANY_BYTES, tuned_allgather_doubling},
    {64, 1 * KiB, tuned_allgather_doubling},
    {64, 64 * KiB, tuned_allgather_neighbors},
    {64, ANY_BYTES, tuned_allgather_ring},
    {128, 512, tuned_allgather_doubling},
    {128, 64 * KiB, tuned_allgather_neighbors},
    {128, ANY_BYTES, tuned_allgather_ring},
    {256, 512, tuned_allgather_doubling},
    {256, 128 * KiB, tuned_allgather_neighbors},
    {256, 512 * KiB, tuned_allgather_ring},
    {256, MiB, tuned_allgather_neighbors},
    {256, ANY_BYTES, tuned_allgather_ring},
    {512, 32, tuned_allgather_doubling},
    {512, 128, tuned_allgather_bruck},
    {512, 1 * KiB, tuned_allgather_doubling},
    {512, 128 * KiB, tuned_allgather_neighbors},
    {512, 512 * KiB, tuned_allgather_ring},
    {512, MiB, tuned_allgather_neighbors},
    {512, ANY_BYTES, tuned_allgather_ring},
    {1024, 64, tuned_allgather_doubling},
    {1024, 256, tuned_allgather_bruck},
    {1024, 2 * KiB, tuned_allgather_doubling},
    {1024, ANY_BYTES, tuned_allgather_neighbors},
    {2048, 4, tuned_allgather_doubling},
    {2048, 8, tuned_allgather_bruck},
    {2048, 16, tuned_allgather_doubling},
    {2048, 32, tuned_allgather_bruck},
    {2048, 256, tuned_allgather_doubling},
    {2048, 512, tuned_allgather_bruck},
    {2048, 4 * KiB, tuned_allgather_doubling},
    {2048, ANY_BYTES, tuned_allgather_neighbors},
    {4096, 32, tuned_allgather_bruck},
    {4096, 128, tuned_allgather_doubling},
    {4096, 512, tuned_allgather_bruck},
    {4096, 4 * KiB, tuned_allgather_doubling},
    {4096, ANY_BYTES, tuned_allgather_neighbors},
    {ANY_RANKS, 2, tuned_allgather_doubling},
    {ANY_RANKS, 8, tuned_allgather_bruck},
    {ANY_RANKS, 16, tuned_allgather_doubling},
    {ANY_RANKS, 512, tuned_allgather_bruck},
    {ANY_RANKS, 4 * KiB, tuned_allgather_doubling},
    {ANY_RANKS, ANY_BYTES, tuned_allgather_neighbors},
};

static const struct choice allgatherv_choices[] = {
    {3, ANY_BYTES, tuned_allgather_ring},
    {8, 256, tuned_allgatherv_gatherv_bcast},
    {8, 4 * KiB, tuned_allgather_neighbors},
    {8, 8 * KiB, tuned_allgather_ring},
    {8, 16 * KiB, tuned_allgather_neighbors},
    {8, 256 * KiB, tuned_allgather_bruck},
    {8, ANY_BYTES, tuned_allgather_neighbors},
    {16, 1 * KiB, tuned_allgatherv_gatherv_bcast},
    {16, ANY_BYTES, tuned_allgather_bruck},
    {32, 128, tuned_allgatherv_gatherv_bcast},
    {32, 256 * KiB, tuned_allgather_bruck},
    {32, ANY_BYTES, tuned_allgather_ring},
    {64, 256, tuned_allgatherv_gatherv_bcast},
    {64, 8 * KiB, tuned_allgather_bruck},
    {64, ANY_BYTES, tuned_allgather_ring},
    {128, 256, tuned_allgatherv_gatherv_bcast},
    {128, 4 * KiB, tuned_allgather_bruck},
    {128, ANY_BYTES, tuned_allgather_ring},
    {256, 1 * KiB, tuned_allgather_bruck},
    {256, 64 * KiB, tuned_allgather_neighbors},
    {256, ANY_BYTES, tuned_allgather_ring},
    {512, 1 * KiB, tuned_allgather_bruck},
    {512, ANY_BYTES, tuned_allgather_ring},
    {1024, 512, tuned_allgather_bruck},
    {1024, 1 * KiB, tuned_allgatherv_gatherv_bcast},
    {1024, 4 * KiB, tuned_allgather_bruck},
    {1024, MiB, tuned_allgather_neighbors},
    {1024, ANY_BYTES, tuned_allgather_ring},
    {ANY_RANKS, 4 * KiB, tuned_allgather_bruck},
    {ANY_RANKS, ANY_BYTES, tuned_allgather_neighbors},
};

void choose_allgather(const struct call *call)
{
    if (call->nonblocking)
        libnbc_allgather(call);
    else if (call->blocks.each)
        choice_apply(allgather_choices, call);
}

void choose_allgatherv(const struct call *call)
{
    if (call->nonblocking)
        libnbc_allgather(call);
    else if (blocks_between(&call->blocks, 0, call->self.size))
        choice_apply(allgatherv_choices, call);
}

/* ---- Alltoall ---- */

static void tuned_alltoall_each(const struct call *call)
{
    send_to_each(&call->self, call->bytes);
}

static void tuned_alltoall_bruck(const struct call *call)
{
    send_bruck(&call->self, call->bytes);
}

static const struct choice alltoall_choices[] = {
    {16, ANY_BYTES, tuned_alltoall_each},
    {32, 4, tuned_alltoall_each},
    {32, 512, tuned_alltoall_bruck},
    {32, ANY_BYTES, tuned_alltoall_each},
    {64, 512, tuned_alltoall_bruck},
    {64, ANY_BYTES, tuned_alltoall_each},
    {512, 1 * KiB, tuned_alltoall_bruck},
    {512, ANY_BYTES, tuned_alltoall_each},
    {2048, 512, tuned_alltoall_bruck},
    {2048, ANY_BYTES, tuned_alltoall_each},
    {4096, 1 * KiB, tuned_alltoall_bruck},
    {4096, ANY_BYTES, tuned_alltoall_each},
    {ANY_RANKS, 2 * KiB, tuned_alltoall_bruck},
    {ANY_RANKS, ANY_BYTES, tuned_alltoall_each},
};

void choose_alltoall(const struct call *call)
{
    if (call->nonblocking || (call->bytes && call->in_place))
        send_to_each(&call->self, call->bytes);
    else if (call->bytes)
        choice_apply(alltoall_choices, call);
}

/* ---- -v, -w ---- */

int empty_blocks_travel(const struct call *call, enum vector collective, int release)
{
    if (collective == VECTOR_ALLTOALLV)
        return !call->nonblocking && !call->in_place && release < 50003;
    return call->nonblocking;
}
