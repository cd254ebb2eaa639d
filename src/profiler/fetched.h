/* SPDX-License-Identifier: BSD-3-Clause */
/* fetched.h - hand fetched bytes over to the processes that sent them. */
#ifndef RESEAT_FETCHED_H
#define RESEAT_FETCHED_H

#include "comm/rank-tree.h"

/*
 * Collective over the processes of the world: every TRAFFIC_FETCHED counter of a phase
 * becomes RESEAT_OSC traffic of the process it was fetched from. If one process is out of memory,
 * nothing is handed over anywhere: the counters stay, and that is noted as unseen. 0, or -1:
 * not all has come that was sent here, or left that others need.
 */
int fetched_return(struct rank_tree *rank_tree);

#endif
