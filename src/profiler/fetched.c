/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fetched.c - what MPI_Get brought here was sent by the target, so the target has to count it. Each
 * process sends one small message for each such counter. A reduction tells every process beforehand
 * how many to expect.
 */
#include "profiler/fetched.h"

#include <stdlib.h>

#include "base/array.h"
#include "profiler/traffic.h"
#include "profiler/unseen.h"
#include "comm/waiting.h"

enum { TAG_FETCHED_ROW = 3 };

struct fetched_row {
    uint64_t domain; /* key */
    uint64_t msgs, bytes;
    int32_t source, target; /* roles */
    int32_t phase;
    int32_t rank; /* of the source in the world */
};

struct fetched_rows {
    struct fetched_row *list;
    size_t count;
    int failed; /* out of memory, or the rank of a source is unknown */
};

/* 0, or -1 when out of memory. */
static int fetched_add(struct fetched_rows *rows, struct fetched_row row)
{
    if (array_add(&rows->list, &rows->count, &row, sizeof row)) {
        rows->failed = 1;
        return -1;
    }
    return 0;
}

/* The rank in the world of the process with this role, or MPI_UNDEFINED. */
static int fetched_world_rank(const struct domain *d, int role)
{
    int rank = MPI_UNDEFINED;
    if (PMPI_Group_translate_ranks(d->group, 1, &role, traffic_world()->group, &rank) !=
        MPI_SUCCESS)
        return MPI_UNDEFINED;
    return rank;
}

/* Moves the counters into `rows`: what is handed over is no longer this process's. */
static void fetched_collect_peer(const struct domain *d, struct peer *peer, void *rows)
{
    for (struct phase_counters *s = peer->past; s; s = s->next)
        for (struct counter *c = &s->counters[TRAFFIC_FETCHED]; c; c = c->next) {
            struct fetched_row row = {.domain = d->key,
                                      .msgs = c->msgs,
                                      .bytes = c->bytes,
                                      .source = peer->role,
                                      .target = d->role,
                                      .phase = s->phase};
            if (c->msgs && fetched_add(rows, row) == 0)
                c->msgs = c->bytes = 0;
        }
}

static void fetched_collect(struct fetched_rows *rows)
{
    traffic_visit(NULL, fetched_collect_peer, rows);
    for (size_t i = 0; i < rows->count; i++) {
        struct fetched_row *row = &rows->list[i];
        row->rank = fetched_world_rank(traffic_find(row->domain), row->source);
        rows->failed |= row->rank == MPI_UNDEFINED;
    }
}

static void fetched_count(const struct fetched_row *row)
{
    struct domain *domain = traffic_find(row->domain);
    struct reseat_entry entry = {
        .target = row->target, .msgs = row->msgs, .bytes = row->bytes, .phase = row->phase};
    if (!domain || traffic_put(domain, &entry, RESEAT_OSC))
        unseen_add(UNSEEN_MEMORY);
}

/* Put back what could not be handed over; perhaps the next profile can. */
static void fetched_keep(const struct fetched_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct fetched_row *row = &rows->list[i];
        struct domain *domain = traffic_find(row->domain);
        struct reseat_entry entry = {
            .target = row->source, .msgs = row->msgs, .bytes = row->bytes, .phase = row->phase};
        if (domain)
            traffic_put(domain, &entry, TRAFFIC_FETCHED);
    }
}

/* Collective. `to[rank]`: how many rows go to that rank. 0, or -1. */
static int fetched_exchange(struct rank_tree *rank_tree, struct fetched_rows *rows, const int *to,
                            MPI_Request *requests)
{
    int expected = 0, failed = 0;
    struct fetched_row row;
    PMPI_Reduce_scatter_block(to, &expected, 1, MPI_INT, MPI_SUM, rank_tree->comm);
    for (size_t i = 0; i < rows->count; i++) {
        requests[i] = MPI_REQUEST_NULL;
        failed |= PMPI_Isend(&rows->list[i], sizeof row, MPI_BYTE, rows->list[i].rank,
                             TAG_FETCHED_ROW, rank_tree->comm, &requests[i]) != MPI_SUCCESS;
    }
    for (int i = 0; i < expected && !failed; i++) {
        failed = waiting_receive(&row, sizeof row, MPI_ANY_SOURCE, TAG_FETCHED_ROW, rank_tree->comm,
                                 rank_tree_patience_up(rank_tree)) != WAITING_DONE;
        if (!failed)
            fetched_count(&row);
    }
    if (waiting_for(requests, (int)rows->count, rank_tree_patience_up(rank_tree)) != WAITING_DONE) {
        rows->list = NULL; /* MPI may still read it */
        return -1;
    }
    return failed ? -1 : 0;
}

/* Returns 1 if any process has something to hand over, and none has failed. */
static int fetched_is_needed(struct rank_tree *rank_tree, const struct fetched_rows *rows,
                             int failed)
{
    enum { SOME = RANK_TREE_NOBODY - 1 }; /* any rank that has failed is lower */
    int mine = failed ? rank_tree->first : rows->count ? SOME : RANK_TREE_NOBODY;
    int least = rank_tree_agree(rank_tree, mine);
    if (least < SOME)
        unseen_add(UNSEEN_MEMORY);
    return least == SOME;
}

int fetched_return(struct rank_tree *rank_tree)
{
    struct fetched_rows rows = {NULL, 0, 0};
    int size = 0, done = 0, status = 0;
    fetched_collect(&rows);
    if (fetched_is_needed(rank_tree, &rows, rows.failed)) {
        PMPI_Comm_size(rank_tree->comm, &size);
        int *to = calloc((size_t)size, sizeof *to);
        MPI_Request *requests = malloc((rows.count + 1) * sizeof(MPI_Request));
        done = fetched_is_needed(rank_tree, &rows, !to || !requests);
        if (done) {
            for (size_t i = 0; i < rows.count; i++)
                to[rows.list[i].rank]++;
            status = fetched_exchange(rank_tree, &rows, to, requests);
        }
        free(to);
        free(requests);
    }
    if (!done)
        fetched_keep(&rows);
    free(rows.list);
    return status;
}
