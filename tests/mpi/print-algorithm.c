/* SPDX-License-Identifier: BSD-3-Clause */
/* print-algorithm NAME RANKS BYTES... - what algorithms.h says that all ranks send, summed over the
 * sizes: `source target msgs bytes`, a line for each pair. BYTES: all of it, or a block where each
 * rank has one. ROOT and PIECE (bytes of a message in a tree)
 * from the environment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/algorithms.h"

static uint64_t *msgs, *bytes_to;
static int root;
static uint64_t piece;

static void print_add(void *self, int rank, uint64_t count, uint64_t bytes)
{
    const struct sender *from = self;
    msgs[from->rank * from->size + rank] += count;
    bytes_to[from->rank * from->size + rank] += bytes;
}

typedef void shape(int v, int n, struct position *position);

static void down(const struct sender *c, shape *shape, uint64_t bytes)
{
    struct tree tree = {shape, root, 0};
    send_down_tree(c, &tree, piece ? (bytes + piece - 1) / piece : 1, bytes);
}

static void up(const struct sender *c, shape *shape, uint64_t bytes)
{
    struct tree tree = {shape, root, 0};
    send_up_tree(c, &tree, piece ? (bytes + piece - 1) / piece : 1, bytes);
}

static void in_order(const struct sender *c, uint64_t bytes)
{
    struct tree tree = {shape_in_order, 0, 0};
    send_up_tree(c, &tree, 1, bytes);
    if (root != c->size - 1 && c->rank == c->size - 1)
        algorithm_send(c, root, 1, bytes);
}

#define ALGORITHMS(X)                                                        \
    X("dissemination", send_dissemination(c))                                \
    X("barrier-doubling", send_barrier_doubling(c))                          \
    X("from-root", send_from_root(c, root, b))                               \
    X("to-root", send_to_root(c, root, b))                                   \
    X("to-and-from", send_to_root(c, 0, b); send_from_root(c, 0, b))         \
    X("up-and-down", send_up_binomial(c, 0, b); send_down_binomial(c, 0, b)) \
    X("down", send_down_binomial(c, root, b))                                \
    X("up", send_up_binomial(c, root, b))                                    \
    X("down-chain", down(c, shape_chain, b))                                 \
    X("down-binary", down(c, shape_binary, b))                               \
    X("down-highest-bit", down(c, shape_highest_bit, b))                     \
    X("down-four-fold", down(c, shape_four_fold, b))                         \
    X("split-binary", send_split_binary(c, root, b, 1))                      \
    X("up-chain", up(c, shape_chain, b))                                     \
    X("up-binary", up(c, shape_binary, b))                                   \
    X("up-lowest-bit", up(c, shape_lowest_bit, b))                           \
    X("up-in-order", in_order(c, b))                                         \
    X("scatter-ring", send_scatter_ring(c, root, b))                         \
    X("scatter-doubling", send_scatter_doubling(c, root, b, 1))              \
    X("doubling", send_doubling(c, b))                                       \
    X("reduce-ring", send_reduce_ring(c, b, 1, 0))                           \
    X("rabenseifner", send_rabenseifner(c, b, 1))                            \
    X("rabenseifner-to", send_rabenseifner_to(c, root, b, 1))                \
    X("rabenseifner-evenly", send_rabenseifner_evenly(c, b, 1))              \
    X("rabenseifner-evenly-to", send_rabenseifner_evenly_to(c, root, b, 1))  \
    X("halving", send_halving(c, &blocks))                                   \
    X("scatter-ring-reduced", send_scatter_ring_reduced(c, &blocks))         \
    X("butterfly", send_butterfly(c, &blocks))                               \
    X("butterfly-permuted", send_butterfly_permuted(c, b))                   \
    X("doubling-blocks", send_doubling_blocks(c, &blocks))                   \
    X("pairwise", send_pairwise(c, &blocks))                                 \
    X("each", send_to_each(c, b))                                            \
    X("gather-doubling", send_gather_doubling(c, &blocks))                   \
    X("gather-bruck", send_gather_bruck(c, &blocks))                         \
    X("gather-ring", send_gather_ring(c, &blocks, UINT64_MAX))               \
    X("gather-neighbors", send_gather_neighbors(c, &blocks))                 \
    X("bruck", send_bruck(c, b))                                             \
    X("scan-linear", send_scan_linear(c, b))                                 \
    X("scan-doubling", send_scan_doubling(c, b))

static int run(const char *name, const struct sender *c, uint64_t b)
{
    struct blocks blocks = {.each = b};
#define RUN(its_name, call)            \
    if (strcmp(name, its_name) == 0) { \
        call;                          \
        return 0;                      \
    }
    ALGORITHMS(RUN)
    return -1;
}

int main(int argc, char **argv)
{
    struct sender c = {.send = print_add, .context = &c};
    if (argc < 4)
        return 2;
    c.size = atoi(argv[2]);
    root = getenv("ROOT") ? atoi(getenv("ROOT")) : 0;
    piece = getenv("PIECE") ? (uint64_t)atoll(getenv("PIECE")) : 0;
    msgs = calloc((size_t)c.size * (size_t)c.size, sizeof *msgs);
    bytes_to = calloc((size_t)c.size * (size_t)c.size, sizeof *bytes_to);
    if (!msgs || !bytes_to)
        return 2;
    for (int i = 3; i < argc; i++)
        for (c.rank = 0; c.rank < c.size; c.rank++)
            if (run(argv[1], &c, (uint64_t)atoll(argv[i])))
                return 2;
    for (int i = 0; i < c.size * c.size; i++)
        if (msgs[i])
            printf("%d %d %llu %llu\n", i / c.size, i % c.size, (unsigned long long)msgs[i],
                   (unsigned long long)bytes_to[i]);
    free(msgs);
    free(bytes_to);
    return 0;
}
