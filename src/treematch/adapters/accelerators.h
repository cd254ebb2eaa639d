/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accelerators.h - the accelerators of a node: GPUs and the like, of which a program takes one by
 * its local rank. By PCI alone, without any vendor's library. Not installed.
 */
#ifndef TMAP_ACCELERATORS_H
#define TMAP_ACCELERATORS_H

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

#endif
