/* SPDX-License-Identifier: BSD-3-Clause */
/* report-option.h - what `report` says of options of launchers. */
#ifndef RESEAT_REPORT_OPTION_H
#define RESEAT_REPORT_OPTION_H

#include <stdio.h>

#include "predict/prediction.h"
#include "regular/regular-words.h"

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

/* Find them for a prediction that has a gain in cost. `has_seats`: the tree is what the job used, and only
 * what options do with hosts is certain. 0, or -1 with *error. */
int report_options_find(struct report_options *options, const struct prediction *p,
                        const struct reseat_profile *profile, int has_seats,
                        struct reseat_error *error);

/* A line where there are any; lines `key<TAB>value`. */
void report_options_write(FILE *file, const struct report_options *options);
void report_options_write_table(FILE *file, const struct report_options *options);

#endif
