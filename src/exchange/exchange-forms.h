/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange-forms.h - private to exchange: a reader and a writer for each form. */
#ifndef RESEAT_EXCHANGE_FORMS_H
#define RESEAT_EXCHANGE_FORMS_H

#include "text/lines.h"
#include "profile/world-profile.h"
#include "treematch/tmap.h"

/* The input of a reader. It sets *profile, which its caller destroys if it returns -1. */
struct form_input {
    struct lines *lines;
    enum reseat_metric metric;
    int32_t ranks;
    struct form_sums {
        double values;  /* as they are in the file */
        double rounded; /* of what rounding adds or takes away */
    } * sums;           /* of messages, where they have a column of their own; of all else */
};
enum { FORM_MESSAGES, FORM_VALUES, FORM_SUMS };
typedef int form_reader(const struct form_input *input, struct reseat_profile **profile);
form_reader form_read_plain, form_read_market, form_read_dense, form_read_csv, form_read_scotch,
    form_read_metis;

int form_read_monitoring(struct reseat_profile **profile, const char *const *paths, size_t count,
                         int32_t ranks, struct reseat_error *error);

/* Read a number of a line that is rounded to an integer, and add it to sums: as lines_value. */
int form_read_value(struct form_sums *sums, const char **text, uint64_t *value);

/* Add one number of a pair, unless it is 0. 0, or -1 if out of memory. */
int form_add_value(struct reseat_profile *profile, int32_t source, int32_t target, uint64_t value,
                   enum reseat_metric metric);

/* Only blank lines and comments may be left. 0, or -1 with `otherwise` as the error of lines. */
int form_expect_end(struct lines *lines, char comment, const char *otherwise);

/* Add a header that tells what the numbers were, and sort everything. 0, or -1 with the error of
 * lines, also where rounding has changed the numbers by more than 1 % in all. */
int form_finish(const struct form_input *input, struct reseat_profile *profile);

#endif
