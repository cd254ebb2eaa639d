/* SPDX-License-Identifier: BSD-3-Clause */
/* test-algorithms.c - do the messages of an algorithm achieve its purpose? Each rank gets what it
 * has to have, once, and what is sent equals what arrives; for 1 to 40 ranks, powers of two and
 * others. What the MPIs really send is compared in tests/mpi/algorithms.tap. */
#include "messages.h"

enum { BYTES = 1000, ODD_BYTES = 997, ELEMENT = 8 };

static struct messages m;

static int is_power(int n)
{
    return (n & (n - 1)) == 0;
}

/* Steps of doubling until n are reached. */
static int log2_up(int n)
{
    int steps = 0;
    while (1 << steps < n)
        steps++;
    return steps;
}

static int power_below(int n)
{
    return is_power(n) ? n : 1 << (log2_up(n) - 1);
}

static int bits_set(int v)
{
    return __builtin_popcount((unsigned)v);
}

/* Blocks of all sizes, empty ones among them; the first and the last are not. */
static struct blocks uneven_blocks(int n)
{
    static uint64_t start[MESSAGES_RANKS + 1];
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + (i % 5 == 2 && i < n - 1 ? 0 : (uint64_t)(10 * i + 3));
    return (struct blocks){.start = start};
}

static uint64_t block_of(const struct blocks *blocks, int rank)
{
    return blocks_between(blocks, rank, rank + 1);
}

static void a_power_is_found_up_to_the_largest_number(void **state)
{
    (void)state;
    assert_int_equal(largest_power(1), 1);
    assert_int_equal(largest_power(2), 2);
    assert_int_equal(largest_power(3), 2);
    assert_int_equal(largest_power(1023), 512);
    assert_int_equal(largest_power(1024), 1024);
    assert_int_equal(largest_power(INT32_MAX), 1 << 30);
}

/* ---- rooted trees ---- */

static int depth_of_chain(int n)
{
    return n - 1;
}

/* Levels of the sides below the root, which have n / 2 ranks at most. */
static int depth_of_binary(int n)
{
    return log2_up(n / 2 + 1);
}

static int depth_of_in_order(int n)
{
    return log2_up(n + 1) - 1;
}

static int depth_of_four_fold(int n)
{
    return (log2_up(n) + 1) / 2;
}

static const struct shape {
    const char *name;
    void (*shape)(int v, int n, struct position *position);
    int (*depth)(int n); /* at most */
    int last;            /* n - 1 is the root, else 0 */
} shapes[] = {
    {"chain", shape_chain, depth_of_chain, 0},
    {"binary", shape_binary, depth_of_binary, 0},
    {"in order", shape_in_order, depth_of_in_order, 1},
    {"lowest bit", shape_lowest_bit, log2_up, 0},
    {"highest bit", shape_highest_bit, log2_up, 0},
    {"four-fold", shape_four_fold, depth_of_four_fold, 0},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* How many steps up from `rank` to the root by who sends to whom; -1: more than there are ranks. */
static int steps_from_root(int rank, int root)
{
    for (int steps = 0; steps <= m.self.size; steps++) {
        if (rank == root)
            return steps;
        int above = 0;
        while (!m.flow[above][rank].msgs)
            above++;
        rank = above;
    }
    return -1;
}

static void check_down(const struct shape *s, int root)
{
    int n = m.self.size;
    assert_int_equal(messages_all(&m).msgs, 3 * (n - 1));
    for (int rank = 0; rank < n; rank++) {
        assert_int_equal(messages_to(&m, rank).msgs, rank == root ? 0 : 3);
        assert_int_equal(messages_to(&m, rank).bytes, rank == root ? 0 : BYTES);
        if (steps_from_root(rank, root) < 0 || steps_from_root(rank, root) > s->depth(n))
            fail_msg("%s, %d ranks: %d is %d below the root", s->name, n, rank,
                     steps_from_root(rank, root));
    }
}

/* And up the same tree every message goes back. */
static void a_tree_reaches_every_rank_once(void **state)
{
    static struct messages down;
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int n = 1; n <= MESSAGES_RANKS; n++)
            for (int root = 0; root < n; root += 1 + root / 3)
                for (int swaps = 0; swaps < (shapes[shape].last ? 1 : 2); swaps++) {
                    struct tree tree = {shapes[shape].shape, root, swaps};
                    for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
                        send_down_tree(&m.self, &tree, 3, BYTES);
                    check_down(&shapes[shape], shapes[shape].last ? (root + n - 1) % n : root);
                    down = m;
                    for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
                        send_up_tree(&m.self, &tree, 3, BYTES);
                    for (int i = 0; i < n; i++)
                        for (int j = 0; j < n; j++)
                            assert_memory_equal(&m.flow[i][j], &down.flow[j][i],
                                                sizeof(struct flow));
                }
}

/* The lowest and highest ranks below v, and how many there are. */
static void measure_subtree(const struct shape *s, int v, int n, int found[3])
{
    struct position position;
    s->shape(v, n, &position);
    found[0] = v < found[0] ? v : found[0];
    found[1] = v > found[1] ? v : found[1];
    found[2]++;
    for (int i = 0; i < position.children; i++)
        measure_subtree(s, position.child[i], n, found);
}

static void a_subtree_that_should_be_a_run_is_one(void **state)
{
    const struct shape *in_order = &shapes[2], *lowest_bit = &shapes[3];
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n++)
        for (int v = 0; v < n; v++) {
            int below[3] = {n, -1, 0};
            measure_subtree(in_order, v, n, below);
            assert_int_equal(below[1], v);
            assert_int_equal(below[2], below[1] - below[0] + 1);
            int above[3] = {n, -1, 0};
            measure_subtree(lowest_bit, v, n, above);
            assert_int_equal(above[0], v);
            assert_int_equal(above[2], above[1] - above[0] + 1);
        }
}

/* What comes in and does not go on is the own block. */
static void a_scatter_leaves_a_block_with_each(void **state)
{
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n++)
        for (int root = 0; root < n; root += 3) {
            for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
                send_down_binomial(&m.self, root, BYTES);
            for (int rank = 0; rank < n; rank++)
                assert_int_equal(messages_to(&m, rank).bytes +
                                     (rank == root ? (uint64_t)n : 0) * BYTES,
                                 messages_from(&m, rank).bytes + BYTES);
            for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
                send_up_binomial(&m.self, root, BYTES);
            assert_int_equal(messages_all(&m).msgs, n - 1);
            assert_int_equal(messages_to(&m, root).bytes, (uint64_t)(n - 1) * BYTES);
            for (int rank = 0; rank < n; rank++)
                if (rank != root)
                    assert_int_equal(messages_to(&m, rank).bytes + BYTES,
                                     messages_from(&m, rank).bytes);
        }
}

static void each_half_reaches_every_rank_of_a_split_tree(void **state)
{
    (void)state;
    for (int n = 2; n <= MESSAGES_RANKS; n++)
        for (int root = 0; root < n; root += 3) {
            for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
                send_split_binary(&m.self, root, 2 * BYTES + 1, ELEMENT);
            for (int rank = 0; rank < n; rank++) {
                struct flow in = messages_to(&m, rank);
                if (rank != root)
                    assert_int_equal(in.msgs, 2);
                if (rank != root)
                    assert_int_equal(in.bytes, (2 * BYTES + 1) * ELEMENT);
            }
        }
}

static void straight_is_one_message_for_each_other_rank(void **state)
{
    (void)state;
    for (messages_begin(&m, 5); messages_more(&m); m.self.rank++)
        send_from_root(&m.self, 2, BYTES);
    assert_string_equal(messages_text(&m), "2>0:1000 2>1:1000 2>3:1000 2>4:1000");
    for (messages_begin(&m, 5); messages_more(&m); m.self.rank++)
        send_to_root(&m.self, 2, BYTES);
    assert_string_equal(messages_text(&m), "0>2:1000 1>2:1000 3>2:1000 4>2:1000");
}

/* ---- barriers ---- */

static void a_barrier_connects_all(void **state)
{
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n++) {
        int power = power_below(n);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_dissemination(&m.self);
        assert_int_equal(messages_all(&m).msgs, n * log2_up(n));
        for (int rank = 0; rank < n; rank++)
            for (int step = 1; step < n; step *= 2)
                assert_int_equal(m.flow[rank][(rank + step) % n].msgs, 1);
        assert_int_equal(messages_all(&m).bytes, 0);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_barrier_doubling(&m.self);
        assert_int_equal(messages_all(&m).msgs, power * log2_up(power) + 2 * (n - power));
        assert_int_equal(messages_all(&m).bytes, 0);
    }
}

/* ---- reductions to all, or to one ---- */

static void doubling_among_a_power_is_log2_n_steps(void **state)
{
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n *= 2) {
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_doubling(&m.self, BYTES);
        assert_int_equal(messages_all(&m).msgs, n * log2_up(n));
        for (int rank = 0; rank < n; rank++)
            for (int bit = 1; bit < n; bit *= 2)
                assert_int_equal(m.flow[rank][rank ^ bit].bytes, BYTES);
    }
}

/* The ranks above the power find a neighbor that takes part for them: one message there, one back. */
static void doubling_among_others_has_two_messages_more_for_each_left_over(void **state)
{
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n++) {
        int power = power_below(n), rest = n - power;
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_doubling(&m.self, BYTES);
        assert_int_equal(messages_all(&m).msgs, power * log2_up(power) + 2 * rest);
        assert_int_equal(messages_all(&m).bytes, messages_all(&m).msgs * BYTES);
        for (int rank = 0; rank < 2 * rest; rank += 2) {
            assert_int_equal(messages_from(&m, rank).msgs, 1);
            assert_int_equal(m.flow[rank][rank + 1].msgs, 1);
            assert_int_equal(m.flow[rank + 1][rank].msgs, 1);
        }
    }
}

static void a_ring_goes_around_twice(void **state)
{
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n++)
        for (int ahead = 0; ahead < 2; ahead++) {
            for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
                send_reduce_ring(&m.self, ODD_BYTES, ELEMENT, ahead);
            assert_int_equal(messages_all(&m).bytes, 2 * (n - 1) * ODD_BYTES * ELEMENT);
            for (int rank = 0; rank < n; rank++)
                assert_int_equal(messages_from(&m, rank).msgs, 2 * (n - 1));
            for (int rank = 0; n > 1 && rank < n; rank++)
                assert_int_equal(m.flow[rank][(rank + 1) % n].msgs, 2 * (n - 1));
        }
}

/* In a step of the halving two ranks swap all that both still have, and as many bytes come back. */
static void rabenseifner_sends_all_but_one_part_twice(void **state)
{
    const uint64_t all = ODD_BYTES * ELEMENT, larger_half = (ODD_BYTES + 1) / 2 * ELEMENT;
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n++) {
        uint64_t power = (uint64_t)power_below(n), rest = (uint64_t)n - power;
        uint64_t steps = 2 * power * (uint64_t)log2_up((int)power);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_rabenseifner(&m.self, ODD_BYTES, ELEMENT);
        assert_int_equal(messages_all(&m).bytes, 2 * (power - 1) * all + 2 * rest * all);
        assert_int_equal(messages_all(&m).msgs, steps + 2 * rest);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_rabenseifner_evenly(&m.self, ODD_BYTES, ELEMENT);
        assert_int_equal(messages_all(&m).bytes,
                         2 * (power - 1) * all + rest * (2 * all + larger_half));
        assert_int_equal(messages_all(&m).msgs, steps + 4 * rest);
    }
}

/* The parts go up a binomial tree; a root whose partner took part for it gets one more message. The
 * root receives all but its part in the halving, then all the other parts, and what a neighbor
 * folds into it. */
static void check_rabenseifner_to(int root, uint64_t all)
{
    int n = m.self.size;
    uint64_t power = (uint64_t)power_below(n), rest = (uint64_t)n - power;
    uint64_t steps = (uint64_t)log2_up((int)power), others = all - all / power;
    int paired = (uint64_t)root < 2 * rest, replaced = paired && root % 2 == 1;
    for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
        send_rabenseifner_to(&m.self, root, all / ELEMENT, ELEMENT);
    assert_int_equal(messages_all(&m).msgs, power * steps + power - 1 + rest + (uint64_t)replaced);
    assert_int_equal(messages_all(&m).bytes, (power - 1) * all + steps * all / 2 + rest * all +
                                                 (replaced ? all / power : 0));
    assert_int_equal(messages_to(&m, root).bytes, replaced ? all : 2 * others + (paired ? all : 0));
    for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
        send_rabenseifner_evenly_to(&m.self, root, all / ELEMENT, ELEMENT);
    assert_int_equal(messages_all(&m).bytes, (power - 1) * all + steps * all / 2 +
                                                 rest * all * 3 / 2 + (replaced ? all / power : 0));
    assert_int_equal(messages_to(&m, root).bytes,
                     replaced ? all + all / 2 : 2 * others + (paired ? all : 0));
}

static void rabenseifner_to_a_root_gathers_the_parts(void **state)
{
    (void)state;
    for (int n = 2; n <= MESSAGES_RANKS; n++)
        for (int root = 0; root < n; root++) {
            m.self.size = n;
            check_rabenseifner_to(root, 64 * ELEMENT);
        }
}

/* ---- reductions of which each rank gets a block ---- */

/* Where pairs are one, the odd one takes part for both and hands the other its block. */
static uint64_t blocks_of_the_silent(const struct blocks *blocks, int rest)
{
    uint64_t bytes = 0;
    for (int i = 0; i < rest; i++)
        bytes += block_of(blocks, 2 * i);
    return bytes;
}

static int reversed(int v, int power)
{
    int result = 0;
    for (int bit = 1; bit < power; bit *= 2, v /= 2)
        result = 2 * result + v % 2;
    return result;
}

static void each_block_of_a_reduction_ends_where_it_belongs(void **state)
{
    (void)state;
    for (int n = 2; n <= MESSAGES_RANKS; n++) {
        struct blocks blocks = uneven_blocks(n);
        int power = power_below(n), rest = n - power;
        uint64_t all = blocks_between(&blocks, 0, n), moved = 0;
        uint64_t halved = (uint64_t)(power - 1 + rest) * all + blocks_of_the_silent(&blocks, rest);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_halving(&m.self, &blocks);
        assert_int_equal(messages_all(&m).bytes, halved);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_butterfly(&m.self, &blocks);
        for (int v = 0; v < power; v++)
            if (reversed(v, power) != v)
                moved += block_of(&blocks, v < rest ? 2 * v + 1 : v + rest);
        assert_int_equal(messages_all(&m).bytes, halved + moved);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_pairwise(&m.self, &blocks);
        for (int rank = 0; rank < n; rank++)
            assert_int_equal(messages_to(&m, rank).bytes, (n - 1) * block_of(&blocks, rank));
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_scatter_ring_reduced(&m.self, &blocks);
        for (int rank = 0; rank < n; rank++)
            assert_int_equal(m.flow[rank][(rank + 1) % n].bytes, all - block_of(&blocks, rank));
    }
}

/* The example on top of reductions.c. */
static void a_butterfly_of_four_is_as_drawn(void **state)
{
    struct blocks blocks = {.each = 10};
    (void)state;
    for (messages_begin(&m, 4); messages_more(&m); m.self.rank++)
        send_butterfly(&m.self, &blocks);
    assert_string_equal(messages_text(&m), "0>1:20 0>2:10 1>0:20 1>2:10 1>3:10 "
                                           "2>0:10 2>1:10 2>3:20 3>1:10 3>2:20");
}

static void blocks_of_equal_size_among_a_power(void **state)
{
    struct blocks blocks = {.each = BYTES};
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n *= 2) {
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_butterfly_permuted(&m.self, BYTES);
        for (int rank = 0; rank < n; rank++)
            assert_int_equal(messages_from(&m, rank).bytes, (n - 1) * BYTES);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_doubling_blocks(&m.self, &blocks);
        for (int rank = 0; rank < n; rank++)
            for (int bit = 1; bit < n; bit *= 2)
                assert_int_equal(m.flow[rank][rank ^ bit].bytes, (n - bit) * BYTES);
    }
}

/* Blocks of 1, 2, 0, 7, 5 and 6 bytes. In the last step 0 and 1 also pass on to 2 and 3 what they have got from 4 and
 * 5, which keep 11 bytes. */
static void doubling_with_blocks_of_any_size(void **state)
{
    static const uint64_t start[] = {0, 1, 3, 3, 10, 15, 21};
    struct blocks blocks = {.start = start};
    (void)state;
    for (messages_begin(&m, 6); messages_more(&m); m.self.rank++)
        send_doubling_blocks(&m.self, &blocks);
    assert_string_equal(messages_text(&m),
                        "0>1:20 0>2:2x28 0>4:11 1>0:19 1>3:2x28 1>5:11 2>0:14 2>3:21 3>1:14 "
                        "3>2:14 4>0:10 4>5:16 5>1:10 5>4:15");
}

/* ---- gathering to all ---- */

/* Each rank gets every block but its own, once. */
static void check_gathered(const struct blocks *blocks, uint64_t msgs)
{
    for (int rank = 0; rank < m.self.size; rank++) {
        assert_int_equal(messages_to(&m, rank).bytes,
                         blocks_between(blocks, 0, m.self.size) - block_of(blocks, rank));
        assert_int_equal(messages_from(&m, rank).msgs, msgs);
    }
}

static void all_get_each_block_once(void **state)
{
    (void)state;
    for (int n = 2; n <= MESSAGES_RANKS; n++) {
        struct blocks blocks = uneven_blocks(n);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_gather_bruck(&m.self, &blocks);
        check_gathered(&blocks, (uint64_t)log2_up(n));
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_gather_ring(&m.self, &blocks, UINT64_MAX);
        check_gathered(&blocks, (uint64_t)n - 1);
        for (messages_begin(&m, n); n % 2 == 0 && messages_more(&m); m.self.rank++)
            send_gather_neighbors(&m.self, &blocks);
        if (n % 2 == 0)
            check_gathered(&blocks, (uint64_t)n / 2);
        for (messages_begin(&m, n); is_power(n) && messages_more(&m); m.self.rank++)
            send_gather_doubling(&m.self, &blocks);
        if (is_power(n))
            check_gathered(&blocks, (uint64_t)log2_up(n));
    }
}

/* Blocks of 3, 13, 0 and 33 bytes in pieces of 10: a block without bytes is a message, too. */
static void a_ring_may_cut_blocks(void **state)
{
    struct blocks blocks = uneven_blocks(4), even = {.each = 25};
    (void)state;
    for (messages_begin(&m, 4); messages_more(&m); m.self.rank++)
        send_gather_ring(&m.self, &blocks, 10);
    assert_string_equal(messages_text(&m), "0>1:6x36 1>2:7x49 2>3:4x16 3>0:7x46");
    for (messages_begin(&m, 3); messages_more(&m); m.self.rank++)
        send_gather_ring(&m.self, &even, 10);
    assert_string_equal(messages_text(&m), "0>1:6x50 1>2:6x50 2>0:6x50");
}

/* Part v of n goes down a link for each bit of v; then all get what they do not have. */
static uint64_t bytes_of_scatter_and_gather(int n, uint64_t count)
{
    uint64_t part = (count + (uint64_t)n - 1) / (uint64_t)n, bytes = (uint64_t)(n - 1) * count;
    for (int v = 0; v < n; v++) {
        uint64_t from = (uint64_t)v * part;
        uint64_t mine = from >= count ? 0 : count - from < part ? count - from : part;
        bytes += mine * (uint64_t)bits_set(v);
    }
    return bytes * ELEMENT;
}

static void a_broadcast_in_two_steps_brings_all_parts(void **state)
{
    (void)state;
    for (int n = 2; n <= MESSAGES_RANKS; n++)
        for (int root = 0; root < n; root += 5) {
            uint64_t bytes = bytes_of_scatter_and_gather(n, ODD_BYTES);
            int part = (ODD_BYTES + n - 1) / n,
                parts = (ODD_BYTES + part - 1) / part; /* not empty */
            for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
                send_scatter_doubling(&m.self, root, ODD_BYTES, ELEMENT);
            assert_int_equal(messages_all(&m).bytes, bytes);
            if (is_power(n))
                assert_int_equal(messages_all(&m).msgs, parts - 1 + n * log2_up(n));
            for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
                send_scatter_ring(&m.self, root, ODD_BYTES);
            assert_int_equal(messages_all(&m).bytes, bytes / ELEMENT);
            assert_int_equal(messages_all(&m).msgs, parts - 1 + n * (n - 1));
        }
}

/* ---- each to each, prefixes ---- */

/* By Bruck's the block for the rank d further on travels once for each bit of d. */
static void each_gets_a_block_from_each(void **state)
{
    (void)state;
    for (int n = 1; n <= MESSAGES_RANKS; n++) {
        int hops = 0;
        for (int distance = 1; distance < n; distance++)
            hops += bits_set(distance);
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_bruck(&m.self, BYTES);
        for (int rank = 0; rank < n; rank++) {
            assert_int_equal(messages_from(&m, rank).msgs, log2_up(n));
            assert_int_equal(messages_from(&m, rank).bytes, hops * BYTES);
        }
        for (messages_begin(&m, n); messages_more(&m); m.self.rank++)
            send_to_each(&m.self, BYTES);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                assert_int_equal(m.flow[i][j].msgs, i != j);
    }
}

static void prefixes_go_up(void **state)
{
    (void)state;
    for (messages_begin(&m, 4); messages_more(&m); m.self.rank++)
        send_scan_linear(&m.self, BYTES);
    assert_string_equal(messages_text(&m), "0>1:1000 1>2:1000 2>3:1000");
    for (messages_begin(&m, 3); messages_more(&m); m.self.rank++)
        send_scan_doubling(&m.self, BYTES);
    assert_string_equal(messages_text(&m), "0>1:1000 0>2:1000 1>0:1000 2>0:1000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_is_found_up_to_the_largest_number),
        cmocka_unit_test(a_tree_reaches_every_rank_once),
        cmocka_unit_test(a_subtree_that_should_be_a_run_is_one),
        cmocka_unit_test(a_scatter_leaves_a_block_with_each),
        cmocka_unit_test(each_half_reaches_every_rank_of_a_split_tree),
        cmocka_unit_test(straight_is_one_message_for_each_other_rank),
        cmocka_unit_test(a_barrier_connects_all),
        cmocka_unit_test(doubling_among_a_power_is_log2_n_steps),
        cmocka_unit_test(doubling_among_others_has_two_messages_more_for_each_left_over),
        cmocka_unit_test(a_ring_goes_around_twice),
        cmocka_unit_test(rabenseifner_sends_all_but_one_part_twice),
        cmocka_unit_test(rabenseifner_to_a_root_gathers_the_parts),
        cmocka_unit_test(each_block_of_a_reduction_ends_where_it_belongs),
        cmocka_unit_test(a_butterfly_of_four_is_as_drawn),
        cmocka_unit_test(blocks_of_equal_size_among_a_power),
        cmocka_unit_test(doubling_with_blocks_of_any_size),
        cmocka_unit_test(all_get_each_block_once),
        cmocka_unit_test(a_ring_may_cut_blocks),
        cmocka_unit_test(a_broadcast_in_two_steps_brings_all_parts),
        cmocka_unit_test(each_gets_a_block_from_each),
        cmocka_unit_test(prefixes_go_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
