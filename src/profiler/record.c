/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.c - point-to-point sends and persistent requests.
 *
 * A persistent request, be it a send or a collective, is known by the list of what one start of it
 * sends; MPI_Start adds that list to the counters.
 */
#include "profiler/record.h"

#include <stdlib.h>

#include "profiler/handles.h"
#include "profiler/hooks.h"
#include "profiler/unseen.h"

/* One line of what a start sends. */
struct item {
    struct peer *peer;
    enum reseat_traffic kind;
    uint64_t msgs;
    uint64_t bytes;
};

struct start {
    size_t count;
    size_t room;
    struct item *items;
};

static struct handles starts = HANDLES_INIT; /* by request */
static __thread struct start *capture __attribute__((tls_model("initial-exec")));

uint64_t record_bytes(MPI_Count count, MPI_Datatype type)
{
    MPI_Count size = 0;
    if (count <= 0 || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
        return 0;
    return (uint64_t)count * (uint64_t)size;
}

static void keep(struct start *start, struct item item)
{
    if (start->count == start->room) {
        size_t room = start->room ? 2 * start->room : 1;
        struct item *items = realloc(start->items, room * sizeof *items);
        if (!items) {
            unseen_add(UNSEEN_MEMORY);
            return;
        }
        start->items = items;
        start->room = room;
    }
    start->items[start->count++] = item;
}

/* Inlined into the way of a message. */
static inline void take(struct communicator *communicator, int rank, enum reseat_traffic kind,
                        uint64_t msgs, uint64_t bytes)
{
    struct peer *peer = communicator_peer(communicator, rank);
    if (__builtin_expect(!peer, 0))
        return;
    if (__builtin_expect(capture != NULL, 0))
        keep(capture, (struct item){peer, kind, msgs, bytes});
    else
        traffic_count(peer, kind, msgs, bytes);
}

void record_traffic(struct communicator *communicator, int rank, enum reseat_traffic kind,
                    uint64_t msgs, uint64_t bytes)
{
    if (rank != MPI_PROC_NULL)
        take(communicator, rank, kind, msgs, bytes);
}

void record_send(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm)
{
    if (dest == MPI_PROC_NULL)
        return;
    struct communicator *communicator = communicator_find(comm);
    if (communicator)
        take(communicator, dest, RESEAT_P2P, 1, record_bytes(count, type));
}

/* ---- persistent requests ---- */

static void destroy(void *value)
{
    struct start *start = value;
    if (start)
        free(start->items);
    free(start);
}

void persistent_begin(void)
{
    capture = calloc(1, sizeof *capture);
}

void persistent_end(MPI_Request request)
{
    struct start *start = capture;
    capture = NULL;
    if (!start || handles_insert(&starts, (uintptr_t)request, start) != start) {
        unseen_add(UNSEEN_MEMORY);
        destroy(start);
    }
}

void record_persistent_send(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm,
                            MPI_Request *request)
{
    persistent_begin();
    record_send(count, type, dest, comm);
    persistent_end(*request);
}

void record_partitioned_send(int partitions, MPI_Count count, MPI_Datatype type, int dest,
                             MPI_Comm comm, MPI_Request *request)
{
    record_persistent_send(partitions * count, type, dest, comm, request);
}

void record_start(MPI_Request *request)
{
    const struct start *start = handles_find(&starts, (uintptr_t)*request);
    for (size_t i = 0; start && i < start->count; i++) {
        const struct item *item = &start->items[i];
        traffic_count(item->peer, item->kind, item->msgs, item->bytes);
    }
}

void record_startall(int count, MPI_Request requests[])
{
    for (int i = 0; i < count; i++)
        record_start(&requests[i]);
}

void handles_MPI_Request_free(MPI_Request *request)
{
    destroy(handles_remove(&starts, (uintptr_t)*request));
}

void record_stop(void)
{
    handles_clear(&starts, destroy);
}
