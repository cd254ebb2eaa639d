/* SPDX-License-Identifier: BSD-3-Clause */
/* report-sentences.h - sentences of `report`, which all its forms have: its verdict, the pattern of
 * the traffic, options of launchers. What writes a text is for document_written (document.h). */
#ifndef RESEAT_REPORT_SENTENCES_H
#define RESEAT_REPORT_SENTENCES_H

#include <stdio.h>

#include "predict/prediction.h"
#include "recognize/recognize.h"
#include "regular/regular-words.h"
#include "text/error.h"
#include "treematch/tmap.h"

/* ---- the pattern ---- */

/* What the traffic looks like, and of a grid which block of ranks suits a node of the tree. */
struct report_pattern {
    struct recognized recognized;
    int has_tile;
    int32_t tile[RECOGNIZE_DIMENSIONS];
    uint64_t tile_crossing; /* bytes between tiles */
};

/* 0, or -1 with *error; recognize_fini in any case. */
int report_pattern_find(struct report_pattern *pattern, const struct tmap_matrix *bytes,
                        const struct tmap_tree *tree, struct reseat_error *error);

/* A line for what is recognized, if anything is: "The pattern is ...". */
void report_pattern_write(FILE *file, const struct report_pattern *pattern, int32_t ranks);
/* A line for the tile, if there is one: "A tile of ...". */
void report_pattern_write_tile(FILE *file, const void *pattern);

/* ---- options of launchers ---- */

/* An option and its share of the gain of the better order; 0: there is none with half of it. */
struct report_option {
    enum launcher_family family;
    char words[LAUNCHER_WORDS];
    double share;
};

/* Of the launcher of the profile's MPI, and of srun. */
struct report_options {
    struct report_option own, srun;
};

/* Find them for a prediction that has a gain in cost. `has_seats`: the tree is what the job used,
 * and only what options do with hosts is certain. 0, or -1 with *error. */
int report_options_find(struct report_options *options, const struct prediction *p,
                        const struct reseat_profile *profile, int has_seats,
                        struct reseat_error *error);

/* A line where there are any. */
void report_options_write(FILE *file, const void *options);

/* ---- the verdict; of a struct report: report-text.c ---- */

/* The sentence that matters, as a line. */
void report_write_verdict(FILE *file, const void *report);

/* For which machine the order is where that is not the job's, as a line; nothing where run does not
 * look for the order. */
void report_write_machine(FILE *file, const void *report);

#endif
