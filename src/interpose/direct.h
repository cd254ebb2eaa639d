/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * direct.h - whether a wrapper may end in a jump to MPI, with nothing left to do after the call.
 *
 * Processors predict where a function returns to from a stack of the latest calls. A process that
 * waits inside MPI gives its processor away, and when it runs again that stack is another one's:
 * each return on the way out is mispredicted, which costs some 15 ns. A wrapper that jumps has no
 * frame of its own, and so adds no such return (doc/design/0005-straight-to-mpi.md).
 */
#ifndef RESEAT_DIRECT_H
#define RESEAT_DIRECT_H

#include <mpi.h>

#include "interpose/interpose.h"

/* Calls on the fast path (fast-path.h): every error ends the program, so a call may be recorded
 * before it is made, and there is no other tool that has to see it. */
extern int direct_known INTERPOSE_HIDDEN;

/* Functions that complete requests: no file has been opened, and there is no other tool. (ROMIO's
 * nonblocking collectives make progress in them and call MPI's functions by name, so the guard has
 * to be up.) */
extern int direct_completion INTERPOSE_HIDDEN;

/* At the end of MPI_Init, when recording starts. What a session did before still counts. */
void direct_start(void);

#endif
