/* SPDX-License-Identifier: BSD-3-Clause */
/* test-choices-mpich.c - the choices of MPICH 4.0 against worked examples from maint/tuning/coll/mpir/generic.json in
 * its sources, on both sides of limits. */
#include "by-call.h"
#include "messages.h"
#include "sent.h"

enum { KB = 1024 };

static void binomial_down(const struct call *call)
{
    struct tree tree = {shape_lowest_bit, call->root, 0};
    send_down_tree(&call->self, &tree, 1, call->bytes);
}

static void scatter_doubling(const struct call *call)
{
    send_scatter_doubling(&call->self, call->root, call->bytes, 1);
}

static void scatter_ring(const struct call *call)
{
    send_scatter_ring(&call->self, call->root, call->bytes);
}

static void binomial_up(const struct call *call)
{
    struct tree tree = {shape_lowest_bit, call->root, 0};
    send_up_tree(&call->self, &tree, 1, call->bytes);
}

static void rabenseifner_to(const struct call *call)
{
    send_rabenseifner_to(&call->self, call->root, call->count, call->size);
}

static void rabenseifner(const struct call *call)
{
    send_rabenseifner(&call->self, call->count, call->size);
}

static void gather_ring_in_pieces(const struct call *call)
{
    send_gather_ring(&call->self, &call->blocks, 32 * KB);
}

static void pairwise(const struct call *call)
{
    send_pairwise(&call->self, &call->blocks);
}

static void scan_doubling(const struct call *call)
{
    send_scan_doubling(&call->self, call->bytes);
}

/* Bytes of all, or of a block where each rank has one. */
static const struct {
    sending *choose, *algorithm;
    int ranks;
    uint64_t bytes;
} choices[] = {
    {choose_barrier, dissemination, 7, 0},
    {choose_bcast, binomial_down, 7, 1000 * KB},
    {choose_bcast, binomial_down, 8, 12288},
    {choose_bcast, scatter_doubling, 8, 12289},
    {choose_bcast, scatter_doubling, 64, 512 * KB},
    {choose_bcast, scatter_ring, 64, 512 * KB + 1},
    {choose_bcast, binomial_down, 9, 12288},
    {choose_bcast, scatter_ring, 9, 12289},
    {choose_reduce, binomial_up, 6, 2048},
    {choose_reduce, rabenseifner_to, 6, 2049},
    {choose_reduce, binomial_up, 5000, 4095},
    {choose_reduce, rabenseifner_to, 5000, 4096},
    {choose_allreduce, doubling, 6, 8},
    {choose_allreduce, rabenseifner, 6, 9},
    {choose_allreduce, doubling, 16, 15},
    {choose_allreduce, rabenseifner, 16, 16},
    {choose_gather, gather_blocks, 6, 100},
    {choose_scatter, scatter_blocks, 6, 100},
    {choose_allgather, gather_doubling, 8, 64 * KB - 1},
    {choose_allgather, gather_ring, 8, 64 * KB},
    {choose_allgather, gather_bruck, 5, 16 * KB - 1},
    {choose_allgather, gather_ring, 5, 16 * KB},
    {choose_allgatherv, gather_bruck, 5, 16 * KB - 1},
    {choose_allgatherv, gather_ring_in_pieces, 5, 40 * KB},
    {choose_alltoall, each, 8, 256},
    {choose_alltoall, bruck, 9, 256},
    {choose_alltoall, each, 9, 257},
    {choose_reduce_scatter, halving, 8, 64 * KB - 1},
    {choose_reduce_scatter, pairwise, 8, 64 * KB},
    {choose_reduce_scatter_block, halving, 8, 64 * KB - 1},
    {choose_reduce_scatter_block, pairwise, 8, 64 * KB},
    {choose_scan, scan_doubling, 6, 100},
};

static void choices_change_at_the_limits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (!sent_by_both(sent_call(choices[i].ranks, choices[i].bytes), choices[i].choose,
                          choices[i].algorithm))
            fail_msg("row %d", (int)i);
}

static void in_order_to_root(const struct call *call)
{
    struct tree tree = {shape_lowest_bit, 0, 0};
    send_up_tree(&call->self, &tree, 1, call->bytes);
    if (call->self.rank == 0)
        algorithm_send(&call->self, call->root, 1, call->bytes);
}

static void butterfly_permuted(const struct call *call)
{
    send_butterfly_permuted(&call->self, call->bytes);
}

static void doubling_blocks(const struct call *call)
{
    send_doubling_blocks(&call->self, &call->blocks);
}

/* Operations of the program; `ordered`: one that does not commute. */
static const struct {
    sending *choose, *algorithm;
    int ranks;
    uint64_t bytes;
    int ordered;
} own_operations[] = {
    {choose_reduce, binomial_up, 6, 2049, 0},
    {choose_reduce, in_order_to_root, 6, 2048, 1},
    {choose_reduce, in_order_to_root, 8, 20000, 1},
    {choose_allreduce, doubling, 8, 20000, 0},
    {choose_allreduce, doubling, 7, 9, 1},
    {choose_reduce_scatter, halving, 8, 64 * KB - 1, 0},
    {choose_reduce_scatter, pairwise, 8, 64 * KB, 0},
    {choose_reduce_scatter, butterfly_permuted, 8, 64 * KB, 1},
    {choose_reduce_scatter, doubling_blocks, 7, 64 * KB, 1},
    {choose_reduce_scatter_block, butterfly_permuted, 16, 100, 1},
    {choose_reduce_scatter_block, doubling_blocks, 6, 100, 1},
};

static void operations_of_the_program_have_other_choices(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof own_operations / sizeof own_operations[0]; i++) {
        struct call call = sent_call(own_operations[i].ranks, own_operations[i].bytes);
        call.user_defined = 1;
        call.ordered = own_operations[i].ordered;
        if (!sent_by_both(call, own_operations[i].choose, own_operations[i].algorithm))
            fail_msg("row %d", (int)i);
    }
}

static void blocks_of_different_size_are_doubled(void **state)
{
    static const uint64_t start[] = {0, 5, 10, 15, 19};
    struct call call = sent_call(4, 5);
    (void)state;
    call.ordered = call.user_defined = 1;
    call.blocks = (struct blocks){.start = start};
    assert_true(sent_by_both(call, choose_reduce_scatter, doubling_blocks));
}

static void a_nonblocking_allreduce_doubles_for_longer(void **state)
{
    struct call call = sent_call(6, 2048);
    (void)state;
    call.nonblocking = 1;
    assert_true(sent_by_both(call, choose_allreduce, doubling));
    call.bytes = call.count = 2049;
    assert_true(sent_by_both(call, choose_allreduce, rabenseifner));
}

static void in_place_goes_to_each(void **state)
{
    struct call call = sent_call(9, 256);
    (void)state;
    call.in_place = 1;
    assert_true(sent_by_both(call, choose_alltoall, each));
}

/* As seen with MPICH 4.0.2. */
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
    assert_string_equal(messages_text(&m), "0>1:1000 0>2:1000 0>4:1000 2>3:1000 "
                                           "4>5:1000 4>6:1000 6>7:1000");
}

static void no_release_differs(void **state)
{
    struct call call = sent_call(4, 0);
    (void)state;
    assert_int_equal(choices_release("MPICH Version: 4.0.2"), 0);
    assert_int_equal(choices_release("Intel(R) MPI Library 2021.19"), CHOICES_UNKNOWN);
    assert_non_null(strstr(choices_name(CHOICES_UNKNOWN), "not known"));
    assert_string_equal(choices_name(0), "model (choices of MPICH 4.0)");
    assert_false(empty_blocks_travel(&call, VECTOR_ALLTOALLV, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_change_at_the_limits),
        cmocka_unit_test(operations_of_the_program_have_other_choices),
        cmocka_unit_test(blocks_of_different_size_are_doubled),
        cmocka_unit_test(a_nonblocking_allreduce_doubles_for_longer),
        cmocka_unit_test(in_place_goes_to_each),
        cmocka_unit_test(a_broadcast_to_eight_is_as_seen),
        cmocka_unit_test(no_release_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
