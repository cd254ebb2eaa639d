/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.c - see waiting.h. */
#include "interpose/waiting.h"

#include <time.h>

#include "base/clock.h"

enum { WAITING_SPINS = 10000 };            /* tests before sleeping between them */
static const double waiting_longest = 0.1; /* seconds that one test and one sleep may take */

enum waiting waiting_for(MPI_Request *requests, int count, double seconds)
{
    const struct timespec pause = {0, 100000};
    double waited = 0, before = clock_now();
    int completed = 0;
    for (long tries = 0; waited < seconds; tries++) {
        int done = 1;
        while (completed < count && done) {
            if (PMPI_Test(&requests[completed], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
                return WAITING_FAILED;
            completed += done;
        }
        if (completed == count)
            return WAITING_DONE;
        if (tries < WAITING_SPINS)
            continue;
        nanosleep(&pause, NULL);
        double after = clock_now(), step = after - before;
        waited += step < waiting_longest ? step : waiting_longest;
        before = after;
    }
    return WAITING_TOO_LONG;
}
