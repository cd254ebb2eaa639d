/* SPDX-License-Identifier: BSD-3-Clause */
/* contention.h - the mapping method of Zarrinchian, Soryani and Analoui (2012), which spreads jobs
 * that would overload the network cards of nodes. */
#ifndef RESEAT_CONTENTION_H
#define RESEAT_CONTENTION_H

#include <stdint.h>

#include "simulate/workload.h"
#include "simulate/free-cores.h"

/*
 * Number of processes of a job that may be on one node, equation 1: with Adj the number of ranks
 * that a rank sends to or receives from, floor(sum(Adj_i / Adj_max) / nodes), at least 1. 0: as
 * many as fit, because a process and its neighbors are expected to fit into a node: Adj_avg <=
 * free_cores - 1, where `free_cores` is the mean number of a node. *adjacency (may be NULL) gets
 * Adj_avg. -1: out of memory.
 */
int32_t contention_threshold(const struct reseat_job *job, int32_t nodes, double free_cores,
                             double *adjacency);

/* Give all ranks of the jobs cores, which there are: core_of[rank]. 0, or -1: out of memory. */
int contention_map(const struct reseat_workload *workload, struct free_cores *cores,
                   int32_t *core_of);

#endif
