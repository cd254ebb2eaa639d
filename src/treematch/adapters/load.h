/* SPDX-License-Identifier: BSD-3-Clause */
/* load.h - reading a machine with hwloc; private to the adapters. */
#ifndef TMAP_LOAD_H
#define TMAP_LOAD_H

#include <hwloc.h>

#include "treematch/tmap.h"

/* Read the machine that `source` describes, as for tmap_tree_create_from_hwloc; with PCI devices
 * if `devices`, which takes longer. The caller destroys it. TMAP_ETOPOLOGY. */
enum tmap_status tmap_topology_load(hwloc_topology_t *topology, const char *source, int devices,
                                    struct tmap_error *error);

#endif
