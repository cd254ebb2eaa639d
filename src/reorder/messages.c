/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - see messages.h. */
#include "reorder/messages.h"

#include <stdlib.h>

static uint64_t messages_between(const struct pattern *pattern, const int *node_of)
{
    uint64_t count = 0;
    for (size_t i = 0; i < pattern->messages_count; i++) {
        const struct tmap_entry *entry = &pattern->messages[i];
        if (node_of[entry->source] != node_of[entry->target])
            count += entry->weight;
    }
    return count;
}

void messages_count(const struct pattern *pattern, const struct seat *self, int role,
                    MPI_Comm plain, uint64_t between[2])
{
    int rank, size, known = 1, mine[2] = {role, self->location.node};
    int *all = NULL, *launch = NULL, *ordered = NULL;
    between[0] = between[1] = 0;
    PMPI_Comm_rank(plain, &rank);
    PMPI_Comm_size(plain, &size);
    if (rank == 0) {
        all = malloc(sizeof *all * 2 * (size_t)size);
        launch = malloc(sizeof *launch * (size_t)size);
        ordered = malloc(sizeof *ordered * (size_t)size);
        known = pattern->messages && all && launch && ordered;
    }
    if (PMPI_Bcast(&known, 1, MPI_INT, 0, plain) == MPI_SUCCESS && known &&
        PMPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, 0, plain) == MPI_SUCCESS && rank == 0) {
        for (int r = 0; r < size; r++) {
            launch[r] = all[2 * r + 1];
            ordered[all[2 * r]] = all[2 * r + 1];
        }
        between[0] = messages_between(pattern, launch);
        between[1] = messages_between(pattern, ordered);
    }
    free(all);
    free(launch);
    free(ordered);
}
