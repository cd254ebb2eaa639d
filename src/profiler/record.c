/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.c - point-to-point sends and persistent requests.
 *
 * A persistent request, be it a send or a collective, is recorded as the list of what one start of
 * it sends; MPI_Start adds that list to the counters.
 */
#include "profiler/record.h"

#include "profiler/fast-path.h"
#include "base/handles.h"
#include "profiler/call-hooks.h"
#include "profiler/tally.h"
#include "profiler/unseen.h"

static struct handles starts = HANDLES_INIT; /* struct tally, by request */
static struct handles sizes = HANDLES_INIT;  /* size_t, by datatypes that can never be freed */

__thread struct record_type record_last_type
    __attribute__((tls_model("initial-exec"))) = {MPI_DATATYPE_NULL, 0};

void record_prepare(void)
{
    const MPI_Datatype usual[] = {MPI_BYTE,
                                  MPI_CHAR,
                                  MPI_INT,
                                  MPI_UNSIGNED,
                                  MPI_LONG,
                                  MPI_UNSIGNED_LONG,
                                  MPI_LONG_LONG,
                                  MPI_INT32_T,
                                  MPI_INT64_T,
                                  MPI_UINT64_T,
                                  MPI_FLOAT,
                                  MPI_DOUBLE,
                                  MPI_C_DOUBLE_COMPLEX,
                                  MPI_PACKED,
                                  MPI_INTEGER,
                                  MPI_REAL,
                                  MPI_DOUBLE_PRECISION,
                                  MPI_COMPLEX,
                                  MPI_DOUBLE_COMPLEX};
    MPI_Count size;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (usual[i] != MPI_DATATYPE_NULL && PMPI_Type_size_x(usual[i], &size) == MPI_SUCCESS &&
            size > 0)
            handles_insert(&sizes, (uintptr_t)usual[i], (void *)(uintptr_t)size);
}

int record_knows(MPI_Datatype type)
{
    return handles_find(&sizes, (uintptr_t)type) != NULL;
}

int record_commutes(MPI_Op op)
{
    return op == MPI_SUM || op == MPI_MAX || op == MPI_MIN || op == MPI_PROD || op == MPI_LAND ||
           op == MPI_LOR || op == MPI_BAND || op == MPI_BOR || op == MPI_MAXLOC || op == MPI_MINLOC;
}

static uint64_t record_find_size(MPI_Datatype type)
{
    MPI_Count size = 0;
    uintptr_t known = (uintptr_t)handles_find(&sizes, (uintptr_t)type);
    if (!known)
        return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size > 0 ? (uint64_t)size : 0;
    record_last_type = (struct record_type){type, known};
    return known;
}

uint64_t record_bytes(MPI_Count count, MPI_Datatype type)
{
    if (count <= 0)
        return 0;
    return (uint64_t)count *
           (type == record_last_type.type ? record_last_type.size : record_find_size(type));
}

void record_traffic(struct communicator *communicator, int rank, enum reseat_traffic kind,
                    uint64_t msgs, uint64_t bytes)
{
    struct peer *peer = rank == MPI_PROC_NULL ? NULL : communicator_peer(communicator, rank);
    if (peer)
        tally_add(peer, kind, msgs, bytes);
}

static __attribute__((noinline)) void record_other_send(MPI_Count count, MPI_Datatype type,
                                                        int dest, MPI_Comm comm)
{
    struct communicator *communicator = dest == MPI_PROC_NULL ? NULL : communicator_find(comm);
    struct peer *peer = communicator ? communicator_peer(communicator, dest) : NULL;
    if (peer)
        traffic_count(peer, RESEAT_P2P, 1, record_bytes(count, type));
}

void record_send(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm)
{
    if (!fast_record_send(count, type, dest, comm))
        record_other_send(count, type, dest, comm);
}

/* ---- persistent requests ---- */

static void record_destroy(void *value)
{
    tally_free(value);
}

void persistent_begin(void)
{
    tally_begin();
}

void persistent_end(MPI_Request request)
{
    struct tally *start = tally_end();
    if (!start || handles_insert(&starts, (uintptr_t)request, start) != start) {
        unseen_add(UNSEEN_MEMORY);
        tally_free(start);
    }
}

void record_persistent_send(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm,
                            MPI_Request *request)
{
    struct communicator *communicator = communicator_find(comm);
    persistent_begin();
    if (communicator)
        record_traffic(communicator, dest, RESEAT_P2P, 1, record_bytes(count, type));
    persistent_end(*request);
}

void record_partitioned_send(int partitions, MPI_Count count, MPI_Datatype type, int dest,
                             MPI_Comm comm, MPI_Request *request)
{
    record_persistent_send(partitions * count, type, dest, comm, request);
}

void record_start(MPI_Request *request)
{
    tally_count(handles_find(&starts, (uintptr_t)*request), 1);
}

void record_startall(int count, MPI_Request requests[])
{
    for (int i = 0; i < count; i++)
        record_start(&requests[i]);
}

void before_request_free(MPI_Request *request)
{
    if (request)
        tally_free(handles_remove(&starts, (uintptr_t)*request));
}

void record_stop(void)
{
    handles_clear(&starts, record_destroy);
    handles_clear(&sizes, NULL);
}
