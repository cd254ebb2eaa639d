/* SPDX-License-Identifier: BSD-3-Clause */
/* components.h - components of the MPI that a job runs better without. */
#ifndef RESEAT_COMPONENTS_H
#define RESEAT_COMPONENTS_H

/* Before MPI_Init, in a job that is watched or reordered. */
void components_choose(void);

/* The answer for Open MPI if it asks the environment for `name`, which is not set; NULL: none. The
 * text is never freed. */
const char *components_default(const char *name);

#endif
