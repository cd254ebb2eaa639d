/* SPDX-License-Identifier: BSD-3-Clause */
/* components.h - parts of the MPI that a job does better without. */
#ifndef RESEAT_COMPONENTS_H
#define RESEAT_COMPONENTS_H

/* Before MPI_Init: this job is watched or reordered. */
void components_choose(void);

/* What Open MPI shall be told that asks the environment for `name`, which is not set there; NULL:
 * nothing. The text lives for ever. */
const char *components_default(const char *name);

#endif
