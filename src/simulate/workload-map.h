/* SPDX-License-Identifier: BSD-3-Clause */
/* workload-map.h - mapping the jobs of a workload together to one cluster: the methods that
 * Zarrinchian, Soryani and Analoui (2012) compare, and ours. */
#ifndef RESEAT_WORKLOAD_MAP_H
#define RESEAT_WORKLOAD_MAP_H

#include "simulate/rates.h"
#include "simulate/workload.h"
#include "simulate/cluster-run.h"

/* The name of a method, from number 0 on; NULL: no more. */
const char *workload_method_name(int index);

/*
 * A core for each rank of all jobs, one rank a core: core_of[rank], workload->ranks entries. The
 * method has one of the names above. `options`: the simulation by which method best judges, and the
 * seed; all other methods need no rates. 0, or -1 with *error: more ranks than free cores, taken
 * cores that do not exist, an unknown method, out of memory.
 */
int workload_map(const struct reseat_workload *workload, const struct reseat_rates *rates,
                 const char *method, const struct simulate_options *options, int32_t *core_of,
                 struct reseat_error *error);

/* 0, or -1 with *error: a rank is on a core that is taken, or those that are taken do not exist. */
int workload_map_check(const struct reseat_workload *workload, const struct reseat_rates *rates,
                       const int32_t *core_of, struct reseat_error *error);

#endif
