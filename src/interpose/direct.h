/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * direct.h - whether a wrapper may leave as soon as it calls MPI, with nothing to do afterwards. A
 * process that waits in MPI gives its processor away, and when it comes back the processor has
 * forgotten where it would return to: each function on the way out costs some 15 ns more then.
 */
#ifndef RESEAT_DIRECT_H
#define RESEAT_DIRECT_H

#include <mpi.h>

#include "interpose/interpose.h"

/* Calls that are known (fast-path.h): one that fails ends the program, so they can be recorded before
 * they are made. No other tool wants to see them. */
extern int direct_known INTERPOSE_HIDDEN;

/* Functions that complete requests: no file has been opened, and there is no other tool. (ROMIO's
 * nonblocking collectives go on in them, by calling MPI's functions by their names.) */
extern int direct_completion INTERPOSE_HIDDEN;

/* After MPI_Init, where recording begins. What a session has done before still holds. */
void direct_start(void);

#endif
