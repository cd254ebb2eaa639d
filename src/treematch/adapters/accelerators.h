/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accelerators.h - the accelerators of a node: GPUs and the like, of which a program takes one by
 * its local rank; and its network cards. By PCI alone, without any vendor's library. Not installed.
 */
#ifndef TMAP_ACCELERATORS_H
#define TMAP_ACCELERATORS_H

#include "treematch/tmap.h"

/*
 * What counts, of PCI devices:
 *   - class 0302 (3D controller), 0380 (other display controller) and 12xx (processing accelerator)
 *   - class 0300 (VGA controller) of NVIDIA or AMD where there is another accelerator; the only one
 *     is the screen's
 * What does not: devices of Intel on bus 0, which are built into the processor; displays of virtual
 * machines; the VGA controllers of boards that manage a server (ASPEED, Matrox), and all others.
 */

/* Returns the number of accelerators of the machine that `source` describes, as for
 * tmap_tree_create_from_hwloc; 0 also if it cannot be read. This machine (NULL) is read from the
 * kernel's list, whatever the environment tells hwloc. */
int tmap_accelerators(const char *source);

/* The same by a folder like the kernel's /sys/bus/pci/devices. */
int tmap_accelerators_in(const char *folder);

/* Returns the level of a place (TMAP_PLACE_PACKAGE, TMAP_PLACE_NUMA) whose objects have network
 * cards of their own on such a machine: of the levels at which most objects have one, the
 * outermost; TMAP_PLACE_LEVELS: no two of them do; -1: no card is seen. */
int tmap_card_level(const char *source);

/* An accelerator or a network card (PCI class 02), and the slots that are near it: those `first` to
 * `last`. */
struct tmap_device {
    char pci[20]; /* its address, as "0000:3b:00.0" */
    int is_card;
    int32_t first, last;
};

/* List the devices of such a machine, of which tmap_tree_create_from_hwloc has made `tree`, by
 * address; those near slots that are all forbidden are left out. The caller frees *devices.
 * TMAP_ETOPOLOGY, TMAP_ENOMEM. */
enum tmap_status tmap_devices_find(struct tmap_device **devices, int32_t *count, const char *source,
                                   int cores_only, const struct tmap_tree *tree,
                                   struct tmap_error *error);

#endif
