/* SPDX-License-Identifier: BSD-3-Clause */
/* seats.c - see seats.h. */
#include "reorder/seats.h"

#include "treematch/tmap-hwloc.h"

static void find_place(struct seats *seats, struct trouble *trouble)
{
    struct tmap_error error;
    int bound;
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        seats->self.place.at[level] = -1;
    if (tmap_place_self(&seats->self.place, &bound, &error) != TMAP_OK)
        trouble_note(trouble, "hwloc: %s", error.text);
}

void seats_open(struct seats *seats, MPI_Comm comm, struct trouble *trouble)
{
    int node_rank = 0, node = 0;
    *seats = (struct seats){.node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};
    trouble_mpi(trouble, PMPI_Comm_rank(comm, &seats->self.rank), "MPI_Comm_rank");
    if (trouble_mpi(trouble,
                    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, seats->self.rank,
                                         MPI_INFO_NULL, &seats->node),
                    "MPI_Comm_split_type"))
        PMPI_Comm_rank(seats->node, &node_rank);
    trouble_mpi(trouble,
                PMPI_Comm_split(comm, node_rank == 0 ? 0 : MPI_UNDEFINED, seats->self.rank,
                                &seats->leaders),
                "MPI_Comm_split");
    if (seats->leaders != MPI_COMM_NULL)
        PMPI_Comm_rank(seats->leaders, &node);
    if (seats->node != MPI_COMM_NULL)
        trouble_mpi(trouble, PMPI_Bcast(&node, 1, MPI_INT, 0, seats->node), "MPI_Bcast");
    seats->self.node = node;
    find_place(seats, trouble);
}

void seats_close(struct seats *seats)
{
    if (seats->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&seats->leaders);
    if (seats->node != MPI_COMM_NULL)
        PMPI_Comm_free(&seats->node);
}
