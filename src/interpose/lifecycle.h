/* SPDX-License-Identifier: BSD-3-Clause */
/* lifecycle.h - what has to be done before MPI_Init and before MPI_Finalize, and once MPI runs;
 * nothing when it has been done. MPI_Init and its kin themselves are in override.h. */
#ifndef RESEAT_LIFECYCLE_H
#define RESEAT_LIFECYCLE_H

void lifecycle_before_init(void);
void lifecycle_after_init(void);
void lifecycle_before_finalize(void);

#endif
