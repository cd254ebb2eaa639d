/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.h - waiting for other ranks: with a limit where they may not come, and without taking the
 * processor away from those that work. */
#ifndef RESEAT_WAITING_H
#define RESEAT_WAITING_H

#include <math.h>
#include <mpi.h>
#include <stddef.h>

enum waiting { WAITING_DONE = 0, WAITING_TOO_LONG = 1, WAITING_FAILED = -1 };

#define WAITING_FOREVER HUGE_VAL /* seconds */

/* Complete the requests, or give up after `seconds` in which this process has run; time during
 * which it was suspended, with all others, does not count. */
enum waiting waiting_for(MPI_Request *requests, int count, double seconds);

/* MPI_Send and MPI_Recv of bytes, for so long. What has not come in time is cancelled: then it does
 * not come any more, or has come after all. What has not left may be read later: do not free it. */
enum waiting waiting_send(const void *data, size_t size, int to, int tag, MPI_Comm comm,
                          double seconds);
enum waiting waiting_receive(void *data, size_t size, int from, int tag, MPI_Comm comm,
                             double seconds);

#endif
