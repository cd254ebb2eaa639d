/* SPDX-License-Identifier: BSD-3-Clause */
/* measure-tasks.c - see measure-tasks.h. */
#include "programs/measure-tasks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

enum { TAG_TASK = 1, TAG_ANSWER = 2, TAG_READY = 3, TAG_DATA = 4 };

char *measure_room(void)
{
    /* What is sent, and what is received: each a message, or a window of a stream's messages. */
    char *room = malloc(2 * (size_t)MEASURE_MOST_BYTES);
    if (room)
        memset(room, 1, 2 * (size_t)MEASURE_MOST_BYTES);
    return room;
}
_Static_assert(MEASURE_WINDOW *MEASURE_STREAM_BYTES <= MEASURE_MOST_BYTES, "measure_room");

/* Sleep until a request has completed. */
static void measure_sleep(MPI_Request *request)
{
    const struct timespec pause = {0, 200000};
    int done = 0;
    while (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        nanosleep(&pause, NULL);
}

/* ---- the tasks ---- */

static double measure_ping(const struct measure_task *task, int is_first, char *room)
{
    int partner = is_first ? task->pair.second : task->pair.first;
    double start = 0;
    for (int i = -1; i < task->times; i++) { /* the first time does not count */
        if (i == 0)
            start = clock_now();
        if (is_first)
            MPI_Send(room, task->bytes, MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD);
        MPI_Recv(room + MEASURE_MOST_BYTES, task->bytes, MPI_BYTE, partner, TAG_DATA,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!is_first)
            MPI_Send(room, task->bytes, MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD);
    }
    return (clock_now() - start) / (2 * task->times);
}

/* Both ends are there. */
static void measure_meet(int partner)
{
    MPI_Sendrecv(NULL, 0, MPI_BYTE, partner, TAG_READY, NULL, 0, MPI_BYTE, partner, TAG_READY,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double measure_stream(const struct measure_task *task, int is_first, char *room)
{
    MPI_Request request[2 * MEASURE_WINDOW];
    int partner = is_first ? task->pair.second : task->pair.first;
    int sends = is_first || task->kind == MEASURE_BOTH;
    int receives = !is_first || task->kind == MEASURE_BOTH;
    measure_meet(partner);
    double start = clock_now();
    for (int done = 0; done < task->times; done += MEASURE_WINDOW) {
        int n = 0;
        for (int i = 0; i < MEASURE_WINDOW && done + i < task->times; i++) {
            if (receives)
                MPI_Irecv(room + MEASURE_MOST_BYTES + (size_t)i * MEASURE_STREAM_BYTES, task->bytes,
                          MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD, &request[n++]);
            if (sends)
                MPI_Isend(room, task->bytes, MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD,
                          &request[n++]);
        }
        for (int i = 0; i < n; i++)
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    measure_meet(partner); /* all has arrived */
    return clock_now() - start;
}

static double measure_do(const struct measure_task *task, int is_first, char *room)
{
    return task->kind == MEASURE_PING ? measure_ping(task, is_first, room)
                                      : measure_stream(task, is_first, room);
}

/* ---- who does them ---- */

void measure_follow(char *room)
{
    struct measure_task task;
    MPI_Request request;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (;;) {
        MPI_Irecv(&task, sizeof task, MPI_BYTE, 0, TAG_TASK, MPI_COMM_WORLD, &request);
        measure_sleep(&request);
        if (task.kind == MEASURE_END)
            return;
        double seconds = measure_do(&task, rank == task.pair.first, room);
        if (rank == task.pair.first)
            MPI_Send(&seconds, 1, MPI_DOUBLE, 0, TAG_ANSWER, MPI_COMM_WORLD);
    }
}

static void measure_give(const struct measure_task *task, int32_t rank)
{
    if (rank != 0)
        MPI_Send(task, sizeof *task, MPI_BYTE, rank, TAG_TASK, MPI_COMM_WORLD);
}

double measure_lead(const struct measure_task *task, const struct measure_pair *pairs, int count,
                    char *room)
{
    struct measure_task mine = {.kind = MEASURE_END}, each = *task;
    double slowest = 0;
    for (int i = 0; i < count; i++) {
        each.pair = pairs[i];
        measure_give(&each, pairs[i].second);
        measure_give(&each, pairs[i].first);
        if (pairs[i].first == 0 || pairs[i].second == 0)
            mine = each;
    }
    if (mine.kind != MEASURE_END)
        slowest = measure_do(&mine, mine.pair.first == 0, room);
    if (mine.kind != MEASURE_END && mine.pair.first != 0)
        slowest = 0;
    for (int i = 0; i < count; i++) {
        MPI_Request request;
        double seconds = 0;
        if (pairs[i].first == 0)
            continue;
        MPI_Irecv(&seconds, 1, MPI_DOUBLE, pairs[i].first, TAG_ANSWER, MPI_COMM_WORLD, &request);
        measure_sleep(&request);
        slowest = seconds > slowest ? seconds : slowest;
    }
    return slowest;
}

void measure_end(int ranks)
{
    const struct measure_task end = {.kind = MEASURE_END};
    for (int32_t rank = 1; rank < ranks; rank++)
        measure_give(&end, rank);
}
