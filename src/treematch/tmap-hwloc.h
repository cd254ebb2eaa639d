/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tmap-hwloc.h - topology trees from hwloc: this machine, an XML file, a synthetic description.
 * The only part of the mapping library that needs hwloc.
 */
#ifndef TMAP_HWLOC_H
#define TMAP_HWLOC_H

#include "tmap.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Finds where the calling process sits on this machine: the smallest hardware object that covers
 * the PUs it is bound to. A process that may run on the whole machine gets -1 everywhere and *bound
 * = 0; so does one for which hwloc describes another machine (HWLOC_SYNTHETIC, HWLOC_XMLFILE),
 * because there its binding means nothing: see tmap_machine_find_pu.
 * TMAP_ETOPOLOGY: hwloc cannot read the machine.
 */
TMAP_API enum tmap_status tmap_place_find_self(struct tmap_place *place, int *bound,
                                               struct tmap_error *error);

/*
 * A machine, read once and queried any number of times: nearly all the time goes into reading.
 */
struct tmap_machine;

/*
 * Read the machine that `source` describes (as in tmap_tree_create_from_hwloc).
 * TMAP_ETOPOLOGY: the source cannot be read.
 */
TMAP_API enum tmap_status tmap_machine_create(struct tmap_machine **machine, const char *source,
                                              struct tmap_error *error);
TMAP_API void tmap_machine_destroy(struct tmap_machine *machine);

/*
 * Finds where a process bound to PU number `index` (logical, from 0) would sit: for tests and
 * planning.
 * TMAP_EINVAL: no such PU.
 */
TMAP_API enum tmap_status tmap_machine_find_pu(const struct tmap_machine *machine, int32_t index,
                                               struct tmap_place *place, struct tmap_error *error);

/* A set of PUs as launchers number them: lists like "0-3,8" of logical indices. */
struct tmap_numbers {
    char cores[512];
    char pus[512];
    int whole;       /* the set has all PUs of these cores */
    int reserved[7]; /* 0 */
};

/*
 * The same for a process that is bound to a set of PUs, given by their OS numbers: "0-3,8".
 * *bound as in tmap_place_find_self; `place` and `bound` are both given or both NULL. `numbers`
 * (may be NULL) gets the set as lists; objects that a cgroup forbids are not counted, as in Open
 * MPI. TMAP_ESYNTAX: not a list. TMAP_EINVAL: PUs that do not exist. TMAP_EOVERFLOW: the lists do
 * not fit.
 */
TMAP_API enum tmap_status tmap_machine_find_cpus(const struct tmap_machine *machine,
                                                 const char *cpus, struct tmap_place *place,
                                                 int *bound, struct tmap_numbers *numbers,
                                                 struct tmap_error *error);

/*
 * The tree of a machine: this one (source NULL), an hwloc XML file (source is a path that ends in
 * .xml or exists) or an hwloc synthetic description ("pack:2 l3:2 core:4 pu:2"). Levels that branch
 * nowhere are left out; slots are the PUs, or the cores if `cores_only`. PUs that the system
 * forbids (by a cgroup; in a file, by its allowed_cpuset) are no slots, nor are cores without any
 * other.
 */
TMAP_API enum tmap_status tmap_tree_create_from_hwloc(struct tmap_tree **tree, const char *source,
                                                      int cores_only, struct tmap_error *error);

#ifdef __cplusplus
}
#endif

#endif
