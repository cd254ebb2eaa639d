/* SPDX-License-Identifier: BSD-3-Clause */
/* topology-calls.h - the outcome of the program's topology calls, which are in override.h. */
#ifndef RESEAT_TOPOLOGY_CALLS_H
#define RESEAT_TOPOLOGY_CALLS_H

/* Print whether any of them was reordered, if they were to be. */
void topology_calls_explain(void);

/* Returns 1 if the identity of communicators matters, 0 if nothing is recorded and no topology call
 * is reordered. */
int topology_calls_matter(void);

#endif
