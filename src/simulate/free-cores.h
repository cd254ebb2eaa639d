/* SPDX-License-Identifier: BSD-3-Clause */
/* free-cores.h - which cores of a cluster have no rank yet, while jobs are mapped to it. */
#ifndef RESEAT_FREE_CORES_H
#define RESEAT_FREE_CORES_H

#include <stdint.h>

#include "simulate/rates.h"
#include "simulate/workload.h"

struct free_cores {
    const struct reseat_rates *rates;
    unsigned char *is_taken; /* by core */
    int32_t *in_node, *in_package;
    int32_t all;
};

/* All cores are free but those that the workload says are taken, which exist. 0, or -1: out of
 * memory. Either way free_cores_fini may be called. */
int free_cores_init(struct free_cores *cores, const struct reseat_rates *rates,
                    const struct reseat_workload *workload);
void free_cores_fini(struct free_cores *cores);

/* The node, or the package of a node, with most free cores; the first of several. */
int32_t free_cores_emptiest_node(const struct free_cores *cores);
int32_t free_cores_emptiest_package(const struct free_cores *cores, int32_t node);

/* Take the first free core of a package; there is one. Returns the core. */
int32_t free_cores_take(struct free_cores *cores, int32_t package);

/* Take the first free core of a node; there is one. Returns the core. */
int32_t free_cores_take_first(struct free_cores *cores, int32_t node);

#endif
