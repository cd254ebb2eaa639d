/* SPDX-License-Identifier: BSD-3-Clause */
/* preload.h - how this library came into the process, and which MPI it found there. In a program
 * that is linked with another MPI it withdraws at once (preload.c). */
#ifndef RESEAT_PRELOAD_H
#define RESEAT_PRELOAD_H

enum { PRELOAD_VERSION_SIZE = 8192 }; /* enough for MPI_MAX_LIBRARY_VERSION_STRING of any MPI */

/* Remove this library from LD_PRELOAD: children of a rank are not ranks and must load neither it
 * nor its MPI. Returns 1 if it was there. */
int preload_leave(void);

/* A value of LD_PRELOAD without this library; the caller frees it. NULL: out of memory. */
char *preload_others(const char *preload);

/* Before MPI_Init: say so where the program has loaded an MPI meanwhile that is not ours. */
void preload_check_loaded(void);

/* Name and version of the MPI that our calls go to, such as "Open MPI v4.1.4". May be called at any
 * time. */
void preload_mpi(char version[PRELOAD_VERSION_SIZE]);

#endif
