/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * one-sided.c - puts, gets and accumulates. Bytes are counted in the direction in which they
 * travel. A put goes from here to the target. A get comes from the target, so it is the target's
 * traffic, but only this process sees it: it is handed over to the target when the profile is
 * written (fetched.c).
 *
 * Operations are counted when they are called. An atomic one carries its operands to the target and
 * the old value back. Ordinary loads and stores in shared windows cannot be seen.
 */
#include "profiler/communicators.h"
#include "base/handles.h"
#include "profiler/call-hooks.h"
#include "profiler/record.h"
#include "profiler/unseen.h"

static struct handles windows = HANDLES_INIT; /* struct communicator, by MPI_Win */

void window_created(MPI_Comm comm, MPI_Win *win)
{
    MPI_Group group;
    if (PMPI_Win_get_group(*win, &group) != MPI_SUCCESS)
        return;
    struct communicator *members = communicator_create(comm, group);
    if (!members || handles_insert(&windows, (uintptr_t)*win, members) != members) {
        communicator_destroy(members);
        unseen_add(UNSEEN_MEMORY);
    }
}

void shared_window_created(MPI_Comm comm, MPI_Win *win)
{
    unseen_add(UNSEEN_SHARED);
    window_created(comm, win);
}

void before_window_free(MPI_Win *win)
{
    if (win)
        communicator_destroy(handles_remove(&windows, (uintptr_t)*win));
}

static void osc_destroy(void *value)
{
    communicator_destroy(value);
}

void one_sided_stop(void)
{
    handles_clear(&windows, osc_destroy);
}

static void osc_count(MPI_Win win, int rank, int counter, uint64_t bytes)
{
    struct communicator *members =
        rank == MPI_PROC_NULL ? NULL : handles_find(&windows, (uintptr_t)win);
    struct peer *peer = members ? communicator_peer(members, rank) : NULL;
    if (peer)
        traffic_count(peer, counter, 1, bytes);
}

void record_put(MPI_Count number, MPI_Datatype type, int rank, MPI_Win win)
{
    osc_count(win, rank, RESEAT_OSC, record_bytes(number, type));
}

void record_get(MPI_Count number, MPI_Datatype type, int rank, MPI_Win win)
{
    osc_count(win, rank, TRAFFIC_FETCHED, record_bytes(number, type));
}

void record_get_accumulate(MPI_Count number, MPI_Datatype type, MPI_Count result_number,
                           MPI_Datatype result_type, int rank, MPI_Op op, MPI_Win win)
{
    if (op != MPI_NO_OP)
        osc_count(win, rank, RESEAT_OSC, record_bytes(number, type));
    osc_count(win, rank, TRAFFIC_FETCHED, record_bytes(result_number, result_type));
}

void record_fetch_and_op(MPI_Datatype type, int rank, MPI_Op op, MPI_Win win)
{
    record_get_accumulate(1, type, 1, type, rank, op, win);
}

void record_compare_and_swap(MPI_Datatype type, int rank, MPI_Win win)
{
    osc_count(win, rank, RESEAT_OSC, record_bytes(2, type));
    osc_count(win, rank, TRAFFIC_FETCHED, record_bytes(1, type));
}
