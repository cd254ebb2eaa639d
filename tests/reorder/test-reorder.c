/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-reorder.c - MPI_COMM_WORLD is reordered as a file says. If MPI_Comm_split fails on some
 * ranks, no rank has a new order, and none frees the one that it got: that is collective. The ranks
 * are threads (ranks.h).
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

#include "ranks.h"
#include "reorder/cart-graph.h"
#include "reorder/error-handler.h"
#include "reorder/messages.h"
#include "reorder/programs.h"
#include "reorder/reorder.h"

enum { RANKS = 4, NEW_ORDER = 2 };

static int failing; /* the rank whose MPI_Comm_split fails; -1: none */
static int freed;   /* how many ranks have freed the new order */

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *result)
{
    int rank;
    (void)color;
    assert_int_equal(comm, MPI_COMM_WORLD);
    PMPI_Comm_rank(comm, &rank);
    assert_int_equal(key, rank);
    if (rank == failing)
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

int PMPI_Scatter(const void *all, int items, MPI_Datatype type, void *mine, int my_items,
                 MPI_Datatype my_type, int root, MPI_Comm comm)
{
    int roles[RANKS], rank;
    assert_int_equal(items, 1);
    assert_int_equal(my_items, 1);
    assert_int_equal(my_type, type);
    PMPI_Comm_rank(comm, &rank);
    if (rank == root)
        memcpy(roles, all, sizeof roles);
    PMPI_Bcast(roles, RANKS, type, root, comm);
    memcpy(mine, &roles[rank], sizeof roles[rank]);
    return MPI_SUCCESS;
}

/* ---- what reordering by a file does not call ---- */

void cart_graph_get(struct neighbor_lists *lists, int kind, MPI_Comm comm, struct trouble *trouble)
{
    (void)lists;
    (void)kind;
    (void)comm;
    (void)trouble;
    fail();
}

void cart_graph_create(int kind, MPI_Comm plain, MPI_Comm order, MPI_Comm *newcomm,
                       struct trouble *trouble)
{
    (void)newcomm;
    (void)order;
    cart_graph_get(NULL, kind, plain, trouble);
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
    (void)from;
    cart_graph_get(theirs, 0, comm, trouble);
}

int neighbor_lists_create(const struct neighbor_lists *lists, MPI_Comm comm, MPI_Info info,
                          MPI_Comm *newcomm)
{
    (void)lists;
    (void)info;
    (void)newcomm;
    cart_graph_get(NULL, 0, comm, NULL);
    return -1;
}

void neighbor_lists_free(struct neighbor_lists *lists)
{
    cart_graph_get(lists, 0, MPI_COMM_NULL, NULL);
}

void messages_count(const struct pattern *pattern, const struct seat *self, int role,
                    MPI_Comm plain, uint64_t between[2])
{
    (void)pattern;
    (void)self;
    (void)between;
    cart_graph_get(NULL, role, plain, NULL);
}

void programs_compare(MPI_Comm comm, struct trouble *trouble)
{
    cart_graph_get(NULL, 0, comm, trouble);
}

void error_handler_return(MPI_Comm comm, MPI_Errhandler *theirs)
{
    (void)theirs;
    cart_graph_get(NULL, 0, comm, NULL);
}

void error_handler_restore(MPI_Comm comm, MPI_Errhandler *theirs)
{
    error_handler_return(comm, theirs);
}

void seats_open(struct seats *seats, const struct reseat_settings *settings, MPI_Comm comm,
                struct trouble *trouble)
{
    (void)seats;
    (void)settings;
    cart_graph_get(NULL, 0, comm, trouble);
}

void seats_close(struct seats *seats)
{
    (void)seats;
    fail();
}

int PMPI_Topo_test(MPI_Comm comm, int *kind)
{
    cart_graph_get(NULL, *kind, comm, NULL);
    return -1;
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    (void)group;
    cart_graph_get(NULL, 0, comm, NULL);
    return -1;
}

int PMPI_Group_free(MPI_Group *group)
{
    return PMPI_Comm_group(MPI_COMM_NULL, group);
}

int PMPI_Group_translate_ranks(MPI_Group from, int count, const int ranks[], MPI_Group to,
                               int translated[])
{
    (void)count;
    (void)ranks;
    (void)to;
    (void)translated;
    return PMPI_Group_free(&from);
}

/* ---- */

static struct reseat_settings settings;
static MPI_Comm orders[RANKS];

static void reorder_one(int rank, void *unused)
{
    (void)unused;
    orders[rank] = reorder_world(RANKS_COMM, &settings);
}

static void all_ranks_have_the_order_or_none(void **state)
{
    FILE *file = fopen(settings.mapping, "w");
    (void)state;
    assert_non_null(file);
    fprintf(file, "0 0\n1 1\n2 2\n3 3\n");
    fclose(file);
    for (failing = -1; failing < RANKS; failing++) {
        ranks_run(RANKS, reorder_one, NULL);
        for (int rank = 0; rank < RANKS; rank++)
            assert_int_equal(orders[rank], failing < 0 ? (MPI_Comm)NEW_ORDER : MPI_COMM_NULL);
        assert_int_equal(freed, 0);
    }
    unlink(settings.mapping);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ranks_have_the_order_or_none)};
    strcpy(settings.mapping, "/tmp/reseat-order.XXXXXX");
    close(mkstemp(settings.mapping));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
