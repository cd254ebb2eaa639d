/* SPDX-License-Identifier: BSD-3-Clause */
/* sessions.h - recording a program that uses sessions (MPI-4) instead of MPI_Init. The functions of
 * MPI are in override.h. With an MPI without sessions all of these do nothing. */
#ifndef RESEAT_SESSIONS_H
#define RESEAT_SESSIONS_H

/* MPI_Init has been called after all, and takes over the recorder. Collective over all
 * processes. */
void sessions_give_way(void);

#endif
