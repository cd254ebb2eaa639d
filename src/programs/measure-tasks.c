/* SPDX-License-Identifier: BSD-3-Clause */
/* measure-tasks.c - see measure-tasks.h. */
#include "programs/measure-tasks.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

enum { TAG_TASK = 1, TAG_ANSWER = 2, TAG_READY = 3, TAG_DATA = 4, TAG_GO = 5 };

char *measure_room(void)
{
    /* Two buffers, to send and to receive: each for a message, or a window of a stream's
     * messages. */
    char *room = malloc(2 * (size_t)MEASURE_MOST_BYTES);
    if (room)
        memset(room, 1, 2 * (size_t)MEASURE_MOST_BYTES);
    return room;
}
_Static_assert(MEASURE_WINDOW *MEASURE_STREAM_BYTES <= MEASURE_MOST_BYTES, "measure_room");

/* Sleep until a request has completed. The longer that takes, the more rarely it is looked: ranks
 * that wait share processors with those that measure. */
static void measure_sleep(MPI_Request *request)
{
    const long most = 5000000;
    struct timespec pause = {0, 200000};
    int done = 0;
    while (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < most)
            pause.tv_nsec += pause.tv_nsec / 4;
    }
}

/* ---- the tasks ---- */

/* When a rank did its task, by the clock of its node. */
struct measure_span {
    double start, end;
};

static struct measure_span measure_ping(const struct measure_task *task, int is_first, char *room)
{
    int partner = is_first ? task->pair.second : task->pair.first;
    double start = clock_now();
    for (int i = -1; i < task->times; i++) {
        int bytes = task->bytes;
        if (i < 0 && bytes > MEASURE_STREAM_BYTES) /* the first time does not count */
            bytes = MEASURE_STREAM_BYTES;
        if (i == 0)
            start = clock_now();
        if (is_first)
            MPI_Send(room, bytes, MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD);
        MPI_Recv(room + MEASURE_MOST_BYTES, bytes, MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (!is_first)
            MPI_Send(room, bytes, MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD);
    }
    return (struct measure_span){start, clock_now()};
}

/* Both ends are there. */
static void measure_synchronize(const struct measure_task *task)
{
    for (int p = 0; p < task->partners; p++)
        MPI_Sendrecv(NULL, 0, MPI_BYTE, task->partner[p], TAG_READY, NULL, 0, MPI_BYTE,
                     task->partner[p], TAG_READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Some messages with each partner at once, at most a window in all; both ends wait for theirs. */
static void measure_window(const struct measure_task *task, int messages, int is_first, char *room)
{
    MPI_Request request[2 * MEASURE_WINDOW];
    int n = 0;
    int sends = is_first == (task->kind == MEASURE_SEND);
    int both = task->kind == MEASURE_BOTH || task->kind == MEASURE_EXCHANGE;
    for (int i = 0; i < messages * task->partners; i++) {
        int partner = task->partner[i % task->partners];
        if (!sends || both)
            MPI_Irecv(room + MEASURE_MOST_BYTES + (size_t)i * MEASURE_STREAM_BYTES, task->bytes,
                      MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD, &request[n++]);
        if (sends || both)
            MPI_Isend(room, task->bytes, MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD,
                      &request[n++]);
    }
    for (int i = 0; i < n; i++)
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
}

/* The first ranks of all pairs begin together. */
static void measure_begin(const struct measure_task *task)
{
    int other[MEASURE_EXCHANGING];
    MPI_Status status;
    if (task->pair.first != task->starter) {
        MPI_Sendrecv(NULL, 0, MPI_BYTE, task->starter, TAG_GO, NULL, 0, MPI_BYTE, task->starter,
                     TAG_GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    for (int i = 0; i < task->starters - 1; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_GO, MPI_COMM_WORLD, &status);
        other[i] = status.MPI_SOURCE;
    }
    for (int i = 0; i < task->starters - 1; i++)
        MPI_Send(NULL, 0, MPI_BYTE, other[i], TAG_GO, MPI_COMM_WORLD);
}

/* Number of messages of a stream that are under way at once: as many in all, however many pairs
 * share a card or a memory. With more, a network would lose packets that it does not lose when
 * ranks wait for each message. */
static int measure_stream_window(const struct measure_task *task)
{
    return task->pairs < MEASURE_WINDOW ? MEASURE_WINDOW / task->pairs : 1;
}

/* The first message does not count: it fills what buffers there are on the way. */
static struct measure_span measure_stream(const struct measure_task *task, int is_first, char *room)
{
    int window = measure_stream_window(task);
    measure_window(task, 1, is_first, room);
    if (is_first)
        measure_begin(task);
    measure_synchronize(task);
    double start = clock_now();
    for (int i = 0; i < task->times && task->kind == MEASURE_EXCHANGE; i++)
        measure_window(task, task->messages, is_first, room);
    for (int done = 0; done < task->times && task->kind != MEASURE_EXCHANGE; done += window) {
        int left = task->times - done;
        measure_window(task, left < window ? left : window, is_first, room);
    }
    measure_synchronize(task); /* all has arrived */
    return (struct measure_span){start, clock_now()};
}

static struct measure_span measure_do(const struct measure_task *task, int is_first, char *room)
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
        struct measure_span span = measure_do(&task, rank == task.pair.first, room);
        if (rank == task.pair.first)
            MPI_Send(&span, sizeof span, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD);
    }
}

static void measure_give(const struct measure_task *task, int32_t rank)
{
    if (rank != 0)
        MPI_Send(task, sizeof *task, MPI_BYTE, rank, TAG_TASK, MPI_COMM_WORLD);
}

/* Wait for the answer of a rank that is not rank 0. */
static struct measure_span measure_answer(int32_t rank)
{
    struct measure_span span = {0, 0};
    MPI_Request request;
    MPI_Irecv(&span, sizeof span, MPI_BYTE, rank, TAG_ANSWER, MPI_COMM_WORLD, &request);
    measure_sleep(&request);
    return span;
}

_Static_assert((int)MEASURE_NEAREST <= (int)MEASURE_WINDOW, "measure_is_new, task.partner");

/* Returns 1 if no pair before pair `i` has the same first rank, as of up to MEASURE_WINDOW pairs
 * some may: a rank sends to MEASURE_NEAREST nodes at most. */
static int measure_is_new(const struct measure_pair *pairs, int i)
{
    for (int k = 0; k < i && i < MEASURE_WINDOW; k++)
        if (pairs[k].first == pairs[i].first)
            return 0;
    return 1;
}

/* Tell all ranks; *mine gets the task of rank 0, if it has one. */
static void measure_give_all(const struct measure_task *task, const struct measure_pair *pairs,
                             int count, struct measure_task *mine)
{
    struct measure_task each = *task;
    each.starter = pairs[0].first;
    each.pairs = count;
    each.starters = 0;
    for (int i = 0; i < count; i++)
        each.starters += measure_is_new(pairs, i);
    for (int i = 0; i < count; i++) {
        each.pair = pairs[i];
        each.partners = 1;
        each.partner[0] = pairs[i].first;
        measure_give(&each, pairs[i].second);
        *mine = pairs[i].second == 0 ? each : *mine;
        each.partners = 0;
        for (int k = i; k < count && each.partners < MEASURE_WINDOW; k++)
            if (pairs[k].first == pairs[i].first)
                each.partner[each.partners++] = pairs[k].second;
        if (!measure_is_new(pairs, i))
            continue;
        measure_give(&each, pairs[i].first);
        *mine = pairs[i].first == 0 ? each : *mine;
    }
}

double measure_lead(const struct measure_task *task, const struct measure_pair *pairs, int count,
                    char *room)
{
    struct measure_task mine = {.kind = MEASURE_END};
    struct measure_span own = {0, 0}, all = {INFINITY, 0};
    double longest = 0;
    measure_give_all(task, pairs, count, &mine);
    if (mine.kind != MEASURE_END)
        own = measure_do(&mine, mine.pair.first == 0, room);
    for (int i = 0; i < count; i++) {
        if (!measure_is_new(pairs, i))
            continue;
        struct measure_span span = pairs[i].first == 0 ? own : measure_answer(pairs[i].first);
        all.start = span.start < all.start ? span.start : all.start;
        all.end = span.end > all.end ? span.end : all.end;
        longest = span.end - span.start > longest ? span.end - span.start : longest;
    }
    double seconds = all.end - all.start;
    if (task->kind == MEASURE_EXCHANGE) /* nodes have clocks of their own */
        return longest / task->times;
    return task->kind == MEASURE_PING ? seconds / (2 * task->times) : seconds;
}

void measure_end(int ranks)
{
    const struct measure_task end = {.kind = MEASURE_END};
    for (int32_t rank = 1; rank < ranks; rank++)
        measure_give(&end, rank);
}
