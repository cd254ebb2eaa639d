/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h - MPI for unit tests without MPI: the ranks are threads of the test, and ranks.c has the
 * few functions that are needed (of MPICH's mpi.h). Messages are kept until they are received;
 * collectives are always on all ranks.
 */
#ifndef TESTS_RANKS_H
#define TESTS_RANKS_H

#include <mpi.h>
#include <stddef.h>

enum { RANKS_COMM = 1 }; /* the communicator of all of them */

/* Run `body` on `ranks` ranks at once, and wait for all. Fails the test when messages are left over. */
void ranks_run(int ranks, void (*body)(int rank, void *context), void *context);

/* The largest number of other ranks with which one rank has exchanged messages. */
int ranks_most_partners(void);

/* The length of the longest chain of messages, each sent after the one before it had been received;
 * that a synchronous one has been received is a message as well. */
int ranks_most_rounds(void);

/* The most bytes that one rank had been sent and had not received yet. */
size_t ranks_most_waiting(void);

/* The most messages, and the most bytes, that one rank has sent. */
int ranks_most_sent(void);
size_t ranks_most_bytes(void);

/* How many collective calls each rank has made. */
int ranks_collectives(void);

/* The next `times` MPI_Send to this rank fail. */
void ranks_refuse(int rank, int times);

/* From now on MPI_Recv at this rank takes its message and fails, and messages may be left over; -1:
 * none. */
void ranks_garble(int rank);

#endif
