/* SPDX-License-Identifier: BSD-3-Clause */
/* report-pattern.h - what `report` says of the pattern of the traffic. */
#ifndef RESEAT_REPORT_PATTERN_H
#define RESEAT_REPORT_PATTERN_H

#include <stdio.h>

#include "text/error.h"
#include "recognize/recognize.h"
#include "treematch/tmap.h"

/* What the traffic looks like, and of a grid which block of ranks suits a node of the tree. */
struct report_pattern {
    struct recognized recognized;
    int has_tile;
    int32_t tile[RECOGNIZE_DIMENSIONS];
    uint64_t tile_crossing; /* bytes between tiles */
};

/* 0, or -1 with *error; close it in any case. */
int report_pattern_find(struct report_pattern *pattern, const struct tmap_matrix *bytes,
                        const struct tmap_tree *tree, struct reseat_error *error);
void report_pattern_close(struct report_pattern *pattern);

/* A line for what is recognized, if anything is: "The pattern is ...". */
void report_pattern_write(FILE *file, const struct report_pattern *pattern, int32_t ranks);
/* A line for the tile, if there is one: "A tile of ...". */
void report_pattern_write_tile(FILE *file, const struct report_pattern *pattern);
/* The options of CrayPat's grid_order for it; 0: there are none, as the grid is numbered otherwise, and
 * nothing is written. */
int report_pattern_write_cray(FILE *file, const struct report_pattern *pattern);

#endif
