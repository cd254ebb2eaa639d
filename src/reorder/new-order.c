/* SPDX-License-Identifier: BSD-3-Clause */
/* new-order.c - see attempt.h. */
#include "reorder/attempt.h"

#include <stdlib.h>

#include "reorder/cart-graph.h"
#include "reorder/error-handler.h"

/* At rank 0, from the roles. */
static void new_order_invert(struct attempt *a)
{
    if (!a->rank_of || !a->roles || !tmap_permutation_is_valid(a->roles, a->size))
        trouble_note(&a->trouble, a->rank_of ? "the new order is not a permutation"
                                             : "out of memory for the new order");
    else
        tmap_permutation_invert(a->roles, a->rank_of, a->size);
}

int new_order_broadcast(struct attempt *a, int is_worth_it)
{
    struct rank_tree *rank_tree = &a->seats.rank_tree;
    const size_t size = sizeof *a->rank_of * (size_t)a->size;
    const struct rank_tree_wanted answer = {&is_worth_it, sizeof is_worth_it};
    a->rank_of = malloc(size);
    if (a->rank == 0 && is_worth_it)
        new_order_invert(a);
    if (trouble_broadcast(&a->trouble, rank_tree, &is_worth_it, sizeof is_worth_it, &answer) ||
        !is_worth_it)
        return 0;
    const struct rank_tree_wanted order = {a->rank ? a->rank_of : NULL, size};
    int lost = rank_tree_broadcast(rank_tree, RANK_TREE_NOBODY, a->rank_of, size, &order);
    if (!a->rank_of || lost != RANK_TREE_NOBODY)
        trouble_note(&a->trouble, a->rank_of ? "MPI failed" : "out of memory for the new order");
    for (a->role = 0; !a->trouble.failed && a->rank_of[a->role] != a->rank; a->role++)
        ;
    return 1;
}

/* Of the world not by MPI_Comm_split, in which all ranks would tell each other what they know
 * already. But in MPICH only MPI_Comm_split passes on an error handler, which a topology must have
 * from its parent; the world's replacement has that of the world, or none, as MPICH's world has
 * none. */
static int new_order_create(struct attempt *a, MPI_Group ordered, MPI_Comm *order)
{
    if (!a->world)
        return PMPI_Comm_split(a->plain, 0, a->role, order);
    error_handler_restore(MPI_COMM_WORLD, &a->theirs);
    int rc = PMPI_Comm_create(MPI_COMM_WORLD, ordered, order);
    error_handler_return(MPI_COMM_WORLD, &a->theirs);
    return rc;
}

/* The processes in the new order: rank = role. */
static MPI_Comm new_order_make(struct attempt *a)
{
    MPI_Comm order = MPI_COMM_NULL;
    MPI_Group all = MPI_GROUP_NULL, ordered = MPI_GROUP_NULL;
    int rank = -1;
    trouble_mpi(&a->trouble, PMPI_Comm_group(a->plain, &all), "MPI_Comm_group");
    if (!a->trouble.failed)
        trouble_mpi(&a->trouble, PMPI_Group_incl(all, a->size, a->rank_of, &ordered),
                    "MPI_Group_incl");
    if (trouble_agree(&a->trouble, a->plain) == 0) {
        if (trouble_mpi(&a->trouble, new_order_create(a, ordered, &order),
                        "making the new communicator"))
            PMPI_Comm_rank(order, &rank);
        if (rank != a->role)
            trouble_note(&a->trouble, "the new order is not a permutation");
    }
    if (all != MPI_GROUP_NULL)
        PMPI_Group_free(&all);
    if (ordered != MPI_GROUP_NULL)
        PMPI_Group_free(&ordered);
    return order;
}

MPI_Comm new_order_agree(struct attempt *a)
{
    MPI_Comm order = new_order_make(a);
    return trouble_agree(&a->trouble, a->plain) ? MPI_COMM_NULL : order;
}

/* Send the lists to the processes that will play the roles, and create the graph from them. */
static void new_order_rebuild_dist_graph(struct attempt *a, MPI_Comm order, MPI_Info info,
                                         MPI_Comm *result)
{
    struct neighbor_lists lists = {0};
    /* The process that plays this process's present role. */
    int successor = a->rank_of[a->rank];
    neighbor_lists_move(&lists, &a->lists, successor, a->role, a->plain, &a->trouble);
    if (trouble_agree(&a->trouble, a->plain) == 0)
        trouble_mpi(&a->trouble, neighbor_lists_create(&lists, order, info, result),
                    "MPI_Dist_graph_create_adjacent");
    neighbor_lists_free(&lists);
}

MPI_Comm new_order_rebuild(struct attempt *a, MPI_Info info)
{
    MPI_Comm result = MPI_COMM_NULL, order = new_order_agree(a);
    if (order == MPI_COMM_NULL)
        return MPI_COMM_NULL;
    if (a->kind == MPI_DIST_GRAPH)
        new_order_rebuild_dist_graph(a, order, info, &result);
    else
        cart_graph_create(a->kind, a->plain, order, &result, &a->trouble);
    if (trouble_agree(&a->trouble, a->plain))
        result = MPI_COMM_NULL; /* not freed either */
    PMPI_Comm_free(&order);
    return result;
}
