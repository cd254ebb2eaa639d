/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.h - the traffic in the communicator that is being made: from the profile, or from the
 * edges and weights of the call.
 */
#ifndef RESEAT_PATTERN_H
#define RESEAT_PATTERN_H

#include <mpi.h>
#include <stddef.h>

#include "profile/profile-time.h"
#include "profile/settings.h"
#include "reorder/neighbor-lists.h"
#include "reorder/trouble.h"
#include "treematch/tmap.h"

/* A domain as the profile identifies it: the domains from the world down to it. */
struct lineage {
    struct {
        char function[RESEAT_FUNCTION_SIZE];
        int32_t size, first, ordinal;
    } step[8];
    int count;
    int32_t world_size;
};

/* Returns 1 if messages about this communicator are printed: a program may make any number of one
 * kind, so that only those about the first few are. */
static inline int lineage_is_told(const struct lineage *lineage)
{
    return lineage->count < 1 || lineage->step[lineage->count - 1].ordinal < 8;
}

struct pattern {
    enum reseat_pattern source; /* RESEAT_PATTERN_PROFILE or RESEAT_PATTERN_GRAPH */
    /* profile: all of the domain, at rank 0; graph: this rank's edges */
    struct tmap_entry *entries;
    size_t count;
    struct tmap_entry *messages; /* profile: the same in messages, at rank 0; NULL: not known */
    size_t messages_count;
    struct reseat_entry *traffic; /* profile and RESEAT_TIMINGS: all of it, at rank 0, by phase */
    size_t traffic_count;
    struct reseat_job_time job; /* at rank 0, by the profile; all 0 without one */
    struct reseat_seat *seats;  /* at rank 0: where it was watched; NULL: not known */
    int32_t seats_count;
    char rank_variable[64]; /* one that the program looked up, by the profile; at rank 0 */
};

/*
 * At rank 0: choose the source (enum reseat_pattern), and read the profile if it is that. If it
 * cannot be used: with RESEAT_PATTERN=profile that is trouble; with auto one line tells why, and
 * the graph is used instead (no line if the user named no profile and there is none).
 */
int pattern_open(struct pattern *pattern, const struct reseat_settings *settings,
                 const struct lineage *lineage, struct trouble *trouble);

/* Then at all ranks, with the source that rank 0 has chosen: with a graph, the edges of `rank`. */
void pattern_use_source(struct pattern *pattern, int source, const struct neighbor_lists *lists,
                        int rank, struct trouble *trouble);

/*
 * The same for MPI_COMM_WORLD, which has no graph: the whole profile, at rank 0. Trouble if it
 * cannot be used, and with RESEAT_SCOPE=auto if the program may take its rank from the launcher.
 */
void pattern_open_world(struct pattern *pattern, const struct reseat_settings *settings,
                        int32_t ranks, struct trouble *trouble);

/* Bring all entries to rank 0, which has those of a profile already: of a graph, the edges of each
 * rank. At all other processes the pattern is empty afterwards. Collective. */
void pattern_gather(struct pattern *pattern, struct rank_tree *rank_tree, struct trouble *trouble);

/* Tell all entries of rank 0 of `leaders` to the other leaders. MPI_COMM_NULL: this process is not
 * a leader, and its pattern does not change. Collective over leaders. */
void pattern_share(struct pattern *pattern, MPI_Comm leaders, struct trouble *trouble);

void pattern_close(struct pattern *pattern);

#endif
