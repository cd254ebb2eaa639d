/* SPDX-License-Identifier: BSD-3-Clause */
/* lifecycle.h - what has to be done before and after MPI_Init; each does nothing the second time.
 * MPI_Init and the like are in override.h, what is done before MPI_Finalize in hooks.h. */
#ifndef RESEAT_LIFECYCLE_H
#define RESEAT_LIFECYCLE_H

void lifecycle_before_init(void);
void lifecycle_after_init(void);

#endif
