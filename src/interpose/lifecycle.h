/* SPDX-License-Identifier: BSD-3-Clause */
/* lifecycle.h - what has to be done before and after MPI_Init and before MPI_Finalize; each does
 * nothing the second time; and the part of others in it. The functions of MPI are in override.h. */
#ifndef RESEAT_LIFECYCLE_H
#define RESEAT_LIFECYCLE_H

void lifecycle_before_init(void);
void lifecycle_after_init(void);
void lifecycle_before_finalize(void);

/* ---- sessions.c; without sessions in the MPI it does nothing ---- */

/* MPI_Init has been called after all, and takes over the recorder. Collective over all
 * processes. */
void sessions_give_way(void);

/* ---- topology-calls.c: the outcome of the program's topology calls ---- */

/* Print whether any of them was reordered, if they were to be. */
void topology_calls_explain(void);

/* Returns 1 if the identity of communicators matters, 0 if nothing is recorded and no topology call
 * is reordered. */
int topology_calls_matter(void);

#endif
