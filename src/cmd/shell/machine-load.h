/* SPDX-License-Identifier: BSD-3-Clause */
/* machine-load.h - the machine of a command line: --tree, --topology, --costs, --layout,
 * --objective. */
#ifndef RESEAT_MACHINE_LOAD_H
#define RESEAT_MACHINE_LOAD_H

#include "network/machine.h"
#include "profile/settings.h"
#include "text/error.h"
#include "treematch/tmap.h"

/* Check the values of --tree and --costs by themselves; NULL: not given. 0, or -1 with *error. */
int check_tree(const char *tree, const char *costs, struct reseat_error *error);

/* Check a layout as far as that is possible without the machine. 0, or -1 with *error. */
int check_layout(const char *layout, struct reseat_error *error);

/*
 * The tree to map to: from `text` (arities or named levels), else from `topology` (an hwloc XML
 * file, a synthetic description, "this", or Netloc's lines), with `costs` ("C,C,..."; may be NULL).
 * *machine, if the caller wants it, gets what Netloc's lines say beyond the tree, without a tree;
 * NULL: it is something else. 0, or -1 with *error.
 */
int load_tree(struct tmap_tree **tree, struct reseat_machine **machine, const char *text,
              const char *topology, const char *costs, struct reseat_error *error);

/* Returns the source that hwloc reads for such a --topology; NULL: this machine. */
const char *topology_source(const char *topology);

/* Returns the number of accelerators of the machine that such a --topology names, or of this one
 * (NULL); -1: it is no single node. */
int machine_accelerators(const char *topology);

/* Replace the costs of a tree by "C,C,...". 0, or -1 with *error and the tree unchanged. */
int set_costs(struct tmap_tree **tree, const char *costs, struct reseat_error *error);

/* Whether --topology is a file with the network above hosts, and not a machine (load_tree). */
int names_switches(const char *topology);

/* What the traffic of a pair crosses if the pair meets at a level ("between nodes"); returns `text`
 * or a text that stays valid. */
const char *level_crossing(const struct tmap_tree *tree, int level, char text[64]);

#endif
