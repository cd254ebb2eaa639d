/* SPDX-License-Identifier: BSD-3-Clause */
/* new-order.c - see new-order.h. */
#include "reorder/new-order.h"

#include "reorder/cart-graph.h"

/* The processes in the new order: rank = role. */
static MPI_Comm new_order_make(struct attempt *a)
{
    MPI_Comm order = MPI_COMM_NULL;
    int rank = -1;
    /* The world's replacement must have its error handler, or none, as MPICH's world has none. */
    MPI_Comm parent = a->world ? MPI_COMM_WORLD : a->plain;
    if (trouble_mpi(&a->trouble, PMPI_Comm_split(parent, 0, a->role, &order), "MPI_Comm_split"))
        PMPI_Comm_rank(order, &rank);
    if (rank != a->role)
        trouble_note(&a->trouble, "the new order is not a permutation");
    return order;
}

MPI_Comm new_order_agree(struct attempt *a)
{
    MPI_Comm order = new_order_make(a);
    return trouble_agree(&a->trouble, a->plain) ? MPI_COMM_NULL : order;
}

/* The rank in plain of the process that plays this process's present role in the new order. */
static int new_order_successor(struct attempt *a, MPI_Comm order)
{
    MPI_Group from = MPI_GROUP_NULL, to = MPI_GROUP_NULL;
    int rank = MPI_PROC_NULL;
    if (PMPI_Comm_group(order, &from) != MPI_SUCCESS ||
        PMPI_Comm_group(a->plain, &to) != MPI_SUCCESS ||
        PMPI_Group_translate_ranks(from, 1, &a->rank, to, &rank) != MPI_SUCCESS)
        trouble_note(&a->trouble, "MPI gives no groups of the new communicator");
    if (from != MPI_GROUP_NULL)
        PMPI_Group_free(&from);
    if (to != MPI_GROUP_NULL)
        PMPI_Group_free(&to);
    return rank;
}

/* Send the lists to the processes that will play the roles, and create the graph from them. */
static void new_order_rebuild_dist_graph(struct attempt *a, MPI_Comm order, MPI_Info info,
                                         MPI_Comm *result)
{
    struct neighbor_lists lists = {0};
    int successor = new_order_successor(a, order);
    if (trouble_agree(&a->trouble, a->plain) == 0)
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
