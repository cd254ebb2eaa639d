/* SPDX-License-Identifier: BSD-3-Clause */
/* preload.h - how this library came into the process, and which MPI it met there. When it is loaded
 * into a program that is linked with another MPI, it ends its part at once (preload.c). */
#ifndef RESEAT_PRELOAD_H
#define RESEAT_PRELOAD_H

enum { PRELOAD_VERSION_SIZE = 8192 }; /* enough for any MPI's MPI_MAX_LIBRARY_VERSION_STRING */

/* Take this library out of LD_PRELOAD: children of a rank are not ranks and shall load neither it
 * nor its MPI. Returns 1 when it was there. */
int preload_leave(void);

/* A value of LD_PRELOAD without this library; the caller frees it. NULL when memory is short. */
char *preload_others(const char *preload);

/* Name and version of the MPI that our calls go to, "Open MPI v4.1.4";
 * may be called at any time. */
void preload_mpi(char version[PRELOAD_VERSION_SIZE]);

#endif
