/* SPDX-License-Identifier: BSD-3-Clause */
/* report-pattern.h - what `report` says of the pattern of the traffic. */
#ifndef RESEAT_REPORT_PATTERN_H
#define RESEAT_REPORT_PATTERN_H

#include "format/error.h"
#include "treematch/tmap.h"

/* Say what the traffic looks like, if anything, and of a grid which block of ranks suits a node of the
 * tree. 0, or -1 with *error. */
int report_print_pattern(const struct tmap_matrix *bytes, const struct tmap_tree *tree,
                         struct reseat_error *error);

#endif
