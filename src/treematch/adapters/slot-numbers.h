/* SPDX-License-Identifier: BSD-3-Clause */
/* slot-numbers.h - the numbers that a system gives to the slots of its tree. Not installed. */
#ifndef TMAP_SLOT_NUMBERS_H
#define TMAP_SLOT_NUMBERS_H

#include "treematch/tmap-hwloc.h"

/*
 * By slot of the tree that tmap_tree_create_from_hwloc makes of the same source: the number of the
 * PU in the system ("physical", hwloc's os_index), or with `cores_only` the smallest one of the
 * core's PUs. All differ. The caller frees *number. TMAP_ETOPOLOGY: the source cannot be read.
 */
enum tmap_status tmap_slot_numbers(int32_t **number, const char *source, int cores_only,
                                   struct tmap_error *error);

#endif
