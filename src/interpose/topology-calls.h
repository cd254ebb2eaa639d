/* SPDX-License-Identifier: BSD-3-Clause */
/* topology-calls.h - what has become of the program's topology calls, which are in override.h. */
#ifndef RESEAT_TOPOLOGY_CALLS_H
#define RESEAT_TOPOLOGY_CALLS_H

/* Say whether any of them was reordered, where they were to be. */
void topology_calls_explain(void);

/* Whether somebody asks what a communicator is: not where nothing is recorded and none is
 * reordered. */
int topology_calls_matter(void);

#endif
