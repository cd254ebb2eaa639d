/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waiting.c - see waiting.h.
 *
 * An MPI that waits tests without end. Where ranks share processors, those that wait then keep the
 * others from what they wait for, until the system takes the processor away: MPICH on 16 ranks and
 * two processors, 95 ms for a reduction of one integer. So between two tests this process yields,
 * which takes no time where nobody else wants the processor, and a millisecond where another
 * computes. By the number of tests it knows that, and where another rank computes for long, it
 * sleeps as well.
 *
 * Not earlier: to open a TCP connection takes several turns of Open MPI's event loop, which runs in
 * each eighth test while there is no connection yet (opal_progress). Naps from the first
 * millisecond on made MPI_Init on four nodes take 0.95 s instead of 0.45. For the same reason there
 * are several tests between two naps.
 */
#include "comm/waiting.h"

#include <sched.h>
#include <time.h>

#include "base/clock.h"

static const double waiting_awake = 0.05; /* seconds before the first nap */
static const double waiting_alone =
    2e-5; /* a test and a yield take less on a processor of its own */
static const struct timespec waiting_nap = {0, 1000000};
enum { WAITING_TESTS = 16 };               /* between two naps */
static const double waiting_longest = 0.1; /* seconds that one test and one nap may take */

struct waiting_time {
    double waited, before;
    long tests;
};

static void waiting_pause(struct waiting_time *time)
{
    double after = clock_now(), step = after - time->before;
    time->waited += step < waiting_longest ? step : waiting_longest;
    time->before = after;
    time->tests++;
    if (time->tests % WAITING_TESTS || time->waited < waiting_awake ||
        time->waited < (double)time->tests * waiting_alone)
        sched_yield();
    else
        nanosleep(&waiting_nap, NULL);
}

enum waiting waiting_for(MPI_Request *requests, int count, double seconds)
{
    struct waiting_time time = {.before = clock_now()};
    int completed = 0;
    for (; time.waited < seconds; waiting_pause(&time)) {
        int done = 1;
        while (completed < count && done) {
            if (PMPI_Test(&requests[completed], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
                return WAITING_FAILED;
            completed += done;
        }
        if (completed == count)
            return WAITING_DONE;
    }
    return WAITING_TOO_LONG;
}

enum waiting waiting_send(const void *data, size_t size, int to, int tag, MPI_Comm comm,
                          double seconds)
{
    MPI_Request request;
    if (PMPI_Isend(data, (int)size, MPI_BYTE, to, tag, comm, &request) != MPI_SUCCESS)
        return WAITING_FAILED;
    return waiting_for(&request, 1, seconds);
}

enum waiting waiting_receive(void *data, size_t size, int from, int tag, MPI_Comm comm,
                             double seconds)
{
    MPI_Request request;
    if (PMPI_Irecv(data, (int)size, MPI_BYTE, from, tag, comm, &request) != MPI_SUCCESS)
        return WAITING_FAILED;
    enum waiting how = waiting_for(&request, 1, seconds);
    if (how == WAITING_TOO_LONG && PMPI_Cancel(&request) == MPI_SUCCESS)
        waiting_for(&request, 1, 1.0);
    return how;
}
