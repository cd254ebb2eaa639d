/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.h - waiting for others with a limit. */
#ifndef RESEAT_WAITING_H
#define RESEAT_WAITING_H

#include <mpi.h>

enum waiting { WAITING_DONE = 0, WAITING_TOO_LONG = 1, WAITING_FAILED = -1 };

/* Complete the requests, or give up after `seconds` in which this process has run; time during
 * which it was suspended, with all others, does not count. */
enum waiting waiting_for(MPI_Request *requests, int count, double seconds);

#endif
