/* SPDX-License-Identifier: BSD-3-Clause */
/* cart-graph.c - see cart-graph.h. */
#include "reorder/cart-graph.h"

#include <stdlib.h>

static int cart_graph_has_room(const void *memory, struct trouble *trouble)
{
    if (!memory)
        trouble_note(trouble, "out of memory for the topology");
    return memory != NULL;
}

static void cart_graph_get_grid(struct neighbor_lists *lists, MPI_Comm comm,
                                struct trouble *trouble)
{
    int dims = 0;
    if (!trouble_mpi(trouble, PMPI_Cartdim_get(comm, &dims), "MPI_Cartdim_get") ||
        neighbor_lists_allocate(lists, 2 * dims, trouble))
        return;
    for (int d = 0; d < dims; d++) /* MPI_PROC_NULL at the border, which pattern.c ignores */
        trouble_mpi(trouble,
                    PMPI_Cart_shift(comm, d, 1, &lists->destinations[2 * d],
                                    &lists->destinations[2 * d + 1]),
                    "MPI_Cart_shift");
}

static void cart_graph_get_graph(struct neighbor_lists *lists, MPI_Comm comm,
                                 struct trouble *trouble)
{
    int rank, count = 0;
    PMPI_Comm_rank(comm, &rank);
    if (trouble_mpi(trouble, PMPI_Graph_neighbors_count(comm, rank, &count),
                    "MPI_Graph_neighbors_count") &&
        neighbor_lists_allocate(lists, count, trouble) == 0)
        trouble_mpi(trouble, PMPI_Graph_neighbors(comm, rank, count, lists->destinations),
                    "MPI_Graph_neighbors");
}

void cart_graph_get(struct neighbor_lists *lists, int kind, MPI_Comm comm, struct trouble *trouble)
{
    *lists = (struct neighbor_lists){0};
    if (kind == MPI_CART)
        cart_graph_get_grid(lists, comm, trouble);
    else
        cart_graph_get_graph(lists, comm, trouble);
}

static void cart_graph_create_grid(MPI_Comm plain, MPI_Comm order, MPI_Comm *newcomm,
                                   struct trouble *trouble)
{
    int dims = 0;
    PMPI_Cartdim_get(plain, &dims);
    int *grid = malloc(sizeof *grid * 3 * ((size_t)dims + 1));
    int *sizes = grid, *periodic = grid + dims, *here = grid + 2 * dims;
    cart_graph_has_room(grid, trouble);
    if (trouble_agree(trouble, plain) == 0) {
        PMPI_Cart_get(plain, dims, sizes, periodic, here);
        trouble_mpi(trouble, PMPI_Cart_create(order, dims, sizes, periodic, 0, newcomm),
                    "MPI_Cart_create");
    }
    free(grid);
}

static void cart_graph_create_graph(MPI_Comm plain, MPI_Comm order, MPI_Comm *newcomm,
                                    struct trouble *trouble)
{
    int nodes = 0, edges = 0;
    PMPI_Graphdims_get(plain, &nodes, &edges);
    int *graph = malloc(sizeof *graph * ((size_t)nodes + (size_t)edges + 1));
    cart_graph_has_room(graph, trouble);
    if (trouble_agree(trouble, plain) == 0) {
        PMPI_Graph_get(plain, nodes, edges, graph, graph + nodes);
        trouble_mpi(trouble, PMPI_Graph_create(order, nodes, graph, graph + nodes, 0, newcomm),
                    "MPI_Graph_create");
    }
    free(graph);
}

void cart_graph_create(int kind, MPI_Comm plain, MPI_Comm order, MPI_Comm *newcomm,
                       struct trouble *trouble)
{
    if (kind == MPI_CART)
        cart_graph_create_grid(plain, order, newcomm, trouble);
    else
        cart_graph_create_graph(plain, order, newcomm, trouble);
}
