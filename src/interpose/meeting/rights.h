/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rights.h - whether MPI can still do what it could in MPI_Init. A process that has changed its
 * user, its capabilities or its root since then cannot open the memory of others any more, or they
 * not its, and MPI, which does so with the first longer message (UCX: posix, sysv, cma; Open MPI:
 * vader with cma), ends the job or hangs there.
 */
#ifndef RESEAT_RIGHTS_H
#define RESEAT_RIGHTS_H

/* Note, in MPI_Init, what this process may do. */
void rights_note(void);

/* Returns 1 if it still can. Local. */
int rights_are_kept(void);

/* The reason to print if it cannot. */
extern const char rights_lost[];

#endif
