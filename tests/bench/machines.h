/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machines.h - machines for benchmarks, from text.
 */
#ifndef TESTS_BENCH_MACHINES_H
#define TESTS_BENCH_MACHINES_H

#include "treematch/tmap.h"

/*
 * A tree as tmap_tree_parse takes it, or "fatgraph:4x22 core:24": nodes below a graph of 4 switches
 * with 22 nodes each and one switch above them, then whatever is in a node. Behind it "/C,C,..." for
 * costs, and "%L" to take away half of the objects of level L, chosen at random and always the same.
 * NULL: says why on stderr.
 */
struct tmap_tree *machine_make(const char *text);

#endif
