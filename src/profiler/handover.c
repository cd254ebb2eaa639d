/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handover.c - what MPI_Get brought here was sent by the target. Each process writes one small
 * message for each counter; how many will come to whom is added up first, so that everybody knows
 * when it has all.
 */
#include "profiler/handover.h"

#include <stdlib.h>

#include "profiler/traffic.h"
#include "profiler/unseen.h"

enum { TAG_PARCEL = 3 };

struct parcel {
    uint64_t domain; /* key */
    uint64_t msgs, bytes;
    int32_t source, target; /* roles */
    int32_t phase;
    int32_t rank; /* of the source in the world */
};

struct parcels {
    struct parcel *list;
    size_t count, room;
    int failed; /* memory was short, or MPI does not know where one goes */
};

/* 0, or -1 when memory is short. */
static int add(struct parcels *parcels, struct parcel parcel)
{
    if (parcels->count == parcels->room) {
        size_t room = 2 * parcels->room + 16;
        struct parcel *list = realloc(parcels->list, room * sizeof *list);
        if (!list) {
            parcels->failed = 1;
            return -1;
        }
        parcels->list = list;
        parcels->room = room;
    }
    parcels->list[parcels->count++] = parcel;
    return 0;
}

/* The rank in the world of the process with this role, or MPI_UNDEFINED. */
static int world_rank(const struct domain *d, int role)
{
    int rank = MPI_UNDEFINED;
    if (PMPI_Group_translate_ranks(d->group, 1, &role, traffic_world()->group, &rank) !=
        MPI_SUCCESS)
        return MPI_UNDEFINED;
    return rank;
}

/* What is handed over is not this process's any more. */
static void collect_peer(const struct domain *d, struct peer *peer, void *parcels)
{
    for (struct shelf *s = peer->shelves; s; s = s->next) {
        if (!s->counters[TRAFFIC_FETCHED].msgs)
            continue;
        struct parcel parcel = {.domain = d->key,
                                .msgs = s->counters[TRAFFIC_FETCHED].msgs,
                                .bytes = s->counters[TRAFFIC_FETCHED].bytes,
                                .source = peer->role,
                                .target = d->role,
                                .phase = s->phase};
        if (add(parcels, parcel) == 0)
            s->counters[TRAFFIC_FETCHED].msgs = s->counters[TRAFFIC_FETCHED].bytes = 0;
    }
}

static void collect(struct parcels *parcels)
{
    traffic_visit(NULL, collect_peer, parcels);
    for (size_t i = 0; i < parcels->count; i++) {
        struct parcel *parcel = &parcels->list[i];
        parcel->rank = world_rank(traffic_find(parcel->domain), parcel->source);
        parcels->failed |= parcel->rank == MPI_UNDEFINED;
    }
}

static void take(const struct parcel *parcel)
{
    struct domain *domain = traffic_find(parcel->domain);
    struct reseat_entry entry = {.target = parcel->target,
                                 .msgs = parcel->msgs,
                                 .bytes = parcel->bytes,
                                 .phase = parcel->phase};
    if (!domain || traffic_put(domain, &entry, RESEAT_OSC))
        unseen_add(UNSEEN_MEMORY);
}

/* What could not be handed over may be later. */
static void keep(const struct parcels *parcels)
{
    for (size_t i = 0; i < parcels->count; i++) {
        const struct parcel *parcel = &parcels->list[i];
        struct domain *domain = traffic_find(parcel->domain);
        struct reseat_entry entry = {.target = parcel->source,
                                     .msgs = parcel->msgs,
                                     .bytes = parcel->bytes,
                                     .phase = parcel->phase};
        if (domain)
            traffic_put(domain, &entry, TRAFFIC_FETCHED);
    }
}

/* `to[rank]` says how many parcels go there; all take part. */
static void exchange(MPI_Comm own, const struct parcels *parcels, const int *to,
                     MPI_Request *requests)
{
    int expected = 0;
    PMPI_Reduce_scatter_block(to, &expected, 1, MPI_INT, MPI_SUM, own);
    for (size_t i = 0; i < parcels->count; i++)
        PMPI_Isend(&parcels->list[i], sizeof *parcels->list, MPI_BYTE, parcels->list[i].rank,
                   TAG_PARCEL, own, &requests[i]);
    for (int i = 0; i < expected; i++) {
        struct parcel parcel;
        if (PMPI_Recv(&parcel, sizeof parcel, MPI_BYTE, MPI_ANY_SOURCE, TAG_PARCEL, own,
                      MPI_STATUS_IGNORE) == MPI_SUCCESS)
            take(&parcel);
    }
    for (size_t i = 0; i < parcels->count; i++)
        PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

/* Whether somebody has something to hand over, and nobody's memory is short. */
static int is_needed(MPI_Comm own, const struct parcels *parcels, int failed)
{
    int mine[2] = {failed, parcels->count > 0}, any[2] = {1, 0};
    PMPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, own);
    if (any[0])
        unseen_add(UNSEEN_MEMORY);
    return !any[0] && any[1];
}

void handover(MPI_Comm own)
{
    struct parcels parcels = {NULL, 0, 0, 0};
    int size = 0, done = 0;
    collect(&parcels);
    if (is_needed(own, &parcels, parcels.failed)) {
        PMPI_Comm_size(own, &size);
        int *to = calloc((size_t)size, sizeof *to);
        MPI_Request *requests = malloc((parcels.count + 1) * sizeof(MPI_Request));
        done = is_needed(own, &parcels, !to || !requests);
        if (done) {
            for (size_t i = 0; i < parcels.count; i++)
                to[parcels.list[i].rank]++;
            exchange(own, &parcels, to, requests);
        }
        free(to);
        free(requests);
    }
    if (!done)
        keep(&parcels);
    free(parcels.list);
}
