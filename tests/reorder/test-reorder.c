/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-reorder.c - MPI_COMM_WORLD is reordered as a file says, or by a profile, in few steps: the one
 * collective call is that which makes the communicator, and the chain of messages is as long as the
 * tree is deep, with any number of ranks. If MPI_Comm_create fails on some ranks, no rank has a new
 * order, and none frees the one that it got: that is collective. The ranks are threads (ranks.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "ranks.h"
#include "reorder/cart-graph.h"
#include "reorder/error-handler.h"
#include "reorder/reorder.h"

enum { MOST_RANKS = 256, NEW_ORDER = 2, GROUP = 3 };

static int failing; /* the rank whose MPI_Comm_create fails; -1: none */
static int freed;   /* how many ranks have freed the new order */
static int created, size_of_world;
static __thread int own_rank, role_of_rank;

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    *rank = comm == NEW_ORDER ? role_of_rank : own_rank;
    return MPI_SUCCESS;
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    (void)comm;
    *group = GROUP;
    return MPI_SUCCESS;
}

int PMPI_Group_free(MPI_Group *group)
{
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

int PMPI_Group_incl(MPI_Group all, int count, const int ranks[], MPI_Group *group)
{
    assert_int_equal(count, size_of_world);
    for (int role = 0; role < count; role++)
        if (ranks[role] == own_rank)
            role_of_rank = role;
    *group = all;
    return MPI_SUCCESS;
}

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *result)
{
    assert_int_equal(comm, MPI_COMM_WORLD);
    assert_int_equal(group, GROUP);
    __atomic_fetch_add(&created, 1, __ATOMIC_RELAXED);
    if (own_rank == failing)
        return MPI_ERR_OTHER;
    *result = NEW_ORDER;
    return MPI_SUCCESS;
}

int PMPI_Comm_free(MPI_Comm *comm)
{
    assert_int_equal(*comm, NEW_ORDER);
    __atomic_fetch_add(&freed, 1, __ATOMIC_RELAXED);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *is_set)
{
    (void)comm;
    (void)keyval;
    (void)value;
    *is_set = 0;
    return MPI_SUCCESS;
}

void error_handler_return(MPI_Comm comm, MPI_Errhandler *theirs)
{
    (void)comm;
    (void)theirs;
}

void error_handler_restore(MPI_Comm comm, MPI_Errhandler *theirs)
{
    error_handler_return(comm, theirs);
}

/* ---- what the world does not call ---- */

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *result)
{
    (void)comm;
    (void)color;
    (void)key;
    (void)result;
    fail();
    return -1;
}

int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *result)
{
    (void)info;
    return PMPI_Comm_split(comm, type, key, result);
}

void cart_graph_get(struct neighbor_lists *lists, int kind, MPI_Comm comm, struct trouble *trouble)
{
    (void)lists;
    (void)trouble;
    PMPI_Comm_split(comm, kind, 0, NULL);
}

void cart_graph_create(int kind, MPI_Comm plain, MPI_Comm order, MPI_Comm *newcomm,
                       struct trouble *trouble)
{
    (void)newcomm;
    (void)trouble;
    PMPI_Comm_split(order, kind, 0, &plain);
}

void neighbor_lists_get(struct neighbor_lists *lists, MPI_Comm comm, struct trouble *trouble)
{
    cart_graph_get(lists, 0, comm, trouble);
}

void neighbor_lists_move(struct neighbor_lists *theirs, const struct neighbor_lists *mine, int to,
                         int from, MPI_Comm comm, struct trouble *trouble)
{
    (void)mine;
    (void)to;
    cart_graph_get(theirs, from, comm, trouble);
}

int neighbor_lists_create(const struct neighbor_lists *lists, MPI_Comm comm, MPI_Info info,
                          MPI_Comm *newcomm)
{
    (void)lists;
    (void)info;
    return PMPI_Comm_split(comm, 0, 0, newcomm);
}

void neighbor_lists_free(struct neighbor_lists *lists)
{
    (void)lists;
}

int PMPI_Topo_test(MPI_Comm comm, int *kind)
{
    return PMPI_Comm_split(comm, *kind, 0, NULL);
}

/* ---- */

static char path[] = "/tmp/reseat-order.XXXXXX";
static struct reseat_settings settings;
static MPI_Comm orders[MOST_RANKS];
static int roles[MOST_RANKS];

static void reorder_one(int rank, void *unused)
{
    (void)unused;
    own_rank = rank;
    orders[rank] = reorder_world(&settings, clock_now());
    roles[rank] = role_of_rank;
}

static void reorder_all(int ranks)
{
    size_of_world = ranks;
    created = 0;
    ranks_run(ranks, reorder_one, NULL);
}

static FILE *begin(void)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    memset(&settings, 0, sizeof settings);
    settings.phase = settings.kind = -1;
    settings.scope = RESEAT_SCOPE_AUTO;
    settings.strategy = RESEAT_STRATEGY_GLOBAL;
    settings.pattern = RESEAT_PATTERN_AUTO;
    return file;
}

static void all_ranks_have_the_order_or_none(void **state)
{
    FILE *file = begin();
    (void)state;
    fprintf(file, "0 1\n1 0\n2 3\n3 2\n");
    fclose(file);
    strcpy(settings.mapping, path);
    for (failing = -1; failing < 4; failing++) {
        reorder_all(4);
        for (int rank = 0; rank < 4; rank++) {
            assert_int_equal(orders[rank], failing < 0 ? (MPI_Comm)NEW_ORDER : MPI_COMM_NULL);
            assert_int_equal(roles[rank], rank ^ 1);
        }
        assert_int_equal(freed, 0);
    }
    failing = -1;
}

static void an_order_that_cannot_be_read_is_none(void **state)
{
    FILE *file = begin();
    (void)state;
    fprintf(file, "0 1\n1 1\n2 3\n3 2\n");
    fclose(file);
    strcpy(settings.mapping, path);
    reorder_all(4);
    for (int rank = 0; rank < 4; rank++)
        assert_int_equal(orders[rank], MPI_COMM_NULL);
    assert_int_equal(created, 0);
}

/* Rank r and rank r + n/2 talk, on nodes of two. */
static void a_few_steps_for_any_number_of_ranks(void **state)
{
    static const int sizes[][2] = {{4, 8}, {16, 8}, {33, 8}, {34, 16}, {256, 16}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int ranks = sizes[i][0], half = ranks / 2;
        FILE *file = begin();
        fprintf(
            file,
            "# reseat profile 1\n# ranks: %d\n"
            "# domain 0 function=MPI_COMM_WORLD parent=- size=%d first=0 ordinal=0 members=all\n"
            "# p2p\n",
            ranks, ranks);
        for (int r = 0; r < half; r++)
            fprintf(file, "%d\t%d\t10\t100000\t10000\n", r, r + half);
        fprintf(file, "# end %d\n", half);
        fclose(file);
        strcpy(settings.file, path);
        snprintf(settings.topology, sizeof settings.topology, "node:%d core:2", ranks / 2 + 1);
        settings.scope = RESEAT_SCOPE_WORLD; /* valgrind's /proc/self/cmdline is not for threads */
        reorder_all(ranks);
        for (int rank = 0; rank < ranks; rank++)
            assert_int_equal(orders[rank], NEW_ORDER);
        assert_int_equal(created, ranks);
        assert_int_equal(ranks_collectives(), 0);
        assert_int_equal(ranks_most_rounds(), sizes[i][1]);
        assert_in_range(ranks_most_partners(), 1, 33);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ranks_have_the_order_or_none),
                                       cmocka_unit_test(an_order_that_cannot_be_read_is_none),
                                       cmocka_unit_test(a_few_steps_for_any_number_of_ranks)};
    close(mkstemp(path));
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return rc;
}
